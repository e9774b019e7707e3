// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/selection_panel.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "views/chip.h"
#include "views/flow_layout.h"
#include "views/panels/durations_box.h"
#include "views/panels/panel_parts.h"
#include "views/panels/phrase_line.h"
#include "views/panels/save_table.h"
#include "views/panels/search.h"
#include "views/plots/histogram.h"
#include "views/tables/figure_table.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/empty_text.h"
#include "views/timeline/go_to.h"
#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

constexpr int kLongestName = 200;  // characters, of what was found

/// Where threads ran and samples are no events of a selection.
bool hasOnlyBackground(const trace::Trace& trace) {
  return !trace.laneInfo.empty() && std::ranges::all_of(trace.laneInfo, [](const trace::LaneInfo& lane) {
    return trace::isBackground(lane.kind);
  });
}

}  // namespace

SelectionPanel::SelectionPanel(QWidget* parent)
    : QWidget(parent),
      message_(new QLabel(this)),
      body_(new QSplitter(Qt::Horizontal, this)),
      names_(new FigureTable(this)),
      rows_(new FigureTable(this)),
      metrics_(new FigureTable(this)),
      more_(new QLabel(this)),
      side_(new DurationsBox(this)) {
  setObjectName("selectionPanel");
  QWidget* head = buildHead();
  message_->setAlignment(Qt::AlignCenter);
  message_->setProperty("tone", "dim");
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  names_->setAccessibleName(tr("Selection by name"));
  rows_->setAccessibleName(tr("Selection by row"));
  metrics_->setAccessibleName(tr("Metrics of the selection"));
  names_->sortBy(static_cast<int>(NameColumn::kTotal), Qt::DescendingOrder);

  auto* tables = new QWidget(this);
  auto* column = new QVBoxLayout(tables);
  column->setContentsMargins({});
  column->setSpacing(0);
  tables_ = new QStackedLayout;
  column->addLayout(tables_, 1);
  column->addWidget(more_);
  more_->setProperty("tone", "dim");
  more_->setTextFormat(Qt::PlainText);
  more_->setWordWrap(true);
  more_->setContentsMargins(12, 4, 12, 4);
  more_->hide();
  tables_->addWidget(names_);
  tables_->addWidget(rows_);
  tables_->addWidget(metrics_);
  body_->addWidget(tables);
  body_->addWidget(side_);
  side_->hide();
  body_->setStretchFactor(0, 1);
  body_->setStretchFactor(1, 0);
  body_->setChildrenCollapsible(false);
  body_->setHandleWidth(1);
  pages_ = new QStackedLayout;
  pages_->addWidget(body_);
  pages_->addWidget(message_);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(head);
  layout->addLayout(pages_, 1);

  connect(names_, &FigureTable::chosen, this, [this](std::size_t row) {
    if (!view_ || !answer_ || answer_->question.trace != view_->trace()) return;
    const NameKey line = NameKey::of(answer_->names->names[row]);
    choose(chosen_ == line ? std::nullopt : std::optional(line));
  });
  connect(names_, &FigureTable::rowDoubleClicked, this, [this](std::size_t row) {
    if (!view_ || !answer_ || answer_->question.trace != view_->trace()) return;
    choose(NameKey::of(answer_->names->names[row]));  // its first click may have let go of it
    goToLongest();
  });
  connect(rows_, &FigureTable::rowDoubleClicked, this, [this](std::size_t row) {
    if (!view_ || !answer_ || answer_->question.trace != view_->trace() || row >= answer_->rows.size()) return;
    goToLongest([row = answer_->rows[row].row](const trace::Trace& trace, const analysis::Selection& selection,
                                               const Job& job) { return longestIn(trace, selection, row, job); });
  });
  connect(rows_, &FigureTable::chosen, this, [this](std::size_t row) {
    if (!view_ || !answer_ || answer_->question.trace != view_->trace()) return;
    if (row >= answer_->rows.size()) return;  // the answer with rows is still being made
    view_->setCurrentRow(answer_->rows[row].row);
    view_->revealRow(answer_->rows[row].row);
  });
  connect(metrics_, &FigureTable::chosen, this, [this](std::size_t row) {
    if (!view_ || !answer_ || answer_->question.trace != view_->trace() || row >= answer_->counters.size()) return;
    view_->setCurrentRow(answer_->counters[row].row);
    view_->revealRow(answer_->counters[row].row);
  });
  connect(names_, &FigureTable::left, this, [this] {
    if (chosen_) choose(std::nullopt);
    else emit left();
  });
  for (FigureTable* each : {rows_, metrics_}) connect(each, &FigureTable::left, this, &SelectionPanel::left);
  connect(&histogram(), &Histogram::left, this, [this] {
    if (view_) view_->clear();
    emit left();
  });
  connect(&histogram(), &Histogram::picked, this, [this](trace::Ns from, trace::Ns to) { pick({from, to}); });
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    colours_.reset();
    forget();  // an answer on its way has the colours of the earlier theme
    refresh();
  });
  addCommands();
  setView(nullptr);
}

