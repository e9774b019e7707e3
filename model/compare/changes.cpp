// SPDX-License-Identifier: Apache-2.0
#include "model/compare/changes.h"

#include <algorithm>
#include <cmath>

namespace lanescope::compare {
namespace {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::LaneId;
using trace::NameId;
using trace::Ns;
using trace::Trace;

/// Events of compared kinds that have an end, lane by lane: visit(event, its twin or nothing).
template <class Visit>
void forEachEvent(const Trace& of, const Trace& other, const Alignment& alignment, const std::vector<EventId>& twins,
                  Visit visit) {
  trace::NearbyRefs refs(other);
  for (LaneId id = 0; id < of.lanes.size(); ++id) {
    const trace::LaneInfo& info = of.laneInfo[id];
    if (!of.lanes[id] || !alignment.compared[static_cast<std::size_t>(info.kind)]) continue;
    const trace::Lane& lane = *of.lanes[id];
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      if (!lane.unfinishedEvents().empty() && lane.unfinished(i)) continue;
      const EventId twin = info.firstEvent + i < twins.size() ? twins[info.firstEvent + i] : kNone;
      visit(EventRef{id, i}, twin == kNone ? std::optional<EventRef>() : refs.of(twin));
    }
  }
}

std::vector<Change> namesOf(const Trace& of, const Trace& other, const Alignment& alignment,
                            const std::vector<EventId>& twins, bool isA) {
  struct Ratio {
    NameId name;
    float ratio;  ///< its logarithm, B over A
    bool isMore;  ///< than kSameNs
  };
  std::vector<Ratio> ratios;
  std::vector<Change> changes(of.names->size(), Change::kNotCompared);
  forEachEvent(of, other, alignment, twins, [&](EventRef event, std::optional<EventRef> twin) {
    const NameId name = of.name(event);
    if (!twin) {
      if (changes[name] == Change::kNotCompared) changes[name] = Change::kOnlyHere;
      return;
    }
    const Ns here = of.time(event).length(), there = other.time(*twin).length();
    const Ns inA = isA ? here : there, inB = isA ? there : here;
    ratios.push_back({name, static_cast<float>(std::log(static_cast<double>(inB + 1) / static_cast<double>(inA + 1))),
                      std::abs(inB - inA) > kSameNs});
  });
  std::ranges::sort(
      ratios, [](const Ratio& x, const Ratio& y) { return std::pair(x.name, x.ratio) < std::pair(y.name, y.ratio); });
  for (std::size_t first = 0, next = 0; first < ratios.size(); first = next) {
    while (next < ratios.size() && ratios[next].name == ratios[first].name) ++next;
    const Ratio& middle = ratios[first + (next - first - 1) / 2];
    const bool isSame = !middle.isMore || std::abs(middle.ratio) < std::log(1.02F);
    changes[middle.name] = isSame ? Change::kSame : middle.ratio > 0 ? Change::kSlower : Change::kFaster;
  }
  return changes;
}

}  // namespace

NameChanges nameChanges(const Trace& a, const Trace& b, const Alignment& alignment) {
  return {namesOf(a, b, alignment, alignment.twinOfA, true), namesOf(b, a, alignment, alignment.twinOfB, false)};
}

std::vector<ChangedEvent> biggestChanges(const Trace& a, const Trace& b, const Alignment& alignment, std::size_t most) {
  std::vector<ChangedEvent> changes;
  const auto add = [&](EventKind kind, const ChangedEvent& changed) {
    if (kind != EventKind::kNvtxProjection) changes.push_back(changed);
  };
  forEachEvent(a, b, alignment, alignment.twinOfA, [&](EventRef event, std::optional<EventRef> twin) {
    const Ns inA = a.time(event).length();
    const EventKind kind = a.info(event).kind;
    if (!twin) return add(kind, {a.id(event), kNone, -inA, Change::kOnlyHere});
    const Ns inB = b.time(*twin).length();
    if (b.lanes[twin->lane]->unfinished(twin->index)) return;
    if (const Change change = changeOf(inA, inB); change != Change::kSame)
      add(kind, {a.id(event), b.id(*twin), inB - inA, change});
  });
  forEachEvent(b, a, alignment, alignment.twinOfB, [&](EventRef event, std::optional<EventRef> twin) {
    if (!twin) add(b.info(event).kind, {kNone, b.id(event), b.time(event).length(), Change::kOnlyHere});
  });
  const auto isBigger = [](const ChangedEvent& x, const ChangedEvent& y) {
    const Ns inX = std::abs(x.difference), inY = std::abs(y.difference);
    return inX != inY ? inX > inY : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  const auto end = changes.begin() + static_cast<std::ptrdiff_t>(std::min(most, changes.size()));
  std::partial_sort(changes.begin(), end, changes.end(), isBigger);
  changes.erase(end, changes.end());
  return changes;
}

std::vector<RowChange> rowChanges(const Trace& a, const Trace& b, const Alignment& alignment,
                                  std::span<const RowPair> pairs) {
  const auto lanesOf = [&](const Trace& of, const Trace& other, const std::vector<EventId>& twins, bool isA) {
    std::vector<RowChange> lanes(of.lanes.size());
    forEachEvent(of, other, alignment, twins, [&](EventRef event, std::optional<EventRef> twin) {
      RowChange& lane = lanes[event.lane];
      if (!twin) {
        ++(isA ? lane.onlyInA : lane.onlyInB);
        return;
      }
      const Ns here = of.time(event).length(), there = other.time(*twin).length();
      const Change change = isA ? changeOf(here, there) : changeOf(there, here);
      ++(change == Change::kSame ? lane.same : change == Change::kSlower ? lane.slower : lane.faster);
    });
    return lanes;
  };
  const std::vector<RowChange> inA = lanesOf(a, b, alignment.twinOfA, true),
                               inB = lanesOf(b, a, alignment.twinOfB, false);
  std::vector<RowChange> changes(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    RowChange& row = changes[i];
    const auto add = [&row](const RowChange& lane) {
      row.same += lane.same;
      row.slower += lane.slower;
      row.faster += lane.faster;
      row.onlyInA += lane.onlyInA;
      row.onlyInB += lane.onlyInB;
    };
    if (pairs[i].a != kNone)
      for (const LaneId lane : a.rows[pairs[i].a].lanes) add(inA[lane]);
    if (pairs[i].b != kNone)
      for (const LaneId lane : b.rows[pairs[i].b].lanes) {
        if (pairs[i].a == kNone) add(inB[lane]);
        else row.onlyInB += inB[lane].onlyInB;
      }
  }
  return changes;
}

}  // namespace lanescope::compare
