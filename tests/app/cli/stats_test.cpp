// SPDX-License-Identifier: Apache-2.0
// Runs `lanescope stats`: what is printed where, what files it leaves, how it ends.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "model/report/database.h"
#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

using test::K;
using test::ReportBuilder;
using test::TemporaryFolder;
using testing::HasSubstr;

const char* const kKernelCsv =
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
    "100.0,30,2,15.0,15.0,10,20,7.1,\"f(int, int)\"\n";

class StatsCommand : public testing::Test {
 protected:
  StatsCommand() {
    ReportBuilder(folder / "a.sqlite")
        .add(K{.start = 10, .end = 20, .name = "f(int, int)"})
        .add(K{.start = 30, .end = 50, .name = "f(int, int)"})
        .write();
  }
  Outcome stats(const std::string& arguments) { return run(folder, "stats " + arguments); }

  TemporaryFolder folder;
};

TEST_F(StatsCommand, PrintsTheTableAloneWhenQuiet) {
  const Outcome done = stats("-q -r cuda_gpu_kern_sum -f csv a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, kKernelCsv);
  EXPECT_EQ(done.err, "");
}

TEST_F(StatsCommand, HeadsEveryReportWithItsTitleAndSaysWhatIsMissing) {
  const Outcome done = stats("a.sqlite");
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.out, HasSubstr("Processing [a.sqlite] with [cuda_gpu_kern_sum]... \n\n"
                                  " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n"
                                  " Time (%)  Total Time (ns)  Instances"));
  EXPECT_THAT(done.out, HasSubstr("Processing [a.sqlite] with [osrt_sum]... "
                                  "SKIPPED: a.sqlite does not contain OS Runtime trace data.\n"));
  std::size_t reports = 0;
  for (std::size_t at = 0; (at = done.out.find("Processing [", at)) != std::string::npos; ++at) ++reports;
  EXPECT_EQ(reports, 6u);
}

class StatsOfRanks : public StatsCommand {
 protected:
  /// Two collectives; the other rank's clock began `behind` later.
  void rank(const std::string& file, std::int64_t early, std::int64_t behind) {
    ReportBuilder builder(folder / file);
    builder.insert("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", 1'000'000'000'000 + behind}});
    for (const std::int64_t end : {40'000'000, 90'000'000})
      builder.add(
          K{.start = end - 1'000'000 - early - behind, .end = end - behind, .name = "ncclDevKernel_AllReduce(int)"});
    builder.write();
  }
};

TEST_F(StatsOfRanks, TellWhomTheOthersWaitedForAndHowWellTheClocksAgree) {
  rank("rank10.sqlite", 0, 7'000'000);
  rank("rank9.sqlite", 20'000'000, 0);
  const Outcome done = stats("-f csv -r lanescope_stragglers,lanescope_ranks rank10.sqlite rank9.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out,
              HasSubstr("Clock of rank 10 against rank 9: perhaps another machine, by session start in UTC, ± 50 µs: 2 "
                        "common collectives end within 0 ns of it\n"));
  EXPECT_THAT(done.out, HasSubstr("\nrank 10,2,2,100.0,0,40000000,0,0,2000000,0,50000\n"
                                  "rank 9,2,0,0.0,0,0,40000000,0,2000000,0,0\n"));
  EXPECT_THAT(done.out, HasSubstr("\nAllReduce,rank 9,2,42000000,40000000,95.2,0,2000000,0,0\n"));
}

TEST_F(StatsOfRanks, SayWhyThereIsNothingToSay) {
  EXPECT_EQ(stats("-q -r lanescope_ranks a.sqlite").err,
            "SKIPPED: a.sqlite does not contain collectives that several ranks took part in.\n");
  const Outcome filtered = stats("-r lanescope_ranks --filter-time 1/2 a.sqlite");
  EXPECT_EQ(filtered.status, 2);
  EXPECT_THAT(filtered.err, HasSubstr("lanescope_ranks is of whole recordings; leave out --filter-time"));
  EXPECT_THAT(stats("--help-reports=lanescope_stragglers").out,
              HasSubstr("lanescope_stragglers: Stragglers: which rank"));
}

