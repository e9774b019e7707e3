// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_facts.h"

#include <gmock/gmock.h>

#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class RunFacts : public testing::Test {
 protected:
  RunFacts() { builder_.add(test::K{.start = 1, .end = 2}); }
  void fact(const std::string& name, const std::string& value) {
    builder_.insert("META_DATA_CAPTURE", {{"name", name}, {"value", value}});
  }
  std::vector<std::pair<std::string, std::string>> read() {
    const auto database = Database::open(builder_.write());
    EXPECT_TRUE(database.has_value());
    return database ? runFacts(*database) : std::vector<std::pair<std::string, std::string>>();
  }

  test::TemporaryFolder folder_;
  test::ReportBuilder builder_{folder_ / "a.sqlite"};
};

TEST_F(RunFacts, OfAFileThatHoldsNoneAreNone) { EXPECT_THAT(read(), IsEmpty()); }

TEST_F(RunFacts, StandInTheirOrder) {
  for (const auto& [name, value] : {std::pair("PROCESS_0:COMMAND", "python3"),
                                    {"PROCESS_0:ARGUMENT_0", "train it.py"},
                                    {"LANESCOPE:HOST", "node7"},
                                    {"LANESCOPE:OPTIONS", "-t=cuda"},
                                    {"LANESCOPE:EXIT_CODE", "3"},
                                    {"LANESCOPE:STOPPED_BY", "duration"},
                                    {"LANESCOPE:PROCESS_0:CUPTI_VERSION", "130001"},
                                    {"LANESCOPE:PROCESS_0:WORLD_SIZE", "8"},
                                    {"LANESCOPE:PROCESS_0:WALL_CLOCK_ERROR_NS", "40"},
                                    {"LANESCOPE:PROCESS_0:RANK", "5"},
                                    {"LANESCOPE:PROCESS_1:RANK", "6"}})
    fact(name, value);
  builder_.sql(
      "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
      "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('NvDriverVersion', '580.1'), ('CudaDriverVersion', '12080');"
      "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcTime TEXT);"
      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES ('2026-01-02T03:04:05');"
      "CREATE TABLE TARGET_INFO_GPU (name TEXT);"
      "INSERT INTO TARGET_INFO_GPU VALUES ('B200'), ('A10'), ('B200')");
  EXPECT_THAT(read(), ElementsAre(Pair("Program", "python3 'train it.py'"), Pair("Recorded", "2026-01-02T03:04:05 UTC"),
                                  Pair("Host", "node7"), Pair("Options", "-t=cuda"),
                                  Pair("Ended", "with exit code 3; the recording by duration"),
                                  Pair("GPU models", "A10, 2 × B200"), Pair("Driver", "580.1, CUDA 12.8, CUPTI 130001"),
                                  Pair("Clocks", "Times of the GPU and of the CPU agree within 40 ns"),
                                  Pair("Environment", "RANK=5 WORLD_SIZE=8")));
}

TEST_F(RunFacts, WithoutAGpuNothingIsSaidOfItsClock) {
  fact("LANESCOPE:PROCESS_0:WALL_CLOCK_ERROR_NS", "40");
  EXPECT_THAT(read(), IsEmpty());
}

TEST_F(RunFacts, ThatNoNvtxCallWasSeenIsOne) {
  fact("LANESCOPE:NVTX_CALLS", "0");
  EXPECT_THAT(read(), ElementsAre(Pair("NVTX", "0 NVTX calls seen")));
}

TEST_F(RunFacts, ARecordingThatWasOverBeforeItsProgramSaysSo) {
  fact("LANESCOPE:STOPPED_BY", "range");
  EXPECT_THAT(read(), ElementsAre(Pair("Ended", "the recording, by range, before the program")));
}

TEST_F(RunFacts, WhatMakesNoSenseIsLeftOutAndLongTextsAreCut) {
  fact("LANESCOPE:EXIT_CODE", "many");
  fact("LANESCOPE:HOST", std::string(100'000, 'h'));
  fact("LANESCOPE:OPTIONS", "bad \xff byte");
  const auto facts = read();
  EXPECT_THAT(facts, testing::SizeIs(2));
  EXPECT_EQ(facts.front().second.size(), 4096u);
  EXPECT_THAT(facts, Contains(Pair("Options", "bad \uFFFD byte")));
}

TEST_F(RunFacts, AreReadFromExportsOfNsightSystemsToo) {
  LANESCOPE_NEEDS_SHARED();
  const auto database = Database::open(test::sharedFolder() / "golden/ddp_rank0/nsys.sqlite");
  ASSERT_TRUE(database.has_value());
  const auto facts = runFacts(*database);
  EXPECT_THAT(facts, Contains(Pair("GPU models", "2 × NVIDIA H100 80GB HBM3")));
  EXPECT_THAT(facts, Contains(Pair("Driver", "580.159.04, CUDA 13.0")));
  EXPECT_THAT(facts, Contains(Pair("Recorded", "2026-11-27T21:23:54 UTC")));
}

}  // namespace
}  // namespace lanescope::report
