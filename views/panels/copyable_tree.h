// SPDX-License-Identifier: GPL-3.0-or-later
// A list of rows whose text can be taken away: Ctrl+C and a context menu copy the selected rows or all of them, cells
// separated by tabs so that they paste into a spreadsheet. Rows may have rows below them; a row that spans all columns
// is one cell. GUI thread only.
#pragma once

#include <QTreeWidget>

namespace lanescope::views {

class CopyableTree : public QTreeWidget {
  Q_OBJECT

 public:
  explicit CopyableTree(const QStringList& columns, QWidget* parent = nullptr);

  QString selectedText() const;
  QString allText() const;

 public slots:
  void copySelected() const;
  void copyAll() const;
};

}  // namespace lanescope::views
