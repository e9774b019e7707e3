// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/related.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;

Related::Related(trace::TracePtr trace, EventRef event) : trace_(std::move(trace)), event_(event) {
  const auto add = [this](std::span<const EventId> more) {
    partners_.insert(partners_.end(), more.begin(), more.end());
  };
  add(trace_->partners(event));
  add(trace_->links(event));
  std::sort(partners_.begin(), partners_.end());
  partners_.erase(std::unique(partners_.begin(), partners_.end()), partners_.end());
  endCount_ = partners_.size();
  for (const EventId id : partners_) {
    if (ends_.size() == kMost) break;
    ends_.push_back(trace_->ref(id));
  }
  std::stable_sort(ends_.begin(), ends_.end(),
                   [this](EventRef a, EventRef b) { return trace_->time(a).begin < trace_->time(b).begin; });

  // The other work of the same launch, such as the rest of a graph, belongs to it without an arrow of its own.
  if (trace::isGpuWork(trace_->info(event).kind))
    if (const auto launch = trace_->partners(event); !launch.empty())
      add(trace_->partners(trace_->ref(launch.front())));
  std::sort(partners_.begin(), partners_.end());
}

bool Related::includes(EventRef other) const {
  return other == event_ || std::binary_search(partners_.begin(), partners_.end(), trace_->id(other)) ||
         isInside(other);
}

bool Related::isInside(EventRef other) const {
  const trace::LaneInfo& range = trace_->info(event_);
  if (range.kind != EventKind::kNvtxRange && range.kind != EventKind::kNvtxStartEnd) return false;
  const trace::LaneInfo& info = trace_->info(other);
  if (trace::isGpuWork(info.kind)) {
    const auto launch = trace_->partners(other);
    return !launch.empty() && isInside(trace_->ref(launch.front()));
  }
  if (info.process != range.process || info.thread == trace::kNone || info.kind == EventKind::kThreadState)
    return false;
  // A range that may end on another thread has none of its own: what lies inside it on any thread of the process counts.
  if (range.thread != trace::kNone && info.thread != range.thread) return false;
  const trace::TimeRange outer = trace_->time(event_), inner = trace_->time(other);
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace lanescope::analysis
