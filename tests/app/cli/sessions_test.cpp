// SPDX-License-Identifier: Apache-2.0
// Programs that are recorded when other commands say so. What needs ranges needs the injected library; no GPU.
#include <gmock/gmock.h>

#include "tests/app/cli/profile_fixture.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Sessions : public Profile {
 protected:
  /// Of another command than the one that is running.
  Outcome tell(const std::string& arguments, const std::string& from = ".") {
    const std::string command = "cd '" + (folder_.path() / from).string() + "' && '" LANESCOPE_PROGRAM "' " +
                                arguments + " >'" + (sessions_ / ".out").string() + "' 2>'" +
                                (sessions_ / ".err").string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::readFile(sessions_ / ".out"),
            test::readFile(sessions_ / ".err")};
  }
  Outcome good(const std::string& arguments) {
    Outcome done = tell(arguments);
    EXPECT_EQ(done.status, 0) << arguments << ": " << done.err;
    return done;
  }
  std::string list() { return good("sessions list").out; }
  void go(const char* pipe) { test::writeFile(folder_ / pipe, "on\n"); }
  std::vector<std::string> folders() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.is_directory()) found.push_back(entry.path().filename());
    }
    return found;
  }
};

/// A program that says when it runs and waits to be told to end.
constexpr const char* kServer = "sh -c 'echo on >there; read line <leave; exit 7'";

class SessionsOfAServer : public Sessions {
 protected:
  SessionsOfAServer() { pipe("there"), pipe("leave"); }
  pid_t launch(const std::string& options = "--session-new=web") {
    const pid_t process = start("launch " + options + " " + kServer);
    hear("there");
    return process;
  }
  Outcome leave(pid_t process) {
    go("leave");
    return end(process);
  }
};

TEST_F(SessionsOfAServer, AreListedByNameStateAndProgram) {
  EXPECT_EQ(list(), "no session is there; begin one with: lanescope launch PROGRAM\n");
  const pid_t process = launch();
  while (list().find(" -  sh\n") != std::string::npos)
    sched_yield();  // the program is quicker than who notes its number
  EXPECT_THAT(list(), testing::ContainsRegex("NAME  STATE .*\nweb   ready      20..-..-..T..:..:..  +[0-9]+  sh\n"));
  good("start");
  EXPECT_THAT(list(), HasSubstr("\nweb   recording  "));
  good("stop --wait");
  EXPECT_THAT(list(), HasSubstr("\nweb   ready      "));
  const Outcome done = leave(process);
  EXPECT_EQ(done.status, 7);
  EXPECT_THAT(names(), testing::IsSupersetOf({"report1.rep"}));
  EXPECT_THAT(folders(), IsEmpty());
  EXPECT_EQ(list(), "no session is there; begin one with: lanescope launch PROGRAM\n");
}

TEST_F(SessionsOfAServer, HaveANameOfTheirOwnIfNobodyGivesOne) {
  const pid_t process = launch("");
  EXPECT_THAT(list(), HasSubstr("\nlaunch-" + std::to_string(process) + "-sh  ready "));
  const Outcome done = leave(process);
  EXPECT_THAT(done.err, HasSubstr("nothing was recorded: nobody said `lanescope start`"));
  EXPECT_THAT(reports(), IsEmpty());
}

TEST_F(SessionsOfAServer, ReportsCountUpOrHaveTheNamesThatAreAskedFor) {
  const pid_t process = launch();
  fs::create_directory(folder_ / "elsewhere");
  for (const char* options : {"", "", "-o mine", "-o %h-%p"}) {
    good(std::string("start ") + options);
    EXPECT_THAT(good("stop --wait").err, HasSubstr(".rep: 0 events"));
  }
  EXPECT_EQ(tell("start -o there", "elsewhere").status, 0);
  good("stop --wait");
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere" / "there.rep"));
  EXPECT_THAT(reports(), testing::IsSupersetOf({"mine.rep", "report1.rep", "report2.rep"}));
  EXPECT_EQ(reports().size(), 4u);

  const Outcome taken = tell("start -o mine");
  EXPECT_EQ(taken.status, 2);
  EXPECT_THAT(taken.err, HasSubstr("mine.rep: already exists"));
  good("start -f true -o mine");
  EXPECT_THAT(good("stop --wait").err, HasSubstr("mine.rep: 0 events"));
  leave(process);
}

