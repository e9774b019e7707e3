// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the timeline about its rows: a field that finds a row by its name while one types, and how many rows
// are hidden: a list that shows each again, and a button for all. Not there while there is nothing to say. GUI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "views/timeline/view_state.h"

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;

namespace lanescope::views {

class RowLine : public QWidget {
  Q_OBJECT

 public:
  explicit RowLine(ViewState& state, QWidget* parent = nullptr);

  /// Opens the field and puts the cursor into it.
  void find();
  QString said() const;  ///< "3 of 17", or what is wrong

 signals:
  void left();  ///< Esc

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void search();
  void step(int steps);
  void close();
  void refresh();
  void listHidden(QMenu& menu);

  ViewState& state_;
  QLineEdit* field_;
  QLabel* said_;
  QPushButton* hidden_;
  QPushButton* show_;
  std::vector<std::uint32_t> found_;
  std::size_t at_ = 0;
};

}  // namespace lanescope::views
