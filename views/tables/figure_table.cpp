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
#include <utility>

#include "views/tables/figure_delegate.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kAir = 10;  // above and below the text of a row together
constexpr int kLeastName = 140, kMostName = 420;
constexpr int kFarColumn = 11;
constexpr std::size_t kMeasuredRows = 50;
constexpr int kMostMeasured = 100;  // characters

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
  QAction* titled = add(tr("Copy row with header"), &FigureTable::copyWithTitles);
  titled->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
  titled->setShortcutContext(Qt::WidgetShortcut);
  copyTable_ = add(tr("Copy table"), &FigureTable::copyAll);
  add(tr("Copy row as Markdown"), &FigureTable::copyMarkdown);
  copyTableMarkdown_ = add(tr("Copy table as Markdown"), &FigureTable::copyAllMarkdown);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(&Theme::instance(), &Theme::changed, this, &FigureTable::measure);
  connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, &FigureTable::keep);
  connect(model_, &QAbstractItemModel::modelReset, this, &FigureTable::bringBack);
  measure();  // the height of rows, before there are any
}

void FigureTable::setContent(TableContent content) {
  const auto current = currentRow();
  model_->setContent(std::move(content), current ? std::optional(this->content().keyOf(*current)) : std::nullopt);
}

void FigureTable::keep() {
  kept_ = {};
  kept_.column = currentIndex().column();
  kept_.down = verticalScrollBar()->value();
  kept_.right = horizontalScrollBar()->value();
  if (const auto row = currentRow()) kept_.current = content().keyOf(*row);
  if (selectedCount() > kMostKept) return;
  for (const QModelIndex& index : selectionModel()->selectedRows())
    kept_.selected.insert(content().keyOf(model_->contentRow(index.row())));
}

void FigureTable::bringBack() {
  if (measured_ != titles()) measure();
  QItemSelection selection;
  const auto add = [&](int row) {
    if (row >= 0) selection.select(model_->index(row, 0), model_->index(row, model_->columnCount() - 1));
  };
  if (content().rowOf || kept_.selected.size() == 1) {
    for (const std::uint64_t key : kept_.selected) add(model_->rowOfKey(key));
  } else if (!kept_.selected.empty()) {
    for (int row = 0; row < model_->rowCount(); ++row)
      if (kept_.selected.contains(content().keyOf(model_->contentRow(row)))) add(row);
  }
  if (const int row = kept_.current ? model_->rowOfKey(*kept_.current) : -1; row >= 0)
    selectionModel()->setCurrentIndex(model_->index(row, kept_.column), QItemSelectionModel::NoUpdate);
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  verticalScrollBar()->setValue(kept_.down);
  horizontalScrollBar()->setValue(kept_.right);
  for (QAction* each : {copyTable_, copyTableMarkdown_}) each->setEnabled(content().rows <= kMostCopied);
  emit shownChanged();
}

void FigureTable::showFrom(std::size_t place) {
  model_->showPlace(place);
  scrollToTop();
}

void FigureTable::goToPlace(std::size_t place) {
  const int column = std::max(currentIndex().column(), 0);
  model_->showPlace(place);
  setCurrentIndex(model_->index(static_cast<int>(place - model_->firstShown()), column));
}

void FigureTable::setCurrentRow(std::size_t row) {
  if (const auto place = model_->placeOf(content().keyOf(row))) goToPlace(*place);
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
  const bool another = std::exchange(delegate_->marked, key) != key;
  viewport()->update();
  if (another && key)
    if (const auto place = model_->placeOf(*key)) model_->showPlace(*place);
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

RowOrder FigureTable::selectedRows() const {
  std::vector<int> places;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom() && places.size() < kMostCopied; ++row) places.push_back(row);
  std::sort(places.begin(), places.end());
  RowOrder rows;
  for (const int place : places) rows.push_back(static_cast<std::uint32_t>(model_->contentRow(place)));
  return rows;
}

QString FigureTable::selectedText() const { return tabSeparated(content(), shownColumns(), selectedRows(), false); }

QString FigureTable::allText() const { return tabSeparated(content(), shownColumns(), model_->order(), true); }

std::size_t FigureTable::selectedCount() const {
  std::size_t rows = 0;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    rows += static_cast<std::size_t>(range.height());
  return rows;
}

