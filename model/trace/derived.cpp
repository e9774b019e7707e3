// SPDX-License-Identifier: Apache-2.0
#include "model/trace/derived.h"

#include <algorithm>
#include <tuple>

namespace lanescope::trace {

TracePtr withRows(const TracePtr& trace, const std::vector<DerivedRow>& rows) {
  auto more = std::make_shared<Trace>(*trace);
  const auto names = std::const_pointer_cast<NameTable>(trace->names);
  for (const DerivedRow& derived : rows) {
    const std::uint64_t first =
        more->lanes.empty() ? 0 : more->laneInfo.back().firstEvent + std::uint64_t{more->lanes.back()->size()};
    if (derived.events.empty() || derived.parents.empty() || first + derived.events.size() >= Trace::kMany) continue;
    std::vector<Event> events;
    auto partners = std::make_shared<std::vector<std::uint32_t>>();
    for (const DerivedEvent& each : derived.events) {
      events.push_back({.start = each.time.begin,
                        .end = each.time.end,
                        .name = names->intern(each.name),
                        .sourceRow = each.blames ? 1U : 0U});
      partners->push_back(each.about ? more->id(*each.about) : kNone);
    }
    const auto lane = static_cast<LaneId>(more->lanes.size());
    LaneInfo info = derived.info;
    info.table = 0xFFFF;
    info.firstEvent = static_cast<EventId>(first);
    more->laneInfo.push_back(info);
    more->lanes.push_back(std::make_shared<const Lane>(events, false));
    more->partners_.resize(more->lanes.size());
    more->partners_.back() = std::move(partners);
    const auto busy = std::make_shared<const BusyUnion>(std::vector{more->lanes.back()});
    for (const std::uint32_t parent : derived.parents) {
      Row row;
      row.kind = derived.kind;
      row.key = more->rows[parent].key + "/" + derived.label;
      row.label = derived.label;
      row.parent = parent;
      row.depth = static_cast<std::uint16_t>(more->rows[parent].depth + 1);
      row.lanes = {lane};
      row.busy = busy;
      auto& children = more->rows[parent].children;
      children.insert(children.begin(), static_cast<std::uint32_t>(more->rows.size()));
      more->rows.push_back(std::move(row));
    }
  }
  return more;
}

TracePtr withLinks(const TracePtr& trace, std::span<const std::pair<EventId, EventId>> pairs) {
  if (pairs.empty()) return trace;
  NearbyRefs refs(*trace);
  using Link = std::tuple<EventId, Ns, EventId, bool>;  // from, start of the other, the other, whether it leads there
  std::vector<Link> all;
  const auto add = [&](EventId from, EventId to, bool leads) {
    all.emplace_back(from, trace->time(refs.of(to)).begin, to, leads);
  };
  auto links = std::make_shared<Trace::Links>();
  if (trace->links_) {
    links->recordedOn = trace->links_->recordedOn;
    for (std::size_t i = 0; i < trace->links_->from.size(); ++i)
      add(trace->links_->from[i], trace->links_->to[i], trace->links_->leads[i]);
  }
  for (const auto& [a, b] : pairs) add(a, b, true), add(b, a, false);
  std::ranges::sort(all);
  const auto ends = [](const Link& link) { return std::pair(std::get<0>(link), std::get<2>(link)); };
  const auto repeated = std::ranges::unique(all, {}, ends);
  all.erase(repeated.begin(), repeated.end());
  for (const auto& [from, start, to, leads] : all)
    links->from.push_back(from), links->to.push_back(to), links->leads.push_back(leads);
  auto more = std::make_shared<Trace>(*trace);
  more->links_ = std::move(links);
  return more;
}

}  // namespace lanescope::trace
