// SPDX-License-Identifier: GPL-3.0-or-later
// The line above the timeline that filters: a chip for each condition, which a click or Delete removes, a field for one
// more, and how much is left; on several lines where one is too narrow. Hidden while nothing is filtered and nobody asked for it. Shows the Filtering of a view
// and follows it. GUI thread only.
#pragma once

#include <QFrame>
#include <QList>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace lanescope::analysis {
struct Condition;
}

namespace lanescope::views {

class Filtering;
class FlowLayout;

class FilterBar : public QFrame {
  Q_OBJECT

 public:
  explicit FilterBar(Filtering& filtering, QWidget* parent = nullptr);

  /// Shows the bar with the keyboard in its field.
  void focus();
  QLineEdit& field() { return *field_; }
  QString countText() const;  ///< "12 of 3 400 events"
  QString mistake() const { return mistake_; }

 signals:
  void left();  ///< after Esc and after a condition was added: the keyboard goes back to the timeline

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void add();
  void addAndLeave(analysis::Condition condition);
  void check();
  void showFilter();
  void showChips();

  Filtering& filtering_;
  FlowLayout* line_;
  QList<QToolButton*> chips_;
  QLineEdit* field_;
  QToolButton* regex_;
  QComboBox* kind_;
  QToolButton* only_;
  QToolButton* hide_;
  QToolButton* dim_;
  QToolButton* all_;
  QToolButton* clear_;
  QToolButton* close_;
  QLabel* count_;
  QString mistake_;
  bool wanted_ = false;  // by the user, though nothing is filtered
};

}  // namespace lanescope::views
