// SPDX-License-Identifier: Apache-2.0
// A program that runs with the recorder in it, and all the launcher has to do with it. One thread.
#pragma once

#include <memory>

#include "collector/launch/other_users.h"
#include "collector/launch/plan.h"
#include "collector/launch/recording.h"
#include "collector/launch/sampler_process.h"
#include "collector/launch/session_desk.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/signal_relay.h"
#include "collector/launch/target.h"
#include "collector/sample/cpu_recorder.h"
#include "collector/sample/python_sampler.h"

namespace lanescope::launch {

struct Started {
  const Options& options;
  const Plan& plan;
  SessionFolder& session;
  SignalRelay& signals;
  const Audience& audience;
  Target target;
  SamplerProcess sampler = {};
  SessionDesk desk = {};
  std::optional<trace::Ns> recordsSince = {};  ///< CLOCK_MONOTONIC; of `launch`, if it records from the program's begin
  sample::CpuRecorder cpu = {};
  std::unique_ptr<sample::PythonSampler> python = {};  ///< null: Python is not sampled
  OtherUsers otherUsers = OtherUsers();

  void say(const std::string& line) const {
    if (!line.empty()) audience.say(line);
  }
  /// Who does not want to wait for a report leaves it to `recover`.
  Job writing(const Job& job) const;
  void waitForTheProgram();
  /// To be called again and again: keeps as facts who runs as another user.
  void lookAtUsers();
  /// Those beside the program who answer when everything is to be on disk.
  std::size_t samplers() const { return sampler.sources() + cpu.sources() + (python ? 1 : 0); }
  /// Whether the user heard this line at the start; the report has it too.
  bool hasSaid(std::string_view line) const;
  /// Once the capture has ended: until they have written all.
  void finishSampling();
  /// Of the command: the program's, once it has one.
  int exitStatus() const;
};

/// For the report: how the program, and each of its processes that is known to have ended, did.
Facts factsOfEnd(const Target& target);

constexpr int kNotWritten = 3;
constexpr trace::Ns kLookAtDisk = 1'000'000'000 / 4;

}  // namespace lanescope::launch
