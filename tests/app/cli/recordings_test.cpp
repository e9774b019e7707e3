// SPDX-License-Identifier: Apache-2.0
// `lanescope recordings`: what outlives who began it, and what is told about it.
#ifdef LANESCOPE_NVTX_STEPS  // without CUDA there is no library to inject

#include <gmock/gmock.h>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Recordings : public Profile {
 protected:
  Recordings() { setenv("XDG_CACHE_HOME", cache_.path().c_str(), 1); }
  ~Recordings() override { unsetenv("XDG_CACHE_HOME"); }

  static std::string steps(const std::string& words) { return "'" LANESCOPE_NVTX_STEPS "' " + words; }

  /// A viewer that begins one; what it is told goes to a file of its own.
  pid_t begin(const std::string& words) { return start("recordings begin -t nvtx -o x " + words + " >.told 2>&1 #"); }
  std::string told() const { return test::readFile(folder_ / ".told"); }

  /// The number of the only one.
  std::string number() {
    const std::string all = run("recordings list").out;
    return all.substr(0, all.find(' '));
  }
  std::vector<std::filesystem::path> recordings() const {
    return test::filesIn(cache_.path() / "lanescope/recordings");
  }
  /// What is told about it until it has ended.
  std::string follow() { return run("recordings follow " + number()).out; }

  test::TemporaryFolder cache_;
};

TEST_F(Recordings, OneTellsItsOutputItsReportAndItsEnd) {
  const Outcome done =
      run("recordings begin --folder=. -t nvtx -o x sh -c \"echo said; " + steps("+one -") + "; printf ä; exit 3\"");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("{\"id\": \""), HasSubstr("said\\n"), HasSubstr("ä"),
                              HasSubstr("/x.rep\"}\n{\"status\": 3}\n")));
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one"));
  EXPECT_THAT(run("recordings list").out, AllOf(HasSubstr("  ended   "), HasSubstr("  sh -c "), HasSubstr("/x.rep")));
  EXPECT_THAT(run("recordings list --json").out, HasSubstr("\"state\": \"ended\", \"command\": \"sh -c "));
  EXPECT_THAT(follow(), HasSubstr("{\"status\": 3}")) << "whoever looks later is told the same";

  EXPECT_EQ(run("recordings remove " + number()).status, 0);
  EXPECT_THAT(run("recordings list").out, "no recording is there\n");
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
}

TEST_F(Recordings, ThoseOfNoMoreUseAreForgotten) {
  run("recordings begin -t nvtx -o x " + steps("+one -"));
  run("recordings list");
  EXPECT_EQ(recordings().size(), 1U) << "its report is there";
  std::filesystem::remove(folder_ / "x.rep");
  run("recordings begin -t nvtx -o y /bin/false");
  ASSERT_EQ(recordings().size(), 1U) << "one begins: the one before is of no use";
  std::filesystem::remove(folder_ / "y.rep");
  EXPECT_EQ(run("recordings list").out, "no recording is there\n");
  EXPECT_THAT(recordings(), IsEmpty());
  EXPECT_EQ(run("recordings list --json").out, "");
}

TEST_F(Recordings, ThoseThatEndedLongAgoAreForgottenButNotTheirReports) {
  run("recordings begin -t nvtx -o x " + steps("+one -"));
  const auto facts = cache_.path() / "lanescope/recordings" / number() / "facts";
  const auto ago = [&](int days) {
    std::filesystem::last_write_time(facts,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(24 * days));
    return run("recordings list").out;
  };
  EXPECT_THAT(ago(29), HasSubstr("/x.rep"));
  EXPECT_EQ(ago(31), "no recording is there\n");
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
}

TEST_F(Recordings, OneGoesOnWhenWhoBeganItIsGone) {
  pipe("begun"), pipe("on");
  const pid_t viewer = begin(steps("+one !begun ?on - +two -"));
  hear("begun");
  kill(viewer, SIGKILL);
  end(viewer);
  EXPECT_THAT(run("recordings list --json").out, HasSubstr("\"state\": \"runs\""));
  EXPECT_NE(run("recordings remove " + number()).status, 0) << "it runs";
  tell("on", "on\n");
  EXPECT_THAT(follow(), HasSubstr("{\"status\": 0}"));
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one", "two"));
}

TEST_F(Recordings, StopKeepsWhatWasRecorded) {
  pipe("begun"), pipe("on");
  const pid_t viewer = begin(steps("+one - !begun ?on"));
  hear("begun");
  EXPECT_EQ(run("recordings stop " + number()).status, 0);
  // SIGINT ended the program.
  EXPECT_EQ(end(viewer).status, 0);
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one"));
  EXPECT_THAT(follow(), HasSubstr("{\"status\": 130}"));
  const Outcome again = run("recordings stop " + number());
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr(" has ended"));
}

TEST_F(Recordings, CancelLeavesNothingAndEndsTheProgram) {
  pipe("begun"), pipe("on");
  const pid_t viewer = begin(steps("+one - !begun ?on"));
  hear("begun");
  EXPECT_EQ(run("recordings cancel " + number()).status, 0);
  end(viewer);
  EXPECT_THAT(reports(), IsEmpty());
  EXPECT_THAT(folder_.names(), Not(testing::Contains(HasSubstr("recording"))));
  EXPECT_THAT(follow(),
              AllOf(HasSubstr("was discarded"), HasSubstr("{\"status\": 143}"), Not(HasSubstr("\"report\""))));
}

TEST_F(Recordings, WhatAKilledOneLeftIsFinished) {
  pipe("begun"), pipe("on");
  const pid_t viewer = begin(steps("+one - !begun ?on"));
  hear("begun");
  const std::string facts = test::readFile(cache_.path() / "lanescope/recordings" / number() / "facts");
  const std::size_t pid = facts.rfind("launcher-pid=");
  ASSERT_EQ(kill(std::atoi(facts.c_str() + pid + 13), SIGKILL), 0);
  EXPECT_THAT((end(viewer), told()), HasSubstr("{\"left\": \"/"));
  EXPECT_THAT(run("recordings list --json").out, AllOf(HasSubstr("\"state\": \"killed\""), HasSubstr("\"left\": \"/")));
  EXPECT_EQ(run("recordings finish " + number()).status, 0);
  tell("on", "on\n");
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one"));
  EXPECT_THAT(run("recordings list").out, AllOf(HasSubstr(" ended "), HasSubstr("/x.rep")));
}

TEST_F(Recordings, WhatCannotWorkIsRefusedBeforeAnythingIsBegun) {
  EXPECT_THAT(run("recordings begin --delay=soon true").err, HasSubstr("--delay: soon; it is a number of seconds"));
  EXPECT_THAT(run("recordings begin --folder=/no/such true").err, HasSubstr("/no/such: no folder to record in"));
  const Outcome unknown = run("recordings follow ../../etc");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is none of that number; see: lanescope recordings list"));
  EXPECT_THAT(run("recordings list").out, "no recording is there\n");
}

}  // namespace
}  // namespace lanescope::cli

#endif
