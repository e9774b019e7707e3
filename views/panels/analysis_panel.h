// SPDX-License-Identifier: GPL-3.0-or-later
// What `lanescope analyze` says: the checklist, why GPUs were idle, and the other rules. A click on a line tells what it
// means and what to try, and shows on the timeline where it comes from; again shows the next place. Looks at a report
// only once it is seen, away from the GUI thread. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

#include "views/latest_job.h"
#include "views/panels/advice.h"
#include "views/timeline/view_state.h"

class QLabel;
class QListWidget;
class QPushButton;
class QStackedLayout;

namespace lanescope::views {

class FigureTable;

class AnalysisPanel : public QWidget {
  Q_OBJECT

 public:
  explicit AnalysisPanel(QWidget* parent = nullptr);

  /// Of this report; null: none, and why.
  void setReport(ViewState* view, std::filesystem::path file, const QString& message = {});

  FigureTable& table() { return *table_; }
  QString message() const;  ///< in place of the table; empty while there is one
  QString headline() const;
  QString words() const;  ///< below the table, of the current line or of the rule
  bool working() const { return job_.running() || moreJob_.running(); }

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildRight();
  void refresh();
  void stop();
  void showMore();
  void fillList();
  void showSection();
  void fillTable(const AdviceSection& shown);
  void showWords();
  void say(const QString& message);
  void goToLine(std::size_t line);
  const AdviceSection* section() const;

  QPointer<ViewState> view_;
  std::shared_ptr<ReportFile> file_;
  trace::TracePtr askedOf_;
  std::vector<AdviceSection> sections_;
  std::size_t line_ = 0, step_ = 0;  // of the section, and which of its places was shown last

  QListWidget* list_;
  QLabel* headline_;
  QPushButton* stop_;
  QPushButton* more_;
  QPushButton* copy_;
  QPushButton* save_;
  FigureTable* table_;
  QLabel* message_;
  QLabel* words_;
  QStackedLayout* pages_;
  LatestJob job_{this};
  LatestJob moreJob_{this};
};

}  // namespace lanescope::views
