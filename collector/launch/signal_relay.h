// SPDX-License-Identifier: Apache-2.0
// While one lives, signals that would end the launcher go on to the program's process group instead, at once and from
// the handler, so that they reach it whatever the launcher is doing; those that ask for an end are counted. What was
// ignored before stays ignored. One at a time.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <vector>

#include "collector/launch/capture_control.h"

namespace lanescope::launch {

class SignalRelay {
 public:
  /// Wakes `control` with every signal.
  explicit SignalRelay(const CaptureControl& control);
  ~SignalRelay();
  SignalRelay(const SignalRelay&) = delete;
  SignalRelay& operator=(const SignalRelay&) = delete;

  /// From now on signals go to this group, and those that came before too.
  void attach(pid_t group);
  void detach();

  /// How often an end was asked for: SIGINT, SIGTERM, SIGHUP, SIGQUIT.
  int endsAsked() const;
  /// The last of these; 0 if none.
  int lastSignal() const;

  /// In the program, between fork and exec: every signal as it was before.
  void restoreInChild() const;

 private:
  struct Saved {
    int signal;
    struct sigaction action;
  };
  std::vector<Saved> saved_;
};

}  // namespace lanescope::launch
