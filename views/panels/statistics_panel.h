// SPDX-License-Identifier: GPL-3.0-or-later
// The stats reports beside the timeline: chosen from a list, of the visible range, the selection or the whole report, as
// a table that is sorted, searched, copied and saved, with the command line that prints the same. A double click on a
// row finds its events and goes to the longest, again to the next longest, which fills the view. Makes a report only while it is seen, away
// from the GUI thread; of several asked for only the newest. GUI thread only.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "views/latest_job.h"
#include "views/panels/part_chips.h"
#include "views/panels/statistics.h"
#include "views/timeline/view_state.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QStackedLayout;
class QToolButton;

namespace lanescope::views {

class FigureTable;

class StatisticsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit StatisticsPanel(QWidget* parent = nullptr);

  /// Of this report; null: none, and why. `calledBy`: what the user opened, if that is another file.
  void setReport(ViewState* view, std::filesystem::path file, const QString& message = {},
                 std::filesystem::path calledBy = {});

  FigureTable& table() { return *table_; }
  QString message() const;  ///< in place of the table; empty while there is one
  QString headline() const;
  QString command() const;
  QString caveats() const;
  bool working() const { return job_.running() || stepJob_.running(); }

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildList();
  QWidget* buildHead();
  QWidget* buildFoot();
  void fillList();
  void filterList(const QString& text);
  void choose();
  void refresh();
  void stop();
  void take(StatisticsAnswer answer);
  void showRows();
  void showHeadline();
  void showWithout();
  void say(const QString& message);
  QString nameOfRow(std::size_t shown) const;
  void goToRow(std::size_t row);
  void copyCommand() const;
  void save();
  std::optional<StatisticsQuestion> question() const;

  QPointer<ViewState> view_;
  std::shared_ptr<ReportFile> file_, stepFile_;  // of job_ and of stepJob_
  trace::TracePtr fileOf_;  // the trace that file_ was opened for
  QString chosen_;  // the report that the user chose, also of another file; empty: none yet
  std::optional<StatisticsQuestion> asked_;
  std::optional<StatisticsAnswer> answer_;
  std::shared_ptr<const std::vector<std::size_t>> rows_;  // of the answer's table, those that hold the text
  QString stepped_;  // what names the row whose events are stepped through, also in a table of less time
  StatisticsRow steps_;
  std::size_t step_ = 0;

  QLineEdit* search_;
  QListWidget* list_;
  QLabel* headline_;
  PartChips* parts_;
  QComboBox* naming_;
  QToolButton* nvtxName_;
  QSpinBox* limit_;
  QLineEdit* filter_;
  QPushButton* stop_;
  QPushButton* copy_;
  QPushButton* save_;
  QLabel* message_;
  QLabel* caveats_;
  QLineEdit* command_;
  QLabel* without_;  // what the command leaves out
  FigureTable* table_;
  QStackedLayout* pages_;
  QTimer slow_;  // runs out where a report is long in coming
  LatestJob job_{this};
  LatestJob stepJob_{this};
};

}  // namespace lanescope::views
