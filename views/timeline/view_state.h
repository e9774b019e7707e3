// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: the trace, the visible range, the selection, the current row and event, which rows are open and
// how high. The only truth of a report tab; every widget draws it and follows its signals. Times are ns, never pixels.
// GUI thread only.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/analysis/filter.h"
#include "model/analysis/find.h"
#include "model/trace/trace.h"
#include "model/wide.h"

namespace lanescope::views {

class ViewState : public QObject {
  Q_OBJECT

 public:
  explicit ViewState(QObject* parent = nullptr);

  const trace::TracePtr& trace() const { return trace_; }  ///< never null
  /// A later snapshot of the same report. Keeps what is looked at; the first one that has events fits all, and a view
  /// that was not moved since goes on to fit the growing trace.
  void setTrace(trace::TracePtr trace);

  // --- visible range -------------------------------------------------------------------------------------------
  trace::TimeRange visible() const { return visible_; }
  /// What of it lies inside the recording: figures are of that, for nothing is known of the margins.
  trace::TimeRange visibleRecorded() const;
  /// Clamped to at least kShortestView and to the trace with a margin either side. One gesture made of many calls
  /// (a wheel spin, a drag) passes `sameGesture` after its first call and makes one step of undo, also when that first
  /// call changed nothing.
  void setVisible(trace::TimeRange range, bool sameGesture = false);
  /// Zooms so that `anchor` stays at the same place; factor 0.5 shows half as much. Exact at every scale.
  void zoomAround(trace::Ns anchor, double factor, bool sameGesture = false);
  void panBy(trace::Ns delta, bool sameGesture = false);
  void fitAll();
  void zoomToSelection();  ///< else to the current event
  void zoomTo(trace::TimeRange range);  ///< with a margin of a tenth either side
  bool canUndoZoom() const { return !history_.empty(); }
  void undoZoom();

  static constexpr trace::Ns kShortestView = 10;

  // --- selection, current row and event ------------------------------------------------------------------------
  std::optional<trace::TimeRange> selection() const { return selection_; }
  void setSelection(std::optional<trace::TimeRange> range);
  std::optional<trace::EventRef> current() const { return current_; }
  void setCurrent(std::optional<trace::EventRef> event);
  std::uint32_t currentRow() const { return currentRow_; }  ///< kNone if none
  void setCurrentRow(std::uint32_t row);
  void revealRow(std::uint32_t row) { emit rowRevealed(row); }  ///< asks who shows the rows to scroll there
  /// Esc, one at a time: what was searched for, the chosen name, the selection, the current event, the selected rows.
  void clear();

  /// Rows that the selection is of, each with those below it; none means all. Ascending.
  const std::vector<std::uint32_t>& selectedRows() const { return selectedRows_; }
  bool isSelected(std::uint32_t row) const;
  /// Is of the selection: selected, or below a selected row, or no row is selected.
  bool isInSelection(std::uint32_t row) const;
  void setSelectedRows(std::vector<std::uint32_t> rows);
  void toggleSelectedRow(std::uint32_t row);

  /// A name chosen in a table: its events keep their colours, all others step back.
  std::optional<trace::NameId> chosenName() const { return chosenName_; }
  void setChosenName(std::optional<trace::NameId> name);  ///< Name::same

  // --- what was searched for ------------------------------------------------------------------------------------
  const std::shared_ptr<const analysis::Hits>& hits() const { return hits_; }  ///< null: nothing is searched for
  void setHits(std::shared_ptr<const analysis::Hits> hits);

  // --- what is left out -----------------------------------------------------------------------------------------
  const analysis::PassingPtr& passing() const { return passing_; }  ///< null: nothing is left out
  void setPassing(analysis::PassingPtr passing);
  /// A lane as the filter leaves it.
  trace::LaneView lane(trace::LaneId lane) const { return analysis::laneOf(*trace_, lane, passing_.get()); }
  /// False for rows of which the filter leaves nothing.
  bool isShown(std::uint32_t row) const { return !passing_ || passing_->trace() != trace_ || passing_->shows(row); }
  /// Figures of what is left out too: null while they count all.
  analysis::PassingPtr counted() const { return countsAll_ ? nullptr : passing_; }
  bool countsAll() const { return countsAll_; }
  void setCountsAll(bool all);

  // --- rows ----------------------------------------------------------------------------------------------------
  bool isExpanded(std::uint32_t row) const;
  void setExpanded(std::uint32_t row, bool expanded);
  void setAllExpanded(bool expanded);
  /// Factor on the height of one row (kept by key) and of all rows.
  double rowScale(std::uint32_t row) const;
  void setRowScale(std::uint32_t row, double scale);
  double allRowsScale() const { return allRowsScale_; }
  void setAllRowsScale(double scale);

 signals:
  void traceChanged();
  void visibleChanged();
  void selectionChanged();
  void currentChanged();
  void currentRowChanged();
  void selectedRowsChanged();
  void chosenNameChanged();
  void hitsChanged();
  void hitsDismissed();  ///< by the user
  void passingChanged();
  void countedChanged();  ///< other events are figured
  void rowRevealed(std::uint32_t row);
  void rowsChanged();  ///< expanded, collapsed or resized

 private:
  /// A range in 2^-kFineBits ns, so that zooming in and out again does not add up rounding.
  struct Fine {
    Wide begin = 0;
    Wide length = 1;
    bool operator==(const Fine&) const = default;
  };
  static constexpr int kFineBits = 44;
  static Fine fine(trace::TimeRange range);
  Fine clamped(Fine range) const;
  trace::TimeRange wholeTrace() const;
  void show(Fine range);  // without a step of undo
  void change(Fine range, bool sameGesture);  // with one a gesture

  trace::TracePtr trace_;
  trace::TimeRange visible_{0, 1'000'000};
  Fine fine_ = fine(visible_);
  std::vector<trace::TimeRange> history_;
  bool gestureHasStep_ = false;
  std::optional<trace::TimeRange> selection_;
  std::optional<trace::EventRef> current_;
  std::uint32_t currentRow_ = trace::kNone;
  std::vector<std::uint32_t> selectedRows_;
  std::optional<trace::NameId> chosenName_;
  std::shared_ptr<const analysis::Hits> hits_;
  analysis::PassingPtr passing_;
  bool countsAll_ = false;
  std::unordered_map<std::string, bool> expanded_;  // by row key, where it differs from Row::expanded
  std::unordered_map<std::string, double> rowScale_;
  double allRowsScale_ = 1;
};

}  // namespace lanescope::views
