// SPDX-License-Identifier: Apache-2.0
// Which iteration of its program an event is of. A host event is of the iteration of its own thread that it begins in,
// or, where its thread has none (a backward thread, say), of the one that the thread with most iterations in its process
// was in. Between iterations it is of none. O(log iterations) a question. Any thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/analysis/iterations.h"

namespace lanescope::compare {

class IterationOf {
 public:
  IterationOf(const trace::Trace& trace, const analysis::Iterations& iterations);

  /// Index into Iterations::ranges; trace::kNone outside all.
  std::uint32_t host(std::uint32_t thread, std::uint32_t process, trace::Ns begin) const;

 private:
  struct Span {
    trace::TimeRange time;
    std::uint32_t index;
  };
  using Spans = std::vector<Span>;  // by begin
  std::unordered_map<std::uint32_t, Spans> byThread_;
  std::unordered_map<std::uint32_t, std::uint32_t> leading_;  // by process, its thread with most
};

}  // namespace lanescope::compare
