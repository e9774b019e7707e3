// SPDX-License-Identifier: Apache-2.0
// A folder to run `lanescope profile` in, and the runs. What has to wait for something waits for a pipe of the program's
// own making, never for a time.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "model/report/database.h"
#include "tests/app/cli/run_program.h"
#include "tests/support/files.h"

extern char** environ;

namespace lanescope::cli {

class Profile : public testing::Test {
 protected:
  /// Sessions of its own, so that no test finds those of another.
  Profile() { setenv("XDG_RUNTIME_DIR", sessions_.path().c_str(), 1); }

  /// `arguments` as a shell reads them.
  Outcome run(const std::string& arguments, const std::string& before = "") {
    const std::string command =
        "cd '" + folder_.path().string() + "' && " + before + " '" LANESCOPE_PROGRAM "' " + arguments + " >.out 2>.err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::readFile(folder_ / ".out"),
            test::readFile(folder_ / ".err")};
  }

  /// The same, not waited for.
  pid_t start(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.path().string() + "' && exec '" LANESCOPE_PROGRAM "' " + arguments + " >.out 2>.err";
    const char* words[] = {"sh", "-c", command.c_str(), nullptr};
    pid_t process = 0;
    EXPECT_EQ(posix_spawn(&process, "/bin/sh", nullptr, nullptr, const_cast<char**>(words), environ), 0);
    return process;
  }

  Outcome end(pid_t process) {
    int status = 0;
    waitpid(process, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), test::readFile(folder_ / ".out"),
            test::readFile(folder_ / ".err")};
  }

  void pipe(const char* name) { ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0600), 0); }

  /// Waits until the program writes a line into the pipe.
  std::string hear(const char* name) {
    std::string text = test::readFile(folder_ / name);
    return text.substr(0, text.find('\n'));
  }

  void tell(const char* name, const char* word) { test::writeFile(folder_ / name, word); }

  /// Everything here but the files of the runs themselves.
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const std::string& name : folder_.names()) {
      if (name != ".out" && name != ".err") all.push_back(name);
    }
    return all;
  }

  std::string fact(const char* report, const std::string& name) {
    const auto database = report::Database::open(folder_ / report);
    if (!database) return "no report";
    auto rows = database->prepare("SELECT value FROM META_DATA_CAPTURE WHERE name = '" + name + "'");
    return rows && rows->step() ? std::string(rows->text(0)) : "none";
  }

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

  test::TemporaryFolder folder_, sessions_;
};

}  // namespace lanescope::cli
