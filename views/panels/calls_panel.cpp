// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/calls_panel.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/format.h"
#include "model/utf8.h"
#include "views/chip.h"
#include "views/elided.h"
#include "views/flow_layout.h"
#include "views/panels/flame_graph.h"
#include "views/tables/figure_delegate.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

using analysis::CallOrder;
using analysis::CallSource;
using analysis::CallTree;

constexpr int kFigureWidth = 90, kLeastName = 160, kWidestSearch = 180;
constexpr int kMostOpened = 64;  // levels that are opened at first sight, along the most time
constexpr int kMostLookedAt = 1000;  // rows below one, the largest, that may open again

/// A switch of which one is on.
template <class Value, std::size_t kCount, class Changed>
void oneOf(std::array<QToolButton*, kCount>& buttons, Value& value, Changed changed) {
  for (std::size_t i = 0; i < kCount; ++i) {
    buttons[i]->setChecked(i == static_cast<std::size_t>(value));
    QObject::connect(buttons[i], &QToolButton::clicked, buttons[i], [&buttons, &value, changed, i] {
      value = static_cast<Value>(i);
      for (std::size_t each = 0; each < kCount; ++each) buttons[each]->setChecked(each == i);
      changed();
    });
  }
}

QString pathOf(QModelIndex index) {
  QString path;
  for (; index.isValid(); index = index.parent()) path += index.siblingAtColumn(0).data().toString() + QChar(0x1f);
  return path;
}

}  // namespace

CallsPanel::CallsPanel(QWidget* parent)
    : QWidget(parent),
      split_(new QSplitter(this)),
      tree_(new QTreeView(split_)),
      model_(new CallTreeModel(this)),
      flame_(new FlameGraph(split_)) {
  setObjectName("callsPanel");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(buildHead());
  layout->addWidget(split_, 1);
  detail_ = new ElidedLabel(this);
  detail_->setProperty("tone", "dim");
  detail_->setContentsMargins(12, 2, 8, 2);
  detail_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(detail_);
  split_->setHandleWidth(1);
  split_->setChildrenCollapsible(false);
  buildTree();
  connect(flame_, &FlameGraph::currentChanged, this, [this](std::uint32_t node) {
    if (answer_.flame == answer_.ordered && node != 0) tree_->setCurrentIndex(model_->indexOf(node));
    showDetail(node);
  });
  connect(flame_, &FlameGraph::longestWanted, this, [this](std::uint32_t node) { goToLongest(*answer_.flame, node); });
  connect(flame_, &FlameGraph::left, this, &CallsPanel::left);
  connect(&Theme::instance(), &Theme::changed, this, &CallsPanel::showAnswer);
  setReport(nullptr, {}, {});
}

QWidget* CallsPanel::buildHead() {
  auto* head = new QWidget(this);
  headline_ = new ElidedLabel(head);
  headline_->setMinimumWidth(1);  // it takes a line of its own, and widens nothing
  sources_ = {
      toggleChip(tr("NVTX"), tr("Time in NVTX ranges, by the ranges around them"), head),
      toggleChip(tr("CPU samples"), tr("Samples of the CPU, by the call stacks taken with them"), head),
      toggleChip(tr("Python samples"), tr("Samples of Python alone, running or waiting, by its functions"), head)};
  sources_[2]->hide();
  orders_ = {toggleChip(tr("Top-down"), tr("Callers above what they call"), head),
             toggleChip(tr("Bottom-up"), tr("What time was spent in itself, with its callers below"), head),
             toggleChip(tr("Flat"), tr("Every name once"), head)};
  byThread_ = toggleChip(tr("By thread"), tr("Each thread for itself; else all threads together"), head);
  whole_ = toggleChip(tr("Whole report"), tr("Of all time; else of the selection, or without one of the visible range"),
                      head);
  search_ = new QLineEdit(head);
  search_->setPlaceholderText(tr("Search names"));
  search_->setAccessibleName(tr("Search names"));
  search_->setToolTip(tr("Names with this text keep their colour; Enter goes to the next"));
  search_->setClearButtonEnabled(true);
  search_->setMaximumWidth(kWidestSearch);
  connect(search_, &QLineEdit::textChanged, this, &CallsPanel::showFound);
  connect(search_, &QLineEdit::returnPressed, this, &CallsPanel::goToNextFound);
  oneOf(sources_, source_, [this] {
    chosen_ = true;
    refresh();
  });
  oneOf(orders_, order_, [this] { refresh(); });
  connect(byThread_, &QToolButton::toggled, this, &CallsPanel::refresh);
  connect(whole_, &QToolButton::toggled, this, &CallsPanel::refresh);
  auto* layout = new FlowLayout(head, 3);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->setSpacing(8);
  layout->addWidget(headline_);
  layout->addWidget(together(head, {sources_[0], sources_[1], sources_[2]}));
  layout->addWidget(together(head, {orders_[0], orders_[1], orders_[2]}));
  layout->addWidget(together(head, {byThread_, whole_, search_}));
  return head;
}

