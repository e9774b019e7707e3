// SPDX-License-Identifier: Apache-2.0
// What other writers get wrong, and what is left of it.
#include <gmock/gmock.h>

#include "model/import/json_cut.h"
#include "model/import/json_document.h"
#include "tests/model/import/json_reading.h"

namespace lanescope::imported {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string event(std::string_view name) {
  return R"({"ph":"X","name":")" + std::string(name) + R"(","ts":1,"dur":2})";
}

TEST(JsonDamage, AWriterThatDiedLeavesWhatIsWhole) {  // IMP-16
  const std::string text =
      R"({"traceEvents":[{"ph":"X","name":"k","pid":0,"tid":7,"ts":1,"dur":2},{"ph":"X","name":"k2","pid":0,"ti)";
  const JsonReading read = readJsonText(text);
  EXPECT_EQ(read.names(), "k");
  ASSERT_THAT(read.damage(), ElementsAre("import-cut-off 1"));
  EXPECT_THAT(read.issues[0].text, HasSubstr("byte " + std::to_string(text.size())));
}

TEST(JsonDamage, WhereverATextIsCutOffItsWholeEntriesAreLoadedAndItIsTold) {
  const std::string text = R"({"a":{"b":[1]},"traceEvents":[)" + event("a") + ", " + event("b") + R"(],"z":{"y":2}})";
  const std::size_t array = text.find("[{\"ph\"") + 1, afterA = array + event("a").size(),
                    afterB = afterA + 2 + event("b").size();
  for (std::size_t size = array; size < text.size(); ++size) {
    const JsonReading read = readJsonText(text.substr(0, size));
    ASSERT_FALSE(read.error) << size;
    EXPECT_EQ(read.names(), size < afterA ? "" : size < afterB ? "a" : "a b") << size;
    if (size <= afterB) EXPECT_THAT(read.damage(), ElementsAre("import-cut-off 1")) << size;
  }
}

TEST(JsonDamage, ControlCharactersBecomePicturesOfThem) {  // IMP-17
  const JsonReading read =
      readJsonText("[{\"ph\":\"X\",\"name\":\"S(\x01)\",\"cat\":\"two\nlines\"},{\"ph\":\"X\",\"name\":\"b\"}]");
  ASSERT_THAT(read.events, SizeIs(2));
  EXPECT_EQ(read.events[0].name, "S(␁)");
  EXPECT_EQ(read.events[0].category, "two␊lines");
  EXPECT_THAT(read.damage(), ElementsAre("import-repaired-control 2"));
  EXPECT_THAT(read.issues[0].text, HasSubstr("byte 1"));
}

TEST(JsonDamage, QuotesThatAreNotEscapedCostOneEntry) {  // IMP-18
  for (const char* name : {R"({"device": "cpu", "dtype": "float32"}(12): run)", R"(an odd "one)", R"(odd", too)",
                           R"(")", R"(three " in " one ")", R"(a "b": {")", R"(x"y"z)"}) {
    for (const char* between : {",", ",\n", " ,\n  "}) {
      const std::string text =
          "[" + event("a") + between + event(name) + between + event("b") + between + event("c") + "]";
      const JsonReading read = readJsonText(text);
      EXPECT_EQ(read.names(), "a b c") << text;
      ASSERT_THAT(read.damage(), ElementsAre("import-skipped-damaged 1")) << text;
      EXPECT_THAT(read.issues[0].text, HasSubstr("byte " + std::to_string(text.find(event(name))))) << text;
    }
  }
}

