// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_reader.h"

#include <gmock/gmock.h>

#include "model/import/json_text.h"
#include "tests/model/import/json_reading.h"

namespace lanescope::imported {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;
using testing::SizeIs;
using Kind = JsonId::Kind;

TEST(JsonReader, TimesAreExactToTheNanosecond) {  // IMP-03
  const JsonReading read = readJsonText(R"([{"ph":"X","name":"a","ts": 1682666453031165.466, "dur": 1.376},
      {"ph":"X","name":"b","ts": 1682666453031166.842, "dur": 1.0}])");
  ASSERT_THAT(read.events, SizeIs(2));
  EXPECT_THAT(read.events[0].ts, Optional(1682666453031165466));
  EXPECT_EQ(*read.events[0].ts + *read.events[0].duration, *read.events[1].ts);
  EXPECT_THAT(read.issues, IsEmpty());
}

TEST(JsonReader, TimesInQuotesAndIdsBeyondADoubleAreExact) {  // IMP-04
  const JsonReading read = readJsonText(R"([{"ph":"s","id":9007199254740992,"ts":"1682666453031165.466"},
      {"ph":"s","id":9007199254740993,"ts":" 5 "},{"ph":"s","id":"0x1f","ts":"soon"}])");
  ASSERT_THAT(read.events, SizeIs(3));
  EXPECT_THAT(read.events[0].ts, Optional(1682666453031165466));
  EXPECT_EQ(read.events[0].id, (JsonId{Kind::kNumber, 9007199254740992}));
  EXPECT_EQ(read.events[1].id, (JsonId{Kind::kNumber, 9007199254740993}));
  EXPECT_THAT(read.events[1].ts, Optional(5000));
  EXPECT_EQ(read.events[2].idText, "0x1f");
  EXPECT_TRUE(read.events[2].badTime);
}

TEST(JsonReader, TheUnitOfTheDisplayNeverChangesTimes) {  // IMP-24
  for (const char* text : {R"({"displayTimeUnit":"ns","traceEvents":[{"ph":"X","ts":1236,"dur":13837451}]})",
                           R"({"traceEvents":[{"ph":"X","ts":1236,"dur":13837451}],"displayTimeUnit":"ns"})"}) {
    const JsonReading read = readJsonText(text);
    ASSERT_THAT(read.events, SizeIs(1));
    EXPECT_THAT(read.events[0].ts, Optional(1236000));
    EXPECT_THAT(read.events[0].duration, Optional(13837451000));
    EXPECT_THAT(read.documents[0].top, ElementsAre(Pair("displayTimeUnit", "\"ns\"")));
  }
}

TEST(JsonReader, TimesAreNanosecondsWhereThatIsSaid) {  // IMP-24
  const JsonReading read = readJsonText(R"([{"ph":"X","ts":1236.5,"dur":"7"}])", true);
  ASSERT_THAT(read.events, SizeIs(1));
  EXPECT_THAT(read.events[0].ts, Optional(1237));
  EXPECT_THAT(read.events[0].duration, Optional(7));
}

TEST(JsonReader, ATimeThatIsNoneIsMarkedAndANegativeOneIsSound) {  // IMP-21
  const JsonReading read = readJsonText(R"([{"ph":"X","ts":null,"dur":1},{"ph":"X","ts":-5,"dur":1},
      {"ph":"X","ts":10,"dur":1},{"ph":"X","ts":NaN,"dur":1},{"ph":"X","ts":1e30,"dur":1},{"ph":"X","ts":3},{"ph":"M"}])");
  ASSERT_THAT(read.events, SizeIs(7));
  const auto isBad = [&](std::size_t i) { return read.events[i].badTime && !read.events[i].ts; };
  EXPECT_TRUE(isBad(0));
  EXPECT_THAT(read.events[1].ts, Optional(-5000));
  EXPECT_FALSE(read.events[1].badTime);
  EXPECT_THAT(read.events[2].ts, Optional(10000));
  EXPECT_TRUE(isBad(3));
  EXPECT_TRUE(isBad(4));
  EXPECT_FALSE(read.events[5].badTime);
  EXPECT_THAT(read.events[5].duration, Eq(std::nullopt));
  EXPECT_FALSE(read.events[6].badTime);
  EXPECT_THAT(read.issues, IsEmpty());
}

