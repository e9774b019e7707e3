// SPDX-License-Identifier: GPL-3.0-or-later
// What is in the selection, or without one in the visible range: a line of figures, a table by name, one by row, one of
// counters, and the durations of the name that is chosen. Follows the ViewState while it changes; figures are made away
// from the GUI thread, one answer at a time, so that a drag is never slowed down and always shows something new.
// GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <optional>

#include "views/latest_job.h"
#include "views/panels/selection_figures.h"
#include "views/timeline/view_state.h"

class QLabel;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QToolButton;

namespace lanescope::views {

class DurationsBox;
class FigureTable;
class Histogram;
class PhraseLine;

class SelectionPanel : public QWidget {
  Q_OBJECT

 public:
  explicit SelectionPanel(QWidget* parent = nullptr);

  /// Whose selection; null: none, and why.
  void setView(ViewState* view, const QString& message = {});

  FigureTable& names() { return *names_; }
  FigureTable& rows() { return *rows_; }
  FigureTable& metrics() { return *metrics_; }
  Histogram& histogram();
  const PhraseLine& line() const { return *line_; }
  QString message() const;  ///< in place of the table; empty while there is one
  QString more() const;  ///< below the table, where it does not show all names; else empty
  bool working() const { return job_.running() || stepJob_.running(); }

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  enum class By { kName, kRow, kMetric };

  QWidget* buildHead();
  void addCommands();
  void refresh();
  void forget();  // what was asked
  void take(SelectionAnswer answer);
  void showTables();
  void showShown();
  void showSide();
  void showScope();
  void showBy(By by);
  void say(const QString& message);
  analysis::Selection selection() const;
  By shown() const;
  FigureTable& table() const;
  std::optional<NameKey> currentLine() const;
  void choose(std::optional<NameKey> line);
  void followChosen();
  void pick(trace::TimeRange durations);
  using FindLongest =
      std::function<std::optional<trace::EventRef>(const trace::Trace&, const analysis::Selection&, const Job&)>;
  void goToLongest();
  void goToLongest(FindLongest find);
  void selectRows();

  QPointer<ViewState> view_;
  std::optional<SelectionAnswer> answer_;  // what is shown
  std::shared_ptr<const analysis::GpuWork> work_;
  trace::TracePtr workOf_;
  analysis::PassingPtr workPassing_;
  std::optional<NameKey> chosen_;  // the line whose name is chosen
  std::optional<LineColours> colours_;  // of workOf_
  bool asking_ = false;  // an answer is being made that will be taken
  bool again_ = false;  // something changed while an answer was made
  By by_ = By::kName;

  PhraseLine* line_;
  QToolButton* byName_;
  QToolButton* byRow_;
  QToolButton* byMetric_;
  QToolButton* scope_;
  QToolButton* whole_;
  QPushButton* copy_;
  QPushButton* save_;
  QLabel* message_;
  QSplitter* body_;
  QStackedLayout* pages_;
  QStackedLayout* tables_;
  FigureTable* names_;
  FigureTable* rows_;
  FigureTable* metrics_;
  QLabel* more_;
  DurationsBox* side_;
  LatestJob job_{this};
  LatestJob stepJob_{this};
};

}  // namespace lanescope::views
