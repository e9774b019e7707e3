// SPDX-License-Identifier: Apache-2.0
#include "model/report/ncu_command.h"

#include <gtest/gtest.h>

#include <random>

#include "model/report/load.h"
#include "model/report/step_limit.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using trace::EventKind;
using trace::EventRef;

TEST(NcuCommand, NamesTheFunctionTheInstanceAndTheProgram) {
  const std::vector<std::string> program = {"python", "train.py", "--lr=0.1"};
  EXPECT_EQ(ncuCommand("gemm", 12, program),
            "ncu --set full --kernel-name gemm --launch-skip 12 --launch-count 1 python train.py --lr=0.1");
}

TEST(NcuCommand, AProgramThatLooksLikeAnOptionIsNotTakenForOne) {
  const std::vector<std::string> program = {"-x", "-y"};
  EXPECT_TRUE(ncuCommand("f", 0, program).ends_with(" ./-x -y"));
  const std::vector<std::string> unknown = {"<program>"};
  EXPECT_TRUE(ncuCommand("f", 0, unknown).ends_with(" <program>"));
}

TEST(NcuCommand, KernelsOfHipOrOfAGpuOfAmdAreNotForIt) {
  const test::TemporaryFolder folder;
  const auto isAmd = [&](const char* call, const char* gpu) {
    test::ReportBuilder builder(folder / "a.sqlite");
    builder.add(test::R{.start = 1, .end = 2, .correlation = 5, .name = call});
    builder.add(test::K{.start = 3, .end = 4, .correlation = 5, .name = "gemm"});
    builder.insert("TARGET_INFO_GPU", {{"id", std::int64_t{0}}, {"name", std::string(gpu)}});
    const auto trace = load(builder.write(), {}, {}, Job()).value();
    for (trace::LaneId lane = 0; lane < trace->lanes.size(); ++lane)
      if (trace->laneInfo[lane].kind == EventKind::kKernel) return isOfAmd(*trace, {lane, 0});
    return false;
  };
  EXPECT_TRUE(isAmd("hipLaunchKernel", ""));
  EXPECT_TRUE(isAmd("", "AMD Instinct MI300X"));
  EXPECT_FALSE(isAmd("cudaLaunchKernel_v7000", "NVIDIA H100"));
}

TEST(NcuCommand, TheFunctionIsTheBareNameOfTheKernel) {
  EXPECT_EQ(functionName("gemm"), "gemm");
  EXPECT_EQ(functionName("void at::native::fill<(int)4, at::detail::Array<char *>>(int, float)"), "fill");
  EXPECT_EQ(functionName("<unnamed>::spin(int)"), "spin");
  EXPECT_EQ(functionName("void (anonymous namespace)::deep::spin<float>(<unnamed>::T)"), "spin");
  EXPECT_EQ(functionName(""), "");
}

TEST(NcuCommand, TheRecordedCommandLineIsUsedWithAllItsArguments) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.process(test::gpid(1), "python3.10").add(test::K{.start = 1, .end = 2});
  for (const auto& [name, value] :
       {std::pair("PROCESS_0:COMMAND", "python"), {"PROCESS_0:ARGUMENT_1", "x; y"}, {"PROCESS_0:ARGUMENT_0", "-c"}})
    builder.insert("META_DATA_CAPTURE", {{"name", std::string(name)}, {"value", std::string(value)}});
  const auto path = builder.write();
  const auto trace = load(path, {}, {}, Job());
  const auto database = Database::open(path);
  ASSERT_TRUE(trace && database);
  EXPECT_EQ(recordedProgram(*database), (std::vector<std::string>{"python", "-c", "x; y"}));
}

TEST(NcuCommand, WithoutACommandLineTheProcessIsNamedOrAPlaceholderStands) {
  const test::TemporaryFolder folder;
  for (const bool named : {true, false}) {
    test::ReportBuilder builder(folder / "a.sqlite");
    if (named) builder.process(test::gpid(1), "graphs");
    const auto path = builder.add(test::K{.start = 1, .end = 2}).write();
    const auto trace = load(path, {}, {}, Job());
    const auto database = Database::open(path);
    ASSERT_TRUE(trace && database);
    EXPECT_TRUE(recordedProgram(*database).empty());
    EXPECT_EQ(programName(**trace, {0, 0}), named ? "graphs" : "<program>");
  }
}

/// Every kernel asked how many of its function were launched before, against counting them one by one.
TEST(NcuCommand, EarlierLaunchesAreThoseOfTheFunctionInTheProcessInOrderOfTheirCalls) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  std::mt19937 random(7);
  struct Launch {
    std::int64_t call, process;
    std::string function;
  };
  std::map<std::int64_t, Launch> byStart;  // kernels' starts are distinct
  std::int64_t streamEnd[2][3] = {};
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::int64_t call = 10 * i + 1, process = random() % 2, stream = random() % 3;
    const char* names[] = {"a<int>(int)", "a<float>(float)", "aa(int)", "ns::a(int)"};
    const std::string name = names[random() % 4];
    std::int64_t& end = streamEnd[process][stream];
    std::int64_t start = std::max(end, call + static_cast<std::int64_t>(random() % 400));
    while (byStart.contains(start)) ++start;
    end = start + 5;
    builder.add(test::R{.start = call, .end = call + 5, .thread = test::gtid(process + 1, 1), .correlation = i + 1});
    builder.add(test::K{.start = start,
                        .end = end,
                        .stream = stream,
                        .correlation = i + 1,
                        .process = test::gpid(process + 1),
                        .name = name});
    byStart[start] = {call, process, std::string(functionName(name))};
  }
  const auto trace = load(builder.write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  std::size_t asked = 0;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane) {
    if ((*trace)->laneInfo[lane].kind != EventKind::kKernel) continue;
    for (std::uint32_t i = 0; i < (*trace)->lanes[lane]->size(); ++i, ++asked) {
      const Launch& self = byStart.at((*trace)->time({lane, i}).begin);
      std::uint64_t expected = 0;
      for (const auto& [start, other] : byStart)
        expected += other.call < self.call && other.process == self.process && other.function == self.function;
      ASSERT_EQ(earlierLaunches(**trace, {lane, i}), expected);
    }
  }
  EXPECT_EQ(asked, 300u);
}

TEST(NcuCommand, AThousandArgumentsAreFoundInOneScan) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 1, .end = 2});
  builder.sql(
      "CREATE TABLE META_DATA_CAPTURE(name, value);"
      "INSERT INTO META_DATA_CAPTURE VALUES('PROCESS_0:COMMAND', 'train');"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999)"
      "INSERT INTO META_DATA_CAPTURE SELECT iif(i < 2000, 'PROCESS_0:ARGUMENT_', 'other') || i, i FROM n");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  const StepLimit limit(*database, {}, 1'000'000);
  const auto program = recordedProgram(*database);
  EXPECT_FALSE(limit.exceeded());
  ASSERT_EQ(program.size(), 1001u);
  EXPECT_EQ(program.front(), "train");
  EXPECT_EQ(program.back(), "999");
}

TEST(NcuCommand, WhatLinuxCouldNotHaveRunIsNoCommandLine) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 1, .end = 2});
  builder.sql(
      "CREATE TABLE META_DATA_CAPTURE(name, value);"
      "INSERT INTO META_DATA_CAPTURE VALUES('PROCESS_0:COMMAND', 'train'),"
      "('PROCESS_0:ARGUMENT_0', hex(zeroblob(100000)))");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  EXPECT_TRUE(recordedProgram(*database).empty());
}

}  // namespace
}  // namespace lanescope::report