TEST(JsonReader, FieldsAreToldApart) {
  const JsonReading read =
      readJsonText(R"([{"ph":"f","name":"n\"1\"","cat":"c","pid":-7,"tid":"stream 7","id":3,"bp":"e",
      "s":"g","sf":12,"ts":1,"dur":2,"args":{"a":{"b":"}"}},"unknown":[{}]},
      {"ph":"b","id2":{"global":"0x2","local":"0x1"},"scope":"sc","sf":"f1"},
      {"ph":"b","id2":{"global":"0x2"},"id":4},{"ph":"b","id2":{"global":"0x2"}}])");
  ASSERT_THAT(read.events, SizeIs(4));
  const KeptEvent& e = read.events[0];
  EXPECT_EQ(e.phase, 'f');
  EXPECT_EQ(e.name, "n\"1\"");
  EXPECT_EQ(e.category, "c");
  EXPECT_EQ(e.pid, (JsonId{Kind::kNumber, -7}));
  EXPECT_EQ(e.tid.kind, Kind::kText);
  EXPECT_EQ(e.tidText, "stream 7");
  EXPECT_EQ(e.id, (JsonId{Kind::kNumber, 3}));
  EXPECT_EQ(e.bind, "e");
  EXPECT_EQ(e.scope, "g");
  EXPECT_EQ(e.frame, "12");
  EXPECT_EQ(e.args, R"({"a":{"b":"}"}})");
  EXPECT_EQ(read.events[1].idText, "0x1");
  EXPECT_TRUE(read.events[1].idIsLocal);
  EXPECT_EQ(read.events[1].scope, "sc");
  EXPECT_EQ(read.events[1].frame, "f1");
  EXPECT_EQ(read.events[2].id, (JsonId{Kind::kNumber, 4}));
  EXPECT_FALSE(read.events[2].idIsLocal);
  EXPECT_EQ(read.events[3].idText, "0x2");
  EXPECT_FALSE(read.events[3].idIsLocal);
}

TEST(JsonReader, WrongTypesBecomeTheirTextOrNothing) {
  const JsonReading read =
      readJsonText(R"([{"ph":5,"name":17,"cat":null,"pid":null,"tid":true,"id":[1],"args":"text","ts":1},
      {"ph":"XX","name":{"a":1},"pid":{"a":1},"tid":4.0,"id":1.5,"args":[1],"ts":[1],"dur":{}},{}])");
  ASSERT_THAT(read.events, SizeIs(3));
  EXPECT_EQ(read.events[0].phase, '5');
  EXPECT_EQ(read.events[0].name, "17");
  EXPECT_EQ(read.events[0].category, "");
  EXPECT_EQ(read.events[0].pid.kind, Kind::kNone);
  EXPECT_EQ(read.events[0].tidText, "true");
  EXPECT_EQ(read.events[0].id.kind, Kind::kNone);
  EXPECT_EQ(read.events[0].args, "");
  EXPECT_EQ(read.events[1].phase, '\0');
  EXPECT_EQ(read.events[1].pid.kind, Kind::kNone);
  EXPECT_EQ(read.events[1].tid, (JsonId{Kind::kNumber, 4}));
  EXPECT_EQ(read.events[1].idText, "1.5");
  EXPECT_EQ(read.events[1].args, "");
  EXPECT_TRUE(read.events[1].badTime);
  EXPECT_EQ(read.events[2].phase, '\0');
}

TEST(JsonReader, NumbersBeyond64BitsAreKeptAsText) {  // IMP-20
  const JsonReading read =
      readJsonText(R"([{"ph":"X","id":18446744073709551615,"args":{"Comms Id":123456789012345678901234567890}}])");
  ASSERT_THAT(read.events, SizeIs(1));
  EXPECT_EQ(read.events[0].id.kind, Kind::kText);
  EXPECT_EQ(read.events[0].idText, "18446744073709551615");
  EXPECT_EQ(JsonArguments(read.events[0].args).text("Comms Id"), "123456789012345678901234567890");
}

