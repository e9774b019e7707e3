// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of one report: its conditions, and what passes them, which stands in the ViewState. Holds the filter
// against the trace away from the GUI thread, again when the trace grows; until then the picture shows what passed
// before. There is one a ViewState, of which it is a child, so each tab keeps its own. GUI thread only.
#pragma once

#include <QObject>

#include "model/analysis/filter.h"
#include "views/latest_job.h"
#include "views/timeline/view_state.h"

class QMenu;

namespace lanescope::views {

class Filtering : public QObject {
  Q_OBJECT

 public:
  /// The one of this view.
  static Filtering& of(ViewState& view);
  static const Filtering* find(const ViewState& view);  ///< null: nobody filtered it yet

  ViewState& view() const { return view_; }
  const analysis::Filter& filter() const { return filter_; }
  bool running() const { return job_.running(); }

  void add(analysis::Condition condition);  ///< nothing where it is among them
  void remove(std::size_t index);
  void setFilter(analysis::Filter filter);
  void clear() { setFilter({}); }
  /// Only what touches the selection, and that fills the view; nothing without a selection.
  void filterAndZoomIn();

  /// "Filter": show only, or hide, what `event` or `row` is; by the time of the selection; remove.
  void addMenu(QMenu& menu, std::optional<trace::EventRef> event, std::uint32_t row);

 signals:
  void filterChanged();  ///< conditions, by somebody
  void changed();  ///< conditions, what passes, or what is counted

 private:
  explicit Filtering(ViewState& view);
  void start();
  void restart();  // with other conditions

  ViewState& view_;
  analysis::Filter filter_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
