// SPDX-License-Identifier: Apache-2.0
#include "model/compare/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "model/analysis/report_input.h"
#include "model/compare/twins.h"

namespace lanescope::compare {
namespace {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::LaneId;
using trace::Ns;
using trace::Trace;

constexpr std::size_t kMostMoments = 4096;  ///< where there are no iterations

/// Pairs of twins in the lanes of A that `tells` picks: visit(event of A, event of B).
template <class Tells, class Visit>
void forEachTwin(const Trace& a, const Trace& b, const Alignment& alignment, Tells tells, Visit visit) {
  trace::NearbyRefs refs(b);
  for (LaneId id = 0; id < a.lanes.size(); ++id) {
    const trace::LaneInfo& info = a.laneInfo[id];
    if (!a.lanes[id] || !tells(info.kind)) continue;
    for (std::uint32_t i = 0; i < a.lanes[id]->size(); ++i)
      if (const EventId twin = alignment.twinOfA[info.firstEvent + i]; twin != kNone)
        visit(EventRef{id, i}, refs.of(twin));
  }
}

class Aligning {
 public:
  Aligning(const Trace& a, const Trace& b, const AlignRequest& request, Alignment& alignment)
      : a_(a), b_(b), request_(request), alignment_(alignment) {}

  void align() {
    std::string failed;
    for (const AlignBy by : {request_.by, AlignBy::kFirstGpuWork, AlignBy::kCaptureStart}) {
      if (alignBy(by)) break;
      if (failed.empty()) failed = why(by);
    }
    if (!failed.empty()) alignment_.method += ": " + failed;
    std::vector<Ns> off;
    forEachTwin(a_, b_, alignment_, trace::isGpuWork, [&](EventRef a, EventRef b) {
      off.push_back(std::abs(alignment_.map.toB(a_.time(a).begin) - b_.time(b).begin));
    });
    const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
    std::ranges::nth_element(off, middle);
    alignment_.residual = off.empty() ? 0 : *middle;
  }

 private:
  bool alignBy(AlignBy by) {
    alignment_.by = by;
    switch (by) {
      case AlignBy::kWork:
        return byIterations() || byTwins();
      case AlignBy::kCaptureStart:
        return at(a_.range.begin, b_.range.begin, "Aligned by the first event of each report");
      case AlignBy::kFirstGpuWork: {
        const std::optional<Ns> inA = firstGpuWork(a_), inB = firstGpuWork(b_);
        return inA && inB && at(*inA, *inB, "Aligned by the first GPU work");
      }
      case AlignBy::kIteration:
        return byIteration();
      case AlignBy::kRange: {
        const auto inA = rangeIn(a_), inB = rangeIn(b_);
        return inA && inB &&
               at(*inA, *inB, fmt::format("Aligned by {}, instance {}", request_.range, request_.index + 1));
      }
      case AlignBy::kEvent:
        return request_.a && request_.b && begin(*request_.a, *request_.b, "Aligned by the chosen events");
      case AlignBy::kOffset:
        return at(0, request_.offset, "Aligned by the offset given");
    }
    return false;
  }

  std::string why(AlignBy by) const {
    switch (by) {
      case AlignBy::kWork:
        return "nothing of the two could be matched";
      case AlignBy::kFirstGpuWork:
        return "one of the reports has no GPU work";
      case AlignBy::kIteration:
        return "there is no such iteration in both";
      case AlignBy::kRange:
        return fmt::format("{} is not there so often in both", request_.range);
      default:
        return "no event was chosen in each";
    }
  }

  bool at(Ns inA, Ns inB, std::string method) {
    alignment_.map = TimeMap({{inA, inB}});
    alignment_.method = std::move(method);
    return true;
  }
  bool begin(EventRef inA, EventRef inB, std::string method) {
    return at(a_.time(inA).begin, b_.time(inB).begin, std::move(method));
  }