TEST_F(StatsOfRanks, AClockThatTheCollectivesContradictIsAnnounced) {
  rank("rank0.sqlite", 0, 0);
  rank("rank1.sqlite", 20'000'000, 0);
  ReportBuilder wrong(folder / "rank2.sqlite");
  wrong.insert("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", std::int64_t{1'500'000'000'000}}});
  for (const std::int64_t end : {40'000'000, 90'000'000})
    wrong.add(K{.start = end - 1'000'000, .end = end, .name = "ncclDevKernel_AllReduce(int)"});
  wrong.write();
  EXPECT_THAT(
      stats("-q -r lanescope_ranks rank0.sqlite rank1.sqlite rank2.sqlite").err,
      HasSubstr("lanescope: rank2.sqlite: perhaps another machine, by session start in UTC, but by the ends of 2 "
                "common collectives it is 500 s earlier: placed by these, ± 50 ms\n"));
}

TEST_F(StatsCommand, KeepsQuietOutputParseableWhereDataIsMissing) {
  const Outcome done = stats("-q -f json -r osrt_sum,cuda_gpu_kern_sum a.sqlite");
  EXPECT_EQ(done.status, 0);
  EXPECT_TRUE(done.out.starts_with("[{\"Time (%)\": 100.0,")) << done.out;
  EXPECT_EQ(done.err, "SKIPPED: a.sqlite does not contain OS Runtime trace data.\n");
}

TEST_F(StatsCommand, PairsFormatsAndPlacesWithReports) {
  const Outcome done =
      stats("-q -r cuda_gpu_kern_sum -r cuda_gpu_kern_sum:base,cuda_gpu_kern_sum -f csv,column -o .,- a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(folder.names(), testing::Contains("a_cuda_gpu_kern_sum.csv"));
  EXPECT_EQ(test::readFile(folder / "a_cuda_gpu_kern_sum.csv"), kKernelCsv);
  EXPECT_TRUE(done.out.starts_with(" Time (%)  Total Time (ns)")) << "the last format serves the rest";
  EXPECT_THAT(done.out, HasSubstr("  f\n"));
  EXPECT_THAT(done.out, HasSubstr("  f(int, int)\n"));
}

TEST_F(StatsCommand, WritesFilesAsCsvAndReplacesNoneUnasked) {
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum -o out a.sqlite").status, 0);
  EXPECT_EQ(test::readFile(folder / "out_cuda_gpu_kern_sum.csv"), kKernelCsv);
  test::writeFile(folder / "out_cuda_gpu_kern_sum.csv", "mine");
  const Outcome refused = stats("-q -r cuda_gpu_kern_sum -o out a.sqlite");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("out_cuda_gpu_kern_sum.csv: already exists; "));
  EXPECT_EQ(test::readFile(folder / "out_cuda_gpu_kern_sum.csv"), "mine");
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum -o out --force-overwrite a.sqlite").status, 0);
  EXPECT_EQ(test::readFile(folder / "out_cuda_gpu_kern_sum.csv"), kKernelCsv);
}

TEST_F(StatsCommand, TakesTheValueOfForceOverwriteForWhatItIs) {
  test::writeFile(folder / "out_cuda_gpu_kern_sum.csv", "mine");
  const std::string order = "-q -r cuda_gpu_kern_sum -o out --force-overwrite";
  EXPECT_EQ(stats(order + " false a.sqlite").status, 2);
  EXPECT_EQ(test::readFile(folder / "out_cuda_gpu_kern_sum.csv"), "mine");
  const Outcome done = stats(order + " true a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(test::readFile(folder / "out_cuda_gpu_kern_sum.csv"), kKernelCsv);
}

TEST_F(StatsCommand, AnOutputWithoutANameIsBadUsage) {
  for (const char* output : {"''", "@", "-,@"}) {
    const Outcome refused = stats(std::string("-q -r cuda_gpu_kern_sum,cuda_gpu_trace -o ") + output + " a.sqlite");
    EXPECT_EQ(refused.status, 2) << output;
    EXPECT_THAT(refused.err, HasSubstr("name a file, or a command behind the @")) << output;
  }
}

TEST_F(StatsCommand, AFolderThatIsMissingEndsWithThree) {
  const Outcome done = stats("-q -r cuda_gpu_kern_sum -o nowhere/out a.sqlite");
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
}

TEST_F(StatsCommand, AFullDiskEndsWithThreeHoweverMuchThereWasToPrint) {
  EXPECT_EQ(run(folder, "stats a.sqlite", " >/dev/full").status, 3);
  ReportBuilder many(folder / "many.sqlite");
  for (int i = 0; i < 3000; ++i)
    many.add(K{.start = i + 1, .end = i + 2, .name = "kernel_number_" + std::to_string(i)});
  many.write();
  const Outcome done = run(folder, "stats many.sqlite", " >/dev/full");
  EXPECT_EQ(done.status, 3);
  EXPECT_EQ(done.err, "lanescope: standard output: the disk is full; free some space, or choose another place\n");
}

TEST_F(StatsCommand, AnOutputOrFormatThatNoReportTakesIsBadUsage) {
  const Outcome done = stats("-r cuda_gpu_kern_sum -o y1,y2 a.sqlite");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.err, "lanescope: -o y2: more of them than reports (1)\n");
  EXPECT_THAT(stats("-x a.sqlite").err, HasSubstr("see: lanescope stats --help"));
}

