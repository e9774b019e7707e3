// SPDX-License-Identifier: Apache-2.0
// What a recording has nothing of, by how recording works: programs that keep the library out, processes of other users, the
// first moments of children, ends that nobody saw. Private to finish*.cpp.
#pragma once

#include <filesystem>

#include "collector/launch/finish_losses.h"
#include "collector/launch/finish_perf.h"

namespace lanescope::launch {

/// Why no process had the library in it; what would have brought it in depends on what was to be recorded.
std::string whyNothingAttached(std::string_view trace);

/// True if a capture range was asked for and none ever opened, so that nothing was to be recorded.
bool captureNeverOpened(const std::filesystem::path& session, const FactLines& options);

struct LeftOut {
  const std::filesystem::path& session;
  const FactLines& facts;
  const Processes& processes;
  bool isPart;
};
/// Says what was left out: the first moments of children, processes of other users.
void writeLeftOut(report::Writer& writer, const LeftOut& of, Losses& losses);

struct EndFacts {
  bool isMinor;  ///< it may end as it likes
  bool tracesOs;  ///< then _exit() is seen too
  const FactLines& facts;
  const PerfRecording* perf;  ///< null if there is none
};
/// Puts a process that gave no sign of its end where it belongs.
void sortEnd(Process& process, const EndFacts& from, SilentEnds& ends);

}  // namespace lanescope::launch
