// SPDX-License-Identifier: GPL-3.0-or-later
// The events of the visible range, the selection or the whole report, of the chosen rows, that pass the filter, as a
// list: flat in any order, or nested as threads ran them, where each event folds away what it holds. A click goes to an
// event on the timeline, and the timeline's current event stands out here. Lists only while it is seen, away from the GUI thread; of several asked for only the newest. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

#include "model/analysis/folded_events.h"
#include "views/latest_job.h"
#include "views/panels/part_chips.h"
#include "views/timeline/view_state.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace lanescope::views {

class FigureTable;

class EventsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit EventsPanel(QWidget* parent = nullptr);

  void setView(ViewState* view);  ///< null: no report

  FigureTable& table() { return *table_; }
  QString headline() const;
  bool working() const { return job_.running() || foldJob_.running(); }

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildHead();
  void connectTable();
  void refresh();
  void listNothing(const QString& why);
  void take(std::shared_ptr<const analysis::FoldedEvents> events);
  void fold(std::size_t row, bool folded);
  void foldAll(bool folded);
  void foldByKey(std::size_t row, bool unfold, bool all);
  void showFolds();
  void showList();
  void showCurrent();

  QPointer<ViewState> view_;
  std::vector<std::uint32_t> rowOfLane_;  // of the view's trace
  std::shared_ptr<const analysis::FoldedEvents> events_;
  analysis::Folds folds_;  // of the view's trace
  analysis::EventOrder order_ = analysis::EventOrder::kStart;
  bool descending_ = false;

  QLabel* headline_;
  QToolButton* nested_;
  QToolButton* foldAll_;
  QToolButton* unfoldAll_;
  PartChips* parts_;
  QLineEdit* filter_;
  QPushButton* copy_;
  QPushButton* save_;
  FigureTable* table_;
  LatestJob job_{this};
  LatestJob foldJob_{this};
};

}  // namespace lanescope::views
