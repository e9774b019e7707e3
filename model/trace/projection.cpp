// SPDX-License-Identifier: Apache-2.0
#include "model/trace/projection.h"

#include <algorithm>

#include "model/trace/sorted_runs.h"

namespace lanescope::trace {
namespace {

/// A range or a call.
struct Span {
  Ns start, end;
  EventId id;
};

/// Outer before inner.
bool before(const Span& a, const Span& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; }

/// The work of one range so far, by stream.
class Hulls {
 public:
  struct Hull {
    std::uint32_t stream;
    Ns first, last;
  };

  void clear() { hulls_.clear(), limit_ = kFew; }

  void add(const Hull& more) {
    // Work mostly goes on where the last went.
    const std::size_t looked = std::min(hulls_.size(), kLooked);
    for (std::size_t i = hulls_.size(); i-- > hulls_.size() - looked;)
      if (hulls_[i].stream == more.stream) return extend(hulls_[i], more);
    hulls_.push_back(more);
    if (hulls_.size() > limit_) {
      compact();
      limit_ = std::max(kFew, 2 * hulls_.size());
    }
  }

  void add(Hulls& inner) {
    if (inner.hulls_.size() > hulls_.size()) std::swap(*this, inner);
    for (const Hull& hull : inner.hulls_) add(hull);
  }

  /// One a stream.
  const std::vector<Hull>& whole() {
    if (hulls_.size() > kLooked) compact();
    return hulls_;
  }

 private:
  static constexpr std::size_t kFew = 16, kLooked = 4;

  static void extend(Hull& hull, const Hull& more) {
    hull.first = std::min(hull.first, more.first);
    hull.last = std::max(hull.last, more.last);
  }

  void compact() {
    std::sort(hulls_.begin(), hulls_.end(), [](const Hull& a, const Hull& b) { return a.stream < b.stream; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < hulls_.size(); ++i) {
      if (hulls_[kept].stream == hulls_[i].stream) extend(hulls_[kept], hulls_[i]);
      else hulls_[++kept] = hulls_[i];
    }
    hulls_.resize(std::min(hulls_.size(), kept + 1));
  }

  std::vector<Hull> hulls_;
  std::size_t limit_ = kFew;
};

class ThreadSweep {
 public:
  ThreadSweep(const Trace& trace, std::size_t most, const Job& job) : trace_(trace), most_(most), job_(job) {}

  Projections project(const RangesAndCalls& thread) {
    collect(thread.calls, calls_, [this](EventRef call) { return !trace_.partners(call).empty(); });
    if (!calls_.empty()) collect(thread.ranges, ranges_, [](EventRef) { return true; }, thread.otherRanges);
    if (calls_.empty() || ranges_.empty()) return {};

    std::vector<std::uint32_t> these(ranges_.size()), rest;
    for (std::uint32_t i = 0; i < these.size(); ++i) these[i] = i;
    for (int sweeps = 0; !these.empty() && !full_ && sweeps < kMostSweeps && !job_.cancelled(); ++sweeps) {
      rest.clear();
      sweep(these, rest);
      std::swap(these, rest);
    }
    left_ += these.size();
    return {inOrder(), left_};
  }

 private:
  struct Found {
    std::uint32_t range;  // index into ranges_
    Hulls::Hull hull;
  };
  struct Open {
    std::uint32_t range = 0;
    Hulls hulls;
  };

  template <class Wanted>
  void collect(const std::vector<LaneId>& lanes, std::vector<Span>& spans, Wanted wanted,
               const std::vector<EventRef>& more = {}) {
    std::vector<std::size_t> bounds;  // starts ascend in a lane, but of two at one time the first is the shorter
    for (const LaneId id : lanes) {
      bounds.push_back(spans.size());
      const Lane& lane = *trace_.lanes[id];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (wanted({id, i})) spans.push_back({lane.start(i), lane.end(i), trace_.laneInfo[id].firstEvent + i});
    }
    bounds.push_back(spans.size());
    for (const EventRef each : more) spans.push_back({trace_.time(each).begin, trace_.time(each).end, trace_.id(each)});
    sortRuns(spans, std::move(bounds), before);
  }

  /// Goes through these ranges, which are in order, and the calls. Ranges that overlap an open one in part go to `rest`.
  void sweep(const std::vector<std::uint32_t>& these, std::vector<std::uint32_t>& rest) {
    std::size_t call = 0;
    for (const std::uint32_t index : these) {
      if (index % 65536 == 0 && job_.cancelled()) break;
      if (full_) {
        ++left_;
        continue;
      }
      const Span& range = ranges_[index];
      call = takeCalls(call, range.start);
      closeBefore(range.start);
      if (depth_ > 0 && top().end < range.end) {
        rest.push_back(index);
        continue;
      }
      if (depth_ == open_.size()) open_.emplace_back();
      open_[depth_].range = index;
      open_[depth_++].hulls.clear();
    }
    takeCalls(call, kMaxTime + 1);
    while (depth_ > 0) close();
  }

