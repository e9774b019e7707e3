// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/figure_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSignalBlocker>
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "views/tables/figure_delegate.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kAir = 10;  // above and below the text of a row together
constexpr int kLeastName = 140, kMostName = 420;

}  // namespace

FigureTable::FigureTable(QWidget* parent)
    : QTableView(parent), model_(new TableModel(this)), delegate_(new FigureDelegate(this)) {
  setModel(model_);
  setItemDelegate(delegate_);
  connect(model_, &TableModel::sortWanted, this, &FigureTable::sortWanted);
  setMouseTracking(true);
  connect(this, &QAbstractItemView::entered, this, [this](const QModelIndex& index) { hover(index.row()); });
  connect(this, &QAbstractItemView::viewportEntered, this, [this] { hover(-1); });
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollMode(ScrollPerPixel);
  setCornerButtonEnabled(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  QHeaderView* header = horizontalHeader();
  header->setHighlightSections(false);
  header->setTextElideMode(Qt::ElideRight);
  header->setMinimumSectionSize(24);
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QWidget::customContextMenuRequested, this, &FigureTable::offerColumns);
  connect(header, &QHeaderView::sectionResized, this, [this](int section) {
    // A last column that stretches is resized by the window, not by the user.
    if (measuring_ || (horizontalHeader()->stretchLastSection() && section + 1 == model_->columnCount())) return;
    if (section == nameSection()) namesSized_ = true;
    else giveRestToNames();
  });
  header->setSortIndicator(-1, Qt::DescendingOrder);  // as they come, until sorted
  setSortingEnabled(true);

  const auto add = [this](const QString& text, auto slot) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, slot);
    addAction(action);
    return action;
  };
  add(tr("Copy name"), &FigureTable::copyName);
  QAction* copy = add(tr("Copy row"), &FigureTable::copySelected);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  add(tr("Copy table"), &FigureTable::copyAll);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(&Theme::instance(), &Theme::changed, this, &FigureTable::measure);
}

void FigureTable::setContent(TableContent content) {
  std::unordered_set<std::uint64_t> selected;
  for (const QModelIndex& index : selectionModel()->selectedRows())
    selected.insert(model_->content().keyOf(model_->contentRow(index.row())));
  const auto current = currentRow();
  const std::uint64_t currentKey = current ? model_->content().keyOf(*current) : 0;
  const int column = currentIndex().column();
  const int down = verticalScrollBar()->value(), right = horizontalScrollBar()->value();

  model_->setContent(std::move(content));
  if (measured_ != titles()) measure();
  QItemSelection kept;
  const int last = model_->columnCount() - 1;
  const bool quick = model_->content().rowOf != nullptr;
  for (const std::uint64_t key : quick ? selected : decltype(selected)())
    if (const int row = model_->rowOfKey(key); row >= 0)
      kept.append(QItemSelectionRange(model_->index(row, 0), model_->index(row, last)));
  for (int row = 0; row < model_->rowCount() && !selected.empty() && !quick; ++row)
    if (selected.contains(model_->content().keyOf(model_->contentRow(row))))
      kept.append(QItemSelectionRange(model_->index(row, 0), model_->index(row, last)));
  if (const int row = current ? model_->rowOfKey(currentKey) : -1; row >= 0)
    selectionModel()->setCurrentIndex(model_->index(row, column), QItemSelectionModel::NoUpdate);
  selectionModel()->select(kept, QItemSelectionModel::ClearAndSelect);
  verticalScrollBar()->setValue(down);
  horizontalScrollBar()->setValue(right);
}

void FigureTable::sortBy(int column, Qt::SortOrder order) { sortByColumn(column, order); }

void FigureTable::clear() {
  TableContent empty;
  empty.name = content().name;
  empty.columns = content().columns;
  empty.nameColumn = content().nameColumn;
  setContent(std::move(empty));
}

std::optional<std::uint64_t> FigureTable::marked() const { return delegate_->marked; }

void FigureTable::select(std::optional<std::uint64_t> key) {
  delegate_->marked = key;
  viewport()->update();
  const int row = key ? model_->rowOfKey(*key) : -1;
  if (row < 0) {
    clearSelection();
    return;
  }
  const QModelIndex index = model_->index(row, 0);
  if (selectionModel()->isRowSelected(row)) return;
  selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  scrollTo(index);
}

std::optional<std::size_t> FigureTable::currentRow() const {
  const QModelIndex index = currentIndex();
  return index.isValid() ? std::optional(model_->contentRow(index.row())) : std::nullopt;
}

// --- taking away ---------------------------------------------------------------------------------------------------

std::vector<std::size_t> FigureTable::shownColumns() const {
  std::vector<std::size_t> columns;
  for (int i = 0; i < model_->columnCount(); ++i) {
    const int section = horizontalHeader()->logicalIndex(i);
    if (!isColumnHidden(section)) columns.push_back(static_cast<std::size_t>(section));
  }
  return columns;
}

QString FigureTable::selectedText() const {
  std::vector<int> places;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom() && places.size() < kMostCopied; ++row) places.push_back(row);
  std::sort(places.begin(), places.end());
  std::vector<std::size_t> rows;
  for (const int place : places) rows.push_back(model_->contentRow(place));
  return tabSeparated(content(), shownColumns(), rows, false);
}

QString FigureTable::allText() const { return tabSeparated(content(), shownColumns(), model_->order(), true); }

void FigureTable::copySelected() const {
  if (selectionModel()->hasSelection()) QApplication::clipboard()->setText(selectedText());
}

void FigureTable::copyName() const {
  if (const auto row = currentRow())
    QApplication::clipboard()->setText(
        cellText(content().columns[content().nameColumn], content().cell(*row, content().nameColumn)));
}