TEST(JsonReader, OfAFieldThatStandsTwiceTheLastCounts) {
  const JsonReading read =
      readJsonText(R"([{"ph":"B","name":"a","ts":1,"ph":"X","name":"b","ts":2,"args":{"x":1},"args":{"x":2,"x":3}}])");
  ASSERT_THAT(read.events, SizeIs(1));
  EXPECT_EQ(read.events[0].phase, 'X');
  EXPECT_EQ(read.events[0].name, "b");
  EXPECT_THAT(read.events[0].ts, Optional(2000));
  EXPECT_EQ(JsonArguments(read.events[0].args).text("x"), "3");
}

TEST(JsonReader, WhatTellsOfAGpuIsTakenFromArgsWhereverTheyStand) {
  const JsonReading read = readJsonText(R"([
      {"ph":"X","cat":"kernel","args":{"device":1,"context":2,"stream":7,"correlation":9,"grid":[1,{"stream":3}]}},
      {"ph":"X","args":{"device":1,"stream":"7","correlation":10,"bytes":4096},"cat":"gpu_memcpy"},
      {"ph":"X","cat":"Runtime","args":{"correlation":"11","device":"GPU"}},
      {"ph":"X","cat":"cpu_op","args":{"correlation":12}},
      {"ph":"X","cat":"kernel"}])");
  ASSERT_THAT(read.events, SizeIs(5));
  const auto& first = read.events[0].gpu;
  EXPECT_THAT((std::array{first.correlation, first.device, first.context, first.stream, first.bytes}),
              ElementsAre(9, 1, 2, 7, -1));
  EXPECT_EQ(read.events[0].args, R"({"device":1,"context":2,"stream":7,"correlation":9,"grid":[1,{"stream":3}]})");
  const auto& second = read.events[1].gpu;
  EXPECT_THAT((std::array{second.correlation, second.device, second.stream, second.bytes}),
              ElementsAre(10, 1, 7, 4096));
  EXPECT_EQ(read.events[2].gpu.correlation, 11);
  EXPECT_EQ(read.events[2].gpu.device, -1);
  EXPECT_EQ(read.events[3].gpu.correlation, 0);
  EXPECT_EQ(read.events[4].gpu.correlation, 0);
}

TEST(JsonReader, WhatStandsBesideTheEventsIsKept) {
  const JsonReading read = readJsonText(R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU \"A\""}],
      "traceEvents": [{"ph":"X","name":"a"}], "stackFrames": {"1": {"name": "main"}}, "traceEvents": [{"ph":"X","name":"b"}]})");
  EXPECT_EQ(read.names(), "a b");
  ASSERT_THAT(read.documents, SizeIs(1));
  EXPECT_EQ(read.documents[0].name, "");
  EXPECT_THAT(read.documents[0].top,
              ElementsAre(Pair("deviceProperties", R"([{"id":0,"name":"GPU \"A\""}])"), Pair("schemaVersion", "1"),
                          Pair("stackFrames", R"({"1":{"name":"main"}})")));
}

TEST(JsonReader, AllFormsOfAListOfEventsAreRead) {
  for (const char* text :
       {R"([{"ph":"X","name":"a"},{"ph":"X","name":"b"}])", R"([{"ph":"X","name":"a"},{"ph":"X","name":"b"})",
        R"([{"ph":"X","name":"a"},{"ph":"X","name":"b"},)", R"([{"ph":"X","name":"a"},{"ph":"X","name":"b"},])",
        R"([{"ph":"X","name":"a"}][{"ph":"X","name":"b"}])",
        R"({"traceEvents":[{"ph":"X","name":"a"},]}{"traceEvents":[{"ph":"X","name":"b"}]})",
        "{\"ph\":\"X\",\"name\":\"a\"}\n{\"ph\":\"X\",\"name\":\"b\"}\n",
        "{\"name\":\"a\",\"ph\":\"X\"},\n{\"ph\":\"X\",\"name\":\"b\"}",
        "\xEF\xBB\xBF[\r\n{\"ph\":\"X\",\"name\":\"a\"},\r\n{\"ph\":\"X\",\"name\":\"b\"}\r\n]\r\n",
        "// a \"comment\"\n/* and } another */[{\"ph\":\"X\",\"name\":\"a\"}, // {\n /* \" */ {\"ph\":\"X\",/* x "
        "*/\"name\":\"b\",}]",
        R"([[],{"ph":"X","name":"a"} {"ph":"X","name":"b"}])"}) {
    const JsonReading read = readJsonText(text);
    EXPECT_EQ(read.names(), "a b") << text;
    EXPECT_FALSE(read.error) << text;
    if (std::string_view(text).starts_with("[[]"))
      EXPECT_THAT(read.damage(), ElementsAre("import-skipped-no-object 1"));
    else EXPECT_THAT(read.damage(), IsEmpty()) << text;
  }
}

