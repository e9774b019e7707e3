// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/related.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;

bool isNvtxRange(EventKind kind) { return kind == EventKind::kNvtxRange || kind == EventKind::kNvtxStartEnd; }

}  // namespace

Related::Related(trace::TracePtr trace, EventRef event) : trace_(std::move(trace)), event_(event) {
  const auto add = [this](std::span<const EventId> ids) { included_.insert(included_.end(), ids.begin(), ids.end()); };
  const auto sort = [this] {
    std::sort(included_.begin(), included_.end());
    included_.erase(std::unique(included_.begin(), included_.end()), included_.end());
  };
  const auto links = trace_->links(event);
  const EventKind kind = trace_->info(event).kind;
  if (isNvtxRange(kind)) range_ = event;
  else if (kind == EventKind::kNvtxProjection && !links.empty()) range_ = trace_->ref(links.front());

  add(trace_->partners(event));
  add(links);
  add(trace_->tied(event));
  sort();
  endCount_ = included_.size();
  for (const EventId id : included_) {
    if (ends_.size() == kMost) break;
    ends_.push_back(trace_->ref(id));
  }
  std::stable_sort(ends_.begin(), ends_.end(),
                   [this](EventRef a, EventRef b) { return trace_->time(a).begin < trace_->time(b).begin; });

  // The other work of the same launch, such as the rest of a graph, belongs to it without an arrow of its own.
  if (const auto launch = trace_->partners(event); trace::isGpuWork(kind) && !launch.empty()) {
    add(trace_->partners(trace_->ref(launch.front())));
    sort();
    std::erase(included_, trace_->id(event_));
  }
}

std::optional<EventRef> Related::awaited() const {
  const trace::LaneInfo& own = trace_->info(event_);
  if (!trace::isGpuWork(own.kind)) return {};
  const auto last = std::find_if(ends_.rbegin(), ends_.rend(), [&](EventRef end) {
    return trace::isGpuWork(trace_->info(end).kind) && trace_->info(end).process != own.process;
  });
  if (last == ends_.rend() || trace_->time(*last).begin <= trace_->time(event_).begin) return {};
  return *last;
}

bool Related::includes(EventRef other) const {
  return other == event_ || std::binary_search(included_.begin(), included_.end(), trace_->id(other)) ||
         (range_ && isInside(other));
}

bool Related::isInside(EventRef other) const {
  const trace::LaneInfo& info = trace_->info(other);
  if (info.thread == trace::kNone && info.kind != EventKind::kNvtxStartEnd) {  // what runs for a thread: by its call
    const auto call = trace_->partners(other);
    return !call.empty() && trace_->info(trace_->ref(call.front())).thread != trace::kNone &&
           isInside(trace_->ref(call.front()));
  }
  const trace::LaneInfo& range = trace_->info(*range_);
  if (info.process != range.process || trace::isBackground(info.kind)) return false;
  // A start/end range belongs to no thread: what lies inside it on any thread of the process counts.
  if (range.thread != trace::kNone && info.thread != range.thread) return false;
  const trace::TimeRange outer = trace_->time(*range_), inner = trace_->time(other);
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

}  // namespace lanescope::analysis
