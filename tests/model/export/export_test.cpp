// SPDX-License-Identifier: Apache-2.0
// Reports made in the test, exported, and what came out as text.
#include "model/export/export.h"

#include <gmock/gmock.h>
#include <simdjson.h>

#include "model/report/info.h"
#include "tests/support/loaded_report.h"

namespace lanescope::exporting {
namespace {

using test::gpid;
using test::gtid;
using test::K;
using test::M;
using test::N;
using test::R;
using testing::ElementsAre;
using testing::HasSubstr;

class Export : public test::LoadedReport {
 protected:
  /// The file's text, or the sentence that says why there is none.
  std::string exported(test::ReportBuilder& builder, Format format, std::optional<trace::TimeRange> range = {},
                       const char* name = "out") {
    return exported(builder.write(), format, range, name);
  }
  std::string exported(const std::filesystem::path& file, Format format, std::optional<trace::TimeRange> range = {},
                       const char* name = "out") {
    const auto database = report::Database::open(file);
    if (!database) return sentence(database.error());
    const Job job;
    report::Slice slice(*database, range, job);
    const auto done = exportReport(
        slice,
        {.format = format, .destination = folder / name, .ifExists = report::IfExists::kReplace, .version = "1"});
    if (!done) return sentence(done.error());
    missing = *done;
    return format == Format::kCsv || format == Format::kSqlite ? std::string() : test::readFile(folder / name);
  }

