// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/nvtx_ranges.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/trace/sorted_runs.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

namespace {

/// CUDA graphs that were recorded as a whole are in no report of Nsight Systems.
bool isReportedWork(EventKind kind) {
  return kind == EventKind::kKernel || kind == EventKind::kCopy || kind == EventKind::kMemset;
}

}  // namespace

std::vector<ThreadEvents> threadEvents(const ReportInput& input, bool withStartEnd) {
  const trace::Trace& trace = input.trace;
  std::vector<ThreadEvents> all(trace.threads.size());
  for (const LaneId lane : input.lanes(std::array{EventKind::kNvtxRange}))
    all[trace.laneInfo[lane].thread].ranges.push_back(lane);
  for (const LaneId lane : input.lanes(std::array{EventKind::kCudaApi}))
    all[trace.laneInfo[lane].thread].calls.push_back(lane);

  const std::vector<LaneId> startEnd =
      withStartEnd ? input.lanes(std::array{EventKind::kNvtxStartEnd}) : std::vector<LaneId>();
  if (!startEnd.empty()) {
    std::unordered_map<std::int64_t, std::uint32_t> threadOf;
    for (std::uint32_t i = 0; i < trace.threads.size(); ++i) threadOf.emplace(trace.threads[i].globalTid, i);
    const TableValues tids(input, "NVTX_EVENTS", {"globalTid", "endGlobalTid"});
    for (const EventRef range : input.byStart(startEnd)) {
      const auto begins = tids.at(range, 0), ends = tids.at(range, 1);
      if (!begins || begins != ends) continue;
      if (const auto thread = threadOf.find(*begins); thread != threadOf.end())
        all[thread->second].startEnd.push_back(range);
    }
  }
  std::vector<ThreadEvents> found;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i].thread = i;
    if (!all[i].ranges.empty() || !all[i].calls.empty() || !all[i].startEnd.empty()) found.push_back(std::move(all[i]));
  }
  return found;
}

std::vector<RangeNode> nestedRanges(const ReportInput& input, const ThreadEvents& thread) {
  const trace::Trace& trace = input.trace;
  std::vector<RangeNode> nodes;
  std::vector<std::size_t> bounds;
  for (const LaneId id : thread.ranges) {
    bounds.push_back(nodes.size());
    const trace::Lane& lane = *trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i)
      if (lane.unfinishedEvents().empty() || !lane.unfinished(i))
        nodes.push_back({{id, static_cast<std::uint32_t>(i)}, lane.start(i), lane.end(i)});
  }
  bounds.push_back(nodes.size());
  for (const EventRef range : thread.startEnd) nodes.push_back({range, trace.time(range).begin, trace.time(range).end});

  trace::sortRuns(nodes, std::move(bounds), [&](const RangeNode& a, const RangeNode& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end > b.end;
    return trace.lanes[a.event.lane]->sourceRow(a.event.index) < trace.lanes[b.event.lane]->sourceRow(b.event.index);
  });
  // One that does not hold the next holds none of those behind it that the next one does not hold too, and closer.
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    while (!open.empty() && nodes[open.back()].end < nodes[i].end) open.pop_back();
    if (!open.empty()) nodes[i].parent = open.back();
    nodes[i].level = static_cast<std::uint32_t>(open.size());
    open.push_back(i);
  }
  return nodes;
}

std::int64_t RangeStacks::id(std::size_t range) const {
  const EventRef event = ranges_[range].event;
  return static_cast<std::int64_t>(trace_.lanes[event.lane]->sourceRow(event.index));
}

Cell RangeStacks::parent(std::size_t range) const {
  const std::uint32_t parent = ranges_[range].parent;
  return parent == trace::kNone ? Cell() : Cell(id(parent));
}

std::string RangeStacks::text(std::size_t range) const {
  std::array<std::int64_t, kMostLevels> ids;  // NOLINT(cppcoreguidelines-pro-type-member-init): as many as are counted
  std::size_t count = 0;
  auto each = static_cast<std::uint32_t>(range);
  for (; each != trace::kNone && count < ids.size(); each = ranges_[each].parent) ids[count++] = id(each);
  std::string text = each == trace::kNone ? "" : ":…";
  while (count > 0) fmt::format_to(std::back_inserter(text), ":{}", ids[--count]);
  return text;
}

std::string treeName(std::string_view name, std::uint32_t level) {
  std::string text(std::size_t{2} * std::min(level, RangeStacks::kMostLevels), '-');
  return text.append(name);
}

bool launches(const trace::Trace& trace, EventRef call) {
  const auto works = trace.partners(call);
  return std::any_of(works.begin(), works.end(),
                     [&](trace::EventId work) { return isReportedWork(trace.info(trace.ref(work)).kind); });
}

Launches::Launches(const ReportInput& input, LaneId calls) {
  const trace::Trace& trace = input.trace;
  const trace::Lane& lane = *trace.lanes[calls];
  std::vector<Span> spans;
  trace::NearbyRefs refs(trace);
  const auto [from, to] = input.events(calls);
  for (std::size_t i = from; i < to; ++i) {
    Span span{trace::kMaxTime, trace::kMinTime};
    for (const trace::EventId id : trace.partners({calls, static_cast<std::uint32_t>(i)})) {
      const EventRef work = refs.of(id);
      if (!isReportedWork(trace.info(work).kind) || !input.holds(work)) continue;
      const trace::TimeRange time = trace.time(work);
      span = {std::min(span.first, time.begin), std::max(span.last, time.end)};
    }
    if (span.first > span.last) continue;
    start_.push_back(lane.start(i));
    end_.push_back(lane.end(i));
    spans.push_back(span);
  }
  const std::size_t count = spans.size();
  tree_.resize(2 * count);
  std::copy(spans.begin(), spans.end(), tree_.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = count; i-- > 1;)
    tree_[i] = {std::min(tree_[2 * i].first, tree_[2 * i + 1].first),
                std::max(tree_[2 * i].last, tree_[2 * i + 1].last)};
}

Launches::Work Launches::within(Ns begin, Ns end) {
  const std::size_t count = start_.size();
  while (next_ < count && start_[next_] < begin) ++next_;
  // Ends ascend too: look ahead in steps that double, then between the last two.
  std::size_t low = next_, step = 1;
  while (low < count && end_[low] <= end) {
    if (low + step >= count || end_[low + step] > end) {
      const auto from = end_.begin() + static_cast<std::ptrdiff_t>(low);
      const auto to = end_.begin() + static_cast<std::ptrdiff_t>(std::min(low + step, count));
      low = static_cast<std::size_t>(std::upper_bound(from, to, end) - end_.begin());
      break;
    }
    low += step;
    step *= 2;
  }
  Work work;
  work.calls = low - next_;
  for (std::size_t a = next_ + count, b = low + count; a < b; a /= 2, b /= 2) {
    if (a % 2 == 1) work.add({0, tree_[a].first, tree_[a].last}), ++a;
    if (b % 2 == 1) --b, work.add({0, tree_[b].first, tree_[b].last});
  }
  return work;
}

}  // namespace lanescope::analysis
