// SPDX-License-Identifier: Apache-2.0
// Runs the built program around small shell scripts.
#include "tests/app/cli/profile_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(Profile, ARunGivesAReportWithItsFacts) {
  const Outcome done = run("profile -o x /bin/echo hi");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.out, "hi\n");
  EXPECT_THAT(done.err, HasSubstr("lanescope: report x.rep: 0 events"));
  EXPECT_THAT(names(), ElementsAre("x.rep"));
}

TEST_F(Profile, InfoTellsTheFactsOfTheRun) {
  run("profile -t cuda -e TOKEN=secret -o x sh -c 'exit 7'");
  const std::string info = run("info x.rep").out;
  EXPECT_THAT(info, HasSubstr("  Program         sh -c 'exit 7'\n"));
  EXPECT_THAT(info, HasSubstr("  Options         -t=cuda -e=TOKEN -o=x\n"));
  EXPECT_THAT(info, HasSubstr("  Ended           with exit code 7\n"));
  EXPECT_THAT(info, testing::ContainsRegex("  Recorded        20..-..-..T..:..:.. UTC\n"));
  EXPECT_EQ(test::readFile(folder_ / "x.rep").find("secret"), std::string::npos);
  run("profile -o y sh -c 'kill -9 $$'");
  EXPECT_THAT(run("info y.rep").out, HasSubstr("  Ended           by signal 9\n"));
}

TEST_F(Profile, TheExitStatusIsTheProgramsOwn) {
  for (const int status : {0, 1, 2, 3, 42, 127, 255}) {
    EXPECT_EQ(run("profile -f -o x sh -c 'exit " + std::to_string(status) + "'").status, status);
  }
  for (const int signal : {SIGTERM, SIGKILL, SIGSEGV, SIGABRT, SIGINT}) {
    EXPECT_EQ(run("profile -f -o x sh -c 'kill -" + std::to_string(signal) + " $$'").status, 128 + signal);
  }
}

TEST_F(Profile, OutputAndInputPassThroughByteForByte) {
  std::string bytes;
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  test::writeFile(folder_ / "in", bytes);
  const Outcome done = run("profile -o x sh -c 'cat; echo to stderr >&2' <in");
  EXPECT_TRUE(done.out == bytes);
  EXPECT_THAT(done.err, HasSubstr("to stderr\n"));
  const Outcome silent = run("profile -w false -o y sh -c 'echo out; echo err >&2'");
  EXPECT_EQ(silent.out, "");
  EXPECT_THAT(silent.err, Not(HasSubstr("err\n")));
  EXPECT_THAT(silent.err, HasSubstr("report y.rep"));
}

TEST_F(Profile, OurLinesBeginWithOurName) {
  const Outcome done = run("profile --gpuctxsw=true -t cuda -o x true");
  EXPECT_EQ(done.out, "");
  EXPECT_THAT(done.err,
              HasSubstr("lanescope: warning: --gpuctxsw=true: not recorded yet; the run goes on without it\n"));
  std::istringstream lines(done.err);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(line.starts_with("lanescope: ")) << line;
}

TEST_F(Profile, EnvironmentIsSetAddedAndLeftOut) {
  EXPECT_EQ(run("profile -o a -e A=1,2,B=x sh -c 'echo $A $B $KEPT'", "KEPT=yes").out, "1,2 x yes\n");
  EXPECT_EQ(
      run("profile -o b -n false -e A=1 /bin/sh -c 'echo $A [$KEPT] ${LANESCOPE_SESSION:+session}'", "KEPT=yes").out,
      "1 [] session\n");
}

TEST_F(Profile, NamesCountUpAndNothingIsOverwritten) {
  EXPECT_THAT(run("profile true").err, HasSubstr("report1.rep"));
  EXPECT_THAT(run("profile true").err, HasSubstr("report2.rep"));
  EXPECT_EQ(run("profile -o r%q{RANK}_%% true", "RANK=3").status, 0);
  EXPECT_THAT(names(), ElementsAre("r3_%.rep", "report1.rep", "report2.rep"));

  test::writeFile(folder_ / "taken.rep", "precious");
  const Outcome refused = run("profile -o taken touch ran");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("taken.rep: already exists"));
  EXPECT_EQ(test::readFile(folder_ / "taken.rep"), "precious");
  EXPECT_FALSE(fs::exists(folder_ / "ran")) << "the program is not started for nothing";
  EXPECT_EQ(run("profile -f true -o taken true").status, 0);
  EXPECT_NE(test::readFile(folder_ / "taken.rep"), "precious");
}

