// SPDX-License-Identifier: Apache-2.0
// Ends that nobody saw, and what a recording has nothing of.
#include "collector/launch/finish_left_out.h"

#include <gmock/gmock.h>

#include "collector/wire/session.h"
#include "model/report/info.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::RecordType;

class LeftOut : public FinishFixture {};

TEST_F(LeftOut, AProcessThatEndedAbruptlyIsSaidToHaveUnlessItBecameAnotherProgram) {
  process(100, 1)
      .thread(101)
      .mark({.time = cpu(1), .text = "first"})
      .call({.start = cpu(1), .end = cpu(2), .correlation = 1})
      .write();
  process(100, 2).thread(101).call({.start = cpu(3), .end = cpu(4), .correlation = 1}).ended().write();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_THAT(rows("SELECT count(DISTINCT correlationId) FROM CUPTI_ACTIVITY_KIND_RUNTIME"), ElementsAre("2"));
  process(300).thread(301).mark({.time = cpu(1), .text = "m"}).write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("ended-abruptly"));
  EXPECT_THAT(result_.notes, ElementsAre("1 process ended abruptly (300); what was recorded until then is here"));
}

TEST_F(LeftOut, OfAChainOfExecsTheLastProgramIsTheOneThatTheProcessIsCalledBy) {
  for (const std::uint64_t time : {0x9fu, 0xa1u, 0xb0u}) {
    auto stream = process(100, time);
    stream.facts(time == 0xb0 ? "exe=/opt/last\n" : "exe=/opt/before\n");
    if (time == 0xb0) stream.ended();
    stream.write();
  }
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name GLOB 'LANESCOPE:PROCESS_*:ENDED' ORDER BY name"),
              ElementsAre("became another program", "became another program", "ended in order"));
}

TEST_F(LeftOut, AProcessWhoseExitCodeIsKnownDidNotEndAbruptly) {
  test::writeFile(folder_ / "facts", "program-pid=100\nstart-monotonic=1000000\nended.100=code 3\n");
  process(100).thread(101).mark({.time = cpu(1), .text = "m"}).write();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name = 'LANESCOPE:PROCESS_0:ENDED'"),
              ElementsAre("ended with exit code 3"));
  test::writeFile(folder_ / "facts", "program-pid=100\nstart-monotonic=1000000\nended.100=signal 9\n");
  finished();
  EXPECT_THAT(issues(), ElementsAre("ended-abruptly"));
}

TEST_F(LeftOut, AnExitThatWasNotSeenCostsTheGpuWorkOfTheLastMoments) {
  test::writeFile(folder_ / "facts", "program-pid=100\nstart-monotonic=1000000\nended.100=code 3\n");
  process(100).cupti().record(wire::RecordType::kContext, wire::Context{}, 1).write();
  finished();
  EXPECT_THAT(result_.notes, ElementsAre("1 process left by _exit() or became another program (100); GPU work that "
                                         "CUPTI had not handed out by then is missing"));
}

TEST_F(LeftOut, WhereNobodySawAnotherProgramAnEndThatLeftNoTraceIsNotCalledOne) {
  test::writeFile(folder_ / "facts", "program-pid=100\nstart-monotonic=1000000\nended.100=code 0\n");
  test::writeFile(folder_ / "options", "trace=cuda,nvtx,osrt\n");
  process(100).thread(101).mark({.time = cpu(1), .text = "m"}).write();
  finished();
  EXPECT_THAT(result_.notes, ElementsAre(HasSubstr("1 process left in a way that the library does not see (100); ")));
  EXPECT_THAT(issues(), ElementsAre("became-unrecorded"));
}

TEST_F(LeftOut, WhoRunsAsAnotherUserIsNamedUnlessItWasRecorded) {
  test::writeFile(folder_ / "facts",
                  "start-monotonic=1000000\nother-user.100=app as user 7\nother-user.300=worker as user 7\n");
  process(100).thread(101).mark({.time = cpu(1), .text = "m"}).ended().write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("other-user"));
  EXPECT_THAT(result_.notes, ElementsAre("1 process ran as another user and was not recorded (300: worker as user 7); "
                                         "only the user who records can write the recording: start lanescope as that "
                                         "user"));
}

TEST_F(LeftOut, WhatTheControlPageCountedIsSaid) {
  wire::ControlPage page;
  page.magic = wire::ControlPage::kMagic;
  page.youngCalls = 1200;
  page.refused = 2;
  test::writeFile(folder_ / "control", {reinterpret_cast<const char*>(&page), sizeof page});
  process(100).thread(101).mark({.time = cpu(1), .text = "m"}).ended().write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("other-user", "young-children"));
  EXPECT_THAT(result_.notes, ElementsAre(HasSubstr("2 processes ran as another user and were not recorded; ")));
  EXPECT_THAT(rows("SELECT count, text FROM LANESCOPE_ISSUES WHERE kind = 'young-children'"),
              ElementsAre(HasSubstr("1200|1 200 calls of forked children in their first 10 ms are not recorded")));
}

TEST_F(LeftOut, AWorkerWithoutAGpuMayEndAsItLikes) {
  test::writeFile(folder_ / "facts", "program-pid=100\nstart-monotonic=1000000\n");
  process(100).thread(101).mark({.time = cpu(1), .text = "m"}).ended().write();
  process(300).thread(301).mark({.time = cpu(1), .text = "m"}).write();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  process(400).cupti().record(wire::RecordType::kContext, wire::Context{}, 1).write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("ended-abruptly"));
}

TEST_F(LeftOut, ManyProcessesThatEndedAbruptlyAreOneSentence) {
  for (std::uint32_t pid = 1; pid <= 1100; ++pid) {
    auto stream = process(pid);
    stream.cupti().record(RecordType::kContext, wire::Context{{}, 0, 7, 0, 0}, 1);
    stream.write();
  }
  finished();
  EXPECT_THAT(result_.notes, ElementsAre("1 100 processes ended abruptly (1, 2, 3, 4, 5, 6, 7, 8, …); GPU work that "
                                         "CUPTI had not handed out by then is missing"));
  EXPECT_THAT(rows("SELECT count(*) FROM PROCESSES"), ElementsAre("1100"));
}

TEST_F(LeftOut, WhyNothingIsThereDependsOnWhatWasToBe) {
  const auto note = [&](const std::string& options) {
    test::writeFile(folder_ / "options", options);
    finished();
    return result_.notes.empty() ? "" : result_.notes.front();
  };
  EXPECT_THAT(note("trace=cuda,nvtx\n"), HasSubstr("No process of the program used CUDA or NVTX, or the library"));
  EXPECT_THAT(note("trace=mpi\n"), HasSubstr("No process of the program used MPI, or the library"));
  EXPECT_THAT(note("trace=cuda,osrt\n"), HasSubstr("The library got into no process of the program"));
}

TEST_F(LeftOut, Col31AProgramWithoutNvtxIsSaidToHaveMadeNoCalls) {
  test::writeFile(folder_ / "options", "trace=cuda,nvtx\nnvtx-asked=1\n");
  process().thread(101).call({.start = cpu(1), .end = cpu(2), .correlation = 1}).ended().write();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_THAT(result_.notes, ElementsAre("0 NVTX calls seen"));
  EXPECT_THAT(toText(report::readInfo(*database_, {})), HasSubstr("0 NVTX calls seen"));
  process().thread(101).mark({.time = cpu(1), .text = "m"}).ended().write();
  finished();
  EXPECT_THAT(result_.notes, IsEmpty());
}

}  // namespace
}  // namespace lanescope::launch
