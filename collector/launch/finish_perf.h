// SPDX-License-Identifier: Apache-2.0
// What the kernel recorded of the CPU (cpu.perf) as rows: samples with their stacks, switches, and the processes and
// threads that they are of, also those that used nothing else that is recorded. Read twice like the streams: what is mapped
// and who there was stands anywhere. Private to finish*.cpp.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "collector/launch/finish_losses.h"
#include "collector/launch/finish_perf_stacks.h"
#include "collector/launch/finish_perf_tasks.h"
#include "collector/launch/finish_python.h"
#include "collector/launch/finish_target.h"

namespace lanescope::launch {

class PerfRecording {
 public:
  explicit PerfRecording(ProcessStream from) : stream(std::move(from)) {}

  using Progress = std::function<bool(std::uint64_t)>;
  /// The first reading. False if it was stopped. Of its first `before` bytes, losses do not count.
  bool summarize(const Progress& progress, std::uint64_t before);
  /// Before samples are written: what programs said of code that they made.
  void readMaps(const std::filesystem::path& folder, trace::Ns since) { tasks_.readMaps(folder, since); }
  /// Samples and switches of those times, of the first `most` bytes; those left out are added to `cut`.
  /// `python`: whose frames join the stacks; may be null.
  bool writeEvents(report::Writer& writer, StackNames& stacks, PythonRecording* python, const CaptureWindows& windows,
                   std::uint64_t most, std::uint64_t& cut, const Progress& progress);
  /// Processes and threads that events were written of, but for those that others tell of. `number`: of the next process
  /// in the capture facts.
  void writeTasks(report::Writer& writer, const Processes& others, const FactLines& facts, std::size_t number);
  /// The path of what a process became by an exec after `since`, of CLOCK_MONOTONIC; none if it became nothing else.
  std::optional<std::string> becameSince(std::uint64_t pid, std::uint64_t since) const;
  std::set<std::uint64_t> seenProcesses() const;  ///< that writeTasks() writes
  void writeTrouble(report::Writer& writer, bool wasAskedFor, Losses& losses) const;

  ProcessStream stream;
  trace::Ns zero = 0;  ///< when the session began
  report::Id samples = 0;  ///< written

 private:
  trace::Ns time(std::uint64_t monotonic) const { return minus(asTime(monotonic), zero); }
  bool keeps(trace::Ns at, const CaptureWindows& windows) const { return windows.keeps(at, at) && own_.keeps(at, at); }
  void writeSample(report::Writer& writer, PerfStacks& stacks, const PerfRecord& record);
  void writeSwitch(report::Writer& writer, const PerfRecord& record);

  FactLines facts_;
  PerfTasks tasks_;
  PerfFormat format_;
  CaptureWindows own_;  ///< when it recorded
  std::uint64_t lost_ = 0, throttled_ = 0, broken_ = 0;
};

}  // namespace lanescope::launch