TEST_F(SessionsOfAServer, ANameGivenToLaunchIsNotOverwrittenByTheNextRecording) {
  const pid_t process = launch("-o mine");
  for (int i = 0; i < 3; ++i) good("start"), good("stop --wait");
  EXPECT_THAT(reports(), ElementsAre("mine.2.rep", "mine.3.rep", "mine.rep"));
  leave(process);
}

TEST_F(SessionsOfAServer, StatisticsAndExportsOfARecordingAreMade) {
  const pid_t process = launch();
  good("start -o x --export=sqlite --stats=true");
  good("stop --wait");
  EXPECT_TRUE(fs::exists(folder_ / "x.sqlite"));
  leave(process);
}

TEST_F(SessionsOfAServer, WhatCannotBeDoneIsOneSentenceWithARemedy) {
  const auto refusal = [&](const std::string& arguments) {
    const Outcome done = tell(arguments);
    EXPECT_EQ(done.status, 2) << arguments << ": " << done.err;
    EXPECT_THAT(done.err, AllOf(StartsWith("lanescope: "), EndsWith("\n")));
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    return done.err.substr(0, done.err.size() - 1);
  };
  for (const char* command : {"start", "stop", "cancel", "shutdown"}) {
    EXPECT_EQ(refusal(command), "lanescope: no session is there; begin one with: lanescope launch PROGRAM");
  }
  EXPECT_EQ(refusal("stop --session=web"),
            "lanescope: session web: there is none of that name; begin one with: lanescope launch --session-new=NAME "
            "PROGRAM");
  const pid_t process = launch();
  EXPECT_EQ(refusal("stop --session=wed"), "lanescope: session wed: there is none of that name; did you mean web?");
  EXPECT_EQ(refusal("stop --session=training"),
            "lanescope: session training: there is none of that name; there are: web");
  EXPECT_EQ(refusal("stop"), "lanescope: session web does not record; begin with: lanescope start --session=web");
  EXPECT_THAT(refusal("cancel"), HasSubstr("session web does not record, so there is nothing to discard"));
  EXPECT_EQ(refusal("launch --session-new=web true"),
            "lanescope: session web: there is one of that name; choose another, or end it with: lanescope shutdown "
            "--session=web");
  EXPECT_THAT(refusal("launch --session-new=a/b true"), HasSubstr("session a/b: a name is 1 to 48 letters"));
  EXPECT_EQ(
      refusal("start -c nvtx"),
      "lanescope: -c (--capture-range): a range cannot begin a recording of a session yet; use: lanescope profile "
      "--capture-range");
  EXPECT_THAT(refusal("start -t cuda"), HasSubstr("what to record is said before the program starts"));
  EXPECT_THAT(refusal("start --duration=x"), HasSubstr("--duration: x; it is a number of seconds"));
  EXPECT_THAT(refusal("start ./server"), HasSubstr("start takes no program"));
  EXPECT_THAT(refusal("launch -d 5 true"), HasSubstr("-d (--duration): when to record is said to: lanescope start"));
  EXPECT_THAT(refusal("launch --kill=sigterm true"), HasSubstr("is said to: lanescope shutdown"));
  EXPECT_THAT(refusal("shutdown --kill=hard"), HasSubstr("--kill: hard; it is none, sigterm, sigkill"));
  good("start");
  EXPECT_EQ(refusal("start"), "lanescope: session web records already; end that with: lanescope stop --session=web");
  good("stop --wait");
  leave(process);
}

TEST_F(SessionsOfAServer, OneOfSeveralHasToBeNamed) {
  const pid_t process = launch();
  pipe("there2"), pipe("leave2");
  const pid_t other = start("launch --session-new=training sh -c 'echo on >there2; read line <leave2'");
  hear("there2");
  const Outcome refused = tell("start");
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "lanescope: several sessions run: training, web; name one with --session=NAME\n");
  good("start --session web -o x");
  EXPECT_THAT(list(), AllOf(HasSubstr("\ntraining  ready "), HasSubstr("\nweb       recording ")));
  good("shutdown --session web");
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  go("leave2");
  EXPECT_EQ(end(other).status, 0);
  EXPECT_EQ(leave(process).status, 7);
}

TEST_F(SessionsOfAServer, ACancelledRecordingLeavesNothing) {
  const pid_t process = launch();
  good("start -o x");
  EXPECT_THAT(good("cancel").err, HasSubstr("session web: the recording is discarded; the program goes on"));
  good("start -o y");
  good("stop --wait");
  EXPECT_EQ(leave(process).status, 7);
  EXPECT_THAT(reports(), ElementsAre("y.rep"));
  EXPECT_THAT(folders(), IsEmpty());
}

