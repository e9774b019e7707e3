// SPDX-License-Identifier: Apache-2.0
// Runs `lanescope analyze`: what is printed where, what it says of several files, and when it ends with 1.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

using test::K;
using test::R;
using test::ReportBuilder;
using test::TemporaryFolder;
using testing::HasSubstr;
using testing::Not;

class AnalyzeCommand : public testing::Test {
 protected:
  AnalyzeCommand() {  // busy 60 of 100 µs, of which 20 µs in a synchronization
    ReportBuilder(folder / "a.sqlite")
        .add(R{.start = 900'000, .end = 910'000, .correlation = 1})
        .add(R{.start = 1'000'000, .end = 1'050'000, .name = "cudaDeviceSynchronize_v3020"})
        .add(K{.start = 1'000'000, .end = 1'030'000, .correlation = 1})
        .add(K{.start = 1'070'000, .end = 1'100'000, .correlation = 2})
        .add(R{.start = 1'051'000, .end = 1'060'000, .correlation = 2})
        .write();
  }
  Outcome analyze(const std::string& arguments) { return run(folder, "analyze " + arguments); }

  TemporaryFolder folder;
};

TEST_F(AnalyzeCommand, BeginsWithTheChecklistAndThenWhyTheGpuWasIdle) {
  const Outcome done = analyze("a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(
      done.out.starts_with("Processing [a.sqlite] with [checklist]... \n\n ** What to look at first (checklist):"
                           "\n\n improve       GPU busy"))
      << done.out;
  EXPECT_LT(done.out.find("(checklist)"), done.out.find("(idle)"));
  EXPECT_LT(done.out.find("(idle)"), done.out.find("(cuda_memcpy_async)"));
  EXPECT_THAT(done.out, HasSubstr("No asynchronous copy went from or to pageable memory."));
  EXPECT_EQ(done.err, "");
}

TEST_F(AnalyzeCommand, RefusesWhatAnUnsetVariableOfAShellLeaves) {
  for (const char* asked : {"--filter-time ''", "--filter-nvtx ''", "-o ''", "-o @"}) {
    const Outcome done = analyze(std::string(asked) + " a.sqlite");
    EXPECT_EQ(done.status, 2) << asked;
    EXPECT_THAT(done.err, testing::AnyOf(HasSubstr("it is empty"), HasSubstr("name a file, or a command"))) << asked;
  }
  EXPECT_THAT(analyze("--skip-warmup -1 a.sqlite").err, HasSubstr("is no number of iterations"));
}

TEST_F(AnalyzeCommand, PrintsTheTableAloneWhenQuiet) {
  EXPECT_EQ(analyze("-q -f csv -r cuda_api_sync a.sqlite").out,
            "Duration (ns),Start (ns),PID,TID,API Name\n50000,1000000,1,1,cudaDeviceSynchronize_v3020\n");
  EXPECT_THAT(analyze("-q -f csv -r checklist a.sqlite").out,
              HasSubstr("\ngpu_busy,GPU 0,improve,60.0,%,> 85,busy 60.00 µs of"));
  EXPECT_THAT(analyze("-q -f json -r idle a.sqlite").out,
              HasSubstr("\"Cause\": \"host in a synchronization call\", \"Time (ns)\": 40000"));
  for (const char* rule : {"checklist", "idle"}) {
    const std::string table = analyze(std::string("-q -r ") + rule + " a.sqlite").out;
    EXPECT_THAT(table, HasSubstr(" ---")) << "columns";
    EXPECT_THAT(table, Not(testing::ContainsRegex("What to try|try:")));
  }
}

TEST_F(AnalyzeCommand, EndsWithOneWhereARuleFindsMoreThanItMay) {
  EXPECT_EQ(analyze("-q -r cuda_api_sync --fail-on cuda_api_sync:1 a.sqlite").status, 0);
  const Outcome failed = analyze("-q -r cuda_api_sync --fail-on cuda_api_sync a.sqlite");
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.err, "lanescope: a.sqlite: cuda_api_sync fails: 1 finding, more than 0\n");
  EXPECT_THAT(failed.out, HasSubstr("cudaDeviceSynchronize")) << "the tables come all the same";
}

TEST_F(AnalyzeCommand, EndsWithOneWhereALineOfTheChecklistMissesItsGoal) {
  const Outcome failed = analyze("-q -r cuda_memset_sync --fail-on gpu_busy a.sqlite");
  EXPECT_EQ(failed.status, 1);
  EXPECT_EQ(failed.err, "lanescope: a.sqlite: gpu_busy of GPU 0 fails: 60.0 %, not > 85\n");
  EXPECT_EQ(analyze("-q --fail-on gpu_busy:60 a.sqlite").status, 0);
  EXPECT_EQ(analyze("-q --fail-on gpu_busy:60.1 a.sqlite").status, 1);
  EXPECT_EQ(analyze("-q --fail-on idle:39 a.sqlite").status, 1);
  EXPECT_EQ(analyze("-q --fail-on idle:40 a.sqlite").status, 0);
  EXPECT_EQ(analyze("-q --fail-on checklist:9 --fail-on comm_exposed a.sqlite").status, 0);
  EXPECT_EQ(analyze("-q --fail-on checklist a.sqlite").status, 1);
}

