// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/field_tree.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include "model/format.h"
#include "views/panels/breakable.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kKeyRole = Qt::UserRole;         // of a section
constexpr int kEventRole = Qt::UserRole + 1;  // of a value that names one
constexpr int kPadding = 4;             // left and right of a cell
constexpr int kAbove = 3;               // and below
constexpr qsizetype kMostShown = 2000;  // characters of a value that are laid out; all are copied
constexpr qsizetype kMostInTip = 4000;

/// Wraps values anywhere they may break and draws a section's arrow; the item keeps its text as it is copied.
class Wrapping : public QStyledItemDelegate {
 public:
  explicit Wrapping(QTreeView* tree) : QStyledItemDelegate(tree), tree_(tree) {}

  QSize sizeHint(const QStyleOptionViewItem& given, const QModelIndex& index) const override {
    QStyleOptionViewItem option = given;
    const bool spanned = tree_->isFirstColumnSpanned(index.row(), index.parent());
    const int width = spanned ? tree_->viewport()->width() : tree_->columnWidth(index.column());
    option.rect = QRect(0, 0, std::max(width, 20), 1);  // the style wraps in a valid one only
    const bool section = !index.data(kKeyRole).isNull();
    return QStyledItemDelegate::sizeHint(option, index) + QSize(0, (section ? 4 : 2) * kAbove);
  }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->features |= QStyleOptionViewItem::WrapText;
    // On one line label and value share a middle, whatever their fonts; beside several lines a label stands at the first.
    const bool oneLine = option->rect.height() < 2 * QFontMetrics(Theme::font()).height();
    option->displayAlignment = Qt::AlignLeft | (oneLine ? Qt::AlignVCenter : Qt::AlignTop);
    if (!oneLine) option->rect.adjust(0, kAbove, 0, 0);
    option->textElideMode = Qt::ElideNone;
    if (!index.data(kKeyRole).isNull()) {
      option->displayAlignment = Qt::AlignLeft | Qt::AlignVCenter;
      if (option->rect.height() > 1) option->rect.adjust(0, 2 * kAbove, 0, 0);
      option->text.prepend(tree_->isExpanded(index) ? QStringLiteral("▾ ") : QStringLiteral("▸ "));
      return;
    }
    if (option->text.size() > kMostShown) option->text = option->text.left(kMostShown) + QChar(0x2026);
    option->text = breakable(option->text);
  }

 private:
  QTreeView* tree_;
};

/// The heading of a group; empty for the first, which needs none.
QString titleOf(report::FieldGroup group) {
  switch (group) {
    case report::FieldGroup::kEvent:
      break;
    case report::FieldGroup::kRanks:
      return FieldTree::tr("Across ranks");
    case report::FieldGroup::kMemory:
      return FieldTree::tr("Memory");
    case report::FieldGroup::kLaunch:
      return FieldTree::tr("Launch");
    case report::FieldGroup::kWhere:
      return FieldTree::tr("Where");
    case report::FieldGroup::kOther:
      return FieldTree::tr("Also recorded");
    case report::FieldGroup::kArguments:
      return FieldTree::tr("Arguments");
  }
  return {};
}

}  // namespace

FieldTree::FieldTree(QWidget* parent) : CopyableTree({tr("Field"), tr("Value")}, parent) {
  setHeaderHidden(true);
  setUniformRowHeights(false);
  setWordWrap(true);
  setTextElideMode(Qt::ElideNone);
  setItemDelegate(new Wrapping(this));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setExpandsOnDoubleClick(false);
  setAllColumnsShowFocus(true);
  header()->setStretchLastSection(true);
  header()->setSectionResizeMode(0, QHeaderView::Fixed);
  setAccessibleName(tr("Fields of the current event"));
  viewport()->setAutoFillBackground(false);
  // Padding of the style sheet moves the text of a row under the pointer only: the delegate pads instead.
  setStyleSheet(
      "QTreeWidget { background: transparent; }"
      "QTreeWidget::item, QTreeWidget::item:hover, QTreeWidget::item:selected { padding: 0; }");
  viewport()->setMouseTracking(true);
  connect(this, &QTreeWidget::itemClicked, this, &FieldTree::use);
  const auto remember = [this](const QTreeWidgetItem* item, bool folded) {
    const QString key = item->data(0, kKeyRole).toString();
    if (folded) folded_.insert(key);
    else folded_.remove(key);
  };
  connect(this, &QTreeWidget::itemCollapsed, this, [remember](QTreeWidgetItem* item) { remember(item, true); });
  connect(this, &QTreeWidget::itemExpanded, this, [remember](QTreeWidgetItem* item) { remember(item, false); });
}

void FieldTree::setFields(const std::vector<report::Field>& fields, const report::CallStack& stack) {
  const int scrolled = verticalScrollBar()->value();
  const QString current = pathOf(currentItem());
  const bool follows = hasAutoScroll();
  setAutoScroll(false);  // or the row with the keyboard would pull the view to itself
  setUpdatesEnabled(false);
  clear();
  addFields(fields);
  addStack(stack);
  fitLabels();
  for (QTreeWidgetItemIterator each(this); *each; ++each) {
    if (pathOf(*each) != current) continue;
    setCurrentItem(*each, 0, QItemSelectionModel::NoUpdate);
    break;
  }
  executeDelayedItemsLayout();
  verticalScrollBar()->setValue(scrolled);
  setUpdatesEnabled(true);
  setAutoScroll(follows);
}

