// SPDX-License-Identifier: Apache-2.0
// Which file each open, read, write and close was of, out of the calls into the OS runtime of one process. A descriptor is
// a file from the call that opened it, or the first that used it, to its close; what dup() makes is the same file. Calls
// come in the order of their rings, so they are kept until all are there: 56 bytes each, kMost at most. Private to
// finish*.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

/// Of all processes.
struct FileCounts {
  report::Id files = 0;
  std::uint64_t leftOut = 0;  ///< calls beyond what is kept
};

class FileRows {
 public:
  static constexpr std::size_t kMost = 1u << 21;

  FileRows(Process& process, report::Writer& writer, FileCounts& counts)
      : process_(process), writer_(writer), counts_(counts) {}

  /// `row`: of it in OSRT_API. What is no such call is left alone.
  void take(const wire::OsCall& call, std::uint32_t tid, report::Id row);
  void finish();

 private:
  enum class Kind : std::uint8_t { kNone, kOpen, kRead, kWrite, kClose, kCopy };
  struct Access {
    trace::Ns start = 0, end = 0;
    report::Id row = 0;
    std::uint64_t path = 0;  ///< text; 0 if it was not told
    std::int64_t bytes = 0;  ///< of kCopy the new descriptor
    std::int32_t descriptor = -1;
    std::uint32_t tid = 0;
    Kind kind = Kind::kNone;
  };
  struct File {
    report::Id id = 0;
    std::uint64_t path = 0;
    trace::Ns opened = 0, last = 0;
    std::size_t descriptors = 0;
  };

  static Kind kindOf(std::string_view name);
  void apply(const Access& access);
  /// The file that it is of, opened now if it was not seen to be; null if it is none that has a path.
  File* fileOf(const Access& access);
  void open(std::int32_t descriptor, const File& file);
  void close(std::int32_t descriptor, trace::Ns time);
  void write(const File& file, const Access& access);

  Process& process_;
  report::Writer& writer_;
  FileCounts& counts_;
  std::vector<Access> accesses_;
  std::map<report::Id, File> files_;
  std::map<std::int32_t, report::Id> open_;  ///< by descriptor
};

}  // namespace lanescope::launch