TEST_F(SessionsOfAServer, ADurationEndsTheRecordingByItself) {
  const pid_t process = launch();
  good("start -o x -d 0.05");
  while (list().find("ready") == std::string::npos) sched_yield();
  leave(process);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "duration");
}

TEST_F(SessionsOfAServer, ARecordingThatHasNotBegunIsCalledOff) {
  const pid_t process = launch();
  EXPECT_THAT(good("start -y 1000").err, HasSubstr("session web records in 1000 s"));
  EXPECT_THAT(good("stop").err, HasSubstr("the recording had not begun and is off"));
  leave(process);
  EXPECT_THAT(reports(), IsEmpty());
}

TEST_F(SessionsOfAServer, ShutdownEndsTheSessionAndTheProgramIfItIsTold) {
  const pid_t process = launch();
  good("start -o x");
  EXPECT_THAT(good("shutdown --kill=sigterm").err, HasSubstr("session web is over; its program was sent signal 15"));
  EXPECT_EQ(end(process).status, 128 + SIGTERM);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_THAT(folders(), IsEmpty());
}

TEST_F(SessionsOfAServer, ShutdownLeavesTheProgramAloneOtherwise) {
  const pid_t process = launch();
  EXPECT_THAT(good("shutdown").err, HasSubstr("session web is over; its program goes on"));
  EXPECT_EQ(list(), "no session is there; begin one with: lanescope launch PROGRAM\n");
  const Outcome done = leave(process);
  EXPECT_EQ(done.status, 7);
  EXPECT_THAT(done.err, HasSubstr("the program goes on; end it with: kill "));
}

TEST_F(SessionsOfAServer, ARecordingThatTheProgramsEndCutsShortIsAReport) {
  const pid_t process = launch();
  good("start -o x");
  EXPECT_EQ(leave(process).status, 7);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "program");
  EXPECT_EQ(fact("x.rep", "LANESCOPE:EXIT_CODE"), "7");
}

TEST_F(SessionsOfAServer, TwoInterruptsEndTheRecordingOfAProgramThatIgnoresThem) {
  const pid_t process = start(
      "launch -w false sh -c 'trap \"echo on >there\" INT; echo on >there; while :; do read line <leave && exit 5; "
      "done'");
  hear("there");
  good("start -o x");
  kill(process, SIGINT);
  hear("there");
  kill(process, SIGINT);
  hear("there");
  while (list().find("no session") == std::string::npos) sched_yield();
  const Outcome done = leave(process);
  EXPECT_EQ(done.status, 5);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "interrupt");
}

TEST_F(SessionsOfAServer, WhatAKilledLauncherLeavesIsAnOrphanUntilItIsRecovered) {
  const pid_t process = launch();
  good("start -o x");
  kill(process, SIGKILL);
  end(process);
  const std::string folder = (folder_ / folders().front()).string();
  const std::string remedy =
      "session web: its launcher was killed; finish it with: lanescope recover '" + folder + "'\n";
  EXPECT_THAT(list(), AllOf(HasSubstr("\nweb   orphan "), EndsWith(remedy)));
  for (const char* command : {"start", "stop", "shutdown", "cancel"}) {
    const Outcome refused = tell(command);
    EXPECT_EQ(refused.status, 2);
    EXPECT_EQ(refused.err, "lanescope: " + remedy);
  }
  const Outcome taken = tell("launch --session-new=web true");
  EXPECT_EQ(taken.status, 2);
  EXPECT_EQ(taken.err, "lanescope: " + remedy);
  good("recover '" + folder + "'");
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_EQ(list(), "no session is there; begin one with: lanescope launch PROGRAM\n");
  good("launch --session-new=web true");
  go("leave");
}

TEST_F(SessionsOfAServer, NothingIsRecoveredWhereEveryReportWasWritten) {
  const pid_t process = launch();
  good("start -o x");
  good("stop --wait");
  kill(process, SIGKILL);
  end(process);
  EXPECT_THAT(good("recover '" + (folder_ / folders().front()).string() + "'").err,
              HasSubstr("all of its recordings are written or discarded: nothing is left to recover"));
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  EXPECT_THAT(folders(), IsEmpty());
  go("leave");
}

TEST_F(SessionsOfAServer, AnOrphanIsDiscardedByName) {
  const pid_t process = launch();
  kill(process, SIGKILL);
  end(process);
  EXPECT_THAT(good("cancel --session=web").err, HasSubstr("what its killed launcher left is discarded"));
  EXPECT_THAT(folders(), IsEmpty());
  EXPECT_THAT(list(), HasSubstr("no session is there"));
  go("leave");
}

