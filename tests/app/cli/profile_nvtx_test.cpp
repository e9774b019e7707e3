// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` of a program with NVTX ranges: what of it stands in the report, and what is captured of it. Needs
// the injected library; no GPU.
#ifdef LANESCOPE_NVTX_STEPS  // without CUDA there is no library to inject

#include <gmock/gmock.h>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ProfileOfNvtx : public Profile {
 protected:
  /// Runs the program through these steps; returns what was said.
  std::string run(const std::string& options, const std::string& steps, int status = 0) {
    const Outcome done = Profile::run(wordsOf(options, steps));
    EXPECT_EQ(done.status, status) << done.err;
    return done.err;
  }
  pid_t start(const std::string& options, const std::string& steps) { return Profile::start(wordsOf(options, steps)); }

  static std::string wordsOf(const std::string& options, const std::string& steps) {
    return "profile " + options + " '" LANESCOPE_NVTX_STEPS "' " + steps;
  }
};

TEST_F(ProfileOfNvtx, RangesStandInTheReport) {
  const std::string said = run("-o x", "+one +two - - +three@app -");
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(said, HasSubstr("report x.rep: 3 events"));
}

TEST_F(ProfileOfNvtx, TheReportIsExportedBesideAndItsStatisticsArePrinted) {
  const std::string said = run("--stats=true --export=sqlite,chrome --export hdf -o x", "+one -");
  EXPECT_THAT(folder_.names(), testing::IsSupersetOf({"x.rep", "x.sqlite", "x.trace.json"}));
  EXPECT_THAT(ranges("x.sqlite"), ElementsAre("one"));
  EXPECT_THAT(test::readFile(folder_ / "x.trace.json"), HasSubstr("\"name\":\"one\""));
  EXPECT_THAT(test::readFile(folder_ / ".out"), HasSubstr(" ** NVTX Range Summary (nvtx_sum):"));
  EXPECT_THAT(said, HasSubstr("warning: --export=hdf: is not written; there are: sqlite, json, chrome, "));

  EXPECT_THAT(run("--export=chrome -o x -f true", "+two -"), HasSubstr("written to x.trace.json"));
  EXPECT_THAT(test::readFile(folder_ / "x.trace.json"), HasSubstr("\"name\":\"two\""));
}

TEST_F(ProfileOfNvtx, TracesThatAreNotAskedForAreNotRecorded) {
  run("-t none -o none", "+one -");
  EXPECT_THAT(ranges("none.rep"), IsEmpty());
  run("-t nvtx -o nvtx", "+one -");
  EXPECT_THAT(ranges("nvtx.rep"), ElementsAre("one"));
}

TEST_F(ProfileOfNvtx, DomainsAreIncludedAndExcluded) {
  const std::string steps = "+plain - +a@app - +b@lib -";
  run("--nvtx-domain-include=app,default -o in", steps);
  EXPECT_THAT(ranges("in.rep"), ElementsAre("plain", "a"));
  run("--nvtx-domain-exclude=app -o out", steps);
  EXPECT_THAT(ranges("out.rep"), ElementsAre("plain", "b"));
}

TEST_F(ProfileOfNvtx, OnlyWhatIsInTheCaptureRangeIsRecorded) {
  const std::string steps = "+before - +train +step - - +after - +train +again - -";
  run("-c nvtx -p train -o first", steps);
  EXPECT_THAT(ranges("first.rep"), ElementsAre("train", "step"));
  run("-c nvtx -p train --capture-range-end=none -o on", steps);
  EXPECT_THAT(ranges("on.rep"), ElementsAre("train", "step", "after", "train", "again"));
}