  const Span& top() const { return ranges_[open_[depth_ - 1].range]; }

  /// Closes what ends by then. One without length that begins there as well may still hold something.
  void closeBefore(Ns time) {
    while (depth_ > 0 && top().end <= time && top().start < time) close();
  }

  /// Gives the calls that start before `until` to the innermost ranges that hold them; returns the first one after.
  std::size_t takeCalls(std::size_t call, Ns until) {
    while (call < calls_.size() && calls_[call].start < until) {
      if (depth_ == 0) {  // nothing is open until then
        const auto next = std::lower_bound(calls_.begin() + static_cast<std::ptrdiff_t>(call), calls_.end(), until,
                                           [](const Span& span, Ns time) { return span.start < time; });
        return static_cast<std::size_t>(next - calls_.begin());
      }
      closeBefore(calls_[call].start);
      if (depth_ > 0) give(calls_[call]);
      ++call;
    }
    return call;
  }

  void give(const Span& call) {
    // Ends descend from outer to inner: the innermost that ends no earlier than the call.
    std::size_t holder = depth_;
    if (top().end < call.end)
      holder = static_cast<std::size_t>(
          std::partition_point(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(depth_),
                               [&](const Open& open) { return ranges_[open.range].end >= call.end; }) -
          open_.begin());
    if (holder == 0) return;
    for (const EventId id : trace_.partners(trace_.ref(call.id))) {
      const EventRef work = refs_.of(id);
      const LaneInfo& info = trace_.info(work);
      if (!isGpuWork(info.kind) || info.stream == kNone) continue;
      const TimeRange time = trace_.time(work);
      open_[holder - 1].hulls.add({info.stream, time.begin, time.end});
    }
  }

  void close() {
    Open& closed = open_[--depth_];
    const std::vector<Hulls::Hull>& hulls = closed.hulls.whole();
    if (full_ || hulls.size() > most_ - found_.size()) {
      full_ = true;
      ++left_;
      return;
    }
    for (const Hulls::Hull& hull : hulls) found_.push_back({closed.range, hull});
    if (depth_ > 0) open_[depth_ - 1].hulls.add(closed.hulls);
  }

  /// By range, for inner ranges close first.
  std::vector<Projection> inOrder() const {
    std::vector<std::uint32_t> next(ranges_.size() + 1);
    for (const Found& found : found_) ++next[found.range + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<Projection> list(found_.size());
    for (const auto& [range, hull] : found_)
      list[next[range]++] = {ranges_[range].id, hull.stream, {hull.first, hull.last}};
    return list;
  }

  const Trace& trace_;
  const std::size_t most_;
  const Job& job_;
  std::vector<Span> ranges_, calls_;
  std::vector<Open> open_;  // the first depth_ of them; the rest keep their memory
  std::size_t depth_ = 0;
  std::vector<Found> found_;
  std::uint64_t left_ = 0;
  bool full_ = false;
  NearbyRefs refs_{trace_};  // what is launched in a row mostly runs in a row
};

}  // namespace

std::vector<Projection> merged(std::vector<std::vector<Projection>> lists) {
  if (lists.empty()) return {};
  while (lists.size() > 1) {
    std::vector<std::vector<Projection>> fewer;
    for (std::size_t i = 0; i < lists.size(); i += 2) {
      if (i + 1 == lists.size()) {
        fewer.push_back(std::move(lists[i]));
        break;
      }
      // No std::merge: it wants both in order, and these are only nearly so.
      std::vector<Projection>& both = fewer.emplace_back();
      both.reserve(lists[i].size() + lists[i + 1].size());
      auto a = lists[i].begin(), b = lists[i + 1].begin();
      while (a != lists[i].end() && b != lists[i + 1].end())
        both.push_back(b->span.begin < a->span.begin ? *b++ : *a++);
      both.insert(both.end(), a, lists[i].end());
      both.insert(both.end(), b, lists[i + 1].end());
      lists[i] = lists[i + 1] = {};
    }
    lists = std::move(fewer);
  }
  return std::move(lists.front());
}

Projections project(const Trace& trace, const RangesAndCalls& thread, std::size_t most, const Job& job) {
  return ThreadSweep(trace, most, job).project(thread);
}

}  // namespace lanescope::trace