void FigureTable::copyAll() const { QApplication::clipboard()->setText(allText()); }

// --- choosing ------------------------------------------------------------------------------------------------------

bool FigureTable::isOnFoldSign(const QModelIndex& index, QPoint at) const {
  if (!content().foldSign || index.column() != nameSection()) return false;
  const std::size_t row = model_->contentRow(index.row());
  if (!content().holdsOthers(row)) return false;
  const int name =
      visualRect(index).left() + FigureDelegate::kPadding + (content().swatch ? FigureDelegate::kSwatch : 0);
  return at.x() < name + QFontMetrics(Theme::font()).horizontalAdvance(content().foldSign(row));
}

void FigureTable::mouseDoubleClickEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  const QModelIndex index = indexAt(at);
  if (index.isValid() && isOnFoldSign(index, at)) return;  // its second release folds again
  doubleClick_ = true;
  QTableView::mouseDoubleClickEvent(event);
  if (index.isValid()) emit rowDoubleClicked(model_->contentRow(index.row()));
}

void FigureTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  if (std::exchange(doubleClick_, false)) return;
  const QModelIndex index = indexAt(event->position().toPoint());
  // A drag or a click with Ctrl or Shift selects rows to copy, and means no single one.
  if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier || !index.isValid()) return;
  if (index.row() != currentIndex().row() || selectionModel()->selectedRows().size() != 1) return;
  const std::size_t row = model_->contentRow(index.row());
  if (isOnFoldSign(index, event->position().toPoint())) emit foldWanted(row);
  else emit chosen(row);
}

void FigureTable::hover(int row) {
  delegate_->hoveredRow = row;
  viewport()->update();
}

void FigureTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  // A row that is lit is lit beyond its last column, too.
  const int end = horizontalHeader()->length() - horizontalHeader()->offset();
  if (end >= viewport()->width() || model_->rowCount() == 0) return;
  QPainter painter(viewport());
  const int last = rowAt(viewport()->height() - 1);
  for (int row = std::max(rowAt(0), 0); row <= (last < 0 ? model_->rowCount() - 1 : last); ++row) {
    const bool selected = selectionModel()->isRowSelected(row);
    if (!selected && row != delegate_->hoveredRow) continue;
    const ThemeColours& colours = Theme::colours();
    painter.fillRect(end, rowViewportPosition(row), viewport()->width() - end, rowHeight(row),
                     selected ? colours.rowHighlight : colours.chrome);
  }
}

void FigureTable::leaveEvent(QEvent* event) {
  QTableView::leaveEvent(event);
  hover(-1);
}

void FigureTable::keyPressEvent(QKeyEvent* event) {
  // Without a window in front there are no shortcuts, and Qt would copy the one cell.
  if (event->matches(QKeySequence::Copy)) return copySelected();
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto row = currentRow()) emit chosen(*row);
      return;
    case Qt::Key_Escape:
      emit left();
      return;
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (const auto row = currentRow(); row && content().foldSign)
        return emit foldKeyPressed(*row, event->key() == Qt::Key_Right, event->modifiers() & Qt::ShiftModifier);
      [[fallthrough]];
    default:
      QTableView::keyPressEvent(event);
  }
}

// --- widths --------------------------------------------------------------------------------------------------------

QStringList FigureTable::titles() const {
  QStringList titles;
  for (const TableColumn& column : content().columns) titles += column.title;
  return titles;
}

void FigureTable::measure() {
  measuring_ = true;
  const bool others = measured_ != titles();
  if (others) namesSized_ = false;
  const auto& columns = content().columns;
  const QFontMetrics figures(Theme::figures()), names(Theme::font());
  {
    const QSignalBlocker quiet(verticalHeader());  // a signal for each of millions of rows
    verticalHeader()->setDefaultSectionSize(std::max(figures.height(), names.height()) + kAir);
  }
  scheduleDelayedItemsLayout();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool figure = columns[i].kind != analysis::ColumnKind::kText;
    const int text = columns[i].characters * (figure ? figures : names).horizontalAdvance('0');
    const int title = names.horizontalAdvance(columns[i].title + QStringLiteral("↓ "));
    const auto section = static_cast<int>(i);
    if (i != content().nameColumn) setColumnWidth(section, std::max(text, title) + 2 * FigureDelegate::kPadding);
    if (others) setColumnHidden(section, columns[i].hidden);
  }
  horizontalHeader()->setStretchLastSection(!columns.empty() && columns.back().kind == analysis::ColumnKind::kText);
  measured_ = titles();
  measuring_ = false;
  giveRestToNames();
}

void FigureTable::giveRestToNames() {
  if (namesSized_ || model_->columnCount() == 0) return;
  int others = 0;
  for (int i = 0; i < model_->columnCount(); ++i) {
    const bool stretched = horizontalHeader()->stretchLastSection() && i + 1 == model_->columnCount();
    if (i != nameSection() && !isColumnHidden(i)) others += stretched ? kLeastName : columnWidth(i);
  }
  measuring_ = true;
  setColumnWidth(nameSection(), std::clamp(viewport()->width() - others, kLeastName, kMostName));
  measuring_ = false;
}

void FigureTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  giveRestToNames();
}

void FigureTable::offerColumns(QPoint at) {
  QMenu menu(this);
  for (std::size_t i = 0; i < content().columns.size(); ++i) {
    const auto section = static_cast<int>(i);
    if (section == nameSection()) continue;
    QAction* action = menu.addAction(content().columns[i].title);
    action->setCheckable(true);
    action->setChecked(!isColumnHidden(section));
    connect(action, &QAction::toggled, this, [this, section](bool shown) {
      setColumnHidden(section, !shown);
      giveRestToNames();
    });
  }
  menu.exec(horizontalHeader()->mapToGlobal(at));
}

}  // namespace lanescope::views
