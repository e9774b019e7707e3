// SPDX-License-Identifier: Apache-2.0
#include "model/compare/alignment.h"

namespace lanescope::compare {
namespace {

using trace::EventId;
using trace::kNone;
using trace::Ns;
using trace::Trace;

std::optional<Ns> firstGpuWork(const Trace& trace) {
  std::optional<Ns> first;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace::isGpuWork(trace.laneInfo[lane].kind) && trace.lanes[lane] && !trace.lanes[lane]->empty())
      first = std::min(first.value_or(trace::kMaxTime), trace.lanes[lane]->start(0));
  return first;
}

bool alignBy(AlignBy by, const Trace& a, const Trace& b, const AlignRequest& request, Alignment& alignment) {
  const auto at = [&](Ns inA, Ns inB, std::string method) {
    alignment.by = by;
    alignment.map = TimeMap({{inA, inB}});
    alignment.method = std::move(method);
    return true;
  };
  switch (by) {
    case AlignBy::kCaptureStart:
      return at(a.range.begin, b.range.begin, "Aligned by the first event of each report");
    case AlignBy::kFirstGpuWork: {
      const std::optional<Ns> inA = firstGpuWork(a), inB = firstGpuWork(b);
      return inA && inB && at(*inA, *inB, "Aligned by the first GPU work");
    }
    case AlignBy::kEvent:
      return request.a && request.b &&
             at(a.time(*request.a).begin, b.time(*request.b).begin, "Aligned by the chosen events");
    case AlignBy::kOffset:
      return at(0, request.offset, "Aligned by the chosen offset");
    default:
      return false;
  }
}

}  // namespace

Change Alignment::changeOfA(const Trace& a, const Trace& b, EventId event) const {
  if (event >= twinOfA.size() || twinOfA[event] == kNone) return Change::kNotCompared;
  (void)a, (void)b;
  return Change::kSame;
}

Change Alignment::changeOfB(const Trace& a, const Trace& b, EventId event) const {
  if (event >= twinOfB.size() || twinOfB[event] == kNone) return Change::kNotCompared;
  (void)a, (void)b;
  return Change::kSame;
}

std::optional<Alignment> align(const trace::TracePtr& a, const trace::TracePtr& b, const AlignRequest& request,
                               const Job& job) {
  if (job.cancelled()) return std::nullopt;
  Alignment alignment;
  alignment.twinOfA.assign(a->eventCount() + a->projectionCount(), kNone);
  alignment.twinOfB.assign(b->eventCount() + b->projectionCount(), kNone);
  for (const AlignBy by : {request.by, AlignBy::kFirstGpuWork, AlignBy::kCaptureStart})
    if (alignBy(by, *a, *b, request, alignment)) break;
  return alignment;
}

}  // namespace lanescope::compare