TEST_F(Profile, TheProcessNumberIsTheProgramsOwn) {
  const Outcome done = run("profile -o r%p sh -c 'echo $$'");
  const std::string pid = done.out.substr(0, done.out.size() - 1);
  EXPECT_THAT(names(), ElementsAre("r" + pid + ".rep"));
}

TEST_F(Profile, RanksThatWereToldTheSameNameGiveAReportEach) {
  std::vector<pid_t> ranks;
  for (const char* rank : {"0", "1", "2", "3"}) {
    pipe((std::string("there") + rank).c_str()), pipe((std::string("go") + rank).c_str());
    ranks.push_back(start(std::string("profile -o run sh -c 'echo >there") + rank + "; read line <go" + rank + "'"));
    hear((std::string("there") + rank).c_str());
  }
  for (const char* rank : {"0", "1", "2", "3"}) tell((std::string("go") + rank).c_str(), "on\n");
  for (const pid_t rank : ranks) EXPECT_EQ(end(rank).status, 0);
  EXPECT_THAT(reports(), testing::SizeIs(4));
}

TEST_F(Profile, AReportTakenMeanwhileGetsAnotherName) {
  const Outcome done = run("profile -o x sh -c 'echo other >x.rep'");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(test::readFile(folder_ / "x.rep"), "other\n");
  EXPECT_THAT(names(), testing::SizeIs(2));
  EXPECT_THAT(done.err, HasSubstr("x.rep was made by somebody else meanwhile"));
}

TEST_F(Profile, WhatCannotWorkIsRefusedWithOneLineBeforeTheProgramStarts) {
  test::writeFile(folder_ / "data", "no program");
  for (const char* arguments :
       {"", "-o x", "--no-such-option touch ran", "-c cuda touch ran", "--nvtx touch ran", "--mpi touch ran",
        "--output-dir=x touch ran", "-o none/x touch ran", "-o %q{NO_SUCH_VARIABLE} touch ran", "./data",
        "no-such-program-anywhere", ".", "-o data/x touch ran", "-e CUDA_INJECTION64_PATH=/x touch ran"}) {
    const Outcome done = run(std::string("profile ") + arguments);
    EXPECT_EQ(done.status, 2) << arguments;
    EXPECT_EQ(done.out, "") << arguments;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    EXPECT_TRUE(done.err.starts_with("lanescope: ")) << done.err;
    EXPECT_THAT(names(), ElementsAre("data")) << arguments;
  }
  EXPECT_THAT(run("profile true", "CUDA_INJECTION64_PATH=/opt/other.so").err,
              HasSubstr("CUDA_INJECTION64_PATH is already set, to /opt/other.so"));
  EXPECT_THAT(run("profile '" LANESCOPE_PROGRAM "' profile true").err, HasSubstr("already being recorded"));
}

TEST_F(Profile, AnUnwritableFolderIsRefused) {
  fs::create_directory(folder_ / "locked");
  fs::permissions(folder_ / "locked", fs::perms::owner_read | fs::perms::owner_exec);
  if (access((folder_ / "locked").c_str(), W_OK) == 0) GTEST_SKIP() << "this user may write anywhere";
  const Outcome done = run("profile -o locked/x touch ran");
  EXPECT_EQ(done.status, 2);
  EXPECT_FALSE(fs::exists(folder_ / "ran"));
}

TEST_F(Profile, AnExecutableThatDoesNotStartLeavesNoReport) {
  test::writeFile(folder_ / "script", "#!/no/such/interpreter\n");
  fs::permissions(folder_ / "script", fs::perms::owner_all);
  const Outcome done = run("profile ./script");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, HasSubstr("./script: cannot be started (No such file or directory)"));
  EXPECT_THAT(names(), ElementsAre("script"));
}

TEST_F(Profile, AScriptWithoutAFirstLineRunsAsAShellWouldRunIt) {
  test::writeFile(folder_ / "script", "exit 9\n");
  fs::permissions(folder_ / "script", fs::perms::owner_all);
  EXPECT_EQ(run("profile -o x ./script").status, 9);
}

TEST_F(Profile, SignalsGoToTheProgram) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1}) {
    fs::remove(folder_ / "ready");
    pipe("ready");
    const pid_t process = start("profile -f -o x sh -c 'trap \"exit 7\" " + std::to_string(signal) +
                                "; echo >ready; while :; do read line <ready; done'");
    hear("ready");
    kill(process, signal);
    const Outcome done = end(process);
    EXPECT_EQ(done.status, 7) << signal << done.err;
    EXPECT_THAT(done.err, HasSubstr("report x.rep")) << signal;
  }
}

