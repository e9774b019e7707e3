// SPDX-License-Identifier: GPL-3.0-or-later
// Two reports side by side or one above the other, as one tab: A, the one before, and B, each as it has a tab of its own,
// linked (views/compare/), with a line above that says how they are aligned. What is asked of them is worked out away
// from the GUI thread, anew whenever one of them was loaded. Commands are of the side that has the keyboard.
// GUI thread only.
#pragma once

#include <QWidget>

#include "app/ui/report_tab.h"
#include "views/compare/linked_timelines.h"
#include "views/compare/linked_views.h"
#include "views/latest_job.h"

class QLabel;
class QSplitter;

namespace lanescope::views {
class CompareBar;
}

namespace lanescope::ui {

class CompareTab : public QWidget {
  Q_OBJECT

 public:
  /// Takes both; they are not loaded for anybody else.
  explicit CompareTab(const views::PerSide<ReportTab*>& sides, QWidget* parent = nullptr);
  ~CompareTab() override;

  ReportTab& side(views::Side side) const { return *sides_[side]; }
  ReportTab* focused() const { return sides_[focused_]; }
  views::LinkedViews& links() { return *links_; }
  views::CompareBar& bar() { return *bar_; }
  QString title() const;

  bool isBeside() const;
  void setBeside(bool beside);

  void focusOther();

  /// Aligns in another way. Of two events both have to be current.
  void align(compare::AlignRequest request);
  const compare::AlignRequest& alignment() const { return request_; }

 signals:
  void focusMoved();  ///< the other side is asked from now on
  void besideChosen(bool beside);
  void dismissed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* withHead(views::Side side);
  void setFocused(views::Side side);
  void showHeads();
  void matchAgain();
  void say(const QString& sentence);

  views::PerSide<ReportTab*> sides_;
  views::PerSide<QLabel*> badges_{};
  views::Side focused_ = views::kA;
  views::LinkedViews* links_;
  views::LinkedTimelines* timelines_;
  views::CompareBar* bar_;
  QSplitter* splitter_;
  compare::AlignRequest request_;
  views::LatestJob* job_;
};

}  // namespace lanescope::ui
