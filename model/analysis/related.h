// SPDX-License-Identifier: Apache-2.0
// What belongs to an event: the launch of GPU work and the work of a launch, all of a graph's nodes, the waits for an
// event record, an NVTX range and its projections, what nests inside a range and the GPU work it led to, one collective
// on several ranks. Holds the trace; any thread.
#pragma once

#include <optional>
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

  /// True if the event led to this end of it, false if the end led to the event (trace::Trace::leads).
  bool leadsTo(trace::EventRef end) const { return trace_->leads(event_, end); }

  /// Where the event is a rank's part in a collective and waited: the part of the rank that came last.
  std::optional<trace::EventRef> awaited() const;

  /// True for the event itself, its partners, the other work of its launch, and what nests inside. O(log n).
  bool includes(trace::EventRef other) const;

  /// True if it may include more than the event and its ends.
  bool includesMore() const { return range_.has_value() || included_.size() > ends_.size(); }

 private:
  bool isInside(trace::EventRef other) const;

  trace::TracePtr trace_;
  trace::EventRef event_;
  std::optional<trace::EventRef> range_;  // the event, or the range it is a projection of
  std::vector<trace::EventRef> ends_;
  std::vector<trace::EventId> included_;  // sorted
  std::size_t endCount_ = 0;
};

}  // namespace lanescope::analysis
