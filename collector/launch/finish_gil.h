// SPDX-License-Identifier: Apache-2.0
// Waits for Python's interpreter lock as rows: calls that wait for a condition within _PyRuntime. CPython waits 5 ms at a
// time and asks for the lock in between, so waits of a thread that follow each other at once are one. Holds one wait a
// thread. Private to finish*.cpp.
#pragma once

#include <unordered_map>
#include <utility>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

class GilRows {
 public:
  /// `runtime`: where _PyRuntime lies, [start, end); nowhere where that is not known.
  GilRows(Process& process, report::Writer& writer, std::pair<std::uint64_t, std::uint64_t> runtime)
      : process_(process), writer_(writer), runtime_(runtime) {}

  /// To be shown every call into the OS runtime, in the order of its ring.
  void see(std::uint32_t tid, const wire::OsCall& call);
  void finish();

 private:
  void write(std::uint32_t tid, const Span& wait);

  Process& process_;
  report::Writer& writer_;
  std::pair<std::uint64_t, std::uint64_t> runtime_;
  std::unordered_map<std::uint32_t, Span> waits_;  ///< by thread
};

}  // namespace lanescope::launch