TEST_F(SessionsOfAServer, AreSeenByTheirUserOnly) {
  const pid_t process = launch();
  const auto modeOf = [](const fs::path& path) { return fs::status(path).permissions() & fs::perms::all; };
  EXPECT_EQ(modeOf(sessions_ / "lanescope"), fs::perms::owner_all);
  leave(process);
  // Others may look into this one: who finds a session there cannot be trusted.
  fs::permissions(sessions_ / "lanescope", fs::perms::owner_all | fs::perms::others_all);
  const Outcome refused = tell("launch --session-new=web true");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("set XDG_RUNTIME_DIR to a folder that only you can look into"));
  EXPECT_EQ(run("profile -o x true").status, 0) << "who needs no session is recorded all the same";
}

TEST_F(SessionsOfAServer, MayBePreparedBeforeTheirProgramStarts) {
  EXPECT_THAT(good("start --session-new=web -o x").err,
              HasSubstr("session web is prepared and records as soon as: lanescope launch --session=web PROGRAM"));
  EXPECT_THAT(list(), HasSubstr("\nweb   prepared "));
  EXPECT_EQ(tell("stop --session=web").err,
            "lanescope: session web has no program yet; start it with: lanescope launch --session=web PROGRAM\n");
  const pid_t process = launch("");
  EXPECT_THAT(list(), HasSubstr("\nweb   recording "));
  good("stop --wait");
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
  leave(process);
}

TEST_F(SessionsOfAServer, WhatWasPreparedWronglyIsRefusedBeforeTheProgramStarts) {
  test::writeFile(folder_ / "x.rep", "precious");
  good("start --session-new=web -o x");
  const Outcome refused = tell("launch touch ran");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("x.rep: already exists"));
  EXPECT_FALSE(fs::exists(folder_ / "ran"));
}

TEST_F(SessionsOfAServer, APreparedOneIsTakenBack) {
  good("start --session-new=web");
  EXPECT_THAT(good("cancel").err, HasSubstr("session web is no longer prepared"));
  EXPECT_THAT(list(), HasSubstr("no session is there"));
}

TEST_F(SessionsOfAServer, AProfileBeginsWhenItIsTold) {
  const pid_t process = start(std::string("profile -Y --session-new=web -o x ") + kServer);
  hear("there");
  EXPECT_THAT(list(), HasSubstr("\nweb   waiting "));
  EXPECT_THAT(tell("stop").err, HasSubstr("session web does not record yet"));
  EXPECT_THAT(tell("start -o y").err, HasSubstr("the options of its recording were given to `lanescope profile`"));
  good("start");
  while (list().find("recording") == std::string::npos) sched_yield();
  EXPECT_THAT(tell("start").err, HasSubstr("is a single recording, of `lanescope profile`, and has begun"));
  EXPECT_THAT(good("stop --wait").err, HasSubstr("x.rep: 0 events"));
  const Outcome done = leave(process);
  EXPECT_EQ(done.status, 7);
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "stop");
  EXPECT_THAT(folders(), IsEmpty());
}

TEST_F(SessionsOfAServer, AProfileThatNobodyStartsSaysSo) {
  const pid_t process = start(std::string("profile -Y -o x ") + kServer);
  hear("there");
  EXPECT_THAT(leave(process).err, HasSubstr("the program ended before `lanescope start`, so nothing was recorded"));
}

TEST_F(SessionsOfAServer, AProfileIsStoppedDiscardedAndShutDown) {
  pid_t process = start(std::string("profile -o x ") + kServer);
  hear("there");
  good("stop --wait");
  EXPECT_THAT(leave(process).err, HasSubstr("the program goes on"));
  EXPECT_THAT(reports(), ElementsAre("x.rep"));

  process = start(std::string("profile -o y ") + kServer);
  hear("there");
  good("cancel");
  EXPECT_EQ(leave(process).status, 7);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));

  process = start(std::string("profile -o z ") + kServer);
  hear("there");
  good("shutdown --kill=sigkill");
  EXPECT_EQ(end(process).status, 128 + SIGKILL);
  EXPECT_THAT(reports(), ElementsAre("x.rep", "z.rep"));
}

TEST_F(Sessions, HelpTellsHowTenSecondsOfAServerAreRecorded) {
  const std::string help = good("launch --help").out;
  EXPECT_THAT(help, HasSubstr("lanescope start --session=web -o slow"));
  EXPECT_THAT(help, HasSubstr("sleep 10\n  lanescope stop --session=web --wait"));
  EXPECT_THAT(good("start --help").out, HasSubstr("--session-new"));
}