TEST(JsonDamage, WhateverIsWrongInAnEntryItsNeighboursAreLoaded) {
  for (const char* bad :
       {R"({"ph":"X","name":"x","args":{"a":1})", R"({"ph":"X","name":"x","args":{"a":[1,2})",
        R"({"ph":"X","name":"x")", R"({"ph":"X","name":"x)", R"({"ph":"X","name":"x","args":{"a":"b)",
        R"({"ph" "X","name":"x"})", R"({"ph":"X",name:"x"})", R"({'ph':'X','name':'x'})", R"({"ph":"X","name":})",
        R"({"ph":"X" "name":"x"})", R"({"ph":"X","name":"x"]})", R"({"ph":"X","name":x})", R"(})", R"(rubbish)",
        R"({"ph":"X","name":"x","args":{"a":1,{"b":2}})", R"({"ph":"X","name":"x","args":{"a" 1}})",
        R"({"ph":"X","name":"x","ts":12 34})"}) {
    const std::string text = R"({"traceEvents":[)" + event("a") + ",\n" + bad + ",\n" + event("b") + ",\n" +
                             event("c") + R"(],"traceName":"n"})";
    const JsonReading read = readJsonText(text);
    EXPECT_EQ(read.names(), "a b c") << text;
    EXPECT_THAT(read.damage(), ElementsAre("import-skipped-damaged 1")) << text;
    ASSERT_THAT(read.documents, SizeIs(1));
    EXPECT_EQ(read.documents[0].top.count("traceName"), 1u) << text;
  }
}

TEST(JsonDamage, DamageInTheLastEntryLeavesWhatStandsBehindTheArray) {
  for (const char* bad : {R"({"ph":"X","name":"an "odd one"})", R"({"ph":"X","args":{"a":1})"}) {
    const JsonReading read =
        readJsonText(R"({"traceEvents":[)" + event("a") + "," + bad + "\n],\n\"displayTimeUnit\": \"ms\"}");
    EXPECT_EQ(read.names(), "a");
    EXPECT_THAT(read.damage(), ElementsAre("import-skipped-damaged 1"));
    EXPECT_EQ(read.documents[0].top.count("displayTimeUnit"), 1u);
  }
}

TEST(JsonDamage, DamageBesideTheEventsDoesNotHideThem) {
  for (const char* before : {R"("a":b,)", R"("a":"b"c",)", R"("a":{"b":1],)", R"(a:1,)", R"("a" 1,)"}) {
    const JsonReading read = readJsonText(std::string("{") + before + R"("traceEvents":[)" + event("a") + "]}");
    EXPECT_EQ(read.names(), "a") << before;
    EXPECT_THAT(read.damage(), ElementsAre("import-skipped-beside 1")) << before;
  }
}

TEST(JsonDamage, BytesThatAreNoUtf8AreReplaced) {  // IMP-20
  const JsonReading read = readJsonText(
      "[{\"ph\":\"X\",\"name\":\"k\xFF\xFEl\"},{\"ph\":\"X\",\"name\":\"\xC3\xA9\"},{\"ph\":\"X\",\"name\":\"\\ud800!"
      "\"}]");
  ASSERT_THAT(read.events, SizeIs(3));
  EXPECT_EQ(read.events[0].name, "k\uFFFD\uFFFDl");
  EXPECT_EQ(read.events[1].name, "é");
  EXPECT_EQ(read.events[2].name, "\uFFFD!");
  EXPECT_THAT(read.damage(), ElementsAre("import-repaired-utf8 1"));
}

TEST(JsonDamage, NumbersThatAreNoneLeaveTheirEntry) {
  const JsonReading read = readJsonText(
      R"([{"ph":"C","name":"a","ts":1,"args":{"v":NaN,"w":-Infinity,"x":[Infinity,1]}},{"ph":"X","name":"b","dur":NaN,"ts":1,}])");
  ASSERT_EQ(read.names(), "a b");
  const JsonArguments args(read.events[0].args);
  EXPECT_EQ(args.text("v"), "NaN");
  EXPECT_FALSE(args.real("v"));
  EXPECT_EQ(args.text("w"), "-Infinity");
  EXPECT_TRUE(read.events[1].badTime);
  EXPECT_TRUE(read.events[1].ts);
}

TEST(JsonDamage, EntriesThatAreNoObjectsAreSkippedAndCounted) {
  const JsonReading read = readJsonText("[1," + event("a") + R"(,"text",null,[{"ph":"X"}],)" + event("b") + "]");
  EXPECT_EQ(read.names(), "a b");
  EXPECT_THAT(read.damage(), ElementsAre("import-skipped-no-object 4"));
  EXPECT_EQ(read.events[1].ordinal, 5u);
}

/// A list whose middle entry has these args.
std::string around(const std::string& args) {
  return "[" + event("a") + R"(,{"ph":"X","name":"x","args":)" + args + "}," + event("b") + "]";
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(JsonDamage, DeepNestingIsSkipped) {
  constexpr std::size_t kDeep = 1'000'000;
  for (const std::string& deep : {repeated(R"({"a":)", kDeep) + "1" + repeated("}", kDeep),
                                  "{\"a\":" + repeated("[", kDeep) + repeated("]", kDeep) + "}"}) {
    const JsonReading read = readJsonText(around(deep));
    EXPECT_EQ(read.names(), "a b");
    EXPECT_THAT(read.damage(), ElementsAre("import-skipped-deep 1"));
  }
  constexpr std::size_t kTooDeep = kDeepestJson + 1;
  EXPECT_EQ(readJsonText(around("{\"a\":" + repeated("[", kTooDeep) + repeated("]", kTooDeep) + "}")).names(), "a b");
  EXPECT_EQ(readJsonText("{\"a\":" + repeated("[", kTooDeep) + repeated("]", kTooDeep) + R"(,"traceEvents":[)" +
                         event("a") + "]}")
                .damage(),
            std::vector<std::string>{"import-skipped-beside 1"});
}

TEST(JsonDamage, DeepNestingThatNeverEndsTakesTimeInItsLength) {
  constexpr std::size_t kDeep = 200'000;
  EXPECT_EQ(readJsonText(around(repeated(R"({"a":)", kDeep))).names(), "a b");
  EXPECT_EQ(readJsonText("[" + event("a") + "," + repeated(R"({"args":)", kDeep) + "}," + event("b") + "]").names(),
            "a b");
  EXPECT_TRUE(readJsonText(repeated("[", kDeep)).error);
}

TEST(JsonDamage, ABraceTooManyCostsNoEntry) {
  const JsonReading read = readJsonText("[" + event("a") + "}," + event("b") + "]");
  EXPECT_EQ(read.names(), "a b");
  EXPECT_THAT(read.damage(), ElementsAre("import-skipped-damaged 1"));
}

TEST(JsonDamage, AnEntryThatNeverEndsCostsItselfAlone) {
  for (const char* open :
       {R"({"ph":"X","name":"x","args":{"a":[1,)", R"({"ph":"X","name":"x","args":{"name":{"name":[)"}) {
    std::string text = R"({"traceEvents":[)" + event("a") + "," + open + "\n";
    std::string expected = "a";
    for (int i = 0; i < 2000; ++i) {
      text += event(std::to_string(i)) + ",\n";
      expected += " " + std::to_string(i);
    }
    const JsonReading read = readJsonText(text + "],\"traceName\":1}");
    EXPECT_EQ(read.names(), expected);
    EXPECT_THAT(read.damage(), ElementsAre("import-skipped-damaged 1"));
    EXPECT_EQ(read.documents[0].top.count("traceName"), 1u);
  }
}

TEST(JsonDamage, ManyDamagedEntriesTakeTimeInTheirNumber) {
  std::string text = "[";
  constexpr int kEntries = 20'000;
  for (int i = 0; i < kEntries; ++i) text += event(i % 2 == 0 ? "fine" : "not \"fine") + ",\n";
  const JsonReading read = readJsonText(text + "]");
  EXPECT_THAT(read.events, SizeIs(kEntries / 2));
  EXPECT_THAT(read.damage(), ElementsAre("import-skipped-damaged " + std::to_string(kEntries / 2)));
}

/// One entry, and blanks without an end behind it.
class EndlessText : public TextSource {
 public:
  bool nextDocument(std::string&) override { return true; }
  std::size_t read(char* to, std::size_t size) override {
    std::fill_n(to, size, ' ');
    if (!std::exchange(begun_, true)) std::copy_n(R"([{"ph":"X"})", 11, to);
    bytes += size;
    return size;
  }
  const std::optional<Error>& failure() const override { return failure_; }
  double fraction() const override { return 0; }
  std::size_t bytes = 0;

 private:
  bool begun_ = false;
  std::optional<Error> failure_;
};

TEST(JsonDamage, TextWithoutEntriesIsNotReadForEver) {
  EndlessText text;
  EntryParser parser(false);
  KeepingVisitor visitor;
  JsonTroubles troubles;
  Positions positions;
  JsonProgress progress{0, 0, positions};
  constexpr std::size_t kMost = std::size_t{8} << 20;
  progress.mostIdle = kMost;
  JsonDocument document;
  DocumentReader(text, parser, visitor, troubles, progress, document, Job()).read();
  EXPECT_THAT(visitor.events, SizeIs(1));
  EXPECT_TRUE(progress.gaveUp);
  EXPECT_LT(text.bytes, 2 * kMost);
  ASSERT_THAT(troubles.issues(), SizeIs(1));
  EXPECT_EQ(troubles.issues()[0].kind, "import-gave-up");
}

TEST(JsonDamage, TextBehindATraceIsTold) {
  const JsonReading read = readJsonText("[" + event("a") + "]\n" + std::string(5, '\0') + "more");
  EXPECT_EQ(read.names(), "a");
  EXPECT_THAT(read.damage(), ElementsAre("import-skipped-text 1"));
}

}  // namespace
}  // namespace lanescope::imported