  Missing missing;
};

constexpr const char* kOddName = "f<\"a,b\">\n(int)\x01\xFF";

test::ReportBuilder& addTwoEvents(test::ReportBuilder& builder) {
  builder.sql("CREATE TABLE EXTRA(a BLOB, b REAL, c); INSERT INTO EXTRA VALUES (x'00fF', 1.5, NULL), (1, 9e999, 'x')");
  builder.add(R{.start = 10, .end = 15, .correlation = 7});
  return builder.add(N{.start = 1, .end = 20, .textId = builder.id(kOddName)}).add(N{.start = 2, .text = "open"});
}

TEST_F(Export, JsonLinesHaveARowEachWithTheStringsThatItRefersTo) {
  auto builder = report();
  EXPECT_EQ(
      exported(addTwoEvents(builder), Format::kJsonLines),
      R"({"table": "LANESCOPE_EXPORT", "writer": "lanescope 1", "source": "report.sqlite", "time_unit": "ns", "origin": "start of the session", "issues": []}
{"table": "CUPTI_ACTIVITY_KIND_RUNTIME", "start": 10, "end": 15, "eventClass": 0, "globalTid": 16777217, "correlationId": 7, "name": "cudaLaunchKernel_v7000", "returnValue": 0}
{"table": "EXTRA", "a": "00ff", "b": 1.5}
{"table": "EXTRA", "a": 1, "b": null, "c": "x"}
{"table": "NVTX_EVENTS", "start": 1, "end": 20, "eventType": 59, "text": "f<\"a,b\">\n(int)\u0001�", "globalTid": 16777217, "domainId": 0}
{"table": "NVTX_EVENTS", "start": 2, "eventType": 59, "text": "open", "globalTid": 16777217, "domainId": 0}
{"table": "StringIds", "id": 1000, "value": "cudaLaunchKernel_v7000"}
{"table": "StringIds", "id": 1001, "value": "f<\"a,b\">\n(int)\u0001�"}
)");
}

TEST_F(Export, JsonIsOneObjectOfTables) {
  auto builder = report();
  EXPECT_EQ(
      exported(builder.add(R{.start = 10, .end = 15}), Format::kJson, trace::TimeRange{0, 100}),
      R"({"lanescope": {"writer": "lanescope 1", "source": "report.sqlite", "time_unit": "ns", "origin": "start of the session", "range": [0, 100], "issues": []},
"tables": {
"CUPTI_ACTIVITY_KIND_RUNTIME": [
{"start": 10, "end": 15, "eventClass": 0, "globalTid": 16777217, "correlationId": 0, "name": "cudaLaunchKernel_v7000", "returnValue": 0}
],
"StringIds": [
{"id": 1000, "value": "cudaLaunchKernel_v7000"}
]
}}
)");
}

TEST_F(Export, TextIsForReading) {
  auto builder = report();
  EXPECT_EQ(
      exported(builder.add(R{.start = 10, .end = 15}), Format::kText),
      R"(# {"writer": "lanescope 1", "source": "report.sqlite", "time_unit": "ns", "origin": "start of the session", "issues": []}

CUPTI_ACTIVITY_KIND_RUNTIME
  start=10 end=15 eventClass=0 globalTid=16777217 correlationId=0 name="cudaLaunchKernel_v7000" returnValue=0

StringIds
  id=1000 value="cudaLaunchKernel_v7000"
)");
}

TEST_F(Export, CsvIsAFolderWithAFileATable) {
  auto builder = report();
  exported(addTwoEvents(builder), Format::kCsv);
  EXPECT_EQ(test::readFile(folder / "out/CUPTI_ACTIVITY_KIND_RUNTIME.csv"),
            "start (ns),end (ns),eventClass,globalTid,correlationId,name,returnValue,callchainId\n"
            "10,15,0,16777217,7,cudaLaunchKernel_v7000,0,\n");
  EXPECT_EQ(test::readFile(folder / "out/EXTRA.csv"), "a,b,c\n00ff,1.5,\n1,inf,x\n");
  EXPECT_THAT(test::readFile(folder / "out/NVTX_EVENTS.csv"),
              HasSubstr("\n1,20,59,,,,\"f<\"\"a,b\"\">\n(int)␁�\",16777217,"))
      << "line ends and quotes as spreadsheets have them";
}

TEST_F(Export, ACsvFolderIsReplacedOnlyWhenAskedToAndKeepsOtherFiles) {
  auto builder = report();
  const auto file = builder.add(R{.start = 10, .end = 15}).write();
  std::filesystem::create_directory(folder / "out");
  test::writeFile(folder / "out/mine.txt", "mine");
  exported(file, Format::kCsv);
  EXPECT_EQ(test::readFile(folder / "out/mine.txt"), "mine");
  EXPECT_NE(test::readFile(folder / "out/StringIds.csv"), "");

  const auto database = report::Database::open(file);
  const Job job;
  report::Slice slice(*database, {}, job);
  const auto refused = exportReport(slice, {.format = Format::kCsv, .destination = folder / "out"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kExists);
  EXPECT_THAT(folder.names(), testing::Not(testing::Contains(HasSubstr("partial"))));
}

TEST_F(Export, NothingTellsTheEnvironmentOfTheProgram) {
  auto builder = report();
  builder.add(R{.start = 10, .end = 15});
  builder.insert("META_DATA_CAPTURE",
                 {{"name", std::string("PROCESS_0:ENVIRONMENT_VARIABLE")}, {"value", std::string("TOKEN=secret")}});
  builder.insert("TARGET_INFO_SYSTEM_ENV", {{"devStateName", std::string("DeviceEnvironment")},
                                            {"name", std::string("DeviceEnvironment")},
                                            {"value", std::string("TOKEN=secret")}});
  const auto file = builder.write();
  for (const Format format : {Format::kJson, Format::kJsonLines, Format::kText, Format::kChrome}) {
    const std::string text = exported(file, format);
    EXPECT_THAT(text, HasSubstr("cudaLaunchKernel"));
    EXPECT_EQ(text.find("secret"), std::string::npos);
  }
}

TEST_F(Export, APartHasWhatTouchesItWholeAndWhatSaysWhoAndWhat) {
  auto builder = report();
  builder.add(K{.start = 0, .end = 10, .name = "before"})
      .add(K{.start = 5, .end = 11, .name = "into"})
      .add(K{.start = 12, .end = 13, .name = "inside"})
      .add(K{.start = 19, .end = 40, .name = "out of"})
      .add(K{.start = 20, .end = 30, .name = "behind"})
      .add(N{.start = 1, .type = 75, .text = "domain", .domain = 1})
      .add(N{.start = 2, .end = std::nullopt, .text = "open"})
      .add(N{.start = 2, .type = 34, .text = "mark"})
      .add(N{.start = 3, .end = 4, .text = "range"});
  exported(builder, Format::kSqlite, trace::TimeRange{10, 20}, "part.rep");

  const auto part = report::Database::open(folder / "part.rep");
  ASSERT_TRUE(part);
  EXPECT_EQ(part->text("SELECT group_concat(value) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName"),
            "into,inside,out of");
  EXPECT_EQ(part->text("SELECT group_concat(text) FROM NVTX_EVENTS"), "domain,open");
  EXPECT_EQ(part->integer("SELECT max(start) FROM CUPTI_ACTIVITY_KIND_KERNEL"), 19);
  const auto trace = report::load(folder / "part.rep", {}, {}, Job());
  ASSERT_TRUE(trace);
  EXPECT_THAT((*trace)->issues, testing::Contains(testing::Field(
                                    &trace::Issue::text,
                                    "A part of a recording, 10 ns to 20 ns: 4 events outside it were left out, 3 that "
                                    "reach beyond it are whole")));
  EXPECT_THAT((*trace)->domains, testing::Contains(testing::Field(&trace::Domain::name, "domain")));
  EXPECT_EQ(report::readInfo(*part, {}).span->first, 2) << "where a domain was made is no event of the part";
}

TEST_F(Export, AnInstantLiesInThePartThatBeginsWithIt) {
  auto builder = report();
  builder.add(N{.start = 10, .type = 34, .text = "at"}).add(N{.start = 20, .type = 34, .text = "end"});
  builder.insert("SCHED_EVENTS", {{"start", std::int64_t{9}}, {"globalTid", gtid(1, 1)}});
  builder.insert("SCHED_EVENTS", {{"start", std::int64_t{10}}, {"globalTid", gtid(1, 1)}});
  exported(builder, Format::kSqlite, trace::TimeRange{10, 20});
  const auto part = report::Database::open(folder / "out");
  EXPECT_EQ(part->text("SELECT group_concat(text) FROM NVTX_EVENTS"), "at");
  EXPECT_EQ(part->integer("SELECT count(*) FROM SCHED_EVENTS"), 1);
}

TEST_F(Export, APartHasTheCallStacksOfItsEventsOnly) {
  auto builder = report();
  for (const std::int64_t id : {1, 2}) {
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", id * 100}, {"globalTid", gtid(1, 1)}});
    builder.insert("SAMPLING_CALLCHAINS", {{"id", id}, {"stackDepth", std::int64_t{0}}});
  }
  exported(builder, Format::kSqlite, trace::TimeRange{150, 300});
  EXPECT_EQ(report::Database::open(folder / "out")->integer("SELECT sum(id) FROM SAMPLING_CALLCHAINS"), 2);
}

TEST_F(Export, APartHasTheStringsItRefersToInTablesNobodyKnowsToo) {
  auto builder = report();
  builder.add(K{.start = 0, .end = 1, .name = "outside"}).add(K{.start = 10, .end = 11, .name = "inside"});
  builder.string(5, "of an extra table").string(6, "of nothing");
  builder.sql("CREATE TABLE EXTRA(what INTEGER); INSERT INTO EXTRA VALUES (5)");
  exported(builder, Format::kSqlite, trace::TimeRange{10, 20});
  const auto part = report::Database::open(folder / "out");
  EXPECT_EQ(part->text("SELECT group_concat(value) FROM (SELECT value FROM StringIds ORDER BY value)"),
            "inside,of an extra table");
}

TEST_F(Export, APartSaysThatItDoesNotKnowWhatWasAllocatedBefore) {
  auto builder = report();
  for (const std::int64_t time : {1, 12})
    builder.insert("CUDA_GPU_MEMORY_USAGE_EVENTS", {{"start", time}, {"bytes", std::int64_t{64}}});
  exported(builder, Format::kSqlite, trace::TimeRange{10, 20});
  EXPECT_EQ(
      report::Database::open(folder / "out")->integer("SELECT count FROM LANESCOPE_ISSUES WHERE kind = 'slice-memory'"),
      1);
}

TEST_F(Export, APartOfAPartIsThatPart) {
  auto builder = report();
  for (std::int64_t i = 0; i < 100; ++i) builder.add(K{.start = i * 10, .end = i * 10 + 15});
  const auto file = builder.write();
  exported(file, Format::kSqlite, trace::TimeRange{100, 800}, "wide");
  exported(folder / "wide", Format::kSqlite, trace::TimeRange{300, 400}, "narrow");
  exported(file, Format::kSqlite, trace::TimeRange{300, 400}, "direct");
  const auto figures = [&](const char* name) {
    return report::toJson(report::readInfo(*report::Database::open(folder / name), {}));
  };
  EXPECT_EQ(figures("narrow"), figures("direct"));
  for (const char* name : {"narrow", "direct"}) {
    const auto database = report::Database::open(folder / name);
    EXPECT_EQ(report::partRange(*database), (trace::TimeRange{300, 400})) << name;
    EXPECT_EQ(
        database->text("SELECT group_concat(count || text) FROM LANESCOPE_ISSUES WHERE kind = 'slice'"),
        "89A part of a recording, 300 ns to 400 ns: 89 events outside it were left out, 2 that reach beyond it are "
        "whole")
        << name;
  }
  EXPECT_EQ(report::partRange(*report::Database::open(file)), std::nullopt);
  exported(folder / "narrow", Format::kSqlite, {}, "copy");
  EXPECT_EQ(report::partRange(*report::Database::open(folder / "copy")), (trace::TimeRange{300, 400}));
  EXPECT_THAT(exported(folder / "narrow", Format::kJsonLines), HasSubstr("\"range\": [300, 400]"));
  EXPECT_NE(figures("wide"), figures("direct"));
}

TEST_F(Export, APartWhoseBoundsAreNoneIsNoPart) {
  for (const char* end : {"x", "5 ", "4", "99999999999999999999", ""}) {
    auto builder = report();
    builder.insert("LANESCOPE_META", {{"name", std::string("part-begin")}, {"value", std::string("5")}});
    builder.insert("LANESCOPE_META", {{"name", std::string("part-end")}, {"value", std::string(end)}});
    EXPECT_EQ(report::partRange(*report::Database::open(builder.write())), std::nullopt) << end;
  }
}

TEST_F(Export, EveryTextSaysWhatWasLost) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 2});
  builder.insert("LANESCOPE_ISSUES", {{"kind", std::string("records-dropped")},
                                      {"count", std::int64_t{12}},
                                      {"text", std::string("12 records were dropped")}});
  const auto file = builder.write();
  for (const Format format : {Format::kJson, Format::kJsonLines, Format::kText, Format::kChrome})
    EXPECT_THAT(
        exported(file, format),
        HasSubstr(R"("issues": [{"kind": "records-dropped", "count": 12, "text": "12 records were dropped"}])"));
}

