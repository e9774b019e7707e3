// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_cut.h"

#include <gmock/gmock.h>

#include <random>

#include "model/import/json_walk.h"

namespace lanescope::imported {
namespace {

using testing::ElementsAre;

struct Entries {
  std::vector<std::string> texts;
  Cut::Stop stop = Cut::Stop::kTextEnd;
  std::size_t at = 0;
};

Entries cutText(const std::string& text, std::size_t from = 0) {
  const std::string padded = text + std::string(kCutSlack, '{');  // what stands behind must not count
  std::vector<CutEntry> entries;
  const Cut cut = cutEntries(std::string_view(padded).substr(0, text.size()), from, entries);
  Entries found{{}, cut.stop, cut.at};
  for (const CutEntry& entry : entries) found.texts.push_back(text.substr(entry.begin, entry.end - entry.begin));
  return found;
}

TEST(JsonCut, EntriesEndAtTheirBraceOutsideStrings) {
  const Entries cut = cutText(R"( {"a":"}"} ,{"b":[{}]},{"c":"\"}\\"}]rest)");
  EXPECT_THAT(cut.texts, ElementsAre(R"({"a":"}"})", R"({"b":[{}]})", R"({"c":"\"}\\"})"));
  EXPECT_EQ(cut.stop, Cut::Stop::kArrayEnd);
}

TEST(JsonCut, WhatIsNotWholeIsLeft) {
  const Entries cut = cutText(R"({"a":1},{"b":{"c":2})");
  EXPECT_THAT(cut.texts, ElementsAre(R"({"a":1})"));
  EXPECT_EQ(cut.stop, Cut::Stop::kTextEnd);
  EXPECT_EQ(cut.at, 7u);
}

TEST(JsonCut, TroubleLeavesWhatCameBefore) {
  for (const char* trouble :
       {R"({"b":"c"d"})", R"(// x)", R"(/* { */{"b":1})", "[1]", "x", "}", R"({"b":1]])", R"("b":1})"}) {
    const Entries cut = cutText(R"({"a":1},)" + std::string(trouble) + R"(,{"c":1}])");
    EXPECT_THAT(cut.texts, ElementsAre(R"({"a":1})")) << trouble;
    EXPECT_EQ(cut.stop, Cut::Stop::kTrouble) << trouble;
    EXPECT_EQ(cut.at, 7u);
  }
}

/// A value of random shape whose strings are full of what could mislead.
std::string randomValue(std::mt19937& random, int depth) {
  const auto string = [&random] {
    constexpr std::string_view kParts[] = {"{", "}", "[", "]", ",", ":", R"(\")", R"(\\)", "a", " ", R"(\n)", "é"};
    std::string text = "\"";
    for (unsigned i = random() % 30; i > 0; --i) text += kParts[random() % std::size(kParts)];
    return text + "\"";
  };
  const unsigned kind = random() % (depth > 4 ? 3 : 5);
  if (kind < 2) return string();
  if (kind == 2) return std::to_string(random());
  const bool isObject = kind == 3;
  std::string text(1, isObject ? '{' : '[');
  for (unsigned i = random() % 4; i > 0; --i)
    text += (isObject ? string() + ": " : "") + randomValue(random, depth + 1) + (i > 1 ? ", " : "");
  return text + (isObject ? '}' : ']');
}

TEST(JsonCut, EntriesAreThoseOfTheWalkFromByteToByte) {
  std::mt19937 random(7);  // NOLINT: the same every time
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> entries;
    std::string text(random() % 70, ' ');
    for (unsigned i = 1 + random() % 12; i > 0; --i) {
      entries.push_back(R"({"x": )" + randomValue(random, 0) + "}");
      text += entries.back() + (i > 1 ? "," : "") + std::string(random() % 3, '\n');
    }
    const Entries cut = cutText(text + "]");
    ASSERT_EQ(cut.texts, entries) << text;
    ASSERT_EQ(cut.stop, Cut::Stop::kArrayEnd);
    const Walked walked = walkValue(text, text.find('{'));
    ASSERT_EQ(walked.stop, Walked::Stop::kWhole);
    ASSERT_EQ(walked.end, text.find('{') + entries[0].size());
    ASSERT_EQ(cutText(text.substr(0, random() % text.size())).stop, Cut::Stop::kTextEnd);
  }
}

}  // namespace
}  // namespace lanescope::imported
