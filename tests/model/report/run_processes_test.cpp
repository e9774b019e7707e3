// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_processes.h"

#include <gmock/gmock.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using testing::ElementsAre;

class RunProcesses : public testing::Test {
 protected:
  void fact(const std::string& name, const std::string& value) {
    builder_.insert("META_DATA_CAPTURE", {{"name", "LANESCOPE:PROCESS_" + name}, {"value", value}});
  }
  std::vector<std::string> read() {
    std::vector<std::string> lines;
    const auto database = Database::open(builder_.write());
    EXPECT_TRUE(database.has_value());
    for (const RunProcess& process : runProcesses(*database))
      lines.push_back(std::to_string(process.pid) + ": " + describe(process));
    return lines;
  }

  test::TemporaryFolder folder_;
  test::ReportBuilder builder_{folder_ / "a.sqlite"};
};

TEST_F(RunProcesses, OfAnotherToolAreNone) {
  builder_.add(test::K{.start = 1, .end = 2});
  EXPECT_THAT(read(), ElementsAre());
}

TEST_F(RunProcesses, SayWhoseTheyAreWhichRankAndHowTheyEnded) {
  fact("0:PID", "100"), fact("0:EXE", "/usr/bin/torchrun"), fact("0:ENDED", "ended with exit code 1");
  fact("10:PID", "112"), fact("2:PID", "102"), fact("2:PPID", "100"), fact("2:EXE", "/usr/bin/python3");
  fact("2:LOCAL_RANK", "0"), fact("2:RANK", "4"), fact("2:SLURM_PROCID", "9");
  EXPECT_THAT(read(),
              ElementsAre("100: torchrun; ended with exit code 1", "102: python3, rank 4, child of 100", "112: "));
}

TEST_F(RunProcesses, WhatMakesNoSenseIsLeftOut) {
  fact("x:PID", "1"), fact("1x:PID", "2"), fact("3:PID", "many"), fact("99999999999999999999:PID", "4"),
      fact("5:", "6");
  fact("7:PID", "8"), fact("7:PPID", "\xff");
  EXPECT_THAT(read(), ElementsAre("8: "));
}

TEST_F(RunProcesses, NameTheirRowsByRankAndInItsOrder) {
  std::size_t number = 0;
  for (const auto& [pid, rank] : {std::pair(300, "2"), {200, "10"}, {400, "1"}}) {
    const std::string prefix = std::to_string(number++);
    fact(prefix + ":PID", std::to_string(pid)), fact(prefix + ":RANK", rank);
    builder_.insert("PROCESSES",
                    {{"globalPid", test::gpid(pid)}, {"pid", std::int64_t{pid}}, {"name", std::string("python3")}});
    builder_.add(test::K{.start = 1, .end = 2, .process = test::gpid(pid)});
  }
  const auto loaded = report::load(builder_.write(), {.strict = true}, {}, Job());
  ASSERT_TRUE(loaded.has_value());
  std::vector<std::string> labels;
  for (const std::uint32_t row : (*loaded)->rootRows) labels.push_back((*loaded)->rows[row].label);
  EXPECT_THAT(labels, ElementsAre("rank 1 · python3 [400]", "rank 2 · python3 [300]", "rank 10 · python3 [200]"));
}

}  // namespace
}  // namespace lanescope::report