TEST(JsonReader, ASoundButEmptyTraceIsOne) {
  for (const char* text : {"[]", "[", "[ ] ", R"({"traceEvents":[]})", R"({"a":1,"traceEvents":[],"b":2})"}) {
    const JsonReading read = readJsonText(text);
    EXPECT_FALSE(read.error) << text;
    EXPECT_THAT(read.events, IsEmpty());
    EXPECT_THAT(read.issues, IsEmpty());
  }
}

TEST(JsonReader, WhatIsNoTraceIsToldByWhatItIs) {
  const auto says = [](std::string_view text) {
    const JsonReading read = readJsonText(text);
    return read.error && read.error->code == ErrorCode::kNotAReport ? read.error->detail : "a trace";
  };
  EXPECT_THAT(says(R"({"schema":"1.0.1","pid":5,"nodes":[{"name":"x","id":2}]})"),
              HasSubstr("execution trace of PyTorch"));
  EXPECT_THAT(says(R"({"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":[]})"),
              HasSubstr("speedscope"));
  EXPECT_THAT(says(R"({"a":1})"), HasSubstr("without trace events"));
  EXPECT_THAT(says(R"({"traceEvents":{"a":1}})"), HasSubstr("without trace events"));
  EXPECT_THAT(says(R"({"name":"x","version":1})"), HasSubstr("without trace events"));
  EXPECT_THAT(says(R"([1,2,"x"])"), HasSubstr("list"));
  EXPECT_THAT(says(R"([{"city":"Rome"}])"), HasSubstr("list"));
  EXPECT_THAT(says("# tracer: nop\n"), HasSubstr("no JSON"));
  EXPECT_THAT(says(std::string("\xFF\xFE[\0]\0", 6)), HasSubstr("UTF-16"));
  EXPECT_EQ(readJsonText("").error->code, ErrorCode::kEmpty);
  EXPECT_EQ(readJsonFile("/nowhere.json").error->code, ErrorCode::kNotFound);
  EXPECT_EQ(readJsonFile("/").error->code, ErrorCode::kIsFolder);
}

TEST(JsonReader, AJobThatIsStoppedEndsIt) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "t.json", R"([{"ph":"X"}])");
  std::stop_source stop;
  stop.request_stop();
  KeepingVisitor visitor;
  const auto result = readJson(folder / "t.json", false, visitor, Job(stop.get_token()));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

/// A list of entries of all sizes.
std::string longList(int entries) {
  std::string text = "[";
  for (int i = 0; i < entries; ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += R"({"ph":"X","name":"n)" + std::to_string(i) + R"(","ts":)" + std::to_string(i) + R"(,"args":{"i":)" +
            std::to_string(i) + R"(,"pad":")" + std::string(static_cast<std::size_t>(i * 37 % 900), '{') + "\"}}";
  }
  return text + "]";
}

TEST(JsonReader, EntriesAcrossTheEdgesOfAWindowAreWhole) {
  constexpr int kEntries = 3000;
  const JsonReading read = readJsonText(R"({"before":[1],"traceEvents":)" + longList(kEntries) + R"(,"after":2})");
  ASSERT_THAT(read.events, SizeIs(kEntries));
  for (int i = 0; i < kEntries; ++i) {
    const KeptEvent& event = read.events[static_cast<std::size_t>(i)];
    ASSERT_EQ(event.name, "n" + std::to_string(i));
    ASSERT_EQ(event.ordinal, static_cast<std::uint64_t>(i));
  }
  EXPECT_THAT(read.documents[0].top, ElementsAre(Pair("after", "2"), Pair("before", "[1]")));
  EXPECT_THAT(read.issues, IsEmpty());
}

