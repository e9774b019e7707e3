// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/events_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "model/format.h"
#include "views/chip.h"
#include "views/elided.h"
#include "views/flow_layout.h"
#include "views/panels/panel_parts.h"
#include "views/panels/rows_line.h"
#include "views/panels/save_table.h"
#include "views/restyle.h"
#include "views/tables/event_table.h"
#include "views/tables/figure_table.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

/// But for the order and the text.
bool areOfTheSame(const analysis::EventListQuestion& a, const analysis::EventListQuestion& b) {
  return a.trace == b.trace && a.selection.range == b.selection.range && a.selection.rows == b.selection.rows &&
         a.selection.passing == b.selection.passing;
}

}  // namespace

EventsPanel::EventsPanel(QWidget* parent) : QWidget(parent), table_(new FigureTable(this)) {
  setObjectName("eventsPanel");
  table_->setAccessibleName(tr("Events"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(buildHead());
  layout->addWidget(withRowsLine(table_, this), 1);
  connectTable();
  connect(&Theme::instance(), &Theme::changed, this, &EventsPanel::showList);
  setView(nullptr);
}

QWidget* EventsPanel::buildHead() {
  auto* head = new QWidget(this);
  headline_ = new ElidedLabel(head);
  headline_->setMinimumWidth(1);  // it takes a line of its own, and widens nothing
  nested_ = toggleChip(tr("Nested"), tr("Thread by thread and row by row, each event before those inside it"), head);
  const auto folder = [&](const QString& text, const QString& tip, bool folded) {
    QToolButton* button = chip(text, tip, head);
    connect(button, &QToolButton::clicked, this, [this, folded] { foldAll(folded); });
    return button;
  };
  foldAll_ = folder(tr("Fold all"), tr("Only events that are in no other one (Shift+Left)"), true);
  unfoldAll_ = folder(tr("Unfold all"), tr("All events (Shift+Right)"), false);
  parts_ = new PartChips(head);
  filter_ = new QLineEdit(head);
  filter_->setPlaceholderText(tr("Search events"));
  filter_->setToolTip(tr("A part of a name, in any case, and terms as in Find: kind:kernel dur>10us stream:14"));
  filter_->setAccessibleName(tr("Search events"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(240);
  copy_ = flatButton(tr("Copy"), head);
  save_ = flatButton(tr("Save CSV…"), head);
  auto* layout = new FlowLayout(head);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(headline_);
  layout->addWidget(together(head, {nested_, foldAll_, unfoldAll_, parts_, filter_, copy_, save_}));
  const auto showButtons = [this] {
    for (QToolButton* button : {foldAll_, unfoldAll_}) button->setVisible(nested_->isChecked());
  };
  showButtons();
  connect(nested_, &QToolButton::toggled, this, showButtons);
  connect(nested_, &QToolButton::toggled, this, &EventsPanel::refresh);
  connect(parts_, &PartChips::changed, this, &EventsPanel::refresh);
  connect(filter_, &QLineEdit::textChanged, this, &EventsPanel::refresh);
  return head;
}

void EventsPanel::connectTable() {
  connect(table_, &FigureTable::sortWanted, this, [this](int column, bool descending) {
    order_ = column < 0 ? analysis::EventOrder::kStart : orderOf(static_cast<EventColumn>(column));
    descending_ = column >= 0 && descending;
    if (nested_->isChecked()) nested_->setChecked(false);  // refreshes
    else refresh();
  });
  const auto isHere = [this](std::size_t row) {
    return view_ && events_ && row < events_->size() && events_->list().question().trace == view_->trace();
  };
  connect(table_, &FigureTable::chosen, this, [this, isHere](std::size_t row) {
    if (isHere(row)) goToEvent(*view_, events_->at(row));
  });
  connect(table_, &FigureTable::rowDoubleClicked, this, [this, isHere](std::size_t row) {
    if (isHere(row)) view_->zoomTo(view_->trace()->time(events_->at(row)));
  });
  connect(table_, &FigureTable::foldWanted, this, [this, isHere](std::size_t row) {
    if (isHere(row)) fold(row, !events_->folded(row));
  });
  connect(table_, &FigureTable::foldKeyPressed, this, [this, isHere](std::size_t row, bool unfold, bool all) {
    if (isHere(row)) foldByKey(row, unfold, all);
  });
  connect(table_, &FigureTable::left, this, &EventsPanel::left);
  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(save_, &QPushButton::clicked, this, [this] { saveCsv(this, table_->figures()); });
}

void EventsPanel::setView(ViewState* view) {
  if (view && view == view_) return refresh();
  if (view_) view_->disconnect(this);
  view_ = view;
  {
    const QSignalBlocker quiet(filter_);  // of another report
    filter_->clear();
  }
  job_.cancel();
  foldJob_.cancel();
  events_ = nullptr;
  folds_ = {};
  rowOfLane_.clear();
  table_->clear();
  parts_->follow(view);
  headline_->setText(view ? QString() : tr("No report"));
  copy_->setEnabled(false);
  save_->setEnabled(false);
  if (!view) return;
  connect(view, &ViewState::traceChanged, this, [this] {
    rowOfLane_.clear();
    folds_ = {};
    refresh();
  });
  connect(view, &ViewState::countedChanged, this, &EventsPanel::refresh);
  connect(view, &ViewState::selectedRowsChanged, this, &EventsPanel::refresh);
  connect(view, &ViewState::currentChanged, this, &EventsPanel::showCurrent);
  refresh();
}

void EventsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void EventsPanel::refresh() {
  if (!view_ || !isVisible()) return;
  job_.cancel();
  foldJob_.cancel();
  if (!view_->trace()->complete) return headline_->setText(tr("Loading…"));
  const QString text = filter_->text();
  const auto query = analysis::Query::parse(text.toStdString(), false);
  restyle(*filter_, "wrong", !query);
  if (!query) return listNothing(QString::fromStdString(query.error().why));
  if (parts_->isEmpty(*view_)) return listNothing(parts_->emptyText());
  if (rowOfLane_.empty()) rowOfLane_ = homeRows(*view_->trace());
  analysis::EventListQuestion question;
  question.trace = view_->trace();
  question.selection.range = parts_->time(*view_).value_or(trace::TimeRange{trace::kMinTime, trace::kMaxTime});
  question.selection.rows = view_->selectedRows();
  question.selection.passing = view_->counted();
  if (!query->empty()) question.query = *query;
  question.order = nested_->isChecked() ? analysis::EventOrder::kNested : order_;
  question.descending = !nested_->isChecked() && descending_;
  question.rowOfLane = rowOfLane_;
  headline_->setText(tr("Listing…"));
  const bool same = events_ && text == listedText_ && areOfTheSame(events_->list().question(), question);
  job_.start(
      [question = std::move(question), folds = folds_, before = same ? events_->listPtr() : nullptr](const Job& job) {
        auto list = std::make_shared<const analysis::EventList>(
            before ? before->inOrder(question.order, question.descending, job)
                   : analysis::EventList::make(question, job));
        return std::make_shared<const analysis::FoldedEvents>(std::move(list), folds, job);
      },
      [this, text](std::shared_ptr<const analysis::FoldedEvents> events) {
        listedText_ = text;
        take(std::move(events));
      });
}

void EventsPanel::listNothing(const QString& why) {
  events_ = nullptr;
  table_->clear();
  for (QPushButton* button : {copy_, save_}) button->setEnabled(false);
  headline_->setText(why);
}

void EventsPanel::take(std::shared_ptr<const analysis::FoldedEvents> events) {
  events_ = std::move(events);
  showList();
}

// --- folding -------------------------------------------------------------------------------------------------------

void EventsPanel::fold(std::size_t row, bool folded) {
  folds_.set(events_->id(row), folded);
  showFolds();
}

void EventsPanel::foldAll(bool folded) {
  folds_ = {.all = folded, .others = {}};
  showFolds();
}

void EventsPanel::foldByKey(std::size_t row, bool unfold, bool all) {
  if (all) return foldAll(!unfold);
  const bool holds = events_->holdsOthers(row), folded = holds && events_->folded(row);
  if (holds && folded == unfold) return fold(row, !unfold);
  const auto to = unfold ? (holds ? std::optional(row + 1) : std::nullopt) : events_->around(row);
  if (to) table_->setCurrentRow(*to);
}

void EventsPanel::showFolds() {
  if (!events_ || job_.running()) return refresh();
  foldJob_.start(
      [events = events_, folds = folds_](const Job& job) {
        return std::make_shared<const analysis::FoldedEvents>(events->listPtr(), folds, job);
      },
      [this](std::shared_ptr<const analysis::FoldedEvents> events) {
        const auto row = table_->currentRow();
        const auto before = row ? std::optional(events_->at(*row)) : std::nullopt;
        take(std::move(events));
        if (!before || table_->currentIndex().isValid()) return;
        // Keys go on from what it was folded into.
        if (const auto around = events_->rowOf(*before, true)) table_->setCurrentRow(*around);
      });
}

void EventsPanel::showList() {
  if (!view_ || !events_) return;
  const std::size_t count = events_->list().size(), shown = events_->size(), rows = view_->selectedRows().size();
  headline_->setText((count == 1 ? tr("1 event") : tr("%1 events").arg(numberText(count))) +
                     (rows == 0   ? QString()
                      : rows == 1 ? tr(" · of 1 row")
                                  : tr(" · of %1 rows").arg(rows)) +
                     (events_->list().question().selection.passing ? tr(" · filtered") : QString()) +
                     (shown < count ? tr(" · %1 folded away").arg(numberText(count - shown)) : QString()));
  const bool few = shown > 0 && shown <= FigureTable::kMostCopied;
  for (QPushButton* button : {copy_, save_}) {
    button->setEnabled(few);
    button->setToolTip(few || count == 0
                           ? QString()
                           : tr("Of at most %1 events; export writes more").arg(numberText(FigureTable::kMostCopied)));
  }
  Palette palette = Theme::palette();
  palette.learn(*events_->list().question().trace);
  table_->setContent(eventContent(events_, std::move(palette)));
  showCurrent();
}

void EventsPanel::showCurrent() {
  if (!view_ || !events_ || !isVisible() || events_->list().question().trace != view_->trace()) return;
  const auto current = view_->current();
  const auto row = current ? events_->rowOf(*current, true) : std::nullopt;
  table_->select(row ? std::optional<std::uint64_t>(events_->id(*row)) : std::nullopt);
}

QString EventsPanel::headline() const { return headline_->text(); }

}  // namespace lanescope::views
