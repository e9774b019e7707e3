// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` of a program with NVTX ranges: what of it stands in the report, and what is captured of it. Needs
// the injected library; no GPU.
#ifdef LANESCOPE_NVTX_STEPS  // without CUDA there is no library to inject

#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "model/report/database.h"
#include "tests/support/files.h"

extern char** environ;

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ProfileOfNvtx : public testing::Test {
 protected:
  /// Runs the program through these steps; returns what was said.
  std::string run(const std::string& options, const std::string& steps, int status = 0) {
    const int ended = std::system(commandOf(options, steps).c_str());
    EXPECT_EQ(WEXITSTATUS(ended), status);
    return test::readFile(folder_ / ".err");
  }

  pid_t start(const std::string& options, const std::string& steps) {
    const std::string command = commandOf(options, steps);
    const char* words[] = {"sh", "-c", command.c_str(), nullptr};
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ), 0);
    return process;
  }

  std::string commandOf(const std::string& options, const std::string& steps) const {
    return "cd '" + folder_.path().string() + "' && exec '" LANESCOPE_PROGRAM "' profile " + options +
           " '" LANESCOPE_NVTX_STEPS "' " + steps + " >.out 2>.err";
  }

  void pipe(const char* name) { ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0); }

  /// Texts of the ranges of a report, in order.
  std::vector<std::string> ranges(const char* report) const {
    std::vector<std::string> texts;
    const auto database = report::Database::open(folder_ / report);
    EXPECT_TRUE(database.has_value()) << report;
    if (!database || !database->has("NVTX_EVENTS")) return texts;
    auto rows = database->prepare(
        "SELECT coalesce(text, (SELECT value FROM StringIds WHERE id = textId)) FROM NVTX_EVENTS "
        "WHERE eventType = 59 ORDER BY start");
    while (rows && rows->step()) texts.emplace_back(rows->text(0));
    return texts;
  }

  std::vector<std::string> reports() const {
    std::vector<std::string> names;
    for (const std::string& name : folder_.names()) {
      if (name.ends_with(".rep")) names.push_back(name);
    }
    return names;
  }

  test::TemporaryFolder folder_;
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
  int status = 0;
  waitpid(process, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_THAT(ranges("x.rep"), ElementsAre("train", "step"));
  EXPECT_THAT(test::readFile(folder_ / ".err"), HasSubstr("the program goes on"));
  EXPECT_THAT(test::readFile(folder_ / ".err"), Not(HasSubstr("abruptly")));
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
  waitpid(process, nullptr, 0);
  const std::string session = ".x.rep." + std::to_string(process) + ".recording";
  const std::string recover =
      "cd '" + folder_.path().string() + "' && '" LANESCOPE_PROGRAM "' recover " + session + " 2>.err";
  EXPECT_EQ(std::system(recover.c_str()), 0) << test::readFile(folder_ / ".err");
  EXPECT_THAT(ranges("x.rep"), ElementsAre("one", "two"));
  EXPECT_THAT(test::readFile(folder_ / ".err"), HasSubstr("the program still runs; the report ends here"));
  test::writeFile(folder_ / "go", "on\n");
}

}  // namespace
}  // namespace lanescope::cli

#endif
