// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/linked_views.h"

#include <QScopedValueRollback>
#include <algorithm>

#include "model/format.h"
#include "views/text.h"
#include "views/timeline/go_to.h"
#include "views/timeline/remarks.h"

namespace lanescope::views {
namespace {

using trace::kNone;
using trace::Ns;
using trace::TimeRange;

constexpr Ns kSmallPart = 50;  // of the view: an event is too short to be seen well

QString lengthText(Ns ns) { return toQt(formatDuration(ns, 3)); }

}  // namespace

template <class Act>
void LinkedViews::lead(Side side, Act act) {
  if (!linked_ || following_) return;
  const QScopedValueRollback guard(following_, true);
  leader_ = side;
  act(*views_[side], *views_[otherThan(side)]);
}

LinkedViews::LinkedViews(ViewState& a, ViewState& b, QObject* parent) : QObject(parent), views_{&a, &b} {
  for (const Side side : {kA, kB}) {
    ViewState* view = views_[side];
    const auto pass = [this, side](auto act) { return [this, side, act] { lead(side, act); }; };
    connect(view, &ViewState::visibleChanged, this, [this, side] {
      if (arriving_ == side) return followAll(otherThan(side));
      lead(side, [this](const ViewState& from, ViewState& to) { showTime(from, to); });
    });
    connect(view, &ViewState::pointerTimeChanged, this, [this, side] { passPointer(side); });
    connect(view, &ViewState::selectionChanged, this, pass([this](const ViewState& from, ViewState& to) {
              const auto range = from.selection();
              if (!range) return to.setSelection(std::nullopt);
              const Ns begin = toOther(sideOf(from), range->begin), end = toOther(sideOf(from), range->end);
              to.setSelection(TimeRange{begin, std::max(end, begin + 1)});
            }));
    connect(view, &ViewState::currentChanged, this,
            pass([this](const ViewState& from, ViewState& to) { passCurrent(from, to); }));
    connect(view, &ViewState::currentRowChanged, this, pass([this](const ViewState& from, ViewState& to) {
              if (const std::uint32_t row = rowAcross(sideOf(from), from.currentRow()); row != kNone)
                to.setCurrentRow(row);
            }));
    connect(view, &ViewState::selectedRowsChanged, this, pass([this](const ViewState& from, ViewState& to) {
              std::vector<std::uint32_t> rows;
              for (const std::uint32_t row : from.selectedRows()) rows.push_back(rowAcross(sideOf(from), row));
              std::erase(rows, kNone);
              to.setSelectedRows(std::move(rows));
            }));
    connect(view, &ViewState::chosenNameChanged, this, pass([this](const ViewState& from, ViewState& to) {
              const auto name = from.chosenName();
              to.setChosenName(name ? nameAcross(sideOf(from), *name) : std::nullopt);
            }));
    connect(view, &ViewState::colourByChanged, this,
            pass([](const ViewState& from, ViewState& to) { to.setColourBy(from.colourBy()); }));
    connect(view, &ViewState::rowsChanged, this,
            pass([this](const ViewState& from, ViewState& to) { passRows(from, to); }));
    connect(view, &ViewState::traceChanged, this, [this, side] { traceChanged(side); });
    hasTrace_[side] = !view->trace()->range.empty();
  }
  updateReach();
}

// --- what is known -------------------------------------------------------------------------------------------------

bool LinkedViews::knows() const {
  return matched_ && matched_->traces[kA] == views_[kA]->trace() && matched_->traces[kB] == views_[kB]->trace();
}

Ns LinkedViews::toOther(Side from, Ns time) const {
  if (knows()) return matched_->toOther(from, time);
  return time - views_[from]->trace()->range.begin + views_[otherThan(from)]->trace()->range.begin;
}

std::optional<trace::EventRef> LinkedViews::twinOf(Side side, trace::EventRef event) const {
  return knows() ? matched_->twinOf(side, event) : std::nullopt;
}

std::uint32_t LinkedViews::rowAcross(Side side, std::uint32_t row) const {
  return knows() && row < matched_->rows[side].size() ? matched_->rows[side][row] : kNone;
}

std::optional<trace::NameId> LinkedViews::nameAcross(Side side, trace::NameId name) const {
  if (!knows() || name >= matched_->names[side].size()) return std::nullopt;
  const trace::NameId across = matched_->names[side][(*views_[side]->trace()->names)[name].same];
  return across == kNone ? std::nullopt : std::optional(across);
}

void LinkedViews::setMatched(std::shared_ptr<const Matched> matched) {
  matched_ = std::move(matched);
  step_.reset();
  const bool known = knows();
  for (const Side side : {kA, kB}) views_[side]->setChanges(known ? matched_->changes[side] : nullptr);
  updateReach();
  followAll(leader_);
  emit matchedChanged();
}

void LinkedViews::traceChanged(Side side) {
  if (!hasTrace_[side] && !views_[side]->trace()->range.empty()) {
    hasTrace_[side] = true;
    if (hasTrace_[otherThan(side)]) {
      arriving_ = side;  // as long as setTrace() goes on
      leader_ = otherThan(side);
      QMetaObject::invokeMethod(this, [this] { arriving_.reset(); }, Qt::QueuedConnection);
    }
  }
  if (matched_ && !knows()) {
    matched_.reset();
    step_.reset();
    for (ViewState* view : views_) view->setChanges(nullptr);
    emit matchedChanged();
  }
  updateReach();
  followAll(leader_);
}

/// Either can be looked at as far as what goes with it on the other side, and fits as much as both need.
void LinkedViews::updateReach() {
  const QScopedValueRollback guard(following_, true);
  const TimeRange a = views_[kA]->trace()->range, b = views_[kB]->trace()->range;
  if (!linked_ || a.empty() || b.empty()) {
    for (ViewState* view : views_) view->setReach(std::nullopt);
    return;
  }
  const TimeRange both = trace::hull(a, {toOther(kB, b.begin), toOther(kB, b.end)});
  const Ns length = std::max({both.length(), b.length(), toOther(kA, both.end) - toOther(kA, both.begin)});
  const Ns half = length / 2 + std::max<Ns>(length / 50, 500), middle = both.begin + both.length() / 2;
  const Ns shift = toOther(kA, middle) - middle;
  Ns least = shift, most = shift;
  if (knows())
    for (const compare::Moment& moment : matched_->alignment.map.moments()) {
      least = std::min(least, moment.b - moment.a);
      most = std::max(most, moment.b - moment.a);
    }
  const TimeRange whole{middle - half, middle + half}, across{whole.begin + shift, whole.end + shift};
  views_[kA]->setReach(ViewState::Reach{trace::hull(whole, {b.begin - most, b.end - least}), whole});
  views_[kB]->setReach(ViewState::Reach{trace::hull(across, {a.begin + least, a.end + most}), across});
}

// --- going along ---------------------------------------------------------------------------------------------------

void LinkedViews::setLinked(bool linked) {
  if (linked == linked_) return;
  linked_ = linked;
  updateReach();
  if (linked) followAll(leader_);
  else
    for (ViewState* view : views_) view->setGuide(std::nullopt);
  emit linkedChanged();
}

void LinkedViews::setWidths(const PerSide<int>& widths) {
  widths_ = {std::max(widths[kA], 1), std::max(widths[kB], 1)};
  lead(leader_, [this](const ViewState& from, ViewState& to) { showTime(from, to); });
}

void LinkedViews::followAll(Side side) {
  lead(side, [this](const ViewState& from, ViewState& to) {
    passRows(from, to);
    showTime(from, to);
  });
}

void LinkedViews::showTime(const ViewState& from, ViewState& to, std::optional<Ns> shift) {
  const TimeRange range = from.visible();
  const bool isGuided = from.guide() && range.contains(*from.guide());  // by the pointer over the other one
  const Ns focus = from.pointerTime().value_or(isGuided ? *from.guide() : range.begin + range.length() / 2);
  if (!shift) shift = shiftOfCurrent(from, to);
  const Ns by = shift.value_or(toOther(sideOf(from), focus) - focus);
  const int mine = widths_[sideOf(from)], theirs = widths_[sideOf(to)];
  const Ns length =
      mine == theirs ? range.length() : static_cast<Ns>(static_cast<Wide>(range.length()) * theirs / mine);
  // Of canvases of unequal width the middles correspond.
  const Ns begin = range.begin + by - (length - range.length()) / 2;
  to.follow({begin, begin + std::max<Ns>(length, 1)}, from);
}

/// Aligned by the work, the current event stands above its twin as long as it is seen: near it more than one thing may
/// correspond to a time, where copies and kernels lie otherwise beside each other.
std::optional<Ns> LinkedViews::shiftOfCurrent(const ViewState& from, const ViewState& to) const {
  if (!knows() || matched_->alignment.by != compare::AlignBy::kWork || !from.current()) return std::nullopt;
  const TimeRange time = from.trace()->time(*from.current());
  const auto twin = twinOf(sideOf(from), *from.current());
  if (!twin || !from.visible().touches(time.begin, time.end)) return std::nullopt;
  return to.trace()->time(*twin).begin - time.begin;
}

/// The other view goes along with the pointer too, so that what is pointed at stands above what it corresponds to.
void LinkedViews::passPointer(Side side) {
  const auto time = views_[side]->pointerTime();
  if (time) {
    lead(side, [&](ViewState& from, ViewState& to) {
      from.setGuide(time);
      to.setGuide(toOther(side, *time));
      showTime(from, to);
    });
  } else if (linked_ && !following_ && !views_[otherThan(side)]->pointerTime()) {
    for (ViewState* view : views_) view->setGuide(std::nullopt);
  }
}

void LinkedViews::passCurrent(const ViewState& from, ViewState& to) {
  const auto event = from.current();
  const auto twin = event ? twinOf(sideOf(from), *event) : std::nullopt;
  to.setCurrent(twin);
  if (!twin) return;
  const TimeRange time = from.trace()->time(*event), there = to.trace()->time(*twin);
  const bool seen = there.begin < to.visible().end && std::max(there.end, there.begin + 1) > to.visible().begin;
  const bool here = time.begin < from.visible().end && std::max(time.end, time.begin + 1) > from.visible().begin;
  // By another alignment than that of the work it may lie far away: until the next move the two stand above each other.
  if (!seen && here) showTime(from, to, there.begin - time.begin);
  revealEvent(to, *twin);
}

void LinkedViews::passRows(const ViewState& from, ViewState& to) {
  if (!knows()) return;
  const Side side = sideOf(from);
  std::unordered_map<std::string, bool> expanded = to.expandedByKey();
  std::unordered_map<std::string, double> scales = to.scalesByKey();
  bool differs = false;
  for (std::uint32_t row = 0; row < from.trace()->rows.size(); ++row) {
    const std::uint32_t across = rowAcross(side, row);
    if (across == kNone) continue;
    const std::string& key = to.trace()->rows[across].key;
    if (from.isExpanded(row) != to.isExpanded(across)) expanded[key] = from.isExpanded(row), differs = true;
    if (from.rowScale(row) != to.rowScale(across)) scales[key] = from.rowScale(row), differs = true;
  }
  if (differs) to.setByKey(std::move(expanded), std::move(scales));
  to.setAllRowsScale(from.allRowsScale());
  passArrangement(from, to);
}

/// Rows that only the other side has stay pinned, hidden and where they are.
void LinkedViews::passArrangement(const ViewState& from, ViewState& to) {
  const Side side = sideOf(from);
  const auto keyAcross = [&](const std::string& key) -> const std::string* {
    const std::uint32_t row = from.rowWithKey(key);
    const std::uint32_t across = row == kNone ? kNone : rowAcross(side, row);
    return across == kNone ? nullptr : &to.trace()->rows[across].key;
  };
  const auto isItsOwn = [&](const std::string& key) {
    const std::uint32_t row = to.rowWithKey(key);
    return row == kNone || rowAcross(sideOf(to), row) == kNone;
  };
  const RowArrangement& has = to.arrangement();
  RowArrangement gets;
  for (const std::string& key : from.arrangement().pinned)
    if (const std::string* across = keyAcross(key)) gets.pinned.push_back(*across);
  std::ranges::copy_if(has.pinned, std::back_inserter(gets.pinned), isItsOwn);
  for (const std::string& key : from.arrangement().hidden)
    if (const std::string* across = keyAcross(key)) gets.hidden.insert(*across);
  std::ranges::copy_if(has.hidden, std::inserter(gets.hidden, gets.hidden.end()), isItsOwn);
  for (const auto& [parent, keys] : from.arrangement().order) {
    const std::string* across = parent.empty() ? &parent : keyAcross(parent);
    if (!across) continue;
    std::vector<std::string>& order = gets.order[*across];
    for (const std::string& key : keys)
      if (const std::string* child = keyAcross(key)) order.push_back(*child);
  }
  to.setArrangement(std::move(gets));
}

void LinkedViews::setOnlyDiffering(bool only) {
  if (only == onlyDiffering() || (only && !knows())) return;
  const QScopedValueRollback guard(following_, true);
  if (only) arranged_ = {views_[kA]->arrangement(), views_[kB]->arrangement()};
  for (const Side side : {kA, kB}) {
    RowArrangement rows = (*arranged_)[side];
    const auto& all = views_[side]->trace()->rows;
    for (std::size_t row = 0; only && row < all.size(); ++row)
      if (!matched_->differs[side][row]) rows.hidden.insert(all[row].key);
    views_[side]->setArrangement(std::move(rows));
  }
  if (!only) arranged_.reset();
}

// --- what changed most ---------------------------------------------------------------------------------------------

void LinkedViews::stepChange(bool forward) {
  ViewState& asked = *views_[leader_];
  if (!knows()) return Remarks::of(asked).say(tr("The two reports are still being compared"));
  const auto& biggest = matched_->biggest;
  if (biggest.empty()) return Remarks::of(asked).say(tr("No event changed"));
  const std::size_t count = biggest.size();
  step_ = step_ ? (*step_ + (forward ? 1 : count - 1)) % count : forward ? 0 : count - 1;
  const compare::ChangedEvent& changed = biggest[*step_];
  const Side side = changed.a == kNone ? kB : kA;
  ViewState& view = *views_[side];
  const trace::Trace& trace = *view.trace();
  const trace::EventRef event = trace.ref(side == kA ? changed.a : changed.b);
  goToEvent(view, event);
  const TimeRange time = trace.time(event);
  const auto twin = twinOf(side, event);
  const Ns longest = std::max(time.length(), twin ? views_[otherThan(side)]->trace()->time(*twin).length() : 0);
  if (longest < view.visible().length() / kSmallPart || longest > view.visible().length())
    view.setVisible({time.begin - longest - 1, time.begin + 2 * longest + 1});
  const QString name = toQt((*trace.names)[trace.name(event)].label, 80);
  const QString change = !twin ? (side == kA ? tr("only in A, %1") : tr("only in B, %1")).arg(lengthText(time.length()))
                         : changed.difference > 0 ? tr("%1 longer").arg(lengthText(changed.difference))
                                                  : tr("%1 shorter").arg(lengthText(-changed.difference));
  Remarks::of(view).say(tr("%1 of %2 changes, biggest first: %3, %4").arg(*step_ + 1).arg(count).arg(name, change));
  emit stepped(side);
}

}  // namespace lanescope::views