TEST_F(StatsCommand, GraphsRecordedAsAWholeAreNotPassedOverInSilence) {
  ReportBuilder(folder / "g.sqlite").add(test::G{.start = 1, .end = 5}).add(K{.start = 6, .end = 8}).write();
  EXPECT_THAT(stats("-q -f csv -r cuda_gpu_kern_sum g.sqlite").err,
              HasSubstr("lanescope: g.sqlite: 1 graph launch was recorded as a whole"));
}

TEST_F(StatsCommand, TakesSeveralFilesAndGoesOnAfterABadOne) {
  ReportBuilder(folder / "b.sqlite").add(K{.start = 1, .end = 4, .name = "g"}).write();
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum a.sqlite missing.sqlite b.sqlite");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.out, HasSubstr("f(int, int)"));
  EXPECT_THAT(done.out, HasSubstr(",g\n"));
  EXPECT_EQ(done.err, "lanescope: missing.sqlite: no such file; check the path\n");
}

TEST_F(StatsCommand, RowsOfSeveralFilesMergeByTheirNames) {
  ReportBuilder(folder / "b.sqlite")
      .add(K{.start = 1, .end = 4, .name = "g"})
      .add(K{.start = 100, .end = 130, .name = "f(int, int)"})
      .add(K{.start = 200, .end = 245, .name = "f(int, int)"})
      .write();
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum a.sqlite b.sqlite");
  EXPECT_EQ(done.out,  // of f 10, 20, 30 and 45
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "97.2,105,4,26.3,25.0,10,45,14.9,\"f(int, int)\"\n"
            "2.8,3,1,3.0,3.0,3,3,0.0,g\n");
  EXPECT_EQ(done.err, "");
  EXPECT_THAT(stats("-r cuda_gpu_kern_sum a.sqlite b.sqlite").out,
              HasSubstr("Processing [2 files] with [cuda_gpu_kern_sum]... \n\n ** CUDA GPU Kernel Summary"));
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum -o both a.sqlite b.sqlite").status, 0);
  EXPECT_EQ(test::readFile(folder / "both_cuda_gpu_kern_sum.csv"), done.out);
}

TEST_F(StatsCommand, ByRankRowsStandBelowEachOtherInOrderOfRanks) {
  std::filesystem::create_directory(folder / "job");
  for (const int rank : {0, 9, 10})
    ReportBuilder(folder / fmt::format("job/run.rank{}.sqlite", rank))
        .add(K{.start = 1, .end = 2 + rank, .name = "f"})
        .write();
  EXPECT_EQ(stats("-q -f csv --per-rank -r cuda_gpu_kern_sum job").out,
            "Rank,Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
            "0,100.0,1,1,1.0,1.0,1,1,0.0,f\n"
            "9,100.0,10,1,10.0,10.0,10,10,0.0,f\n"
            "10,100.0,11,1,11.0,11.0,11,11,0.0,f\n");
  const Outcome listed = stats("-f csv -r cuda_gpu_trace job");
  EXPECT_THAT(listed.out, HasSubstr("CUDA GPU Trace, by rank (cuda_gpu_trace)")) << "what does not merge";
  EXPECT_THAT(listed.out, HasSubstr("\n10,1,11,"));
  EXPECT_THAT(stats("-q -f csv --per-rank -r cuda_gpu_kern_sum a.sqlite job/run.rank9.sqlite").out,
              testing::StartsWith("File,"))
      << "no rank is known of one";
}

