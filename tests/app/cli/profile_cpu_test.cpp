// SPDX-License-Identifier: Apache-2.0
// Records the CPU of a program whose context switches the kernel counts, where this machine allows it.
#include <gmock/gmock.h>

#include <map>
#include <sstream>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ProfileCpu : public Profile {
 protected:
  void SetUp() override {
    const std::string status = run("status --environment").out;
    const std::size_t at = status.find("Context switches");
    if (status.substr(at, status.find('\n', at) - at).find("not to be had") != std::string::npos) {
      GTEST_SKIP() << "this machine does not let us record the CPU";
    }
  }
  std::vector<std::string> rows(const std::string& sql) {
    const auto database = report::Database::open(folder_ / "x.rep");
    std::vector<std::string> all;
    if (!database) return all;
    auto query = database->prepare(sql);
    while (query && query->step()) all.emplace_back(query->text(0));
    return all;
  }
};

TEST_F(ProfileCpu, SwitchesOfEveryThreadAreThoseThatTheKernelCounted) {
  const Outcome done = run("profile -t none -s none -o x '" LANESCOPE_CPU_KNOWN "' 0 50 3");
  ASSERT_EQ(done.status, 0) << done.err;
  const long long zero = std::stoll(fact("x.rep", "LANESCOPE:START_MONOTONIC"));
  std::istringstream told(done.out);
  int threads = 0;
  std::string word, all = "0";  // a sanitizer has threads of its own
  for (long long thread, begin, end, count; told >> word >> thread >> begin >> end >> count; ++threads) {
    all += "," + std::to_string(thread);
    EXPECT_THAT(rows("SELECT COUNT(*) FROM SCHED_EVENTS WHERE isSchedIn = 0 AND globalTid & 16777215 = " +
                     std::to_string(thread) + " AND start BETWEEN " + std::to_string(begin - zero) + " AND " +
                     std::to_string(end - zero)),
                testing::ElementsAre(std::to_string(count)));
  }
  EXPECT_EQ(threads, 3);
  EXPECT_THAT(rows("SELECT COUNT(*) FROM SCHED_EVENTS WHERE threadState = 5 AND globalTid & 16777215 IN (" + all + ")"),
              testing::ElementsAre("3"));
  EXPECT_THAT(rows("SELECT 1 FROM sqlite_master WHERE name = 'COMPOSITE_EVENTS'"), IsEmpty());
}

TEST_F(ProfileCpu, SamplesTellWhichFunctionsRanAndWhoCalledThem) {
  const Outcome done =
      run("profile -t none --samples-per-backtrace=1 --sampling-frequency=4000 -o x '" LANESCOPE_CPU_KNOWN "' 0.3 0 1");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr(" CPU samples"));
  for (const int depth : {0, 1, 2}) {
    const auto names = rows(
        "SELECT DISTINCT value FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol WHERE stackDepth = " +
        std::to_string(depth));
    EXPECT_THAT(names, Contains(depth == 0 ? "work_forty" : depth == 1 ? "one_step" : "work_for"));
  }
  EXPECT_THAT(rows("SELECT DISTINCT name FROM PROCESSES"), testing::ElementsAre("cpu_known"));
}

TEST_F(ProfileCpu, ProgramsThatAProgramStartsAreThereToo) {
  const Outcome done = run("profile -t none -o x sh -c '/bin/sleep 0.01; cat /dev/null; true'");
  ASSERT_EQ(done.status, 0) << done.err;
  const auto names = rows("SELECT name FROM PROCESSES");
  for (const char* name : {"sleep", "cat"}) EXPECT_THAT(names, Contains(name));
}

TEST_F(ProfileCpu, TheReportSaysHowItWasSampled) {
  const Outcome done = run("profile -t none --samples-per-backtrace=3 --sampling-frequency=2000 -o x true");
  ASSERT_EQ(done.status, 0) << done.err;
  if (fact("x.rep", "CPU_SAMPLING:SAMPLES") != "1") GTEST_SKIP() << "no CPU samples on this machine";
  EXPECT_EQ(fact("x.rep", "CPU_SAMPLING:SAMPLES_PER_BACKTRACE"), "3");
  EXPECT_EQ(fact("x.rep", "CPU_SAMPLING:FREQUENCY"), "2000");
}

