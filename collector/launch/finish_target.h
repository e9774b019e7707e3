// SPDX-License-Identifier: Apache-2.0
// The tables about the recording and the machine: capture facts, start time, processes, threads, GPUs, contexts and
// streams with their names. Private to finish*.cpp.
#pragma once

#include <memory>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

/// Time 0 of the report on both clocks.
struct SessionStart {
  trace::Ns monotonic = 0;
  trace::Ns realtime = 0;
};

/// A fact's name as capture facts are spelled: DRIVER_VERSION.
std::string factName(std::string_view name);

/// "ended with exit code 3", as the launcher saw it; empty for who was not its child.
std::string seenEndOf(std::int64_t pid, const FactLines& facts);

using Processes = std::vector<std::unique_ptr<Process>>;

void writeSession(report::Writer& writer, const FactLines& facts, const FactLines& options, const SessionStart& start);
/// `outlived`: the recording ended before its processes did. How many there were.
std::size_t writeProcesses(report::Writer& writer, const Processes& processes, const FactLines& facts, bool outlived);

/// The ids of the GPUs in TARGET_INFO_GPU, one for each however many processes saw it.
class GpuIds {
 public:
  /// Those of the processes first, in their order, then those that only the sampler saw.
  GpuIds(const Processes& processes, const Processes& samplers);
  report::Id of(const wire::Device& device) const;

 private:
  void add(const Processes& processes);
  std::map<std::string, report::Id> ids_;
};
void writeGpus(report::Writer& writer, const Processes& processes, const Processes& samplers, const GpuIds& ids);

/// Contexts, streams, names of threads and streams of one process.
void writeTarget(report::Writer& writer, Process& process);

}  // namespace lanescope::launch
