// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/commands.h"

#include <algorithm>

#include "model/analysis/related.h"
#include "model/format.h"
#include "views/text.h"
#include "views/timeline/go_to.h"
#include "views/timeline/layout.h"
#include "views/timeline/longest_steps.h"
#include "views/timeline/marks.h"
#include "views/timeline/remarks.h"
#include "views/timeline/trail.h"

namespace lanescope::views {
namespace {

constexpr double kZoomStep = 0.7;  // of the visible time is left after a step in
constexpr double kRowStep = 1.25;

void zoom(ViewState& view, std::optional<trace::Ns> anchor, double factor, bool sameGesture) {
  const trace::TimeRange visible = view.visible();
  view.zoomAround(anchor.value_or(visible.begin + visible.length() / 2), factor, sameGesture);
}

/// Where the current event, at which a correlation ended, was one of several: to the next of them. False where it was not.
bool stepOn(ViewState& view, bool forward) {
  const auto from = Trail::of(view).from();
  if (!from) return false;
  const analysis::Related related(view.trace(), *from);
  std::vector<trace::EventRef> ends = related.ends();
  std::erase_if(ends, [&](trace::EventRef end) { return related.leadsTo(end) != forward || !view.isShown(end); });
  const auto here = std::ranges::find(ends, *view.current());
  if (here == ends.end() || ends.size() == 1) return false;
  if (here + 1 == ends.end()) {
    Remarks::of(view).say(
        ViewState::tr("This is the last of %1 that belong to %2")
            .arg(toQt(formatCount(ends.size())), toQt((*view.trace()->names)[view.trace()->name(*from)].label)));
    return true;
  }
  stepTo(view, here[1]);
  Trail::of(view).setFrom(*from);
  return true;
}

/// To an end of the current event's arrows, of those that it leads to or that lead to it where `forward` says which: the
/// one that was come from, else (whichever way) the rank that a collective waited for, else the first; says `nothing`
/// where none was recorded.
void follow(ViewState& view, std::optional<bool> forward, const QString& nothing) {
  Remarks& remarks = Remarks::of(view);
  if (!view.current()) return remarks.say(ViewState::tr("No event is current: click one first"));
  const trace::EventRef current = *view.current();
  const analysis::Related related(view.trace(), current);
  const auto goes = [&](trace::EventRef end) { return !forward || related.leadsTo(end) == *forward; };
  const auto goTo = [&](trace::EventRef end) {
    stepTo(view, end);
    Trail::of(view).setFrom(current);
  };
  if (const auto from = Trail::of(view).from(); from && goes(*from) && view.isShown(*from)) return goTo(*from);
  if (const auto last = related.awaited(); !forward && last && view.isShown(*last)) return goTo(*last);
  bool leftOut = false;
  for (const trace::EventRef end : related.ends()) {
    if (!goes(end)) continue;
    if (view.isShown(end)) return goTo(end);
    leftOut = true;
  }
  if (!leftOut && forward && stepOn(view, *forward)) return;
  remarks.say(leftOut ? ViewState::tr("The filter leaves out what belongs to this event") : nothing);
}

/// The lanes among which the next event of an event is looked for.
std::vector<trace::LaneId> neighbours(const trace::Trace& trace, std::uint32_t row, std::optional<trace::LaneId> lane) {
  std::vector<trace::LaneId> lanes = trace.rows[row].lanes;
  if (trace.rows[row].stacked) {
    const std::uint32_t depth = lane ? trace.laneInfo[*lane].depth : 0;
    std::erase_if(lanes, [&](trace::LaneId each) { return trace.laneInfo[each].depth != depth; });
  }
  return lanes;
}

}  // namespace

void zoomIn(ViewState& view, std::optional<trace::Ns> anchor, bool sameGesture) {
  zoom(view, anchor, kZoomStep, sameGesture);
}

void zoomOut(ViewState& view, std::optional<trace::Ns> anchor, bool sameGesture) {
  zoom(view, anchor, 1 / kZoomStep, sameGesture);
}

void fitGpuWork(ViewState& view) {
  const trace::Trace& trace = *view.trace();
  trace::TimeRange work;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace::isGpuWork(trace.laneInfo[lane].kind)) work = hull(work, trace.lanes[lane]->span());
  if (!work.empty()) view.zoomTo(work);
}