TEST_F(ProfileOfNvtx, ADomainsRangeIsCapturedWhenItIsAskedFor) {
  const std::string steps = "+train@app +step - -";
  const std::string said = run("-c nvtx -p train -o a", steps);
  EXPECT_THAT(said, HasSubstr("--nvtx-capture=train opened nothing"));
  EXPECT_THAT(said, HasSubstr("ranges seen: train@app, step"));
  EXPECT_THAT(ranges("a.rep"), IsEmpty());
  run("-c nvtx -p train@app -o b", steps);
  EXPECT_THAT(ranges("b.rep"), ElementsAre("train", "step"));
  run("-c nvtx -p train@* -o c", steps);
  EXPECT_THAT(ranges("c.rep"), ElementsAre("train", "step"));
}

TEST_F(ProfileOfNvtx, TheReportIsThereBeforeTheProgramEndsWhenItsRangeIsOver) {
  pipe("go");
  const pid_t process = start("-c nvtx -p train -o x", "+train +step - - +after - ?go");
  // The program waits for this line, and the line comes only after the report.
  while (!fs::exists(folder_ / "x.rep")) sched_yield();
  test::writeFile(folder_ / "go", "on\n");
  const Outcome done = end(process);
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(ranges("x.rep"), ElementsAre("train", "step"));
  EXPECT_THAT(done.err, HasSubstr("the program goes on"));
  EXPECT_THAT(done.err, Not(HasSubstr("abruptly")));
}

TEST_F(ProfileOfNvtx, RepeatedRangesGiveAReportEach) {
  const std::string steps = "+train +1 - - +out - +train +2 - - +train +3 - -";
  run("-c nvtx -p train --capture-range-end=repeat", steps);
  EXPECT_THAT(reports(), ElementsAre("report1.rep", "report2.rep", "report3.rep"));
  EXPECT_THAT(ranges("report1.rep"), ElementsAre("train", "1"));
  EXPECT_THAT(ranges("report2.rep"), ElementsAre("train", "2"));
  EXPECT_THAT(ranges("report3.rep"), ElementsAre("train", "3"));
  run("-c nvtx -p train --capture-range-end=repeat:2 -o x", steps);
  EXPECT_THAT(ranges("x.1.rep"), ElementsAre("train", "1"));
  EXPECT_THAT(ranges("x.2.rep"), ElementsAre("train", "2"));
  EXPECT_FALSE(fs::exists(folder_ / "x.3.rep"));
}

TEST_F(ProfileOfNvtx, NothingIsLostWhenTheLauncherIsKilled) {
  pipe("ready"), pipe("go");
  const pid_t process = start("-o x", "+one +two - - '!ready' '?go'");
  test::readFile(folder_ / "ready");
  kill(process, SIGKILL);
  end(process);
  const Outcome recovered = Profile::run("recover .x.rep." + std::to_string(process) + ".recording");
  EXPECT_EQ(recovered.status, 0) << recovered.err;
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one", "two"));
  EXPECT_THAT(recovered.err, HasSubstr("the program still runs; the report ends here"));
  test::writeFile(folder_ / "go", "on\n");
}

TEST_F(ProfileOfNvtx, ChildrenAreRecordedHoweverTheyAreMade) {
#if !defined(__SANITIZE_THREAD__)  // it ends forked children that make threads
  run("-o fork", "+before - fork +child -");
  EXPECT_THAT(ranges("fork.rep"), ElementsAre("before", "child"));
#endif
  const std::string steps = "'" LANESCOPE_NVTX_STEPS "' ";
  EXPECT_EQ(
      Profile::run("profile -o all sh -c \"" + steps + "+one -; (" + steps + "+two -); exec " + steps + "+three -\"")
          .status,
      0);
  EXPECT_THAT(ranges("all.rep"), ElementsAre("one", "two", "three"));
}

TEST_F(ProfileOfNvtx, WhereTheEnvironmentWasCleanedTheLineSaysWhatKeepsTheRecorderOut) {
  const Outcome done = Profile::run("profile -o x env -i '" LANESCOPE_NVTX_STEPS "' +one -");
  EXPECT_THAT(ranges("x.rep"), IsEmpty());
  EXPECT_THAT(done.err, HasSubstr("what cleans the environment (sudo, env -i, srun --export=NONE) keeps it out"));
}

