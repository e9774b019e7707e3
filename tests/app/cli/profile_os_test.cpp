// SPDX-License-Identifier: Apache-2.0
// `lanescope profile -t osrt` and `-t mpi` of programs that wait and that speak MPI: what stands in the report, and what
// `stats` says of it. Needs the injected library; no GPU.
#ifdef LANESCOPE_OS_PROGRAM  // without CUDA there is no library to inject

#include <gmock/gmock.h>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ProfileOfOs : public Profile {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers stand in for the same functions, so that the library leaves their programs alone; what "
                    "is behind the calls has a program of its own for them (door_test.cpp)";
#endif
  }
  std::string number(const std::string& sql) const {
    const auto database = report::Database::open(folder_ / "x.rep");
    if (!database) return "no report";
    auto rows = database->prepare(sql);
    return rows && rows->step() ? std::string(rows->text(0)) : "none";
  }
};

TEST_F(ProfileOfOs, WaitsStandInTheReportAndInTheStatistics) {
  const Outcome done = run("profile -t osrt -s none --cpuctxsw none -o x '" LANESCOPE_OS_PROGRAM "' waits");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, Not(HasSubstr("warning")));
  for (const char* name : {"pthread_mutex_lock", "pthread_cond_wait", "sem_wait", "pthread_join", "poll", "usleep"}) {
    EXPECT_NE(number("SELECT count(*) FROM OSRT_API WHERE nameId = (SELECT id FROM StringIds WHERE value = '" +
                     std::string(name) + "')"),
              "0")
        << name;
  }
  const Outcome stats = run("stats -q -r osrt_sum x.rep");
  EXPECT_EQ(stats.status, 0) << stats.err;
  EXPECT_THAT(stats.out, AllOf(HasSubstr("pthread_mutex_lock"), HasSubstr("nanosleep"), HasSubstr("epoll_wait")));
}

TEST_F(ProfileOfOs, LongWaitsSayWhereTheyWereMade) {
  ASSERT_EQ(run("profile -t osrt -s none --cpuctxsw none -o x '" LANESCOPE_OS_PROGRAM "' waits").status, 0);
  // From the call outwards: the program itself comes first, not the recorder.
  EXPECT_EQ(number("SELECT count(*) FROM OSRT_API a WHERE callchainId != 0 AND NOT EXISTS (SELECT 1 FROM "
                   "OSRT_CALLCHAINS WHERE id = a.callchainId AND stackDepth = 0)"),
            "0");
  EXPECT_EQ(number("SELECT count(*) FROM OSRT_CALLCHAINS WHERE module IN (SELECT id FROM StringIds WHERE value LIKE "
                   "'%liblanescope%')"),
            "0");
  EXPECT_NE(
      number("SELECT count(*) FROM OSRT_CALLCHAINS WHERE symbol IN (SELECT id FROM StringIds WHERE value = 'main')"),
      "0");
}

TEST_F(ProfileOfOs, LocksAreCalledAsTheProgramCallsThem) {
  ASSERT_EQ(run("profile -t osrt -s none --cpuctxsw none -o x '" LANESCOPE_OS_PROGRAM "' waits").status, 0);
  for (const char* name : {"mutex", "shared", "condition", "semaphore", "barrier"}) {
    EXPECT_NE(
        number("SELECT count(*) FROM LANESCOPE_OSRT_OBJECTS WHERE nameId IN (SELECT id FROM StringIds WHERE value "
               "LIKE '%" +
               std::string(name) + "')"),
        "0")
        << name;
  }
}

TEST_F(ProfileOfOs, NothingIsPreloadedThatWasNotAskedFor) {
  EXPECT_EQ(run("profile -o a sh -c 'echo [$LD_PRELOAD]'").out, "[]\n");
  EXPECT_THAT(run("profile -t osrt -o b sh -c 'echo [$LD_PRELOAD]'").out, HasSubstr("/liblanescope-preload.so]"));
  EXPECT_THAT(run("profile -t mpi -o c -e LD_PRELOAD=libm.so.6 sh -c 'echo [$LD_PRELOAD]'").out,
              HasSubstr("/liblanescope-mpi.so:libm.so.6]"));
}

TEST_F(ProfileOfOs, CallsOfMpiHaveTheirTablesAndTheProcessItsRank) {
  const Outcome done = run("profile -t mpi -s none --cpuctxsw none -o x '" LANESCOPE_MPI_PROGRAM "'");
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(number("SELECT count(*) FROM MPI_P2P_EVENTS"), "6");
  EXPECT_EQ(number("SELECT count(*) FROM MPI_COLLECTIVES_EVENTS"), "5");
  EXPECT_EQ(number("SELECT rank FROM MPI_RANKS"), "2");
  EXPECT_THAT(run("info x.rep").out, HasSubstr("rank 2"));
}

}  // namespace
}  // namespace lanescope::cli

#endif