TEST_F(StatsCommand, AFolderStandsForTheReportsInIt) {
  std::filesystem::create_directory(folder / "empty");
  const Outcome empty = stats("empty");
  EXPECT_EQ(empty.status, 2);
  EXPECT_EQ(empty.err, "lanescope: empty: no report and no trace in this folder; check the path\n");
  EXPECT_EQ(run(folder, "export -q -t sqlite a.sqlite -o a.rep").status, 0);
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum .");
  EXPECT_EQ(done.out, kKernelCsv) << "an export beside its report is the same";
}

TEST_F(StatsCommand, WhatSomeFilesLackIsSaid) {
  ReportBuilder(folder / "b.sqlite").add(test::R{.start = 1, .end = 4}).write();
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum,osrt_sum a.sqlite b.sqlite");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.out, kKernelCsv);
  EXPECT_EQ(done.err,
            "SKIPPED: b.sqlite does not contain CUDA kernel data.\n"
            "SKIPPED: 2 files do not contain OS Runtime trace data.\n");
}

/// The figures of a name over both ranks, by SQL and by sorting.
TEST_F(StatsCommand, MergedFiguresOfTwoRanksAreThoseOfAllTheirEvents) {
  LANESCOPE_NEEDS_SHARED();
  std::map<std::string, std::vector<std::int64_t>> times;
  std::string files;
  for (const char* rank : {"ddp_rank0", "ddp_rank1"}) {
    const auto file = test::sharedFolder() / "golden" / rank / "nsys.sqlite";
    files += " '" + file.string() + "'";
    auto database = report::Database::open(file);
    ASSERT_TRUE(database);
    auto kernels = database->prepare(
        "SELECT value, end - start FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName");
    while (kernels->step()) times[std::string(kernels->text(0))].push_back(kernels->integer(1));
  }
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum" + files);
  ASSERT_EQ(done.status, 0) << done.err;
  std::int64_t whole = 0;
  for (const auto& [name, all] : times) whole += std::accumulate(all.begin(), all.end(), std::int64_t{0});
  EXPECT_EQ(std::ranges::count(done.out, '\n'), static_cast<std::ptrdiff_t>(times.size()) + 1);
  for (auto& [name, all] : times) {
    std::ranges::sort(all);
    const auto n = static_cast<double>(all.size());
    const auto total = std::accumulate(all.begin(), all.end(), std::int64_t{0});
    const double mean = static_cast<double>(total) / n;
    double squares = 0;
    for (const std::int64_t time : all)
      squares += (static_cast<double>(time) - mean) * (static_cast<double>(time) - mean);
    const double median = static_cast<double>(all[(all.size() - 1) / 2] + all[all.size() / 2]) / 2;
    const auto tenths = [](double value) { return std::round(10 * value) / 10; };  // half away from zero
    const double share = 100 * static_cast<double>(total) / static_cast<double>(whole);
    const double deviation = all.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    const std::string row = fmt::format("{:.1f},{},{},{:.1f},{:.1f},{},{},{:.1f},", tenths(share), total, all.size(),
                                        tenths(mean), tenths(median), all.front(), all.back(), tenths(deviation));
    EXPECT_THAT(done.out, HasSubstr("\n" + row)) << name;
  }
  const Outcome byRank = stats("-q -f csv --per-rank -r cuda_gpu_kern_sum" + files);
  EXPECT_THAT(byRank.out, testing::AllOf(testing::StartsWith("Rank,Time (%)"), HasSubstr("\n0,"), HasSubstr("\n1,")));
}

TEST_F(StatsCommand, WritesTimesInTheUnitAskedFor) {
  EXPECT_THAT(stats("-q -f csv --timeunit usec -r cuda_gpu_kern_sum a.sqlite").out,
              HasSubstr("Total Time (us),Instances,Avg (us)"));
}

TEST_F(StatsCommand, SaysWhichEventsAreNotInTheFigures) {
  ReportBuilder(folder / "b.sqlite")
      .add(K{.start = 0, .end = 0})
      .add(K{.start = 9, .end = 4})
      .add(K{.start = 1, .end = 4})
      .write();
  const Outcome done = stats("-q -f csv -r cuda_gpu_kern_sum b.sqlite");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.err,
            "lanescope: b.sqlite: 1 kernel event without a recorded time (start and end are 0): not in these figures\n"
            "lanescope: b.sqlite: 1 kernel event that ends before it starts: not in these figures\n");
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum --strict b.sqlite").status, 2);
}

