// SPDX-License-Identifier: Apache-2.0
// Memory of a process as rows: allocations and releases, page faults of unified memory, and the pages that moved, which
// the export keeps among the copies (kinds 11 to 13, of no stream). Private to finish*.cpp.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "collector/launch/finish_process.h"
#include "collector/unwind/symbols.h"

namespace lanescope::launch {

class MemoryRows {
 public:
  MemoryRows(Process& process, report::Writer& writer) : process_(process), writer_(writer) {}

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);

 private:
  void usage(const Chunk& chunk, const Record& record);
  void unified(const Chunk& chunk, const Record& record);
  /// What a fault of the CPU was in; empty if that has no name.
  std::string functionOf(const wire::UnifiedMemory& fault);
  /// Whether a program or library is still what it was during the recording.
  bool isSame(const std::filesystem::path& module);

  Process& process_;
  report::Writer& writer_;
  std::map<std::filesystem::path, bool> isSame_;
  unwind::Modules modules_;
  unwind::Symbols symbols_{modules_, {}};
};

}  // namespace lanescope::launch