  static std::optional<Ns> firstGpuWork(const Trace& trace) {
    std::optional<Ns> first;
    for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      if (trace::isGpuWork(trace.laneInfo[lane].kind) && trace.lanes[lane] && !trace.lanes[lane]->empty())
        first = std::min(first.value_or(trace::kMaxTime), trace.lanes[lane]->start(0));
    return first;
  }

  std::optional<Ns> rangeIn(const Trace& trace) const {
    std::vector<Ns> starts;
    for (LaneId id = 0; id < trace.lanes.size(); ++id) {
      const EventKind kind = trace.laneInfo[id].kind;
      if (!trace.lanes[id] || (kind != EventKind::kNvtxRange && kind != EventKind::kNvtxStartEnd)) continue;
      const trace::Lane& lane = *trace.lanes[id];
      std::vector<trace::NameId> same;  // few names of many are asked for
      std::vector<bool> asked(trace.names->size()), isIt(trace.names->size());
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const trace::NameId name = lane.name(i);
        if (!asked[name]) {
          asked[name] = true;
          isIt[name] =
              (*trace.names)[name].text == request_.range || analysis::rangeName(trace, {id, i}) == request_.range;
        }
        if (isIt[name]) starts.push_back(lane.start(i));
      }
    }
    if (request_.index >= starts.size()) return std::nullopt;
    std::ranges::nth_element(starts, starts.begin() + request_.index);
    return starts[request_.index];
  }

  bool byIteration() {
    if (request_.index >= alignment_.iterationsOfA.size()) return false;
    const EventRef inA = alignment_.iterationsOfA[request_.index];
    const EventId twin = alignment_.twinOfA[a_.id(inA)];
    if (twin == kNone && request_.index >= alignment_.iterationsOfB.size()) return false;
    const EventRef inB = twin == kNone ? alignment_.iterationsOfB[request_.index] : b_.ref(twin);
    const auto text = [](const Trace& trace, EventRef event) { return (*trace.names)[trace.name(event)].text; };
    return begin(inA, inB,
                 fmt::format("Aligned by iteration {}: {} and {}", request_.index + 1, text(a_, inA), text(b_, inB)));
  }

  /// Where each iteration that is matched begins, and where it ends if it is followed by one that is not.
  bool byIterations() {
    std::vector<Moment> moments;
    std::size_t matched = 0;
    std::optional<std::pair<EventRef, EventRef>> last;
    bool follow = false;  // nothing stood between this iteration of A and the last that is matched
    const std::vector<EventRef>&all = alignment_.iterationsOfA, &allB = alignment_.iterationsOfB;
    const auto close = [&] {
      if (last) moments.push_back({a_.time(last->first).end, b_.time(last->second).end});
    };
    std::size_t next = 0;  // in B
    for (const EventRef inA : all) {
      const EventId twin = alignment_.twinOfA[a_.id(inA)];
      if (twin == kNone) {
        follow = false;
        continue;
      }
      const EventRef inB = b_.ref(twin);
      if (next >= allB.size() || allB[next] != inB) follow = false;
      while (next < allB.size() && allB[next] != inB) ++next;
      ++next;
      if (!follow) close();
      moments.push_back({a_.time(inA).begin, b_.time(inB).begin});
      last.emplace(inA, inB);
      follow = true;
      ++matched;
    }
    if (matched == 0) return false;
    close();
    alignment_.map = TimeMap(std::move(moments));
    const std::string counts = all.size() == allB.size()
                                   ? fmt::format("{} of {} iterations", matched, all.size())
                                   : fmt::format("{} of {} and {} iterations", matched, all.size(), allB.size());
    alignment_.method = fmt::format("Aligned by work: {} of {}, then what is in them in order", counts,
                                    alignment_.iterationName.substr(alignment_.iterationName.starts_with(':')));
    return true;
  }