TEST_F(ProfileCpu, SamplesOfTheWholeSystemHaveTheKernelAndOtherPrograms) {
  const Outcome done = run("profile -t none -s system-wide -o x dd if=/dev/zero of=/dev/null bs=1M count=4000");
  ASSERT_EQ(done.status, 0) << done.err;
  if (fact("x.rep", "CPU_SAMPLING:SCOPE") != "system-wide" || fact("x.rep", "CPU_SAMPLING:KERNEL") != "1") {
    GTEST_SKIP() << "only of the program, or not within the kernel: " << done.err;
  }
  EXPECT_THAT(rows("SELECT DISTINCT value FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.module"),
              Contains("[kernel.kallsyms]"));
  EXPECT_THAT(rows("SELECT count(DISTINCT globalTid >> 24) > 1 FROM SCHED_EVENTS"), testing::ElementsAre("1"));
}

TEST_F(ProfileCpu, NothingIsRecordedOfTheCpuIfSomebodySaysNo) {
  const Outcome done = run("profile -t none -s none --cpuctxsw=none -o x sh -c 'cat /dev/null; true'");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(rows("SELECT name FROM sqlite_master WHERE name IN ('SCHED_EVENTS', 'COMPOSITE_EVENTS')"), IsEmpty());
}

TEST_F(ProfileCpu, WhatIsBeforeTheDelayIsNotThere) {
  const Outcome done = run("profile -t none -s none --delay=1000 -o x sh -c 'cat /dev/null; true'");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(rows("SELECT name FROM sqlite_master WHERE name = 'SCHED_EVENTS'"), IsEmpty());
}

/// Where the kernel gives no samples away.
class ProfileWithoutPerf : public ProfileCpu {
 protected:
  void SetUp() override {
    if (run("--version", "'" LANESCOPE_WITHOUT_PERF "'").status != 0) GTEST_SKIP() << "no seccomp here";
  }
  static bool areSanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return true;
#else
    return false;
#endif
  }
  Outcome runWithout(const std::string& arguments) { return run(arguments, "'" LANESCOPE_WITHOUT_PERF "'"); }
};

TEST_F(ProfileWithoutPerf, WhoAskedForSamplesHearsTheRemedyAndGetsThoseOfTimers) {
  if (areSanitized()) GTEST_SKIP() << "programs with a sanitizer have no timers";
  const Outcome done = runWithout("profile -t none -s process-tree -o x '" LANESCOPE_CPU_KNOWN "' 1 0 1");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("this container forbids perf_event_open: start it with --cap-add=PERFMON"));
  EXPECT_THAT(done.err, HasSubstr("CPU samples by timers in the program"));
  if (rows("SELECT 1 FROM sqlite_master WHERE name = 'COMPOSITE_EVENTS'").empty()) {
    GTEST_SKIP() << "the recorder is not built";
  }
  EXPECT_THAT(rows("SELECT DISTINCT value FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol"),
              testing::IsSupersetOf({"work_forty", "one_step", "work_for", "main"}));
}

TEST_F(ProfileWithoutPerf, WhereTheKernelHasNoMemoryForThemTheyAreThoseOfTimersToo) {
  if (areSanitized()) GTEST_SKIP() << "programs with a sanitizer have no timers";
  const Outcome done = run("profile -t none -s process-tree --cpuctxsw=none -o x '" LANESCOPE_CPU_KNOWN "' 1 0 1",
                           "'" LANESCOPE_WITHOUT_PERF "' rings");
  ASSERT_EQ(done.status, 0) << done.err;
  if (done.err.find("the memory that this user may lock is used up") == std::string::npos) {
    GTEST_SKIP() << "this machine forbids all of it: " << done.err;
  }
  EXPECT_THAT(done.err, HasSubstr("CPU samples by timers in the program"));
  EXPECT_THAT(done.err, HasSubstr("sudo sysctl kernel.perf_event_mlock_kb=2048"));
  if (rows("SELECT 1 FROM sqlite_master WHERE name = 'COMPOSITE_EVENTS'").empty()) {
    GTEST_SKIP() << "the recorder is not built";
  }
  EXPECT_THAT(rows("SELECT DISTINCT value FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol"),
              Contains("work_forty"));
}

TEST_F(ProfileWithoutPerf, WhoAskedForNothingIsNotBothered) {
  const Outcome done = runWithout("profile -t none -o x true");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, Not(HasSubstr("perf")));
  EXPECT_THAT(rows("SELECT text FROM DIAGNOSTIC_EVENT"), Contains(HasSubstr("--cap-add=PERFMON")));
}

}  // namespace
}  // namespace lanescope::cli