void tallerRows(ViewState& view) { view.setAllRowsScale(view.allRowsScale() * kRowStep); }

void lowerRows(ViewState& view) { view.setAllRowsScale(view.allRowsScale() / kRowStep); }

void stepEvent(ViewState& view, bool forward) {
  const trace::Trace& trace = *view.trace();
  const auto current = view.current();
  const std::uint32_t row = current ? rowOf(view, current->lane) : view.currentRow();
  if (row == trace::kNone) return;
  // In order of start, ties by lane: the place of an event is that pair.
  using Place = std::pair<trace::Ns, trace::LaneId>;
  std::optional<Place> best;
  std::uint32_t index = 0;
  const auto offer = [&](trace::LaneId lane, std::size_t i) {
    const Place place(trace.lanes[lane]->start(i), lane);
    if (best && (forward ? place >= *best : place <= *best)) return;
    best = place;
    index = static_cast<std::uint32_t>(i);
  };
  const trace::Ns from = current ? trace.time(*current).begin : forward ? view.visible().begin : view.visible().end;
  for (const trace::LaneId id : neighbours(trace, row, current ? std::optional(current->lane) : std::nullopt)) {
    const trace::LaneView lane = view.lane(id);
    const auto offerFrom = [&](std::size_t i) {
      if (!forward) {
        if (const auto before = lane.previous(i)) offer(id, *before);
      } else if (const std::size_t next = lane.next(i); next < lane->size()) {
        offer(id, next);
      }
    };
    if (current && id == current->lane) {
      offerFrom(forward ? current->index + std::size_t{1} : current->index);
      continue;
    }
    const bool after = !current || id > current->lane;  // events of this lane at that very start come after it
    offerFrom(lane->lowerBound(after ? from : from + 1));
  }
  if (!best) return;
  stepTo(view, trace::EventRef{best->second, index});
}

void jumpToPartner(ViewState& view) { follow(view, {}, ViewState::tr("Nothing recorded is tied to this event")); }

void followCorrelation(ViewState& view, bool forward) {
  follow(view, forward,
         forward ? ViewState::tr("Nothing recorded came of this event")
                 : ViewState::tr("Nothing recorded led to this event"));
}

void stepLongest(ViewState& view, bool forward) { LongestSteps::of(view).step(forward); }

void stepActivity(ViewState& view, bool forward) {
  const trace::Trace& trace = *view.trace();
  const trace::TimeRange visible = view.visible();
  std::vector<trace::LaneId> lanes;
  if (view.currentRow() != trace::kNone) lanes = trace.rows[view.currentRow()].lanes;
  if (lanes.empty())
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      if (!trace::isBackground(trace.laneInfo[lane].kind)) lanes.push_back(lane);
  std::optional<trace::Ns> next;
  for (const trace::LaneId id : lanes) {
    const trace::LaneView lane = view.lane(id);
    if (forward) {
      const std::size_t i = lane.next(lane->firstTouching(visible.end));
      if (i < lane->size()) next = std::min(next.value_or(trace::kMaxTime), std::max(lane->start(i), visible.end));
    } else if (const auto i = lane.previous(lane->lowerBound(visible.begin))) {
      next = std::max(next.value_or(trace::kMinTime), std::min(lane->end(*i), visible.begin));
    }
  }
  if (!next) return;
  const trace::Ns length = visible.length(), air = length / 10;
  const trace::Ns begin = forward ? *next - air : *next + air - length;
  view.setVisible({begin, begin + length});
}

