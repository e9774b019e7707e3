// SPDX-License-Identifier: Apache-2.0
// Calls of MPI as rows, and the ranks of a process: its own in the whole job is its name among processes. Private to
// finish*.cpp.
#pragma once

#include <set>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

class MpiRows {
 public:
  MpiRows(Process& process, report::Writer& writer) : process_(process), writer_(writer) {}

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);

 private:
  void call(const Chunk& chunk, const Record& record);

  Process& process_;
  report::Writer& writer_;
  std::set<std::uint32_t> ranked_;  ///< threads whose rank was written
};

}  // namespace lanescope::launch
