// SPDX-License-Identifier: Apache-2.0
// The program that is recorded: started in a process group of its own, in front of the terminal if the launcher was, and
// waited for, alone or with all processes it leaves behind. Its input and output are the launcher's own, untouched.
// One thread; start() forks, so before any other thread is made.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/injection.h"
#include "collector/launch/options.h"
#include "collector/launch/signal_relay.h"
#include "model/error.h"

namespace lanescope::launch {

/// What starts: an executable, its words (the first is its own name for itself) and "NAME=VALUE" lines.
struct Command {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  bool showOutput = true;
};

/// This process's environment or an empty one, with the options' variables and ours over it.
std::vector<std::string> environmentOf(const Options& options, const Variables& ours);

class Target {
 public:
  /// `prepare` is called with the program's process before that becomes the program.
  static Result<Target> start(const Command& command, WaitFor wait, SignalRelay& relay,
                              const std::function<void(pid_t)>& prepare = {});

  /// Takes note of what ended or stopped since the last call. Never waits.
  void look();

  pid_t process() const { return process_; }
  /// Exit status as wait() gives it, once the program itself ended.
  std::optional<int> status() const { return status_; }
  /// The same of all it left behind that has ended, 10,000 at most.
  const std::map<pid_t, int>& orphans() const { return orphans_; }
  /// The program, and with WaitFor::kAll everything it left behind.
  bool allGone() const { return status_ && (wait_ == WaitFor::kPrimary || noChildren_); }

  void signal(int number) const;

 private:
  /// The launcher's group comes in front of the terminal again.
  void takeTerminalBack() const;
  void stopWithTheProgram();

  pid_t process_ = 0;
  WaitFor wait_ = WaitFor::kAll;
  std::optional<int> status_;
  std::map<pid_t, int> orphans_;
  bool noChildren_ = false;
  bool ownsTerminal_ = false;
};

}  // namespace lanescope::launch
