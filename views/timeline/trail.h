// SPDX-License-Identifier: GPL-3.0-or-later
// How the current event of a view was reached: along which correlation, so that one can go back and on from there, and by
// which moves in time, so that undoing one also brings back the event that was current. There is one a ViewState, of
// which it is a child; another snapshot of the trace begins anew. GUI thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "views/timeline/view_state.h"

namespace lanescope::views {

class Trail : public QObject {
  Q_OBJECT

 public:
  /// The one of this view.
  static Trail& of(ViewState& view);

  /// Makes an event current and shows a range. Where the one before is its partner, it was come from that.
  void goTo(trace::EventRef event, trace::TimeRange range);
  /// The event along whose correlations the current one was reached; none: in another way.
  std::optional<trace::EventRef> from() const;
  void setFrom(trace::EventRef from);

  /// Undoes a zoom of the view; if that brings it back to before a move of goTo(), the event of then is current again.
  void undoZoom();

 private:
  explicit Trail(ViewState& view);

  struct Followed {
    trace::EventRef from, to;
  };
  struct Move {
    trace::TimeRange before, after;
    std::optional<trace::EventRef> left;
  };
  ViewState& view_;
  std::optional<Followed> followed_;
  std::vector<Move> moves_;  // at most kMostMoves
};

}  // namespace lanescope::views