#ifdef LANESCOPE_NVTX_STEPS

class SessionsOfNvtx : public Sessions {
 protected:
  pid_t launch(const std::string& steps, const std::string& options = "--session-new=web") {
    for (const char* name : {"a", "b", "c", "d", "e"}) pipe(name);
    return start("launch " + options + " '" LANESCOPE_NVTX_STEPS "' " + steps);
  }
};

TEST_F(SessionsOfNvtx, OnlyWhatIsBetweenStartAndStopIsRecorded) {
  const pid_t process = launch("+before - '!a' '?b' +one - '!c' '?d' +after -");
  hear("a");
  good("start -o x");
  go("b"), hear("c");
  EXPECT_THAT(good("stop --wait").err, HasSubstr("x.rep: 1 event"));
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one")) << "the program waits, and the report is there";
  go("d");
  EXPECT_EQ(end(process).status, 0);
  EXPECT_THAT(reports(), ElementsAre("x.rep"));
}

TEST_F(SessionsOfNvtx, EachStartAndStopGivesAReportOfItsOwn) {
  // Of "open" the end is missing in the first recording, and in the second its beginning.
  const pid_t process = launch("'!a' '?b' +one - +open '!c' '?d' - +between +inner '!a' '?b' - - +two - '!c' '?d'");
  hear("a");
  good("start -o first");
  go("b"), hear("c");
  good("stop --wait");
  go("d"), hear("a");
  good("start -o second");
  go("b"), hear("c");
  good("stop --wait");
  go("d");
  EXPECT_EQ(end(process).status, 0);
  EXPECT_THAT(ranges("first.rep"), ElementsAre("one", "open"));
  EXPECT_THAT(ranges("second.rep"), ElementsAre("two"));
  // Each counts from its own begin.
  const auto database = report::Database::open(folder_ / "second.rep");
  ASSERT_TRUE(database.has_value());
  EXPECT_GE(database->integer("SELECT min(start) FROM NVTX_EVENTS"), 0);
}

TEST_F(SessionsOfNvtx, ARecordingMayBeginWhileTheReportOfTheLastIsWritten) {
  // No more than a ring holds: a busy machine may lose others.
  const pid_t process = launch("'!a' '?b' '*8000' '!c' '?d' +two - '!a' '?b'");
  hear("a");
  good("start -o first");
  go("b"), hear("c");
  good("stop >/dev/null 2>&1 & true");
  while (tell("start -o second").status != 0) sched_yield();  // until the recording has ended, and no longer
  go("d"), hear("a");
  good("stop --wait");
  EXPECT_EQ(ranges("first.rep").size(), 8000u);
  EXPECT_THAT(ranges("second.rep"), ElementsAre("two"));
  go("b");
  EXPECT_EQ(end(process).status, 0);
}

TEST_F(SessionsOfNvtx, AfterAKillOnlyWhatWasNotWrittenIsRecovered) {
  const pid_t process = launch("'!a' '?b' +one - '!c' '?d' +two - '!a' '?b'");
  hear("a");
  good("start -o first");
  go("b"), hear("c");
  good("stop --wait");
  good("start -o second");
  go("d"), hear("a");
  kill(process, SIGKILL);
  end(process);
  good("recover '" + (folder_ / folders().front()).string() + "'");
  EXPECT_THAT(reports(), ElementsAre("first.rep", "second.rep"));
  EXPECT_THAT(ranges("first.rep"), ElementsAre("one"));
  EXPECT_THAT(ranges("second.rep"), ElementsAre("two"));
  go("b");
}

TEST_F(SessionsOfNvtx, AProgramThatIsKilledLosesNothingOfItsRecording) {
  const pid_t process = launch("'!a' '?b' +one - +open '!c' '?d'", "-o x");
  hear("a");
  good("start");
  go("b"), hear("c");
  good("shutdown --kill=sigkill");
  EXPECT_EQ(end(process).status, 128 + SIGKILL);
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one", "open"));
}

TEST_F(SessionsOfNvtx, APreparedRecordingHasTheProgramsFirstRange) {
  good("start --session-new=web -o x");
  const pid_t process = launch("+first - '!a' '?b'", "--session=web");
  hear("a");
  good("stop --wait");
  EXPECT_THAT(ranges("x.rep"), ElementsAre("first"));
  go("b");
  EXPECT_EQ(end(process).status, 0);
}

#endif

}  // namespace
}  // namespace lanescope::cli