TEST_F(Export, ADamagedTableIsNamedAndTheRestIsThere) {
  auto builder = report();
  for (std::int64_t i = 0; i < 5000; ++i) builder.add(K{.start = i, .end = i + 1});
  builder.add(R{.start = 10, .end = 15});
  const auto file = builder.write();
  std::string bytes = test::readFile(file);
  const std::size_t half = bytes.size() / 2 / 4096 * 4096;
  bytes.replace(half, 4096 * 8, 4096 * 8, '\xEE');
  test::writeFile(file, bytes);
  for (const Format format : {Format::kJson, Format::kChrome, Format::kSqlite}) {
    missing.clear();
    exported(file, format);
    EXPECT_THAT(missing,
                testing::Contains("table CUPTI_ACTIVITY_KIND_KERNEL is damaged: rows behind the damage are not in it"));
  }
}

TEST_F(Export, AValueOfATypeThatThereIsNotIsEmpty) {
  auto builder = report();
  builder.add(R{.start = 10, .end = 15}).sql("CREATE TABLE EXTRA(a); INSERT INTO EXTRA VALUES (85)");
  const auto file = builder.write();
  std::string bytes = test::readFile(file);
  const std::size_t row = bytes.find("\x03\x01\x02\x01\x55");  // length, row id, header, type, value
  ASSERT_NE(row, std::string::npos);
  bytes[row + 3] = '\x0A';
  test::writeFile(file, bytes);
  exported(file, Format::kCsv, {}, "csv");
  for (const Format format : {Format::kJson, Format::kText, Format::kSqlite}) exported(file, format);
  EXPECT_EQ(test::readFile(folder / "out").substr(0, 15), "SQLite format 3");
}

