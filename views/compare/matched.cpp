// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/matched.h"

#include <algorithm>

namespace lanescope::views {
namespace {

using trace::EventId;
using trace::kNone;

Change changeOf(Side side, compare::Change change) {
  switch (change) {
    case compare::Change::kSame:
      return Change::kSame;
    case compare::Change::kSlower:
      return Change::kSlower;
    case compare::Change::kFaster:
      return Change::kFaster;
    case compare::Change::kOnlyHere:
      return side == kA ? Change::kOnlyA : Change::kOnlyB;
    case compare::Change::kNotCompared:
      break;
  }
  return Change::kNotCompared;
}

const std::vector<EventId>& twinsOf(const compare::Alignment& alignment, Side side) {
  return side == kA ? alignment.twinOfA : alignment.twinOfB;
}

/// Changes of events, and what names are called across.
void readEvents(Matched& matched, Side side) {
  const trace::Trace& trace = *matched.traces[side];
  const trace::Trace& other = *matched.traces[otherThan(side)];
  const compare::Alignment& alignment = matched.alignment;
  const std::vector<EventId>& twins = twinsOf(alignment, side);
  std::vector<trace::NameId>& names = matched.names[side];
  auto changes = std::make_shared<Changes>();
  changes->ofEvent.resize(twins.size(), Change::kNotCompared);
  names.assign(trace.names ? trace.names->size() : 0, kNone);
  trace::NearbyRefs there(other);
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    const EventId first = trace.laneInfo[lane].firstEvent;
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size() && first + i < twins.size(); ++i) {
      const trace::EventRef event{lane, i};
      changes->ofEvent[first + i] = changeOf(
          side, side == kA ? alignment.changeOfA(trace, other, event) : alignment.changeOfB(other, trace, event));
      if (twins[first + i] == kNone) continue;
      trace::NameId& across = names[(*trace.names)[trace.name(event)].same];
      if (across == kNone) across = (*other.names)[other.name(there.of(twins[first + i]))].same;
    }
  }
  matched.changes[side] = std::move(changes);
}

void readNames(Matched& matched) {
  const compare::NameChanges names = nameChanges(*matched.traces[kA], *matched.traces[kB], matched.alignment);
  for (const Side side : {kA, kB}) {
    auto changes = std::make_shared<Changes>(*matched.changes[side]);
    for (const compare::Change change : side == kA ? names.a : names.b)
      changes->ofName.push_back(changeOf(side, change));
    matched.changes[side] = std::move(changes);
  }
}

void readRows(Matched& matched) {
  const auto pairs = compare::matchRows(*matched.traces[kA], *matched.traces[kB]);
  const auto changes = rowChanges(*matched.traces[kA], *matched.traces[kB], matched.alignment, pairs);
  for (const Side side : {kA, kB}) {
    matched.rows[side].assign(matched.traces[side]->rows.size(), kNone);
    matched.differs[side].assign(matched.traces[side]->rows.size(), false);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b] = pairs[i];
    if (a != kNone) matched.rows[kA][a] = b, matched.differs[kA][a] = changes[i].differs();
    if (b != kNone) matched.rows[kB][b] = a, matched.differs[kB][b] = changes[i].differs();
  }
  for (const Side side : {kA, kB}) {
    const auto& rows = matched.traces[side]->rows;  // parents before children
    for (std::size_t row = rows.size(); row-- > 0;)
      if (matched.differs[side][row] && rows[row].parent != kNone) matched.differs[side][rows[row].parent] = true;
  }
}

}  // namespace

std::optional<trace::EventRef> Matched::twinOf(Side side, trace::EventRef event) const {
  const std::vector<EventId>& twins = twinsOf(alignment, side);
  const EventId id = traces[side]->id(event);
  if (id >= twins.size() || twins[id] == kNone) return std::nullopt;
  return traces[otherThan(side)]->ref(twins[id]);
}

std::optional<Matched> match(const PerSide<trace::TracePtr>& traces, const compare::AlignRequest& request,
                             const std::shared_ptr<const Matched>& before, const Job& job) {
  if (before && before->traces == traces) {
    Matched matched = *before;
    alignAgain(matched.alignment, *traces[kA], *traces[kB], request);
    return matched;
  }
  auto alignment = compare::align(traces[kA], traces[kB], request, job);
  if (!alignment) return std::nullopt;
  Matched matched;
  matched.traces = traces;
  matched.alignment = std::move(*alignment);
  for (const Side side : {kA, kB}) readEvents(matched, side);
  readNames(matched);
  readRows(matched);
  matched.biggest = biggestChanges(*traces[kA], *traces[kB], matched.alignment);
  if (job.cancelled()) return std::nullopt;
  return matched;
}

}  // namespace lanescope::views