TEST_F(StatsCommand, BadUsageEndsWithTwoAndOneLineThatSaysWhatThereIs) {
  EXPECT_EQ(stats("-r nonsense a.sqlite").err,
            "lanescope: nonsense: no such report; see: lanescope stats --help-reports\n");
  EXPECT_EQ(stats("-f xml a.sqlite").err,
            "lanescope: xml: no such format; there are: column, table, csv, tsv, json, hdoc, htable\n");
  for (const char* arguments : {"", "-r nonsense a.sqlite", "-f xml a.sqlite", "--timeunit hours a.sqlite",
                                "--per-rank -o . a.sqlite b.sqlite", "--no-such-option a.sqlite"}) {
    const Outcome done = stats(arguments);
    EXPECT_EQ(done.status, 2) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST_F(StatsCommand, ListsItsReportsAndFormatsAllOrSome) {
  const Outcome all = stats("--help-reports");
  EXPECT_EQ(all.status, 0);
  EXPECT_GE(std::count(all.out.begin(), all.out.end(), '\n'), 31);
  EXPECT_THAT(all.out, HasSubstr("cuda_gpu_kern_sum[:nvtx-name][:base|:mangled]: CUDA GPU Kernel Summary"));
  const Outcome some = stats("--help-reports um_sum,gputrace");
  EXPECT_EQ(std::count(some.out.begin(), some.out.end(), '\n'), 2) << some.out;
  EXPECT_EQ(stats("--help-reports nonsense").status, 2);
  EXPECT_THAT(stats("--help-formats hdoc").out, testing::StartsWith("hdoc: "));
}

TEST_F(StatsCommand, TakesOldAndFriendlyNames) {
  EXPECT_EQ(stats("-q -f csv -r gpukernsum a.sqlite").out, kKernelCsv);
  const Outcome both = stats("-r memop a.sqlite");
  EXPECT_THAT(both.out, HasSubstr("[cuda_gpu_mem_time_sum]"));
  EXPECT_THAT(both.out, HasSubstr("[cuda_gpu_mem_size_sum]"));
  EXPECT_EQ(stats("-r summary a.sqlite").out, stats("a.sqlite").out);
}

TEST_F(StatsCommand, GivesAReportToACommand) {
  const Outcome done = stats("-q -r cuda_gpu_kern_sum -o '@wc -l' a.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "2\n");
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum -o '@true' a.sqlite").status, 0) << "it need not read";
  const Outcome failed = stats("-q -r cuda_gpu_kern_sum -o '@exit 1' a.sqlite");
  EXPECT_EQ(failed.status, 3);
  EXPECT_THAT(failed.err, HasSubstr("the command “exit 1”: cannot be written (it ended with 1); "));
}

TEST_F(StatsCommand, FiltersByTimeByRangeAndByIteration) {
  using test::gpid;
  using test::gtid;
  using test::N;
  auto builder = ReportBuilder(folder / "i.sqlite");
  for (int i = 0; i < 4; ++i)
    builder.add(N{.start = 100 * i, .end = 100 * i + 90, .text = "step " + std::to_string(i)})
        .add(K{.start = 100 * i + 10, .end = 100 * i + 20, .name = "k" + std::to_string(i)})
        .add(K{.start = 100 * i + 10, .end = 100 * i + 15, .process = gpid(2), .name = "other"});
  builder.write();
  const auto names = [&](const std::string& filter) {
    const Outcome done = stats("-q -f csv:nohdr -r cuda_gpu_kern_sum " + filter + " i.sqlite");
    EXPECT_EQ(done.status, 0) << done.err;
    return std::count(done.out.begin(), done.out.end(), '\n');
  };
  EXPECT_EQ(names(""), 5);
  EXPECT_EQ(names("--filter-time 100/250"), 3);
  EXPECT_EQ(names("--filter-nvtx 'step 1'"), 1) << "of the process of the range";
  EXPECT_EQ(names("--skip-warmup 3"), 2);
  EXPECT_EQ(names("--skip-warmup 1 --filter-time /210"), 2);
  EXPECT_EQ(stats("-r cuda_gpu_kern_sum --filter-time 7 i.sqlite").status, 2);
  EXPECT_EQ(stats("-r cuda_gpu_kern_sum --filter-nvtx nowhere i.sqlite").status, 2);
  EXPECT_EQ(stats("-r cuda_gpu_kern_sum --skip-warmup 4 i.sqlite").status, 2);
  EXPECT_EQ(stats("-q -r cuda_gpu_kern_sum --filter-nvtx 'step 1' -o . i.sqlite").status, 0);
  EXPECT_THAT(folder.names(), testing::Contains("i_cuda_gpu_kern_sum_nvtx=step 1.csv"));
}

TEST_F(StatsCommand, CountsTimesFromTheFilesFirstWhateverElseIsAskedFor) {
  using test::N;
  ReportBuilder(folder / "o.sqlite")
      .add(test::R{.start = 1000, .end = 1010})
      .add(N{.start = 1200, .end = 1900, .text = "step"})
      .add(K{.start = 1500, .end = 1600, .name = "early"})
      .add(K{.start = 2000, .end = 2100, .name = "late"})
      .write();
  const auto kernels = [&](const std::string& arguments) {
    const Outcome done = stats("-q -f csv:nohdr " + arguments + " o.sqlite");
    EXPECT_EQ(done.status, 0) << done.err;
    return done.out;
  };
  const std::string early = kernels("--filter-time 1450/1700 -r cuda_gpu_kern_sum");
  EXPECT_THAT(early, HasSubstr(",early\n"));
  EXPECT_THAT(early, testing::Not(HasSubstr("late")));
  EXPECT_EQ(kernels("--filter-time +450/+700 -r cuda_gpu_kern_sum"), early);
  EXPECT_THAT(kernels("--filter-time +450/+700 -r cuda_gpu_kern_sum,nvtx_sum"), HasSubstr(early));
  EXPECT_THAT(kernels("--filter-time +450/+700 -r cuda_api_sum,cuda_gpu_kern_sum"), HasSubstr(early));
  EXPECT_EQ(kernels("--filter-time +0/+20 -r cuda_gpu_kern_sum"), "") << "inside the file's span";
  for (const char* command : {"stats -r cuda_gpu_kern_sum", "stats -r nvtx_sum", "analyze", "export -t json -o -"})
    EXPECT_EQ(run(folder, std::string(command) + " --filter-time +5000/ o.sqlite").err,
              "lanescope: o.sqlite: nothing was recorded in that time: it was recorded in 1000/2100 ns; choose a part "
              "of that\n")
        << command;
}

TEST_F(StatsCommand, AnEmptyFilterOrACountThatIsNoneIsBadUsage) {
  for (const char* wrong : {"--filter-time ''", "--filter-time=", "--filter-nvtx ''", "--skip-warmup -1",
                            "--skip-warmup=-1", "--skip-warmup x", "--skip-warmup ''"}) {
    const Outcome done = stats(std::string("-q -r cuda_gpu_kern_sum ") + wrong + " a.sqlite");
    EXPECT_EQ(done.status, 2) << wrong;
    EXPECT_EQ(done.out, "") << wrong;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  EXPECT_THAT(stats("--skip-warmup -1 a.sqlite").err, HasSubstr("“-1” is no number of iterations"));
}

TEST_F(StatsCommand, TakesWhatNsightSystemsNeedsForItsExport) {
  for (const char* option : {"--force-export=true", "--force-export true", "--force-export=false", "--force-export"}) {
    const Outcome done = stats(std::string("-q -r cuda_gpu_kern_sum -f csv ") + option + " a.sqlite");
    EXPECT_EQ(done.out, kKernelCsv) << option << done.err;
    EXPECT_EQ(done.err, "") << option;
  }
  const Outcome named = stats("-q -r cuda_gpu_kern_sum -f csv --sqlite b.sqlite a.sqlite");
  EXPECT_EQ(named.out, kKernelCsv);
  EXPECT_EQ(named.err,
            "lanescope: --sqlite b.sqlite: stats exports nothing; for that file: lanescope export -t sqlite "
            "-o b.sqlite\n");
}

}  // namespace
}  // namespace lanescope::cli
