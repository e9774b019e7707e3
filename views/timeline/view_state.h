// SPDX-License-Identifier: GPL-3.0-or-later
// What is looked at: the trace, the visible range, the selection, the current row and event, which rows are open and
// how high. The only truth of a report tab; every widget draws it and follows its signals. Times are ns, never pixels.
// GUI thread only.
#pragma once

#include <QObject>
#include <QSet>
#include <QString>
#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/analysis/filter.h"
#include "model/analysis/find.h"
#include "model/trace/trace.h"
#include "model/wide.h"
#include "views/palette.h"
#include "views/timeline/row_arrangement.h"

namespace lanescope::views {

class Layout;
class Marks;

/// Two points between which somebody measures; the second may lie before the first.
struct Measure {
  std::uint32_t row = trace::kNone;  ///< whose events are counted
  trace::Ns from = 0;
  std::optional<trace::Ns> to;       ///< none: the second point is still to come
  trace::TimeRange range() const { return {std::min(from, to.value_or(from)), std::max(from, to.value_or(from))}; }
  bool operator==(const Measure&) const = default;
};

/// Levels of lanes that stand below each other in a row; 0 where it has none.
int levelsOf(const trace::Trace& trace, const trace::Row& row);

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
  void zoomTo(trace::TimeRange range);  ///< with a margin of a tenth either side; an instant is centred as it is
  bool canUndoZoom() const { return !history_.empty(); }
  void undoZoom();

  /// Times that may be looked at though this report has nothing there, and what all of it is to show: of a report that is
  /// compared with another. None: its own.
  struct Reach {
    trace::TimeRange bounds, whole;
    bool operator==(const Reach&) const = default;
  };
  void setReach(std::optional<Reach> reach);
  /// Shows what goes with what another view shows, wherever that lies, and has as many steps of undo as that one.
  void follow(trace::TimeRange range, const ViewState& leader);

  static constexpr trace::Ns kShortestView = 10;

  // --- selection, current row and event ------------------------------------------------------------------------
  std::optional<trace::TimeRange> selection() const { return selection_; }
  void setSelection(std::optional<trace::TimeRange> range);
  std::optional<trace::EventRef> current() const { return current_; }
  void setCurrent(std::optional<trace::EventRef> event);
  std::uint32_t currentRow() const { return currentRow_; }  ///< kNone if none
  void setCurrentRow(std::uint32_t row);
  void revealRow(std::uint32_t row) { emit rowRevealed(row); }  ///< asks who shows the rows to scroll there
  /// Esc, one at a time: what was searched for, the chosen name, what is measured, the selection, the current event, the selected rows.
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

  Marks& marks() { return *marks_; }
  const Marks& marks() const { return *marks_; }
  const std::optional<Measure>& measure() const { return measure_; }
  void setMeasure(std::optional<Measure> measure);
  /// The time under the pointer, while it is over the timeline: where a key puts a mark.
  std::optional<trace::Ns> pointerTime() const { return pointerTime_; }
  void setPointerTime(std::optional<trace::Ns> time);
  /// A time with a line through all rows: where the pointer is, here or in a view that goes along with this one.
  std::optional<trace::Ns> guide() const { return guide_; }
  void setGuide(std::optional<trace::Ns> time);

  // --- what was searched for ------------------------------------------------------------------------------------
  const std::shared_ptr<const analysis::Hits>& hits() const { return hits_; }  ///< null: nothing is searched for
  void setHits(std::shared_ptr<const analysis::Hits> hits);

