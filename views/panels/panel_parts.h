// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that panels are made of alike. GUI thread only.
#pragma once

#include <QList>
#include <QString>

class QPushButton;
class QTableWidget;
class QWidget;

namespace lanescope::views {

/// A button in the line above or below a table: no frame, and no focus by a click, which would take it from the table.
QPushButton* flatButton(const QString& text, QWidget* parent);

struct EditableColumn {
  QString title;
  bool isFigure = false;  ///< at the right
  int width = 0;  ///< logical pixels; of the last it is what is left
};

/// A short table into whose cells somebody types.
QTableWidget* editableTable(const QList<EditableColumn>& columns, const QString& accessibleName, QWidget* parent);

constexpr int kListWidth = 288;  ///< logical pixels, of a list beside a panel: titles of reports are whole

/// Fills `panel` with a list and, right of it, what is chosen there; the border between them can be dragged.
void putListBeside(QWidget* panel, QWidget* list, QWidget* chosen);

}  // namespace lanescope::views
