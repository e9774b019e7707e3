// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/copyable_tree.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>

namespace lanescope::views {
namespace {

template <class Wanted>
void collect(const QTreeWidgetItem& parent, Wanted wanted, QStringList& lines) {
  for (int i = 0; i < parent.childCount(); ++i) {
    const QTreeWidgetItem& item = *parent.child(i);
    if (wanted(item)) {
      QStringList cells;
      for (int c = 0; c < (item.isFirstColumnSpanned() ? 1 : item.columnCount()); ++c) cells += item.text(c);
      lines += cells.join('\t');
    }
    collect(item, wanted, lines);
  }
}

template <class Wanted>
QString textOf(const QTreeWidget& tree, Wanted wanted) {
  QStringList lines;
  collect(*tree.invisibleRootItem(), wanted, lines);
  return lines.join('\n');
}

}  // namespace

CopyableTree::CopyableTree(const QStringList& columns, QWidget* parent) : QTreeWidget(parent) {
  setColumnCount(static_cast<int>(columns.size()));
  setHeaderLabels(columns);
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setIndentation(0);
  setFrameShape(QFrame::NoFrame);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  header()->setHighlightSections(false);

  auto* copy = new QAction(tr("Copy row"), this);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, &CopyableTree::copySelected);
  auto* all = new QAction(tr("Copy all"), this);
  connect(all, &QAction::triggered, this, &CopyableTree::copyAll);
  addActions({copy, all});
  setContextMenuPolicy(Qt::ActionsContextMenu);
}

QString CopyableTree::selectedText() const {
  return textOf(*this, [](const QTreeWidgetItem& item) { return item.isSelected(); });
}

QString CopyableTree::allText() const {
  return textOf(*this, [](const QTreeWidgetItem&) { return true; });
}

void CopyableTree::copySelected() const { QApplication::clipboard()->setText(selectedText()); }

void CopyableTree::copyAll() const { QApplication::clipboard()->setText(allText()); }

}  // namespace lanescope::views
