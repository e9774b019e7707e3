// SPDX-License-Identifier: Apache-2.0
// The call stack that the recording took with an event: of a CUDA call, of an OS runtime call, of a CPU sample or one of
// Python, and of a thread that lost its core where it was. Fetched
// when somebody looks. At most kMostFrames frames, each text at most kMostBytes of it, kMostRead bytes of the file; O(log n)
// where the table has its primary key, as exports do. Without it a table of up to kMostScanned rows is searched row by
// row, a larger one is not.
#pragma once

#include <string>
#include <vector>

#include "model/report/database.h"
#include "model/trace/trace.h"

namespace lanescope::report {

struct Frame {
  std::string symbol;  ///< the function, or its address in hexadecimal where it has no name
  std::string module;  ///< path of the library or program; empty if not known
  bool resolved = true;
  bool kernel = false;  ///< of the operating system
  bool python = false;  ///< the module is its source file
  std::int64_t line = 0;  ///< of Python; 0 unknown

  /// "poll (libc.so.6)", "forward (resnet.py:273)": what a line shows.
  std::string text() const;
  /// The same without the line: one text a function.
  std::string functionText() const;
};

struct CallStack {
  static constexpr int kMostFrames = 512;
  static constexpr std::int64_t kMostScanned = 2'000'000;
  static constexpr std::size_t kMostBytes = 4096;  ///< the longest real symbols are templates of some kilobytes
  static constexpr std::size_t kMostRead = 16 << 20;

  std::vector<Frame> frames;  ///< innermost first
  bool more = false;  ///< the file has frames beyond the last one here
  bool tooLarge = false;  ///< the table has no index and too many rows to search
};

/// Empty where none was taken.
CallStack callStack(const Database& database, const trace::Trace& trace, trace::EventRef event);

}  // namespace lanescope::report