// --- marks -------------------------------------------------------------------------------------------------------------

namespace {

trace::Ns placeOfMark(const ViewState& view) {
  if (view.pointerTime()) return *view.pointerTime();
  if (view.current()) return view.trace()->time(*view.current()).begin;
  return view.visible().begin + view.visible().length() / 2;
}

}  // namespace

void addMark(ViewState& view) {
  const trace::Ns time = placeOfMark(view);
  view.marks().add({{time, time}, {}, {}});
}

void markSelection(ViewState& view) {
  if (view.selection()) view.marks().add({*view.selection(), {}, {}});
  else if (view.current()) view.marks().add({view.trace()->time(*view.current()), {}, {}});
}

void goToMark(ViewState& view, std::size_t index) {
  if (index >= view.marks().all().size()) return;
  const trace::TimeRange time = view.marks().all()[index].time;
  const trace::Ns length = view.visible().length();
  if (time.length() >= length) view.zoomTo(time);
  else {
    const trace::Ns begin = time.begin + time.length() / 2 - length / 2;
    view.setVisible({begin, begin + length});
  }
  if (!time.empty()) view.setSelection(time);
  view.marks().setCurrent(index);
}

void stepMark(ViewState& view, bool forward) {
  const auto& marks = view.marks().all();
  const auto current = view.marks().current();
  // From the mark that was gone to, while it is in sight: near an end of the trace it is not in the middle.
  if (current && view.visible().contains(marks[*current].time.begin)) {
    if (forward ? *current + 1 < marks.size() : *current > 0) goToMark(view, forward ? *current + 1 : *current - 1);
    return;
  }
  const auto index = view.marks().next(view.visible().begin + view.visible().length() / 2, forward);
  if (index) goToMark(view, *index);
}

void measureHere(ViewState& view) {
  const trace::Ns time = placeOfMark(view);
  if (const auto& measure = view.measure(); measure && !measure->to)
    return view.setMeasure(Measure{measure->row, measure->from, time});
  view.setMeasure(Measure{view.currentRow(), time, std::nullopt});
}

QString measureText(const ViewState& view) {
  const auto& measure = view.measure();
  if (!measure) return {};
  const trace::Trace& trace = *view.trace();
  const trace::TimeRange range = measure->range();
  if (!measure->to) return ViewState::tr("from %1").arg(toQt(formatExact(range.begin)));
  QString text = toQt(formatExact(range.length()));
  if (measure->row == trace::kNone) return text;
  std::uint64_t count = 0;
  for (const trace::LaneId lane : trace.rows[measure->row].lanes)
    count +=
        view.lane(lane).countOf(trace.lanes[lane]->lowerBound(range.begin), trace.lanes[lane]->lowerBound(range.end));
  if (trace.rows[measure->row].lanes.empty()) return text;
  return text +
         (count == 1 ? ViewState::tr(" · 1 event starts") : ViewState::tr(" · %1 events start").arg(numberText(count)));
}

void showPlace(ViewState& view, trace::TimeRange place) {
  if (place.empty()) {
    const trace::Ns width = view.visible().length(), begin = place.begin - width / 2;
    return view.setVisible({begin, begin + width});
  }
  view.setSelection(place);
  view.zoomTo(place);
}

void selectCurrent(ViewState& view) {
  if (view.current()) view.setSelection(view.trace()->time(*view.current()));
}

void stepRow(ViewState& view, int steps) {
  const auto layout = view.layout();
  const auto boxes = layout->boxes();
  if (boxes.empty()) return;
  const int last = static_cast<int>(boxes.size()) - 1;
  const int now = layout->boxOf(view.currentRow());
  const int next = now < 0 ? (steps > 0 ? 0 : last) : std::clamp(now + steps, 0, last);
  view.setCurrentRow(boxes[static_cast<std::size_t>(next)].row);
  view.revealRow(view.currentRow());
}

}  // namespace lanescope::views
