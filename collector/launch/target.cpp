// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/target.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

namespace lanescope::launch {
namespace {

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// tcsetpgrp() stops a process that is not in front, unless it blocks SIGTTOU.
void bringToFront(pid_t group) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  sigprocmask(SIG_BLOCK, &block, &before);
  tcsetpgrp(STDIN_FILENO, group);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

/// Until the other end of the pipe is closed.
void waitForEnd(const int (&pipe)[2]) {
  close(pipe[1]);
  char byte = 0;
  while (read(pipe[0], &byte, 1) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void becomeProgram(const Command& command, const SignalRelay& signals, const sigset_t& mask, bool toFront,
                                int complaints, const int (&preparing)[2]) {
  setpgid(0, 0);
  if (toFront) bringToFront(getpid());
  if (!command.showOutput) {
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    if (nothing > STDERR_FILENO) close(nothing);
  }
  const std::vector<char*> arguments = pointersTo(command.arguments), environment = pointersTo(command.environment);
  signals.restoreInChild();
  waitForEnd(preparing);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execvpe(command.executable.c_str(), arguments.data(), environment.data());  // the p only for scripts without "#!"
  const int why = errno;
  [[maybe_unused]] const ssize_t written = write(complaints, &why, sizeof why);
  _exit(127);
}

}  // namespace

std::vector<std::string> environmentOf(const Options& options, const Variables& ours) {
  std::map<std::string, std::string> all;
  for (char** at = environ; options.inheritEnvironment && at && *at; ++at) {
    const std::string line = *at;
    const std::size_t equals = line.find('=', 1);
    if (equals != std::string::npos) all[line.substr(0, equals)] = line.substr(equals + 1);
  }
  for (const auto& [name, value] : options.environment) all[name] = value;
  for (const auto& [name, value] : ours) all[name] = value;
  std::vector<std::string> lines;
  lines.reserve(all.size());
  for (const auto& [name, value] : all) lines.emplace_back(name).append("=").append(value);
  return lines;
}

Result<Target> Target::start(const Command& command, WaitFor wait, SignalRelay& signals,
                             const std::function<void(pid_t)>& prepare) {
  const auto refuse = [&](int why) {
    return tl::unexpected(Error{ErrorCode::kNotFound, command.arguments.front(),
                                std::string("cannot be started (") + std::strerror(why) + ")"});
  };
  Target target;
  target.wait_ = wait;
  // Orphans come to us instead of to init, so that "all" can be waited for.
  if (wait == WaitFor::kAll) prctl(PR_SET_CHILD_SUBREAPER, 1);
  target.ownsTerminal_ = isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();

  int complaints[2], preparing[2];
  if (pipe2(complaints, O_CLOEXEC) != 0) return refuse(errno);
  if (pipe2(preparing, O_CLOEXEC) != 0) {
    const int why = errno;
    for (const int end : complaints) close(end);
    return refuse(why);
  }
  sigset_t all, mask;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &mask);
  target.process_ = fork();
  if (target.process_ == 0) becomeProgram(command, signals, mask, target.ownsTerminal_, complaints[1], preparing);
  const int forkError = errno;
  if (target.process_ > 0) {
    setpgid(target.process_, target.process_);  // also here: whoever comes first
    signals.attach(target.process_);
  }
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  close(complaints[1]);
  close(preparing[0]);
  if (target.process_ > 0 && prepare) prepare(target.process_);
  close(preparing[1]);
  if (target.process_ < 0) {
    close(complaints[0]);
    return refuse(forkError);
  }
  int why = 0;
  ssize_t count = 0;
  do count = read(complaints[0], &why, sizeof why);
  while (count < 0 && errno == EINTR);
  close(complaints[0]);
  if (count == sizeof why) {
    waitpid(target.process_, nullptr, 0);
    signals.detach();
    target.takeTerminalBack();
    return refuse(why);
  }
  return target;
}

void Target::look() {
  for (;;) {
    int status = 0;
    const pid_t process = waitpid(-1, &status, WNOHANG | WUNTRACED);
    if (process < 0 && errno == EINTR) continue;
    noChildren_ = process < 0;
    if (process <= 0) return;
    if (process != process_) {
      constexpr std::size_t kMost = 10'000;
      if (!WIFSTOPPED(status) && orphans_.size() < kMost) orphans_[process] = status;
      continue;
    }
    if (WIFSTOPPED(status)) {
      stopWithTheProgram();
    } else {
      status_ = status;
      takeTerminalBack();
    }
  }
}

void Target::signal(int number) const { kill(-process_, number); }

void Target::takeTerminalBack() const {
  if (ownsTerminal_) bringToFront(getpgrp());
}

/// Ctrl-Z stops the program only; the shell is to see us stop too, and what wakes us wakes the program.
void Target::stopWithTheProgram() {
  if (!ownsTerminal_) return;
  takeTerminalBack();
  kill(0, SIGSTOP);
  if (tcgetpgrp(STDIN_FILENO) == getpgrp()) bringToFront(process_);  // fg; after bg the shell keeps the terminal
  signal(SIGCONT);
}

}  // namespace lanescope::launch
