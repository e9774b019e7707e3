// SPDX-License-Identifier: Apache-2.0
// Calls into the OS runtime as rows: the call, what it was about, and its stack where one was taken. A stack stands behind
// its call in the same ring. Private to finish*.cpp.
#pragma once

#include <unordered_map>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

class OsRows {
 public:
  /// `rows`: how many calls there are in the report so far.
  OsRows(Process& process, report::Writer& writer, report::Id& rows)
      : process_(process), writer_(writer), rows_(rows) {}

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);

 private:
  void call(const Chunk& chunk, const Record& record);
  /// What its object is called: a descriptor by its path, a lock by its address.
  void object(const wire::OsCall& call);

  Process& process_;
  report::Writer& writer_;
  report::Id& rows_;
};

}  // namespace lanescope::launch