TEST_F(Export, TheFiguresOfEveryGoldenReportSurvive) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& file : test::goldenExports()) {
    exported(file, Format::kSqlite);
    EXPECT_EQ(report::toJson(report::readInfo(*report::Database::open(file), {})),
              report::toJson(report::readInfo(*report::Database::open(folder / "out"), {})))
        << file;
    simdjson::dom::parser parser;
    EXPECT_EQ(parser.parse(exported(file, Format::kJson)).error(), simdjson::SUCCESS) << file;
  }
}

TEST_F(Export, PartsOfGoldenReportsAreWhole) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& file : test::goldenExports()) {
    const auto span = *report::readInfo(*report::Database::open(file), {}).span;
    const trace::Ns quarter = (span.second - span.first) / 4;
    const trace::TimeRange middle{span.first + quarter, span.second - quarter};
    exported(file, Format::kSqlite, middle);
    const auto whole = report::load(file, {}, {}, Job()),
               part = report::load(folder / "out", {.strict = true}, {}, Job());
    ASSERT_TRUE(part) << file << sentence(part.error());
    std::size_t touching = 0, kept = 0;
    for (std::size_t lane = 0; lane < (*whole)->lanes.size(); ++lane)
      for (std::size_t i = 0; i < (*whole)->lanes[lane]->size(); ++i)
        if (isGpuWork((*whole)->laneInfo[lane].kind))
          touching += middle.touches((*whole)->lanes[lane]->start(i), (*whole)->lanes[lane]->end(i));
    for (std::size_t lane = 0; lane < (*part)->lanes.size(); ++lane)
      if (isGpuWork((*part)->laneInfo[lane].kind)) kept += (*part)->lanes[lane]->size();
    EXPECT_EQ(kept, touching) << file;
  }
}

TEST(ExportNames, TheDefaultIsTheInputsNameWithAnotherEnding) {
  EXPECT_EQ(defaultDestination("dir.v1/a.rep", Format::kSqlite), "dir.v1/a.sqlite");
  EXPECT_EQ(defaultDestination("a.sqlite", Format::kChrome), "a.trace.json");
  EXPECT_EQ(defaultDestination("a", Format::kCsv), "a_csv");
}

}  // namespace
}  // namespace lanescope::exporting