  // --- what is left out -----------------------------------------------------------------------------------------
  const analysis::PassingPtr& passing() const { return passing_; }  ///< null: nothing is left out
  void setPassing(analysis::PassingPtr passing);
  /// A lane as the filter leaves it.
  trace::LaneView lane(trace::LaneId lane) const { return analysis::laneOf(*trace_, lane, passing_.get()); }
  /// What does not pass is drawn dimmed, instead of not at all; figures and steps are the same either way.
  bool dimsRest() const { return dimsRest_; }
  void setDimsRest(bool dims);
  /// False for rows of which the filter leaves nothing to see.
  bool isShown(std::uint32_t row) const {
    return dimsRest_ || !passing_ || passing_->trace() != trace_ || passing_->shows(row);
  }
  bool isShown(trace::EventRef event) const { return dimsRest_ || !passing_ || passing_->passes(event); }
  /// Figures of what is left out too: null while they count all.
  analysis::PassingPtr counted() const { return countsAll_ ? nullptr : passing_; }
  bool countsAll() const { return countsAll_; }
  void setCountsAll(bool all);

  /// What colours of this report go by; none was chosen: as everywhere.
  std::optional<Colouring::By> colourBy() const { return colourBy_; }
  void setColourBy(std::optional<Colouring::By> by);

  /// How its events differ from those of the report it is compared with; null: it is compared with none. Of this trace.
  const std::shared_ptr<const Changes>& changes() const { return changes_; }
  void setChanges(std::shared_ptr<const Changes> changes);

  // --- rows ----------------------------------------------------------------------------------------------------
  bool isExpanded(std::uint32_t row) const;
  void setExpanded(std::uint32_t row, bool expanded);
  void setAllExpanded(bool expanded);
  void setExpandedBelow(std::uint32_t row, bool expanded);  ///< the row and all below it
  const RowArrangement& arrangement() const { return arrangement_; }
  void setArrangement(RowArrangement arrangement);
  std::uint32_t rowWithKey(std::string_view key) const;  ///< kNone if there is none (yet)
  /// Factor on the height of one row (kept by key) and of all rows.
  double rowScale(std::uint32_t row) const;
  void setRowScale(std::uint32_t row, double scale);
  double allRowsScale() const { return allRowsScale_; }
  /// Rows that somebody opened, closed or resized, by key, there or not; set together.
  const std::unordered_map<std::string, bool>& expandedByKey() const { return expanded_; }
  const std::unordered_map<std::string, double>& scalesByKey() const { return rowScale_; }
  void setByKey(std::unordered_map<std::string, bool> expanded, std::unordered_map<std::string, double> scales);
  /// How many levels a row had when it was first seen while the trace still loads; none once all of it is there. Rows
  /// keep their height until then.
  std::optional<int> levelsWhileLoading(std::uint32_t row) const;
  void setAllRowsScale(double scale);
  /// Where the open rows stand. Made when it is asked for after rows, the filter or the size of text changed, and the
  /// same for all who ask until the next such change.
  std::shared_ptr<const Layout> layout() const;
  int layoutsMade() const { return layoutsMade_; }

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
  void countsAllChanged();
  void dimsRestChanged();
  void colourByChanged();
  void rowRevealed(std::uint32_t row);
  void measureChanged();
  void pointerTimeChanged();
  void guideChanged();
  void changesChanged();
  void rowsChanged();  ///< expanded, collapsed, resized or arranged

 private:
  void changeRows();  // tells that rows stand otherwise
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
  void showAnywhere(Fine range);  // also beyond what can be reached
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
  bool countsAll_ = false, dimsRest_ = false;
  std::optional<Colouring::By> colourBy_;
  std::unordered_map<std::string, bool> expanded_;  // by row key, where it differs from Row::expanded
  std::unordered_map<std::string, double> rowScale_;
  double allRowsScale_ = 1;
  RowArrangement arrangement_;
  mutable std::shared_ptr<const Layout> layout_;  // null: rows stand otherwise
  mutable int layoutsMade_ = 0;
  Marks* marks_;  // a child
  std::optional<Measure> measure_;
  std::optional<trace::Ns> pointerTime_, guide_;
  std::optional<Reach> reach_;
  std::shared_ptr<const Changes> changes_;
  std::unordered_map<std::string, int> loadingLevels_;  // by row key, 0 for a heading; empty once loaded
  std::unordered_map<std::string_view, std::uint32_t> rowsByKey_;  // of trace_
};

}  // namespace lanescope::views