TEST_F(ProfileOfNvtx, TheProgramFindsSignalsAndDescriptorsAsEver) {
  ASSERT_EQ(std::system(("cd '" + folder_.path().string() + "' && '" LANESCOPE_NVTX_STEPS "' +a - =bare").c_str()), 0);
  run("-o x", "+a - =recorded");
  EXPECT_NE(test::readFile(folder_ / "bare"), "");
  EXPECT_EQ(test::readFile(folder_ / "recorded"), test::readFile(folder_ / "bare"));
}

TEST_F(ProfileOfNvtx, ADelayLeavesOutWhatCameBeforeIt) {
  // The program makes ranges until there is a report.
  const std::string program = "sh -c \"while [ ! -e x.rep ]; do '" LANESCOPE_NVTX_STEPS "' +a -; done\"";
  EXPECT_EQ(Profile::run("profile -y 0.05 -d 0.05 -o x " + program).status, 0);
  const auto database = report::Database::open(folder_ / "x.rep");
  ASSERT_TRUE(database.has_value());
  if (database->has("NVTX_EVENTS")) {
    EXPECT_GE(database->integer("SELECT min(start) FROM NVTX_EVENTS"), 50'000'000);
  }
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "duration");
}

TEST_F(ProfileOfNvtx, ARepeatThatShutsDownEndsTheProgramAfterItsLastRangeIfKillSaysSo) {
  pipe("never");
  const std::string said = run("-c nvtx -p train --capture-range-end=repeat-shutdown:2 --kill=sigterm -o x",
                               "+train +1 - - +out - +train +2 - - '?never'", 128 + SIGTERM);
  EXPECT_THAT(ranges("x.1.rep"), ElementsAre("train", "1"));
  EXPECT_THAT(ranges("x.2.rep"), ElementsAre("train", "2"));
  EXPECT_THAT(said, testing::EndsWith(
                        "lanescope: ended the program with signal 15 (--kill) because the capture range was over\n"));
}

TEST_F(ProfileOfNvtx, AStoppedRangeLeavesTheProgramAloneWhateverKillSays) {
  const std::string said =
      run("-c nvtx -p train --capture-range-end=stop --kill=sigkill -o x", "+train - +after - =done");
  EXPECT_TRUE(fs::exists(folder_ / "done"));
  EXPECT_THAT(ranges("x.rep"), ElementsAre("train"));
  EXPECT_THAT(said, Not(HasSubstr("ended the program")));
}

TEST_F(ProfileOfNvtx, WhatFitsOnAFullDiskIsAReport) {
  // A small disk of its own, where the system lets us mount one.
  const std::string mount = "unshare -Urm sh -c 'mkdir -p disk && mount -t tmpfs -o size=16m tmpfs disk && ";
  const std::string in = "cd '" + folder_.path().string() + "' && ";
  if (std::system((in + mount + "true' 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no disk can be mounted here";
  const std::string profile = "\"" LANESCOPE_PROGRAM "\" profile -t nvtx -o disk/x \"" LANESCOPE_NVTX_STEPS "\" ";
  EXPECT_EQ(std::system((in + mount + profile + "\"*400000\" 2>.err; cp disk/x.rep .; ls -A disk >.disk'").c_str()), 0);
  EXPECT_EQ(test::readFile(folder_ / ".disk"), "x.rep\n");
  EXPECT_THAT(test::readFile(folder_ / ".err"), HasSubstr("The disk was nearly full: recording stopped early"));
  EXPECT_THAT(test::readFile(folder_ / ".err"), HasSubstr("report disk/x.rep: "));
  EXPECT_GT(ranges("x.rep").size(), 1000u);
  EXPECT_LT(ranges("x.rep").size(), 400'000u);
}

}  // namespace
}  // namespace lanescope::cli

#endif