void FigureTable::copyText(const QString& text) {
  const std::size_t rows = selectedCount();
  if (rows == 0) return;
  QApplication::clipboard()->setText(text);
  if (rows > kMostCopied) emit copiedFirstOf(rows);
}

void FigureTable::copySelected() { copyText(selectedText()); }

void FigureTable::copyWithTitles() { copyText(tabSeparated(content(), shownColumns(), selectedRows(), true)); }

void FigureTable::copyMarkdown() { copyText(markdown(content(), shownColumns(), selectedRows())); }

void FigureTable::copyAllMarkdown() const {
  QApplication::clipboard()->setText(markdown(content(), shownColumns(), model_->order()));
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
  if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
    return copyWithTitles();
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
      if (event->modifiers() & Qt::ShiftModifier || !goesBeyond(event->key())) QTableView::keyPressEvent(event);
  }
}

bool FigureTable::goesBeyond(int key) {
  const bool down = key == Qt::Key_Down || key == Qt::Key_PageDown, up = key == Qt::Key_Up || key == Qt::Key_PageUp;
  const int row = currentIndex().row(), edge = down ? model_->rowCount() - 1 : 0;
  const std::size_t place = model_->firstShown() + static_cast<std::size_t>(std::max(row, 0));
  if ((!down && !up) || row != edge || (down ? place + 1 >= content().rows : place == 0)) return false;
  goToPlace(down ? place + 1 : place - 1);
  return true;
}

void FigureTable::keyboardSearch(const QString& text) {
  // Qt would make a text of each row until one fits, which is for few.
  if (shownRows() <= kMostKept) QTableView::keyboardSearch(text);
}

// --- widths --------------------------------------------------------------------------------------------------------

QStringList FigureTable::titles() const {
  QStringList titles;
  for (const TableColumn& column : content().columns) titles += column.title;
  return titles;
}

/// A name behind many figures would be out of sight: it is shown where rows begin, behind a first column of text.
void FigureTable::placeName() {
  QHeaderView* header = horizontalHeader();
  for (int section = 0; section < model_->columnCount(); ++section)
    header->moveSection(header->visualIndex(section), section);
  if (nameSection() < kFarColumn) return;
  const bool text = content().columns.front().kind == analysis::ColumnKind::kText;
  header->moveSection(header->visualIndex(nameSection()), text ? 1 : 0);
}

bool FigureTable::isLastShown(int section) const {
  return horizontalHeader()->visualIndex(section) + 1 == model_->columnCount();
}

/// Of the first rows; letters may be wider than the digits that columns are measured in.
int FigureTable::longestText(std::size_t column) const {
  const QFontMetrics metrics(Theme::font());
  int longest = 0;
  for (std::size_t row = 0; row < std::min<std::size_t>(content().rows, kMeasuredRows); ++row)
    longest =
        std::max(longest, metrics.horizontalAdvance(
                              cellText(content().columns[column], content().cell(row, column)).left(kMostMeasured)));
  return longest;
}

void FigureTable::measure() {
  measuring_ = true;
  const bool others = measured_ != titles();
  if (others) namesSized_ = false;
  const auto& columns = content().columns;
  const QFontMetrics figures(Theme::figures()), names(Theme::font());
  if (const int height = std::max(figures.height(), names.height()) + kAir;
      height != verticalHeader()->defaultSectionSize()) {
    const QSignalBlocker quiet(verticalHeader());  // a signal for each of the rows
    verticalHeader()->setDefaultSectionSize(height);
  }
  scheduleDelayedItemsLayout();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool figure = columns[i].kind != analysis::ColumnKind::kText;
    const int text = columns[i].characters * (figure ? figures : names).horizontalAdvance('0');
    const int title = names.horizontalAdvance(columns[i].title + QStringLiteral("↓ "));
    const auto section = static_cast<int>(i);
    if (i != content().nameColumn) {
      const int wanted = std::max({text, title, figure ? 0 : std::min(longestText(i), text * 3 / 2)});
      setColumnWidth(section, wanted + 2 * FigureDelegate::kPadding);
    }
    if (others) setColumnHidden(section, columns[i].hidden);
  }
  if (others) placeName();
  horizontalHeader()->setStretchLastSection(!columns.empty() && columns.back().kind == analysis::ColumnKind::kText &&
                                            isLastShown(static_cast<int>(columns.size()) - 1));
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
