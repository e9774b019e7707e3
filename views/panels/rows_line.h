// SPDX-License-Identifier: GPL-3.0-or-later
// A line below a table that says which of very many rows it shows, with buttons to the others, and that not all of the
// selected ones were copied: seen only while it has that to say. GUI thread only.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace lanescope::views {

class FigureTable;

class RowsLine : public QWidget {
  Q_OBJECT

 public:
  /// The table from then on shows at most so many rows at a time.
  explicit RowsLine(FigureTable& table, QWidget* parent = nullptr);

  /// Rows, which Qt's table takes some 10 ms for when it gets them (tests/bench/RESULTS.md).
  static constexpr std::size_t kMost = 1'000'000;

  QString text() const;

 private:
  void refresh();

  FigureTable& table_;
  QLabel* text_;
  QPushButton* first_;
  QPushButton* previous_;
  QPushButton* next_;
  QPushButton* last_;
};

/// A table with such a line, as one widget.
QWidget* withRowsLine(FigureTable* table, QWidget* parent);

}  // namespace lanescope::views
