// SPDX-License-Identifier: Apache-2.0
#include "model/trace/correlate.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

constexpr std::int64_t kNoCorrelation = 0;  // what a NULL or 0 id means

struct End {
  std::int64_t id;
  Ns start;
  LaneId lane;
  std::uint32_t index;
};

/// By id, ties by start. Ids are mostly dense and ascending, so one counting pass does; sparse ids are sorted.
void sortById(std::vector<End>& ends) {
  const auto before = [](const End& a, const End& b) { return a.id != b.id ? a.id < b.id : a.start < b.start; };
  if (std::is_sorted(ends.begin(), ends.end(), before)) return;
  const auto [low, high] =
      std::minmax_element(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.id < b.id; });
  const std::int64_t first = low->id;
  const std::uint64_t width = static_cast<std::uint64_t>(high->id) - static_cast<std::uint64_t>(first);
  if (width > 8 * ends.size()) {
    std::sort(ends.begin(), ends.end(), before);
    return;
  }
  std::vector<std::uint32_t> next(width + 2, 0);
  for (const End& end : ends) ++next[static_cast<std::size_t>(end.id - first) + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  std::vector<End> sorted(ends.size());
  for (const End& end : ends) sorted[next[static_cast<std::size_t>(end.id - first)]++] = end;
  ends = std::move(sorted);
  for (std::size_t i = 0; i < ends.size();) {  // few share an id
    std::size_t j = i + 1;
    while (j < ends.size() && ends[j].id == ends[i].id) ++j;
    if (j - i > 1)
      std::sort(ends.begin() + static_cast<std::ptrdiff_t>(i), ends.begin() + static_cast<std::ptrdiff_t>(j), before);
    i = j;
  }
}

}  // namespace

std::uint64_t correlateEvents(Trace& trace, const std::vector<std::vector<std::int64_t>>& ids,
                              std::vector<EventUse>& uses, const Job& job) {
  std::stable_sort(uses.begin(), uses.end(), [](const EventUse& a, const EventUse& b) {
    return std::pair(a.process, a.correlation) < std::pair(b.process, b.correlation);
  });
  auto use = uses.begin();
  std::vector<std::shared_ptr<std::vector<std::uint32_t>>> partners(trace.lanes.size());
  auto fans = std::make_shared<std::vector<std::uint32_t>>();
  std::uint64_t reused = 0;

  const auto slot = [&](const End& end) -> std::uint32_t& {
    auto& lane = partners[end.lane];
    if (!lane) lane = std::make_shared<std::vector<std::uint32_t>>(trace.lanes[end.lane]->size(), kNone);
    return (*lane)[end.index];
  };
  const auto eventOf = [&](const End& end) { return trace.laneInfo[end.lane].firstEvent + end.index; };

  std::vector<std::vector<LaneId>> lanesOf(trace.processes.size());
  for (LaneId lane = 0; lane < ids.size(); ++lane)
    if (!ids[lane].empty() && trace.laneInfo[lane].process != kNone &&
        trace.laneInfo[lane].kind != EventKind::kNvtxStartEnd)
      lanesOf[trace.laneInfo[lane].process].push_back(lane);

  for (std::uint32_t process = 0; process < lanesOf.size(); ++process) {
    const std::vector<LaneId>& lanes = lanesOf[process];
    if (job.cancelled()) break;
    std::vector<End> calls;
    std::vector<End> work;
    for (const LaneId lane : lanes) {
      auto& ends = trace.laneInfo[lane].kind == EventKind::kCudaApi ? calls : work;
      ends.reserve(ends.size() + ids[lane].size());
      for (std::uint32_t i = 0; i < ids[lane].size(); ++i)
        if (ids[lane][i] != kNoCorrelation) ends.push_back({ids[lane][i], trace.lanes[lane]->start(i), lane, i});
    }
    if (calls.empty()) continue;
    sortById(calls);
    sortById(work);

    while (use != uses.end() && use->process < process) ++use;
    for (auto call = calls.begin(); use != uses.end() && use->process == process; ++use) {
      while (call != calls.end() && call->id < use->correlation) ++call;
      if (call != calls.end() && call->id == use->correlation) use->call = eventOf(*call);
    }

    auto w = work.begin();
    for (auto c = calls.begin(); c != calls.end();) {
      const auto groupEnd = std::find_if(c, calls.end(), [&](const End& e) { return e.id != c->id; });
      for (auto next = c + 1; next != groupEnd; ++next)
        if (next->start >= trace.lanes[(next - 1)->lane]->end((next - 1)->index))
          ++reused;  // not one call inside the other
      while (w != work.end() && w->id < c->id) ++w;
      for (auto call = c; call != groupEnd; ++call) {
        // The work of this call: all that starts before the next call with this id does.
        const Ns until = call + 1 == groupEnd ? kMaxTime : (call + 1)->start;
        const auto first = w;
        while (w != work.end() && w->id == c->id && (w->start < until || call + 1 == groupEnd)) ++w;
        const auto count = static_cast<std::uint32_t>(w - first);
        if (count == 0) continue;
        for (auto each = first; each != w; ++each) slot(*each) = eventOf(*call);
        if (count == 1) {
          slot(*call) = eventOf(*first);
        } else {
          slot(*call) = Trace::kMany | static_cast<std::uint32_t>(fans->size());
          fans->push_back(count);
          for (auto each = first; each != w; ++each) fans->push_back(eventOf(*each));
        }
      }
      c = groupEnd;
    }
  }

  trace.partners_.assign(partners.begin(), partners.end());
  trace.fans_ = std::move(fans);
  return reused;
}

}  // namespace lanescope::trace