void CallsPanel::buildTree() {
  tree_->setModel(model_);
  tree_->setItemDelegate(new FigureDelegate(tree_));
  tree_->setObjectName("callTree");
  tree_->setAccessibleName(tr("Call tree"));
  tree_->setUniformRowHeights(true);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->header()->setStretchLastSection(false);
  for (int column = 1; column < kCallColumns; ++column) tree_->setColumnWidth(column, kFigureWidth);
  tree_->header()->setSortIndicator(-1, Qt::DescendingOrder);  // as the tree has them, until sorted
  tree_->setSortingEnabled(true);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    const std::uint32_t node = CallTreeModel::nodeOf(index);
    if (answer_.flame == answer_.ordered) flame_->setCurrent(node);
    if (answer_.ordered) detail_->setText(node == 0 ? QString() : callSummary(*answer_.ordered, node));
  });
  connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& index) { open_ += pathOf(index); });
  connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& index) { open_.remove(pathOf(index)); });
  connect(tree_, &QTreeView::doubleClicked, this,
          [this](const QModelIndex& index) { goToLongest(*answer_.ordered, CallTreeModel::nodeOf(index)); });
  auto* copy = new QAction(tr("Copy rows"), tree_);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  connect(copy, &QAction::triggered, this, [this] {
    const bool some = tree_->selectionModel()->hasSelection();
    QApplication::clipboard()->setText(some ? selectedText() : allText());
  });
  auto* copyAll = new QAction(tr("Copy all rows shown"), tree_);
  connect(copyAll, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(allText()); });
  tree_->addActions({copy, copyAll});
  tree_->setContextMenuPolicy(Qt::ActionsContextMenu);
  tree_->installEventFilter(this);
  tree_->viewport()->installEventFilter(this);
}

void CallsPanel::setReport(ViewState* view, const std::filesystem::path& file, const QString& message) {
  if (view && view == view_) return refresh();
  if (view_) view_->disconnect(this);
  view_ = view;
  file_ = std::make_shared<CallsFile>(file);
  job_.cancel();
  answer_ = {};
  open_.clear();
  opened_ = chosen_ = false;
  showAnswer();
  say(view ? QString() : message.isEmpty() ? tr("No report") : message);
  if (!view) return;
  for (auto changed : {&ViewState::traceChanged, &ViewState::visibleChanged, &ViewState::selectionChanged,
                       &ViewState::passingChanged, &ViewState::countedChanged})
    connect(view, changed, this, &CallsPanel::refresh);
  refresh();
}

void CallsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void CallsPanel::say(const QString& text) { headline_->setText(text); }

/// What a report does not have is not what is looked at first; samples of Python are offered where there are any.
void CallsPanel::chooseSource() {
  const trace::Trace& trace = *view_->trace();
  sources_[2]->setVisible(hasCalls(trace, CallSource::kPython));
  if (chosen_) return;
  chosen_ = true;
  if (hasCalls(trace, source_)) return;
  for (const CallSource each : {CallSource::kNvtx, CallSource::kSamples, CallSource::kPython}) {
    if (!hasCalls(trace, each)) continue;
    source_ = each;
    break;
  }
  for (std::size_t i = 0; i < sources_.size(); ++i) sources_[i]->setChecked(i == static_cast<std::size_t>(source_));
}

void CallsPanel::refresh() {
  if (!view_ || !isVisible()) return;
  job_.cancel();
  if (!view_->trace()->complete) return say(tr("Loading…"));
  chooseSource();
  CallsQuestion question;
  question.tree.trace = view_->trace();
  question.tree.source = source_;
  question.tree.byThread = byThread_->isChecked();
  question.tree.passing = view_->counted();
  if (!whole_->isChecked()) question.tree.range = view_->selection().value_or(view_->visibleRecorded());
  question.order = order_;
  question.file = file_;
  job_.start([question = std::move(question)](const Job& job) { return answer(question, job); },
             [this](CallsAnswer answer) { take(std::move(answer)); });
}

void CallsPanel::take(CallsAnswer answer) {
  answer_ = std::move(answer);
  showAnswer();
}

void CallsPanel::showAnswer() {
  Palette palette = Theme::palette();
  if (answer_.trace) palette.learn(*answer_.trace);
  model_->setTree(answer_.ordered, answer_.trace, palette);
  flame_->setTree(answer_.flame, answer_.trace, palette);
  showFound();
  if (answer_.ordered && !answer_.ordered->empty() && !std::exchange(opened_, true)) openFirst();
  else openAgain({});
  if (const QModelIndex current = model_->indexOf(flame_->current());
      answer_.flame == answer_.ordered && tree_->visualRect(current).isValid())
    tree_->setCurrentIndex(current);
  if (!answer_.trace) return;
  if (!answer_.flame) return say(answer_.missing);
  const CallTree& tree = *answer_.flame;
  const bool samples = analysis::countsSamples(tree.source);
  tree_->setColumnHidden(static_cast<int>(CallColumn::kCount), samples);  // they are what is counted
  giveRestToNames();
  if (!hasCalls(*answer_.trace, tree.source))
    return say(tree.source == CallSource::kPython ? tr("The report has no samples of Python")
               : samples                          ? tr("The report has no CPU samples")
                                                  : tr("The report has no NVTX ranges"));
  QString text = samples ? callAmount(tree, tree.nodes[0].total)
                         : tr("%1 in NVTX ranges").arg(callAmount(tree, tree.nodes[0].total));
  if (tree.withoutStack() > 0)
    text = tr("%1 of %2 with a stack")
               .arg(numberText(static_cast<std::uint64_t>(tree.nodes[0].total)),
                    callAmount(tree, tree.nodes[0].total + tree.withoutStack()));
  if (tree.withoutStack() > 0 && answer_.ordered != answer_.flame) text += tr(" (Self is of all)");
  text += whole_->isChecked()           ? tr(" · whole report")
          : view_ && view_->selection() ? tr(" · selection")
                                        : tr(" · visible range");
  if (view_ && view_->counted()) text += tr(" · filtered");
  if (tree.cut > 0) text += tr(" · %1 not shown to their full depth").arg(numberText(tree.cut));
  if (answer_.stacksCut) text += tr(" · not all stacks of the file are read");
  say(text);
}

