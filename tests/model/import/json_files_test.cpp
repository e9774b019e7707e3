// SPDX-License-Identifier: Apache-2.0
// Real files of strangers, against what a decimal reader of another kind found in them.
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "model/import/json_number.h"
#include "tests/model/import/json_reading.h"

namespace lanescope::imported {
namespace {

/// What EXPECTED.json says of a file.
struct Figures {
  std::uint64_t entries = 0;
  std::map<std::string, std::uint64_t> byPhase;
  std::optional<trace::Ns> first, last, total;
  bool operator==(const Figures&) const = default;
};

void PrintTo(const Figures& f, std::ostream* out) {
  *out << f.entries << " entries,";
  for (const auto& [phase, count] : f.byPhase) *out << " " << phase << ":" << count;
  *out << ", " << f.first.value_or(-1) << " to " << f.last.value_or(-1) << ", " << f.total.value_or(-1) << " ns";
}

class Counting : public JsonVisitor {
 public:
  void entry(const JsonEvent& event) override {
    ++figures.entries;
    if (event.phase != 0) ++figures.byPhase[std::string(1, event.phase)];
    if (event.phase == 'X') figures.total = figures.total.value_or(0) + event.duration.value_or(0);
    if (event.phase == 'M' || !event.ts) return;
    const trace::Ns end = *event.ts + (event.phase == 'X' ? event.duration.value_or(0) : 0);
    figures.first = std::min(figures.first.value_or(*event.ts), *event.ts);
    figures.last = std::max(figures.last.value_or(end), end);
  }
  Figures figures;
};

std::map<std::string, Figures> expectedFigures() {
  std::map<std::string, Figures> all;
  simdjson::dom::parser parser;
  simdjson::dom::element files;
  const auto path = test::sharedFolder() / "traces" / "EXPECTED.json";
  if (parser.load(path.string()).get(files) != simdjson::SUCCESS) return all;
  for (const auto& [name, about] : files.get_object()) {
    const simdjson::dom::element figures = about["figures"];
    Figures& expected = all[std::string(name)];
    if (figures["n"].get(expected.entries) != simdjson::SUCCESS) {
      all.erase(std::string(name));
      continue;
    }
    const auto decimal = [&](const char* key, int shift) {
      std::string_view text;
      return figures[key].get(text) == simdjson::SUCCESS ? scaledDecimal(text, shift) : std::nullopt;
    };
    expected.first = decimal("tmin_us", 3);
    expected.last = decimal("tmax_us", 3);
    expected.total = decimal("x_ns", 0);
    for (const auto& [phase, count] : figures["ph"].get_object())
      if (phase.size() == 1) expected.byPhase[std::string(phase)] = count.get_uint64();
  }
  return all;
}

class JsonFiles : public testing::TestWithParam<std::filesystem::path> {};

std::vector<std::filesystem::path> jsonFiles() {
  std::vector<std::filesystem::path> all;
  for (const char* folder : {"kineto", "chrome"})
    for (const auto& path : test::filesIn(test::sharedFolder() / "traces" / folder)) all.push_back(path);
  return all;
}

TEST_P(JsonFiles, HoldWhatAnotherReaderFinds) {
  static const std::map<std::string, Figures> kExpected = expectedFigures();
  const auto found = kExpected.find(GetParam().parent_path().filename() / GetParam().filename());
  Counting counting;
  const auto read = readJson(GetParam(), false, counting, Job());
  if (GetParam().filename().string().starts_with("O-C22")) {
    EXPECT_FALSE(read);
    return;
  }
  ASSERT_TRUE(read) << sentence(read.error());
  EXPECT_TRUE(read->issues.empty()) << read->issues[0].text;
  if (found == kExpected.end()) {  // never closed, which that reader refuses
    EXPECT_EQ(counting.figures.entries, 6u);
    return;
  }
  if (!found->second.total && counting.figures.total == 0) counting.figures.total.reset();
  EXPECT_EQ(counting.figures, found->second);
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(JsonFiles);
INSTANTIATE_TEST_SUITE_P(Shared, JsonFiles, testing::ValuesIn(jsonFiles()),
                         [](const auto& info) { return test::testName(info.param.filename().string()); });

TEST(JsonFilesOfOurs, AreSound) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& path : test::filesIn(test::sharedFolder() / "golden" / "kineto", ".gz")) {
    Counting counting;
    const auto read = readJson(path, false, counting, Job());
    ASSERT_TRUE(read) << path;
    EXPECT_TRUE(read->issues.empty()) << path;
    EXPECT_GT(counting.figures.entries, 1000u) << path;
  }
}

}  // namespace
}  // namespace lanescope::imported