TEST(JsonReader, ANumberAcrossTheEdgeOfAWindowIsWhole) {
  for (std::size_t before = TextWindow::kFirstWindow - 60; before < TextWindow::kFirstWindow; ++before) {
    const JsonReading read = readJsonText("{\"pad\":\"" + std::string(before, 'x') +
                                          R"(","baseTimeNanoseconds":1700000000000000000,"traceEvents":[{"ph":"X"}]})");
    ASSERT_THAT(read.events, SizeIs(1));
    ASSERT_EQ(read.documents[0].top.at("baseTimeNanoseconds"), "1700000000000000000") << before;
  }
}

TEST(JsonReader, AnEntryLargerThanAWindowIsRead) {
  const std::string name(700'000, 'x');
  const JsonReading read =
      readJsonText(R"([{"ph":"X","name":"a"},{"ph":"X","name":")" + name + R"("},{"ph":"X","name":"b"}])");
  EXPECT_EQ(read.names(), "a " + name + " b");
  EXPECT_THAT(read.issues, IsEmpty());
}

TEST(JsonReader, ArgumentsAreReadAgainByWhereTheyStand) {
  const test::TemporaryFolder folder;
  // Two arrays, so that the second begins at a position of its own.
  test::writeFile(
      folder / "t.json",
      R"({"traceEvents":[{"ph":"X","args":{"a":"first"}},5,{"ph":"X","args":{"a":"third"}}],"traceEvents":)" +
          longList(1000) + "}");
  const JsonReading read = readJsonFile(folder / "t.json");
  ASSERT_FALSE(read.error);
  const auto argument = [&](std::uint64_t ordinal) {
    const auto fields = argumentsOf(folder / "t.json", read.positions, ordinal, folder / "unused", Job());
    return fields && !fields->empty() ? fields->at(0).first + "=" + fields->at(0).second : "none";
  };
  EXPECT_EQ(argument(0), "a=first");
  EXPECT_EQ(argument(1), "none");
  EXPECT_EQ(argument(2), "a=third");
  ASSERT_THAT(read.events, SizeIs(1002));
  EXPECT_EQ(read.events[2].ordinal, Positions::kEvery);
  for (const std::size_t i : {2, 3, 66, 67, 500, 1001})
    EXPECT_EQ(argument(read.events[i].ordinal), "i=" + std::to_string(i - 2)) << i;
  EXPECT_EQ(argument(1'000'000), "none");
}

TEST(JsonReader, ArgumentsHaveTheirOrderAndTypes) {
  const JsonArguments args(R"({ "name" : "a\tb", "n":12, "big":18446744073709551615, "x":1.5, "grid":[38, 2,1],
      "short":[7], "deep":{"k":[1, 2]}, "none":null, "nan":NaN, "n":13,})");
  EXPECT_THAT(args.all(),
              ElementsAre(Pair("name", "a\tb"), Pair("n", "12"), Pair("big", "18446744073709551615"), Pair("x", "1.5"),
                          Pair("grid", "[38,2,1]"), Pair("short", "[7]"), Pair("deep", R"({"k":[1,2]})"),
                          Pair("none", "null"), Pair("nan", "NaN"), Pair("n", "13")));
  EXPECT_EQ(args.text("name"), "a\tb");
  EXPECT_THAT(args.integer("n"), Optional(13));
  EXPECT_THAT(args.integer("big"), Eq(std::nullopt));
  EXPECT_THAT(args.integer("missing"), Eq(std::nullopt));
  EXPECT_THAT(args.real("x"), Optional(1.5));
  EXPECT_THAT(args.real("nan"), Eq(std::nullopt));
  EXPECT_THAT(args.size3("grid"), ElementsAre(38, 2, 1));
  EXPECT_THAT(args.size3("short"), ElementsAre(7, -1, -1));
  EXPECT_THAT(args.size3("x"), ElementsAre(-1, -1, -1));
  for (const char* broken : {"", "{", "[1]", R"({"a")", R"({"a":)", R"({"a":}])", "text"})
    EXPECT_THAT(JsonArguments(broken).all(), IsEmpty()) << broken;
  EXPECT_THAT(JsonArguments(R"({"a":1,"b":"c"d"})").all(), ElementsAre(Pair("a", "1"), Pair("b", "c")));
}

}  // namespace
}  // namespace lanescope::imported