QTreeWidgetItem* FieldTree::section(const QString& key, const QString& title) {
  auto* item = new QTreeWidgetItem(this, {title});
  item->setData(0, kKeyRole, key);
  item->setFirstColumnSpanned(true);
  item->setFont(0, Theme::font(0, true));
  item->setForeground(0, Theme::colours().textDim);
  item->setData(0, Qt::AccessibleDescriptionRole, tr("Section; Space folds it"));
  return item;
}

void FieldTree::addFields(const std::vector<report::Field>& fields) {
  labelWidth_ = 0;
  const QFontMetrics metrics(Theme::font());
  QTreeWidgetItem* parent = invisibleRootItem();
  report::FieldGroup group = report::FieldGroup::kEvent;
  for (const report::Field& field : fields) {
    if (field.label == "Name") continue;
    if (field.group != group) {
      group = field.group;
      const QString title = titleOf(group);
      parent = title.isEmpty() ? invisibleRootItem() : section(QString::number(static_cast<int>(group)), title);
    }
    const QString label = toQt(field.label), value = toQt(field.value);
    auto* item = new QTreeWidgetItem(parent, {label, value});
    item->setForeground(0, Theme::colours().textDim);
    item->setFont(1, Theme::figures());
    item->setToolTip(1, value.left(kMostInTip).toHtmlEscaped());
    if (field.event) {
      item->setData(1, kEventRole, *field.event);
      item->setForeground(1, Theme::colours().accent);
      QFont underlined = Theme::figures();
      underlined.setUnderline(true);
      item->setFont(1, underlined);
      item->setToolTip(1, tr("Go to %1").arg(value.left(kMostInTip)).toHtmlEscaped());
      item->setData(1, Qt::AccessibleDescriptionRole, tr("Link to an event; Enter goes there"));
    }
    labelWidth_ = std::max(labelWidth_, metrics.horizontalAdvance(label));
  }
  for (int i = 0; i < topLevelItemCount(); ++i)
    topLevelItem(i)->setExpanded(!folded_.contains(topLevelItem(i)->data(0, kKeyRole).toString()));
}

void FieldTree::addStack(const report::CallStack& stack) {
  if (stack.tooLarge) {
    auto* note = new QTreeWidgetItem(this, {tr("The call stack is not searched for: its table has no index")});
    note->setFirstColumnSpanned(true);
    note->setForeground(0, Theme::colours().textDim);
    return;
  }
  if (stack.frames.empty()) return;
  const QString count = toQt(formatCount(stack.frames.size())) + (stack.more ? QStringLiteral("+") : QString());
  QTreeWidgetItem* all = section(QStringLiteral("stack"), tr("Call stack (%1)").arg(count));
  for (const report::Frame& frame : stack.frames) {
    auto* item = new QTreeWidgetItem(all, {toQt(frame.text())});
    item->setFirstColumnSpanned(true);
    item->setFont(0, Theme::figures());
    if (!frame.resolved) item->setForeground(0, Theme::colours().textDim);
    item->setToolTip(0, (toQt(frame.symbol).left(kMostInTip) + '\n' + toQt(frame.module)).toHtmlEscaped());
  }
  all->setExpanded(!folded_.contains(QStringLiteral("stack")));
}

bool FieldTree::use(QTreeWidgetItem* item, int column) {
  if (!item->data(0, kKeyRole).isNull()) {
    item->setExpanded(!item->isExpanded());
    return true;
  }
  const QVariant event = item->data(1, kEventRole);
  if (column != 1 || event.isNull()) return false;
  emit eventWanted(event.value<trace::EventId>());
  return true;
}

void FieldTree::fitLabels() {
  header()->resizeSection(0, std::min(labelWidth_ + 2 * kPadding + 10, viewport()->width() / 2));
  scheduleDelayedItemsLayout();  // values wrap anew
}

QString FieldTree::pathOf(const QTreeWidgetItem* item) const {
  if (!item) return {};
  const QVariant key = item->data(0, kKeyRole);
  return pathOf(item->parent()) + '/' + (key.isNull() ? item->text(0) : key.toString());
}

void FieldTree::resizeEvent(QResizeEvent* event) {
  CopyableTree::resizeEvent(event);
  fitLabels();
}

void FieldTree::keyPressEvent(QKeyEvent* event) {
  const bool toggles = event->key() == Qt::Key_Space || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (toggles && currentItem() && use(currentItem(), 1)) return;
  CopyableTree::keyPressEvent(event);
}

void FieldTree::mouseMoveEvent(QMouseEvent* event) {
  CopyableTree::mouseMoveEvent(event);
  const QModelIndex under = indexAt(event->pos());
  const bool link = under.isValid() && under.column() == 1 && !under.data(kEventRole).isNull();
  viewport()->setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

}  // namespace lanescope::views
