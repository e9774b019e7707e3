// SPDX-License-Identifier: GPL-3.0-or-later
// The line to search with: searches while something is typed, says how many hits there are, and goes from one to the
// next. Shows the Search it is given, and follows it. GUI thread only.
#pragma once

#include <QLineEdit>
#include <QPointer>
#include <QWidget>

class QToolButton;

namespace lanescope::views {

class ElidedLabel;
class Search;

class FindBar : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);

  void setSearch(Search* search);  ///< null: nothing to search
  /// Takes the keyboard, with the text selected so that typing replaces it.
  void focus();
  void step(bool forward);

  QLineEdit& field() { return *field_; }
  QString countText() const;

 signals:
  void left();  ///< Esc: the keyboard goes back to where it came from

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void look();
  void showSearch();

  QPointer<Search> search_;
  QLineEdit* field_;
  QToolButton* regex_;
  ElidedLabel* count_;
  QToolButton* previous_;
  QToolButton* next_;
};

}  // namespace lanescope::views
