// SPDX-License-Identifier: GPL-3.0-or-later
// Several reports of one job: where each stands in time at the left, at the right the collectives that they have in
// common, as totals by rank, by operation and rank, or call by call; a click on a call goes to the rank that came last.
// GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <memory>

#include "model/together/collectives_across.h"
#include "model/together/joined.h"
#include "views/timeline/view_state.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace lanescope::views {

class AlignmentPanel;
class FigureTable;

class RanksPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RanksPanel(QWidget* parent = nullptr);

  /// All null: no reports together. `across` null: not known yet.
  void setReports(ViewState* view, std::shared_ptr<const together::Joined> joined,
                  std::shared_ptr<const together::Across> across);

  AlignmentPanel& alignment() { return *alignment_; }
  FigureTable& table() { return *table_; }
  QString message() const;  ///< in place of the table; empty while there is one

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 private:
  enum Shown { kStragglers, kOperations, kCalls, kShownKinds };
  QWidget* buildRight();
  void show(Shown shown);
  void fill();
  void choose(std::size_t row);

  QPointer<ViewState> view_;
  std::shared_ptr<const together::Joined> joined_;
  std::shared_ptr<const together::Across> across_;
  Shown shown_ = kStragglers;
  AlignmentPanel* alignment_;
  std::array<QToolButton*, kShownKinds> chips_{};
  QLabel* headline_;
  QPushButton* copy_;
  FigureTable* table_;
  QLabel* message_;
  QStackedLayout* pages_;
};

}  // namespace lanescope::views
