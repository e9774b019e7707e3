// SPDX-License-Identifier: Apache-2.0
// Processes of the program that run as another user than this one, and so cannot write the recording: found in /proc by
// looking now and then, so that one that is gone within a second is not seen. About 20 us a process a look. One thread.
#pragma once

#include <unistd.h>

#include <set>
#include <string>

#include "collector/launch/session_folder.h"
#include "collector/sample/process_tree.h"
#include "model/trace/time.h"

namespace lanescope::launch {

class OtherUsers {
 public:
  explicit OtherUsers(std::string proc = "/proc") : proc_(std::move(proc)), tree_(getpid(), proc_) {}

  /// Looks, if it has not for a second: a fact for each that was not seen before.
  Facts look(trace::Ns now);

 private:
  static constexpr std::size_t kMost = 1000;

  std::string proc_;
  sample::ProcessTree tree_;
  trace::Ns next_ = 0;
  std::set<pid_t> seen_;
};

}  // namespace lanescope::launch