QWidget* SelectionPanel::buildHead() {
  auto* head = new QWidget(this);
  line_ = new PhraseLine(head);
  line_->setAccessibleName(tr("Figures of the selection"));
  byName_ = chip(tr("Names"), tr("A line for each name"), head);
  byRow_ = chip(tr("Rows"), tr("A line for each open row of the timeline"), head);
  byMetric_ = chip(tr("Metrics"), tr("Mean, least and most of each GPU metric and of memory in use"), head);
  scope_ = chip({}, {}, head);
  whole_ = chip(tr("Whole events"),
                tr("Off: of an event that the edge of the range cuts, the part inside counts (it is clipped).\n"
                   "On: all of its time counts, also what lies outside"),
                head);
  copy_ = flatButton(tr("Copy"), head);
  copy_->setToolTip(tr("Copy the table as it is shown"));
  save_ = flatButton(tr("Save CSV…"), head);
  save_->setToolTip(tr("Save the table with raw figures"));
  for (QToolButton* button : {byName_, byRow_, byMetric_, whole_}) button->setCheckable(true);
  byName_->setChecked(true);
  scope_->setObjectName("rowScope");

  auto* layout = new FlowLayout(head, 2);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->setSpacing(8);
  layout->addWidget(line_);
  layout->setExpanding(line_);
  layout->addWidget(together(head, {byName_, byRow_, byMetric_}));
  layout->addWidget(together(head, {scope_, whole_, copy_, save_}));

  connect(byName_, &QToolButton::clicked, this, [this] { showBy(By::kName); });
  connect(byRow_, &QToolButton::clicked, this, [this] { showBy(By::kRow); });
  connect(byMetric_, &QToolButton::clicked, this, [this] { showBy(By::kMetric); });
  connect(scope_, &QToolButton::clicked, this, [this] {
    if (view_) view_->setSelectedRows({});
  });
  connect(whole_, &QToolButton::toggled, this, &SelectionPanel::refresh);
  connect(copy_, &QPushButton::clicked, this, [this] { table().copyAll(); });
  connect(save_, &QPushButton::clicked, this, [this] { saveCsv(this, table().figures()); });
  return head;
}

void SelectionPanel::addCommands() {
  const auto add = [this](FigureTable* table, const QString& text, auto slot) {
    auto* action = new QAction(text, this);
    connect(action, &QAction::triggered, this, slot);
    table->addAction(action);
  };
  auto* apart = new QAction(this);
  apart->setSeparator(true);
  names_->addAction(apart);
  add(names_, tr("Zoom to its longest event"), qOverload<>(&SelectionPanel::goToLongest));
  add(names_, tr("Select its rows"), &SelectionPanel::selectRows);
}

void SelectionPanel::setView(ViewState* view, const QString& message) {
  if (view && view == view_) return refresh();
  if (view_) view_->disconnect(this);
  view_ = view;
  forget();
  stepJob_.cancel();
  answer_.reset();
  chosen_.reset();
  work_.reset();
  workOf_.reset();
  colours_.reset();
  names_->clear();
  rows_->clear();
  metrics_->clear();
  side_->hide();
  showScope();
  if (!view) {
    line_->setPhrases({});
    say(message.isEmpty() ? tr("No report") : message);
    return;
  }
  connect(view, &ViewState::selectionChanged, this, &SelectionPanel::refresh);
  connect(view, &ViewState::visibleChanged, this, [this] {
    if (!view_->selection()) refresh();
  });
  connect(view, &ViewState::rowsChanged, this, [this] {
    if (by_ == By::kRow) refresh();
  });
  connect(view, &ViewState::selectedRowsChanged, this, [this] {
    showScope();
    refresh();
  });
  connect(view, &ViewState::traceChanged, this, [this] {
    forget();
    refresh();
  });
  connect(view, &ViewState::countedChanged, this, &SelectionPanel::refresh);
  connect(view, &ViewState::chosenNameChanged, this, &SelectionPanel::followChosen);
  say(tr("Loading…"));
  refresh();
}

Histogram& SelectionPanel::histogram() { return side_->histogram(); }

QString SelectionPanel::message() const { return pages_->currentWidget() == message_ ? message_->text() : QString(); }

void SelectionPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void SelectionPanel::say(const QString& message) {
  message_->setText(message);
  pages_->setCurrentWidget(message.isEmpty() ? static_cast<QWidget*>(body_) : message_);
  copy_->setEnabled(message.isEmpty());
  save_->setEnabled(message.isEmpty());
}

QString SelectionPanel::more() const { return more_->isHidden() ? QString() : more_->text(); }

// --- asking --------------------------------------------------------------------------------------------------------

analysis::Selection SelectionPanel::selection() const {
  return {view_->selection().value_or(view_->visibleRecorded()), view_->selectedRows(),
          whole_->isChecked() ? analysis::Clip::kWholeEvents : analysis::Clip::kAtEdges, view_->counted()};
}

void SelectionPanel::refresh() {
  if (!view_ || !isVisible()) return;
  if (!view_->trace()->complete) {
    answer_.reset();
    line_->setPhrases({});
    say(tr("Loading…"));
    return;
  }
  if (!emptyText(*view_->trace()).isEmpty()) {
    forget();
    answer_.reset();
    line_->setPhrases({});
    return say(tr("This file holds no events"));
  }
  // Stopping the one that runs would starve a drag that moves quicker than the answers come.
  if (asking_) {
    again_ = true;
    return;
  }
  SelectionQuestion question;
  question.trace = view_->trace();
  question.palette = Theme::palette();
  if (workOf_ == question.trace) {
    if (workPassing_ == view_->counted()) question.work = work_;
    question.colours = colours_;
  }
  question.selection = selection();
  question.chosen = view_->selection().has_value();
  question.line = chosen_;
  question.name = view_->chosenName();
  question.counters = by_ == By::kMetric;
  if (by_ == By::kRow) {
    const auto layout = view_->layout();
    for (const RowBox& box : layout->boxes())
      if (!question.trace->rows[box.row].lanes.empty() && view_->isInSelection(box.row))
        question.openRows.push_back(box.row);
  }
  asking_ = true;
  job_.start([question = std::move(question)](const Job& job) { return answer(question, job); },
             [this](SelectionAnswer answer) { take(std::move(answer)); });
}

void SelectionPanel::forget() {
  job_.cancel();
  asking_ = false;
  again_ = false;
}

void SelectionPanel::take(SelectionAnswer answer) {
  asking_ = false;
  if (!view_) return;
  colours_ = answer.question.colours;
  work_ = answer.question.work;
  workOf_ = answer.question.trace;
  workPassing_ = answer.question.selection.passing;
  answer_ = std::move(answer);
  if (view_->chosenName() && !chosen_) followChosen();
  line_->setPhrases(phrasesOf(*answer_));
  showTables();
  showSide();
  if (std::exchange(again_, false)) refresh();
}

// --- showing -------------------------------------------------------------------------------------------------------

void SelectionPanel::showTables() {
  const SelectionQuestion& asked = answer_->question;
  const trace::Ns length = asked.selection.range.length();
  names_->setContent(nameContent(asked.trace, answer_->names, answer_->labels, length, *asked.colours));
  if (by_ == By::kRow) rows_->setContent(rowContent(asked.trace, answer_->rows, length));
  metrics_->setContent(metricContent(asked.trace, answer_->counters));
  byMetric_->setEnabled(!asked.trace->counters.empty());
  showShown();
  const QString more = shown() == By::kName ? moreNamesText(*answer_) : QString();
  more_->setText(more);
  more_->setVisible(!more.isEmpty());
  if (shown() != By::kName || !answer_->names->names.empty()) return say({});
  if (asked.selection.passing) return say(tr("No events here pass the filter"));
  if (hasOnlyBackground(*asked.trace))
    return say(
        tr("No calls, ranges or GPU work were recorded. What the CPU did stands on the timeline and in Calls and "
           "Statistics"));
  say(asked.chosen ? tr("No events in the selection")
                   : tr("No events in the visible range. Drag over the timeline to select a range"));
}

void SelectionPanel::showSide() {
  const bool wanted = chosen_ && answer_ && shown() == By::kName;
  side_->setVisible(wanted);
  if (!wanted || !answer_->durations || answer_->question.line != chosen_) return;
  const std::string_view label = (*answer_->question.trace->names)[chosen_->name].label;
  side_->setDurations(toQt(label), answer_->durations->time.size(), answer_->bins,
                      QColor::fromRgb(answer_->question.colours->of(*chosen_)));
}