TEST_F(Profile, ASecondInterruptEndsTheRecordingAndTheReportIsWritten) {
  pipe("ready"), pipe("again"), pipe("go"), pipe("ended");
  // The program says that it got a signal, and ends when it may.
  const pid_t process = start(
      "profile -o x sh -c 'trap \"echo >again\" INT; echo >ready; "
      "while ! read line <go; do :; done; while [ ! -e x.rep ]; do :; done; exit 5'");
  hear("ready");
  kill(process, SIGINT);
  hear("again");
  kill(process, SIGINT);
  hear("again");
  tell("go", "on\n");
  const Outcome done = end(process);
  EXPECT_EQ(done.status, 5) << done.err;
  EXPECT_THAT(done.err, HasSubstr("report x.rep"));
  EXPECT_THAT(done.err, HasSubstr("the program goes on; end it with: kill "));
}

TEST_F(Profile, ADurationEndsTheRecordingAndNotTheProgram) {
  // The program ends only once the report is there: it cannot have been ended before.
  const Outcome done = run("profile -d 0.01 -o x sh -c 'while [ ! -e x.rep ]; do :; done; exit 4'");
  EXPECT_EQ(done.status, 4) << done.err;
  EXPECT_THAT(done.err, HasSubstr("report x.rep"));
  EXPECT_THAT(done.err, HasSubstr("the program goes on; end it with: kill "));
}

TEST_F(Profile, KillEndsTheProgramsGroupAndTheLastLineSaysSo) {
  const Outcome done = run("profile -d 0.01 --kill=sigterm -o x sh -c 'while :; do :; done'");
  EXPECT_EQ(done.status, 128 + SIGTERM);
  EXPECT_THAT(done.err,
              EndsWith("lanescope: ended the program with signal 15 (--kill) because the duration was over\n"));
  EXPECT_EQ(run("profile -f -o x -d 0.01 --kill=sigkill sh -c 'trap \"\" TERM; while :; do :; done'").status,
            128 + SIGKILL);
}

TEST_F(Profile, WaitsForWhatTheProgramLeavesBehindOrNot) {
  pipe("go");
  // A daemon: its own session, its parent gone.
  const std::string program = " sh -c 'setsid sh -c \"read line <go; echo done >late\" >/dev/null 2>&1 & exit 6'";
  const pid_t all = start("profile -o all" + program);
  tell("go", "on\n");
  EXPECT_EQ(end(all).status, 6);
  EXPECT_EQ(test::readFile(folder_ / "late"), "done\n");

  fs::remove(folder_ / "late");
  EXPECT_EQ(run("profile --wait=primary -o primary" + program).status, 6);
  EXPECT_TRUE(fs::exists(folder_ / "primary.rep"));
  EXPECT_FALSE(fs::exists(folder_ / "late"));
  tell("go", "on\n");  // so that it ends as well
}

TEST_F(Profile, WithoutStopOnExitTheRecordingGoesOnForItsDuration) {
  EXPECT_EQ(run("profile -x false -d 0.05 -o x sh -c 'exit 3'").status, 3);
  EXPECT_EQ(fact("x.rep", "LANESCOPE:STOPPED_BY"), "duration");
  EXPECT_EQ(fact("x.rep", "LANESCOPE:EXIT_CODE"), "3");
}

TEST_F(Profile, OptionsComeFromAFileToo) {
  test::writeFile(folder_ / "ours", "-o from_file --kill=sigkill\n-d 0.01  # short\n");
  EXPECT_EQ(run("profile --command-file=ours sh -c 'while :; do :; done'").status, 128 + SIGKILL);
  EXPECT_THAT(reports(), ElementsAre("from_file.rep"));
}

TEST_F(Profile, ALimitOnFileSizesIsALineAndWhatWasRecordedIsKept) {
  const Outcome done = run("profile -o x sh -c 'exit 4'", "ulimit -f 16;");
  EXPECT_EQ(done.status, 3) << done.err;
  EXPECT_THAT(done.err, HasSubstr("x.rep: grows beyond the limit on file sizes (ulimit -f); free some space"));
  const std::size_t folder = done.err.find("recover '");
  ASSERT_NE(folder, std::string::npos) << done.err;
  EXPECT_THAT(reports(), IsEmpty());
  EXPECT_EQ(run(done.err.substr(folder, done.err.find('\n', folder) - folder)).status, 0);
  EXPECT_THAT(names(), ElementsAre("x.rep"));
  EXPECT_EQ(fact("x.rep", "LANESCOPE:EXIT_CODE"), "4");
}

