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

using Processes = std::vector<std::unique_ptr<Process>>;

void writeSession(report::Writer& writer, const FactLines& facts, const FactLines& options, const SessionStart& start);
void writeProcesses(report::Writer& writer, const Processes& processes);
void writeGpus(report::Writer& writer, const Processes& processes);

/// Contexts, streams, names of threads and streams of one process.
void writeTarget(report::Writer& writer, Process& process);

}  // namespace lanescope::launch
