// SPDX-License-Identifier: Apache-2.0
// What belongs to an event: the launch of GPU work and the work of a launch, all of a graph's nodes, the waits for an
// event record, what nests inside an NVTX range and the GPU work it led to. Holds the trace; any thread.
#pragma once

#include <vector>

#include "model/trace/trace.h"

namespace lanescope::analysis {

class Related {
 public:
  Related(trace::TracePtr trace, trace::EventRef event);

  trace::EventRef event() const { return event_; }

  /// Where arrows lead: the direct partners, in order of start; at most kMost, for a graph may launch thousands.
  const std::vector<trace::EventRef>& ends() const { return ends_; }
  static constexpr std::size_t kMost = 1024;
  std::size_t endCount() const { return endCount_; }  ///< with those beyond kMost

  /// True for the event itself, its partners, and what nests inside. O(log n).
  bool includes(trace::EventRef other) const;

 private:
  bool isInside(trace::EventRef other) const;

  trace::TracePtr trace_;
  trace::EventRef event_;
  std::vector<trace::EventRef> ends_;
  std::vector<trace::EventId> partners_;  // sorted
  std::size_t endCount_ = 0;
};

}  // namespace lanescope::analysis
