// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/panel_parts.h"

#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "views/tables/plain_cells.h"

namespace lanescope::views {

QPushButton* flatButton(const QString& text, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setFlat(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QTableWidget* editableTable(const QList<EditableColumn>& columns, const QString& accessibleName, QWidget* parent) {
  auto* table = new QTableWidget(0, static_cast<int>(columns.size()), parent);
  table->setAccessibleName(accessibleName);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  table->setTextElideMode(Qt::ElideRight);
  table->setWordWrap(false);
  table->setShowGrid(false);
  table->verticalHeader()->hide();
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setHighlightSections(false);
  for (int at = 0; const EditableColumn& column : columns) {
    auto* title = new QTableWidgetItem(column.title);
    title->setTextAlignment((column.isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    table->setHorizontalHeaderItem(at, title);
    if (column.width > 0) table->setColumnWidth(at, column.width);
    ++at;
  }
  new PlainCells(table);
  return table;
}

void putListBeside(QWidget* panel, QWidget* list, QWidget* chosen) {
  auto* body = new QSplitter(Qt::Horizontal, panel);
  body->addWidget(list);
  body->addWidget(chosen);
  body->setStretchFactor(1, 1);
  body->setChildrenCollapsible(false);
  body->setHandleWidth(1);
  body->setSizes({kListWidth, 4 * kListWidth});
  auto* layout = new QVBoxLayout(panel);
  layout->setContentsMargins({});
  layout->addWidget(body);
}

}  // namespace lanescope::views