  bool byTwins() {
    const auto by = [&](auto tells, const char* what) {
      std::vector<Moment> moments;
      forEachTwin(a_, b_, alignment_, tells,
                  [&](EventRef a, EventRef b) { moments.push_back({a_.time(a).begin, b_.time(b).begin}); });
      if (moments.empty()) return false;
      const std::size_t matched = moments.size();
      if (moments.size() > kMostMoments) {
        std::ranges::sort(moments, {}, &Moment::a);
        for (std::size_t i = 0; i < kMostMoments; ++i) moments[i] = moments[i * (matched - 1) / (kMostMoments - 1)];
        moments.resize(kMostMoments);
      }
      alignment_.map = TimeMap(std::move(moments));
      alignment_.method = fmt::format(
          "Aligned by work: {} in order, {} of them the same; there are no iterations in both", what, matched);
      return true;
    };
    return by(trace::isGpuWork, "kernels and copies") ||
           by([](EventKind kind) { return kind == EventKind::kNvtxRange || kind == EventKind::kCudaApi; },
              "NVTX ranges and API calls");
  }

  const Trace &a_, &b_;
  const AlignRequest& request_;
  Alignment& alignment_;
};

Change changeOfEvent(const Alignment& alignment, const Trace& of, const Trace& other, EventRef event,
                     const std::vector<EventId>& twins, bool isA) {
  const trace::LaneInfo& info = of.info(event);
  const EventId id = of.id(event);
  if (!alignment.compared[static_cast<std::size_t>(info.kind)] || id >= twins.size()) return Change::kNotCompared;
  if (twins[id] == kNone) return Change::kOnlyHere;
  const EventRef twin = other.ref(twins[id]);
  if (of.lanes[event.lane]->unfinished(event.index) || other.lanes[twin.lane]->unfinished(twin.index))
    return Change::kNotCompared;
  const Ns here = of.lanes[event.lane]->duration(event.index), there = other.lanes[twin.lane]->duration(twin.index);
  return isA ? changeOf(here, there) : changeOf(there, here);
}

}  // namespace

Change changeOf(Ns a, Ns b) {
  const Ns difference = std::abs(b - a);
  if (difference <= std::max(kSameNs, a / 50)) return Change::kSame;
  return b > a ? Change::kSlower : Change::kFaster;
}

Change Alignment::changeOfA(const Trace& a, const Trace& b, EventRef event) const {
  return changeOfEvent(*this, a, b, event, twinOfA, true);
}

Change Alignment::changeOfB(const Trace& a, const Trace& b, EventRef event) const {
  return changeOfEvent(*this, b, a, event, twinOfB, false);
}

void alignAgain(Alignment& alignment, const Trace& a, const Trace& b, const AlignRequest& request) {
  Aligning(a, b, request, alignment).align();
}

std::optional<Alignment> align(const trace::TracePtr& a, const trace::TracePtr& b, const AlignRequest& request,
                               const Job& job) {
  Twins twins = findTwins(*a, *b, job);
  if (job.cancelled()) return std::nullopt;
  Alignment alignment;
  const auto count = [&](const Trace& trace, const std::vector<EventId>& twinOf, std::size_t& matched,
                         std::size_t& of) {
    for (LaneId id = 0; id < trace.lanes.size(); ++id) {
      const trace::LaneInfo& info = trace.laneInfo[id];
      if (!trace.lanes[id] || !twins.compared[static_cast<std::size_t>(info.kind)] ||
          info.kind == EventKind::kNvtxProjection)
        continue;
      of += trace.lanes[id]->size();
      for (std::uint32_t i = 0; i < trace.lanes[id]->size(); ++i) matched += twinOf[info.firstEvent + i] != kNone;
    }
  };
  count(*a, twins.ofA, alignment.matchedA, alignment.ofA);
  count(*b, twins.ofB, alignment.matchedB, alignment.ofB);
  alignment.twinOfA = std::move(twins.ofA);
  alignment.twinOfB = std::move(twins.ofB);
  alignment.compared = twins.compared;
  alignment.iterationName = std::move(twins.iterationName);
  alignment.iterationsOfA = std::move(twins.iterationsOfA);
  alignment.iterationsOfB = std::move(twins.iterationsOfB);
  alignment.steps = twins.steps;
  alignAgain(alignment, *a, *b, request);
  if (job.cancelled()) return std::nullopt;
  return alignment;
}

}  // namespace lanescope::compare