void CallsPanel::openFirst() {
  QModelIndex index = model_->index(0, 0);
  for (int level = 0; index.isValid() && level < kMostOpened; ++level, index = model_->index(0, 0, index))
    tree_->expand(index);
}

void CallsPanel::openAgain(const QModelIndex& around) {
  const int count = std::min(model_->rowCount(around), kMostLookedAt);
  for (int row = 0; row < count; ++row) {
    const QModelIndex index = model_->index(row, 0, around);
    if (!open_.contains(pathOf(index))) continue;
    tree_->expand(index);
    openAgain(index);
  }
}

void CallsPanel::showDetail(std::uint32_t node) {
  detail_->setText(node == 0 ? QString() : callSummary(*answer_.flame, node));
}

void CallsPanel::showFound() {
  const QString text = search_->text().trimmed();
  std::vector<Found> found;
  if (answer_.ordered) found = nodesWith(*answer_.ordered, text);
  detail_->setText(text.isEmpty() || !answer_.ordered
                       ? QString()
                       : tr("%1 of %2 rows have it in their name")
                             .arg(numberText(static_cast<std::uint64_t>(std::ranges::count(found, Found::kHere))))
                             .arg(numberText(found.empty() ? 0 : found.size() - 1)));
  flame_->setFound(!answer_.flame                     ? std::vector<Found>()
                   : answer_.flame == answer_.ordered ? found
                                                      : nodesWith(*answer_.flame, text));
  model_->setFound(std::move(found));
  tree_->viewport()->update();
}

void CallsPanel::goToNextFound() {
  const QModelIndex next = model_->nextFound(tree_->currentIndex());
  if (!next.isValid()) return;
  tree_->setCurrentIndex(next);
  tree_->scrollTo(next);
}

void CallsPanel::goToLongest(const CallTree& tree, std::uint32_t node) {
  const analysis::CallNode& at = tree.nodes[node];
  if (!view_ || answer_.trace != view_->trace() || at.longestLength < 0) return;
  goToEvent(*view_, at.longest);
  view_->zoomTo(answer_.trace->time(at.longest));
}

/// What the figures leave, but enough to read: then they scroll.
void CallsPanel::giveRestToNames() {
  int figures = 0;
  for (int column = 1; column < kCallColumns; ++column)
    if (!tree_->isColumnHidden(column)) figures += tree_->columnWidth(column);
  tree_->setColumnWidth(0, std::max(tree_->viewport()->width() - figures, kLeastName));
}

bool CallsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_->viewport() && event->type() == QEvent::Resize) giveRestToNames();
  if (watched != tree_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      emit left();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (tree_->currentIndex().isValid()) goToLongest(*answer_.ordered, CallTreeModel::nodeOf(tree_->currentIndex()));
      return true;
    default:
      return false;
  }
}

QString CallsPanel::headline() const { return headline_->text(); }

QString CallsPanel::allText() const {
  QStringList titles;
  for (int column = 0; column < kCallColumns; ++column)
    if (!tree_->isColumnHidden(column)) titles += model_->title(static_cast<CallColumn>(column));
  const QString rows = textOf(false);
  return rows.isEmpty() ? titles.join('\t') : titles.join('\t') + u'\n' + rows;
}

QString CallsPanel::selectedText() const { return textOf(true); }

QString CallsPanel::textOf(bool ofSelected) const {
  QStringList lines;
  for (QModelIndex index = model_->index(0, 0); index.isValid(); index = tree_->indexBelow(index)) {
    if (ofSelected && !tree_->selectionModel()->isSelected(index)) continue;
    const std::string_view name = model_->tree()->nameOf(CallTreeModel::nodeOf(index));
    QStringList cells(toQt(shownText(name, name.size())));  // the cell has its begin only
    for (int column = 1; column < kCallColumns; ++column)
      if (!tree_->isColumnHidden(column)) cells += index.siblingAtColumn(column).data().toString();
    int level = 0;
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) ++level;
    lines += QString(2 * level, ' ') + cells.join('\t');
  }
  return lines.join('\n');
}

}  // namespace lanescope::views
