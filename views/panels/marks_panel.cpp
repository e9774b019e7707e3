// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/marks_panel.h"

#include <QAbstractItemDelegate>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <utility>

#include "model/format.h"
#include "views/elided.h"
#include "views/panels/panel_parts.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/commands.h"
#include "views/timeline/marks.h"

namespace lanescope::views {
namespace {

bool isFigure(int column) { return column == MarksPanel::kTime || column == MarksPanel::kLength; }

}  // namespace

MarksPanel::MarksPanel(QWidget* parent)
    : QWidget(parent),
      message_(new ElidedLabel(this)),
      remove_(flatButton(tr("Delete"), this)),
      table_(editableTable({{tr("Begins"), isFigure(kTime), 150},
                            {tr("Length"), isFigure(kLength), 130},
                            {tr("Name"), false, 200},
                            {tr("Note")}},
                           tr("Marks in order of time"), this)) {
  message_->setProperty("tone", "dim");
  remove_->setObjectName("removeMark");
  table_->installEventFilter(this);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 8, 4);
  head->addWidget(message_, 1);
  head->addWidget(remove_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(table_, 1);

  connect(remove_, &QPushButton::clicked, this, &MarksPanel::removeChosen);
  connect(table_, &QTableWidget::itemChanged, this, &MarksPanel::change);
  connect(table_, &QTableWidget::cellClicked, this, [this](int, int column) {
    if (isFigure(column)) go();
  });
  // Who named a new mark goes on where it was set.
  connect(
      table_->itemDelegate(), &QAbstractItemDelegate::closeEditor, this,
      [this] {
        if (std::exchange(naming_, false)) emit left();
      },
      Qt::QueuedConnection);
  fill();
}

void MarksPanel::setView(ViewState* view) {
  if (view == view_) return;
  if (view_) view_->marks().disconnect(this);
  view_ = view;
  if (view) {
    connect(&view->marks(), &Marks::changed, this, &MarksPanel::fill);
    connect(&view->marks(), &Marks::added, this, &MarksPanel::nameIt);
    connect(&view->marks(), &Marks::currentChanged, this, &MarksPanel::showCurrent);
  }
  fill();
}

void MarksPanel::fill() {
  const QSignalBlocker silence(table_);
  const int chosen = table_->currentRow(), column = table_->currentColumn();
  const std::vector<Mark> none;
  const auto& marks = view_ ? view_->marks().all() : none;
  table_->setRowCount(static_cast<int>(marks.size()));
  const auto put = [&](std::size_t row, Column to, const QString& text, bool editable) {
    // Kept where it is: it may be the one whose editor is closing.
    if (QTableWidgetItem* there = table_->item(static_cast<int>(row), to)) return there->setText(text);
    auto* item = new QTableWidgetItem(text);
    if (!editable) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
    item->setTextAlignment((isFigure(to) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (isFigure(to)) item->setFont(Theme::figures());
    table_->setItem(static_cast<int>(row), to, item);
  };
  for (std::size_t i = 0; i < marks.size(); ++i) {
    put(i, kTime, toQt(formatExact(marks[i].time.begin)), false);
    put(i, kLength, marks[i].isRange() ? toQt(formatExact(marks[i].time.length())) : QString(), false);
    put(i, kName, marks[i].name, true);
    put(i, kNote, marks[i].note, true);
  }
  if (chosen >= 0 && table_->rowCount() > 0) table_->setCurrentCell(std::min(chosen, table_->rowCount() - 1), column);
  remove_->setEnabled(!marks.empty());
  message_->setText(marks.empty() ? tr("Ctrl+M sets a mark, Ctrl+Shift+M marks the selection")
                    : marks.size() == 1
                        ? tr("1 mark · double-click a name to rename it")
                        : tr("%1 marks · double-click a name to rename it").arg(numberText(marks.size())));
  showCurrent();
}

void MarksPanel::nameIt(std::size_t index) {
  if (visibleRegion().isEmpty()) return;  // closed, or behind another tab
  table_->setCurrentCell(static_cast<int>(index), kName);
  table_->setFocus(Qt::ShortcutFocusReason);
  table_->editItem(table_->currentItem());
  naming_ = true;
}

void MarksPanel::showCurrent() {
  if (!view_) return;
  if (const auto current = view_->marks().current())
    table_->setCurrentCell(static_cast<int>(*current), std::max(table_->currentColumn(), 0));
}

void MarksPanel::change(QTableWidgetItem* item) {
  if (!view_) return;
  const auto index = static_cast<std::size_t>(item->row());
  if (item->column() == kNote) return view_->marks().setNote(index, item->text());
  if (item->column() != kName) return;
  view_->marks().rename(index, item->text());
  const QSignalBlocker silence(table_);
  item->setText(view_->marks().all()[index].name);  // an empty one is none
}

void MarksPanel::removeChosen() {
  if (view_ && table_->currentRow() >= 0) view_->marks().remove(static_cast<std::size_t>(table_->currentRow()));
}

void MarksPanel::go() {
  if (view_ && table_->currentRow() >= 0) goToMark(*view_, static_cast<std::size_t>(table_->currentRow()));
}

bool MarksPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      emit left();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      go();
      return true;
    case Qt::Key_Delete:
      removeChosen();
      return true;
    default:
      return QWidget::eventFilter(watched, event);
  }
}

}  // namespace lanescope::views
