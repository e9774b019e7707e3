// SPDX-License-Identifier: Apache-2.0
// Samples of Python stacks (python.samples) as rows, each different stack once; and what Python each thread was in at a
// time, for the samples of the CPU. Memory: the different stacks, and 24 bytes for each time that a thread's stack
// changed, 2^22 of them at most. Private to finish*.cpp.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "collector/launch/finish_losses.h"
#include "collector/launch/python_stacks.h"

namespace lanescope::launch {

class PythonRecording {
 public:
  PythonRecording(Process& sampler, report::Writer& writer);

  /// All samples within the process's windows, of the first `most` bytes. False if it was stopped.
  bool writeEvents(std::uint64_t most, std::uint64_t& cut, const std::function<bool(std::uint64_t)>& progress);
  /// Processes that samples were written of, but for those that are known otherwise.
  void writeProcesses(const std::set<std::uint64_t>& known);
  void writeTrouble(Losses& losses);

  /// The frames that the thread had then, by CLOCK_MONOTONIC: of the sample nearest in time, at most one and a half
  /// periods away. Empty if it ran no Python.
  std::span<const wire::PythonFrame> near(std::uint32_t thread, trace::Ns time) const;
  PythonCodes& codes() { return codes_; }

 private:
  /// A time in which the thread's samples had one stack.
  struct Stretch {
    trace::Ns first = 0, last = 0;
    std::uint32_t stack = 0;
  };
  struct Thread {
    std::vector<Stretch> stretches;
    std::uint32_t stack = kNoStack;  ///< of its last record
  };
  static constexpr std::uint32_t kNoStack = ~0u;
  static constexpr std::size_t kMostStretches = 1u << 22, kMostFrames = 1u << 24;

  void take(const Record& record, bool fits, std::uint64_t& cut);
  /// Its number; written if it is new.
  std::uint32_t stackOf(const std::vector<wire::PythonFrame>& frames);
  trace::Ns reach() const { return period_ + period_ / 2; }

  Process& sampler_;
  report::Writer& writer_;
  PythonCodes codes_;
  trace::Ns period_ = 1'000'000;
  std::vector<std::vector<wire::PythonFrame>> stacks_;
  std::unordered_map<std::uint64_t, std::uint32_t> byHash_;
  std::unordered_map<std::uint32_t, Thread> threads_;
  std::set<std::uint64_t> processes_;
  std::size_t stretches_ = 0, frames_ = 0;
  report::Id samples_ = 0;
};

/// Where _PyRuntime of a process lies, as recorders told; 0 to 0 where nobody did.
std::pair<std::uint64_t, std::uint64_t> pythonRuntimeIn(const FactLines& facts, std::uint64_t process);

}  // namespace lanescope::launch