TEST_F(AnalyzeCommand, WhatCannotBeLookedAtDoesNotPass) {
  ReportBuilder(folder / "calls.sqlite").add(R{.start = 1, .end = 9, .name = "cudaMalloc"}).write();
  EXPECT_EQ(analyze("-q --fail-on gpu_busy:85 calls.sqlite").status, 1);
  EXPECT_EQ(analyze("-q --fail-on bound:80 a.sqlite").status, 1);
  const Outcome unmeasured = analyze("-q --fail-on gpu_busy,idle calls.sqlite");
  EXPECT_EQ(unmeasured.status, 0) << "without a threshold it is said only";
  EXPECT_THAT(unmeasured.err, HasSubstr("lanescope: calls.sqlite: gpu_busy not measured: there is no GPU work"));
  EXPECT_THAT(unmeasured.err, HasSubstr("lanescope: calls.sqlite: idle not measured: there is no GPU work"));
  const Outcome unmarked = analyze("-q -r checklist --fail-on iteration_busy a.sqlite");
  EXPECT_EQ(unmarked.status, 0);
  EXPECT_THAT(unmarked.err, HasSubstr("lanescope: a.sqlite: iteration_busy not measured: no marker found"));
  EXPECT_EQ(analyze("-q calls.sqlite").status, 0);
}

TEST_F(AnalyzeCommand, SeveralFilesAreComparedAsRanks) {
  ReportBuilder(folder / "b.sqlite").add(K{.start = 1'000'000, .end = 1'030'000}).write();
  const Outcome done = analyze("-r checklist --fail-on load_imbalance a.sqlite b.sqlite");
  EXPECT_THAT(done.out, HasSubstr("** All files together, the worst of each (checklist):"));
  EXPECT_THAT(done.out, HasSubstr("most 60.00 µs on GPU 0 in a.sqlite, least 30.00 µs on GPU 0 in b.sqlite"));
  EXPECT_EQ(done.status, 1);
  EXPECT_EQ(done.err, "lanescope: all files: load_imbalance of 2 ranks fails: 50.0 %, not < 10\n");
  EXPECT_THAT(analyze("-q -f csv -r checklist a.sqlite b.sqlite").out,
              HasSubstr("load_imbalance,2 ranks,improve,50.0,%,< 10,"));
}

TEST_F(AnalyzeCommand, TheWorstRankOfEachCheckIsNamed) {
  ReportBuilder(folder / "r.rank0.sqlite").add(K{.start = 0, .end = 50}).add(K{.start = 90, .end = 100}).write();
  ReportBuilder(folder / "r.rank1.sqlite").add(K{.start = 0, .end = 20}).add(K{.start = 90, .end = 100}).write();
  const Outcome done = analyze("-q -f csv -r checklist r.rank0.sqlite missing.sqlite r.rank1.sqlite");
  EXPECT_EQ(done.status, 2) << "the others are told";
  EXPECT_EQ(done.err, "lanescope: missing.sqlite: no such file; check the path\n");
  const std::string::size_type each = done.out.find("Check,Where,", 1);
  ASSERT_NE(each, std::string::npos);
  EXPECT_THAT(done.out.substr(each),
              testing::AllOf(HasSubstr("gpu_busy,GPU 0,improve,60.0,"), HasSubstr("gpu_busy,GPU 0,improve,30.0,")));
  EXPECT_THAT(done.out.substr(0, each), testing::AllOf(HasSubstr("gpu_busy,GPU 0 of rank 1,improve,30.0,"),
                                                       HasSubstr("load_imbalance,2 ranks,improve,50.0,")));
  const Outcome byRank = analyze("-q -f csv --per-rank -r checklist,gpu_gaps:gap=1ns r.rank1.sqlite r.rank0.sqlite");
  EXPECT_EQ(byRank.status, 0) << byRank.err;
  EXPECT_THAT(byRank.out,
              testing::AllOf(testing::StartsWith("Rank,Check,Where,"), HasSubstr("\n0,gpu_busy,GPU 0,improve,60.0,"),
                             HasSubstr("\n1,gpu_busy,GPU 0,improve,30.0,"), HasSubstr("\nRank,Row#,"),
                             HasSubstr("\nall,load_imbalance,2 ranks,improve,50.0,")));
  EXPECT_EQ(analyze("-q --per-rank --fail-on gpu_busy:40 r.rank0.sqlite r.rank1.sqlite").status, 1);
  EXPECT_THAT(analyze("-q --per-rank --fail-on gpu_busy:40 r.rank0.sqlite r.rank1.sqlite").err,
              HasSubstr("lanescope: r.rank1.sqlite: gpu_busy of GPU 0 fails: 30.0 %"));
}

