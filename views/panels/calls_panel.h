// SPDX-License-Identifier: GPL-3.0-or-later
// Call trees of the selection, else of the visible range, or of the whole report: of NVTX ranges, CPU samples or samples of Python, top-down,
// bottom-up or flat, of all threads together or by thread; as a tree, whose siblings a click on a header sorts, with a flame graph beside it
// that moves with it. What is typed into the search keeps its colour in both. A double click goes to the longest range on the timeline. Works only while it is seen, away from the GUI thread; of
// several asked for only the newest. GUI thread only.
#pragma once

#include <QPointer>
#include <QSet>
#include <QWidget>
#include <array>

#include "views/latest_job.h"
#include "views/panels/calls.h"
#include "views/timeline/view_state.h"

class QLabel;
class QLineEdit;
class QSplitter;
class QToolButton;
class QTreeView;

namespace lanescope::views {

class FlameGraph;

class CallsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit CallsPanel(QWidget* parent = nullptr);

  /// Null: nothing to look at, and why.
  void setReport(ViewState* view, const std::filesystem::path& file, const QString& message);

  QTreeView& tree() { return *tree_; }
  FlameGraph& flame() { return *flame_; }
  QString headline() const;
  QString allText() const;  ///< rows that are shown, for a spreadsheet
  QString selectedText() const;  ///< of these the selected ones, without the titles
  bool working() const { return job_.running() || model_->isSorting(); }

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildHead();
  void giveRestToNames();
  void buildTree();
  void say(const QString& text);
  void chooseSource();
  void refresh();
  void take(CallsAnswer answer);
  void showAnswer();
  void openFirst();
  void openAgain(const QModelIndex& around);
  void showDetail(std::uint32_t node);
  void showFound();
  void goToNextFound();
  QString textOf(bool ofSelected) const;
  void goToLongest(const analysis::CallTree& tree, std::uint32_t node);

  QPointer<ViewState> view_;
  std::shared_ptr<CallsFile> file_;
  CallsAnswer answer_;
  analysis::CallSource source_ = analysis::CallSource::kNvtx;
  analysis::CallOrder order_ = analysis::CallOrder::kTopDown;
  QSet<QString> open_;  // paths of names of the rows that are open
  bool opened_ = false;  // of this report
  bool chosen_ = false;  // what it is of

  QLabel* headline_;
  QLabel* detail_;
  std::array<QToolButton*, 3> sources_;
  std::array<QToolButton*, 3> orders_;
  QToolButton* byThread_;
  QToolButton* whole_;
  QLineEdit* search_;
  QSplitter* split_;
  QTreeView* tree_;
  CallTreeModel* model_;
  FlameGraph* flame_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
