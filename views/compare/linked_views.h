// SPDX-License-Identifier: GPL-3.0-or-later
// Two views of compared reports that go along with each other: whichever is moved, zoomed or selected in leads, and the
// other shows what goes with it. Both show the same length of time, so that durations can be compared by eye, and are
// shifted so that the current event stands above its twin while it is seen, else what is under the pointer or in the middle
// above what it corresponds to. Only the leader is
// ever computed from: it is exact, and nothing adds up. Unlinked they are free; what is known of twins stays known.
// GUI thread only.
#pragma once

#include "views/compare/matched.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

class LinkedViews : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive this.
  LinkedViews(ViewState& a, ViewState& b, QObject* parent = nullptr);

  ViewState& view(Side side) { return *views_[side]; }
  bool linked() const { return linked_; }
  void setLinked(bool linked);

  /// What is known of the two traces that are shown; null, and until it is known: their begins stand above each other.
  void setMatched(std::shared_ptr<const Matched> matched);
  const std::shared_ptr<const Matched>& matched() const { return matched_; }
  bool knows() const;  ///< that is of what is shown now

  /// Hides rows in which nothing changed, or brings the rows back as they were.
  void setOnlyDiffering(bool only);
  bool onlyDiffering() const { return arranged_.has_value(); }

  /// How wide the canvases are, so that a pixel is as long on both.
  void setWidths(const PerSide<int>& widths);

  Side leader() const { return leader_; }
  trace::Ns toOther(Side from, trace::Ns time) const;
  std::optional<trace::EventRef> twinOf(Side side, trace::EventRef event) const;
  std::uint32_t rowAcross(Side side, std::uint32_t row) const;  ///< kNone: the other side has none
  std::optional<trace::NameId> nameAcross(Side side, trace::NameId name) const;

  /// Goes to the next or the one before of the events that changed most, on the side that has it; says which it is.
  void stepChange(bool forward);

 signals:
  void linkedChanged();
  void matchedChanged();
  void stepped(lanescope::views::Side side);  ///< to a changed event there

 private:
  /// Runs `act(from, to)` unless that is what another such call brought about.
  template <class Act>
  void lead(Side side, Act act);
  void followAll(Side side);
  void showTime(const ViewState& from, ViewState& to, std::optional<trace::Ns> shift = {});
  std::optional<trace::Ns> shiftOfCurrent(const ViewState& from, const ViewState& to) const;
  void passPointer(Side side);
  void passCurrent(const ViewState& from, ViewState& to);
  void passRows(const ViewState& from, ViewState& to);
  void passArrangement(const ViewState& from, ViewState& to);
  void traceChanged(Side side);
  void updateReach();
  Side sideOf(const ViewState& view) const { return &view == views_[kA] ? kA : kB; }

  PerSide<ViewState*> views_;
  PerSide<int> widths_{1, 1};
  std::shared_ptr<const Matched> matched_;
  bool linked_ = true, following_ = false;
  Side leader_ = kA;
  PerSide<bool> hasTrace_{};
  std::optional<Side> arriving_;  // whose first trace comes just now: it goes along with what is looked at
  std::optional<PerSide<RowArrangement>> arranged_;  // while only rows that differ are shown: as it was
  std::optional<std::size_t> step_;  // in Matched::biggest
};

}  // namespace lanescope::views