TEST_F(Profile, WhatWasNeverRecordedIsSaid) {
  EXPECT_THAT(run("profile -o a -y 3600 true").err,
              HasSubstr("the program ended before --delay was over, so nothing was recorded"));
  EXPECT_THAT(run("profile -o b -c nvtx -p train@x true").err, HasSubstr("--nvtx-capture=train@x opened nothing"));
  EXPECT_THAT(run("profile -o c -c cudaProfilerApi true").err, HasSubstr("capture range never opened"));
}

TEST_F(Profile, HelpNeedsNoProgram) {
  EXPECT_THAT(run("profile --help").out, HasSubstr("--capture-range-end"));
  EXPECT_THAT(run("profile --trace=help").out, HasSubstr("osrt"));
  EXPECT_EQ(run("profile --trace=help").status, 0);
  EXPECT_THAT(run("--help").out, HasSubstr("profile"));
}

TEST_F(Profile, EveryCommandLineOfTheGuidesRuns) {
  for (const char* options :
       {"", "-o my_report", "-o report_%p", "--trace=cuda,nvtx,osrt,cudnn,cublas",
        "--delay=10 --duration=30 --kill=sigterm", "--sample=cpu --cpuctxsw=process-tree --backtrace=dwarf",
        "--gpu-metrics-device=0 --gpu-metrics-frequency=1000",
        "-o train_profile --trace=cuda,nvtx,cudnn,cublas --sample=none --delay=30 --duration=60 "
        "--gpu-metrics-device=all",
        "-o inference_profile --trace=cuda,nvtx --delay=5 --duration=20",
        "--capture-range=cudaProfilerApi --capture-range-end=stop --trace=cuda,nvtx,cudnn,cublas -o train_detailed",
        "-o ddp_rank%q{RANK} --trace=cuda,nvtx,nccl --gpu-metrics-device=all",
        "--trace=cuda,nvtx,osrt --sample=cpu -o cpu_bottleneck",
        "--trace=cuda,nvtx,osrt --cuda-memory-usage=true --output=weight_analysis",
        "-w true --cuda-memory-usage=true --python-backtrace=cuda -s cpu -f true -x true -o baseline",
        "--cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true --output=memory_analysis",
        "--trace=nvtx --output=nvtx_test"}) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (std::string_view(options).find("osrt") != std::string_view::npos)
      continue;  // the shell cannot load what has one
#endif
    const Outcome done = run(std::string("profile ") + options + " sh -c 'echo ran; exit 8'", "RANK=2");
    EXPECT_EQ(done.status, 8) << options << done.err;
    EXPECT_EQ(done.out, "ran\n") << options;
    EXPECT_THAT(done.err, testing::ContainsRegex("report [^ ]+: [0-9]+ event")) << options;
  }
  EXPECT_TRUE(fs::exists(folder_ / "ddp_rank2.rep"));
}

TEST_F(Profile, AKilledLauncherLeavesWhatCanBeRecovered) {
  pipe("ready"), pipe("go");
  const pid_t process = start("profile -o x sh -c 'echo >ready; read line <go'");
  hear("ready");
  const std::string session = ".x.rep." + std::to_string(process) + ".recording";
  const Outcome early = run("recover " + session);
  EXPECT_EQ(early.status, 2);
  EXPECT_THAT(early.err, HasSubstr("is still being recorded, by process " + std::to_string(process)));

  kill(process, SIGKILL);
  end(process);
  tell("go", "on\n");
  const Outcome done = run("recover " + session);
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("x.rep: 0 events"));
  EXPECT_TRUE(fs::exists(folder_ / "x.rep"));
  EXPECT_FALSE(fs::exists(folder_ / session));
}

TEST_F(Profile, RecoverRefusesWhatIsNoRecording) {
  fs::create_directory(folder_ / "empty");
  for (const char* what : {"none", "empty", "."}) {
    const Outcome done = run(std::string("recover ") + what);
    EXPECT_EQ(done.status, 2) << what;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
  EXPECT_TRUE(fs::exists(folder_ / "empty"));
}

}  // namespace
}  // namespace lanescope::cli
