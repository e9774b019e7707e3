// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of a view in order of time: Enter or a click on a time goes there, F2 or a double click changes a name or a
// note, Delete removes. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

#include "views/timeline/view_state.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace lanescope::views {

class MarksPanel : public QWidget {
  Q_OBJECT

 public:
  explicit MarksPanel(QWidget* parent = nullptr);

  void setView(ViewState* view);  ///< null: nothing to show
  QTableWidget& table() { return *table_; }

  enum Column { kTime, kLength, kName, kNote, kColumns };

  QSize sizeHint() const override { return {600, 180}; }

 signals:
  void left();  ///< Esc

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void showCurrent();
  void nameIt(std::size_t index);  // a new one, in place
  void change(QTableWidgetItem* item);
  void removeChosen();
  void go();

  QPointer<ViewState> view_;
  QLabel* message_;
  QPushButton* remove_;
  QTableWidget* table_;
  bool naming_ = false;  // a new mark, since it was set
};

}  // namespace lanescope::views
