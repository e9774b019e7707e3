// SPDX-License-Identifier: Apache-2.0
// Calls into the OS runtime as rows: the call, what it was about, and its stack where one was taken. A stack stands right
// behind its call in the same ring, so a call waits for the next record of its ring. Holds a call a ring, and what was
// loaded into the process. Private to finish*.cpp.
#pragma once

#include <optional>
#include <unordered_map>

#include "collector/launch/finish_files.h"
#include "collector/launch/finish_process.h"
#include "collector/launch/finish_stacks.h"

namespace lanescope::launch {

/// Rows of all processes so far.
struct OsCounts {
  report::Id calls = 0, stacks = 0;
  FileCounts files;
};

class OsRows {
 public:
  /// `depth`: frames of a stack. `files`: also which file each call was of.
  OsRows(Process& process, report::Writer& writer, StackNames& names, std::size_t depth, bool files, OsCounts& counts);

  /// To be shown every record of the process. True if it was one of its own.
  bool take(const Chunk& chunk, const Record& record);
  void finish();

 private:
  /// The call that waits in this ring goes out, with the stack that was taken of it.
  void release(std::uint32_t slot, const Record* stack);
  /// The id of the stack; 0 if there was nothing in it.
  report::Id writeStack(const wire::OsCall& call, const Record& record);
  /// What its object is called: a descriptor by its path, a lock by the variable that it is, else by its address.
  void writeObject(const wire::OsCall& call);
  report::Id nameOfLock(std::uint64_t address, trace::Ns time);

  struct Held {
    wire::OsCall call;
    std::uint32_t tid = 0;
  };
  Process& process_;
  report::Writer& writer_;
  StackNames& names_;
  std::size_t depth_;
  OsCounts& counts_;
  std::optional<FileRows> files_;
  unwind::AddressSpace space_;
  std::unordered_map<std::uint32_t, Held> held_;  ///< by slot
  std::unordered_map<std::uint64_t, report::Id> locks_;  ///< names of some
};

}  // namespace lanescope::launch