TEST_F(AnalyzeCommand, OfSeveralFilesTheChecklistOfAllComesFirstAndAloneComparesThem) {
  ReportBuilder(folder / "b.sqlite").add(K{.start = 1'000'000, .end = 1'030'000}).write();
  const auto count = [](std::string_view text, std::string_view words) {
    int found = 0;
    for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) ++found;
    return found;
  };
  const std::string told = analyze("-r checklist a.sqlite b.sqlite").out;
  EXPECT_THAT(told, testing::StartsWith(" ** All files together, the worst of each (checklist):\n\n improve  "));
  EXPECT_LT(told.find("Processing [a.sqlite]"), told.find("Processing [b.sqlite]"));
  EXPECT_EQ(count(told, "Load imbalance"), 1) << told;
  for (const char* format : {"csv", "json"})
    EXPECT_EQ(count(analyze(std::string("-r checklist -q -f ") + format + " a.sqlite b.sqlite").out, "load_imbalance"),
              1);
  EXPECT_EQ(count(analyze("-r checklist a.sqlite").out, "Load imbalance"), 1) << "alone it says what to give";
}

TEST_F(AnalyzeCommand, ALineSaysWhoseATableOfSeveralFilesIs) {
  ReportBuilder(folder / "b.sqlite").add(K{.start = 1'000'000, .end = 1'030'000}).write();
  for (const char* format : {"", "-f table "}) {
    const std::string told = analyze(std::string("-q -r checklist ") + format + "a.sqlite b.sqlite").out;
    EXPECT_THAT(told, testing::StartsWith(" ** All files together, the worst of each (checklist):\n"));
    EXPECT_LT(told.find("\n ** a.sqlite (checklist):\n"), told.find("\n ** b.sqlite (checklist):\n"));
    EXPECT_NE(told.find("\n ** b.sqlite (checklist):\n"), std::string::npos);
  }
  EXPECT_THAT(analyze("-q -r cuda_api_sync a.sqlite b.sqlite").out,
              testing::StartsWith(" ** a.sqlite (cuda_api_sync):\n"));
  for (const char* plain : {"-f csv a.sqlite b.sqlite", "--per-rank a.sqlite b.sqlite", "a.sqlite"})
    EXPECT_THAT(analyze(std::string("-q -r checklist ") + plain).out, Not(HasSubstr(" ** "))) << plain;
}

TEST_F(AnalyzeCommand, LooksAtTheTimeAskedForOnly) {
  EXPECT_THAT(analyze("-q -f csv -r checklist --filter-time +100us/+130us a.sqlite").out,
              HasSubstr("gpu_busy,GPU 0,good,100.0,"));
  EXPECT_EQ(analyze("--filter-time 5s/6s a.sqlite").status, 2);
  EXPECT_EQ(analyze("--skip-warmup 1 a.sqlite").status, 2) << "there are no iterations";
}

TEST_F(AnalyzeCommand, WritesFilesNamedAfterTheRule) {
  EXPECT_EQ(analyze("-q -r cuda_api_sync:rows=3,idle -o . a.sqlite").status, 0);
  EXPECT_THAT(folder.names(), testing::IsSupersetOf({"a_cuda_api_sync_rows=3.csv", "a_idle.csv"}));
  EXPECT_EQ(analyze("-q -r idle -o . a.sqlite").status, 2) << "which exists";
}

TEST_F(AnalyzeCommand, BadUsageEndsWithTwoAndOneLine) {
  for (const char* arguments :
       {"", "-r nonsense a.sqlite", "-r gpu_gaps:gap=x a.sqlite", "-f xml a.sqlite", "--timeunit hours a.sqlite",
        "--fail-on nonsense a.sqlite", "--fail-on gpu_busy:x a.sqlite", "--fail-on gpu_busy: a.sqlite",
        "--fail-on gpu_busy:-1 a.sqlite", "--fail-on comm_share a.sqlite", "-o base a.sqlite b.sqlite",
        "--filter-time x a.sqlite", "missing.sqlite"}) {
    const Outcome done = analyze(arguments);
    EXPECT_EQ(done.status, 2) << arguments;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST_F(AnalyzeCommand, SaysWhichPartOfARuleIsWrong) {
  EXPECT_THAT(analyze("-r idle:min=5ms:foo=1 a.sqlite").err, HasSubstr("foo=1: no such option"));
  EXPECT_THAT(analyze("-r gpu_busy a.sqlite").err, HasSubstr("gpu_busy: a line of the checklist; write -r checklist"));
}

TEST_F(AnalyzeCommand, ListsItsRulesWithTheirOptionsAndTheChecklistsGoals) {
  const Outcome done = analyze("--help-rules");
  EXPECT_EQ(done.status, 0);
  EXPECT_TRUE(done.out.starts_with("Rules: checklist idle cuda_memcpy_async"));
  EXPECT_THAT(done.out, testing::ContainsRegex("goal > 85\\)\\.\n +--fail-on: less than the goal or THRESHOLD"));
  std::istringstream lines(done.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(done.out, HasSubstr("gpu_busy"));
  EXPECT_THAT(done.out, HasSubstr("gpu_gaps[:rows=50][:gap=500ms]"));
  EXPECT_THAT(analyze("--help-rules idle").out, HasSubstr("had drained the queue"));
  EXPECT_THAT(analyze("--help-rules idle").out, Not(HasSubstr("gpu_gaps[")));
}

}  // namespace
}  // namespace lanescope::cli
