// SPDX-License-Identifier: Apache-2.0
// `lanescope profile` in front of a terminal: a pseudo terminal, at which the test types.
#include <gmock/gmock.h>
#include <pty.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/files.h"

namespace lanescope::cli {
namespace {

class ProfileOnATerminal : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkfifo((folder_ / "ready").c_str(), 0600), 0); }
  void TearDown() override {
    if (terminal_ >= 0) close(terminal_);
  }

  /// Runs `script` under profile -o x.
  void start(const char* script) {
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    ASSERT_GE(process_, 0);
    if (process_ != 0) return;
    if (chdir(folder_.path().c_str()) != 0) _exit(126);
    execl(LANESCOPE_PROGRAM, "lanescope", "profile", "-o", "x", "sh", "-c", script, nullptr);
    _exit(127);
  }

  void type(std::string_view keys) {
    ASSERT_EQ(write(terminal_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
  }
  std::string hear() { return test::readFile(folder_ / "ready"); }

  /// All that the terminal showed, to the end.
  std::string shown() {
    std::string text;
    char bytes[4096];
    for (ssize_t count; (count = read(terminal_, bytes, sizeof bytes)) > 0;) {
      text.append(bytes, static_cast<std::size_t>(count));
    }
    return text;
  }
  int exitStatus() {
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  test::TemporaryFolder folder_;
  int terminal_ = -1;
  pid_t process_ = 0;
};

TEST_F(ProfileOnATerminal, TheProgramReadsWhatIsTyped) {
  start("read line; echo got $line; test -t 0 && test -t 1 && test -t 2 && exit 3");
  type("hello\n");
  EXPECT_THAT(shown(), testing::HasSubstr("got hello"));
  EXPECT_EQ(exitStatus(), 3);
}

TEST_F(ProfileOnATerminal, CtrlCGoesToTheProgramAndTheReportIsWritten) {
  start("trap 'exit 7' INT; echo >ready; while :; do read line; done");
  hear();
  type("\x03");
  EXPECT_THAT(shown(), testing::HasSubstr("report x.rep"));
  EXPECT_EQ(exitStatus(), 7);
}

TEST_F(ProfileOnATerminal, CtrlZStopsBothAndBothGoOn) {
  start("echo >ready; read line; exit 9");
  hear();
  type("\x1a");
  int status = 0;
  ASSERT_EQ(waitpid(process_, &status, WUNTRACED), process_);
  ASSERT_TRUE(WIFSTOPPED(status));
  kill(process_, SIGCONT);
  type("go on\n");
  shown();
  EXPECT_EQ(exitStatus(), 9);
}

}  // namespace
}  // namespace lanescope::cli