void SelectionPanel::showScope() {
  const std::size_t rows = view_ ? view_->selectedRows().size() : 0;
  scope_->setText(rows == 0 ? tr("All rows") : rows == 1 ? tr("1 row  ×") : tr("%1 rows  ×").arg(rows));
  scope_->setToolTip(rows == 0 ? tr("Events of all rows count. Ctrl+click row headers to select rows")
                               : tr("Only events of the selected rows count. Click for all rows"));
  scope_->setEnabled(rows != 0);
}

/// What was asked for, but of rows without events, which only have counters, those.
SelectionPanel::By SelectionPanel::shown() const {
  const bool countersOnly = answer_ && answer_->names->names.empty() && !answer_->counters.empty();
  return by_ == By::kName && countersOnly && view_ && !view_->selectedRows().empty() ? By::kMetric : by_;
}

FigureTable& SelectionPanel::table() const {
  const By by = shown();
  return by == By::kName ? *names_ : by == By::kRow ? *rows_ : *metrics_;
}

void SelectionPanel::showShown() {
  const By by = shown();
  byName_->setChecked(by == By::kName);
  byRow_->setChecked(by == By::kRow);
  byMetric_->setChecked(by == By::kMetric);
  tables_->setCurrentWidget(&table());
}

void SelectionPanel::showBy(By by) {
  by_ = by;
  showShown();
  showSide();
  refresh();
}

// --- doing ---------------------------------------------------------------------------------------------------------

std::optional<NameKey> SelectionPanel::currentLine() const {
  const auto row = names_->currentRow();
  return answer_ && row ? std::optional(NameKey::of(answer_->names->names[*row])) : std::nullopt;
}

void SelectionPanel::choose(std::optional<NameKey> line) {
  if (!view_) return;
  chosen_ = line;
  const auto name = line ? std::optional(line->name) : std::nullopt;
  if (view_->chosenName() == name) followChosen();
  else view_->setChosenName(name);
}

void SelectionPanel::followChosen() {
  const auto name = view_->chosenName();
  if (!name) chosen_.reset();
  if (name && (!chosen_ || chosen_->name != *name)) {
    chosen_.reset();
    if (answer_)
      for (const analysis::NameFigures& line : answer_->names->names)
        if (line.name == *name && !chosen_) chosen_ = NameKey::of(line);
  }
  names_->select(chosen_ ? std::optional(chosen_->number()) : std::nullopt);
  showSide();
  if (chosen_) refresh();
}

void SelectionPanel::pick(trace::TimeRange durations) {
  if (!view_ || !answer_ || !answer_->durations || !chosen_ || answer_->question.trace != view_->trace()) return;
  if (answer_->question.line != chosen_) return;  // the bars are of the line before, whose successor is being figured
  const QString name = toQt((*view_->trace()->names)[chosen_->name].label).left(kLongestName) + QStringLiteral(" · ") +
                       durationSpan(durations.begin, durations.end - 1);
  stepJob_.start(
      [trace = view_->trace(), all = answer_->durations, durations](const Job&) {
        return std::make_shared<const analysis::Hits>(eventsTaking(*trace, *all, durations));
      },
      [this, name, trace = view_->trace()](std::shared_ptr<const analysis::Hits> hits) {
        if (!view_ || view_->trace() != trace) return;
        const auto first = analysis::nextHit(*view_->trace(), *hits, std::nullopt, selection().range.begin);
        Search::of(*view_).show(std::move(hits), name);
        if (first) goToEvent(*view_, *first);
      });
}

void SelectionPanel::goToLongest() {
  const auto line = currentLine();
  if (!line || !view_) return;
  goToLongest([line = *line](const trace::Trace& trace, const analysis::Selection& selection, const Job& job) {
    return longestOf(trace, selection, line, job);
  });
}

void SelectionPanel::goToLongest(FindLongest find) {
  stepJob_.start([trace = view_->trace(), selection = selection(),
                  find = std::move(find)](const Job& job) { return find(*trace, selection, job); },
                 [this, trace = view_->trace()](std::optional<trace::EventRef> event) {
                   if (!view_ || !event || view_->trace() != trace) return;
                   goToEvent(*view_, *event);
                   view_->zoomTo(trace->time(*event));
                 });
}

void SelectionPanel::selectRows() {
  const auto line = currentLine();
  if (!line || !view_) return;
  stepJob_.start([trace = view_->trace(), selection = selection(),
                  line = *line](const Job& job) { return rowsOf(*trace, selection, line, job); },
                 [this, trace = view_->trace()](std::vector<std::uint32_t> rows) {
                   if (view_ && view_->trace() == trace) view_->setSelectedRows(std::move(rows));
                 });
}

}  // namespace lanescope::views
