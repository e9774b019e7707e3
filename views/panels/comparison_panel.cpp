// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/comparison_panel.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <numeric>

#include "model/compare/alignment.h"
#include "model/compare/comparison_table.h"
#include "model/report/row_values.h"
#include "views/chip.h"
#include "views/elided.h"
#include "views/flow_layout.h"
#include "views/panels/panel_parts.h"
#include "views/panels/rows_line.h"
#include "views/panels/save_table.h"
#include "views/tables/figure_table.h"
#include "views/tables/report_table.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using compare::ComparedName;
using compare::Subject;
using trace::kNone;
using trace::NameId;

/// Beside the subjects, by their number.
constexpr int kAllNames = -2, kFigures = -3, kTakenForOne = -4;  // -1 is no button
/// By subject, in a word or two.
constexpr const char* kChips[compare::kSubjects] = {
    QT_TRANSLATE_NOOP("ComparisonPanel", "Iterations"), QT_TRANSLATE_NOOP("ComparisonPanel", "Kernels"),
    QT_TRANSLATE_NOOP("ComparisonPanel", "Graphs"),     QT_TRANSLATE_NOOP("ComparisonPanel", "Copies"),
    QT_TRANSLATE_NOOP("ComparisonPanel", "Memsets"),    QT_TRANSLATE_NOOP("ComparisonPanel", "NVTX"),
    QT_TRANSLATE_NOOP("ComparisonPanel", "CUDA API"),   QT_TRANSLATE_NOOP("ComparisonPanel", "Idle causes")};
constexpr int kTallEnough = 200;
constexpr const char* kHiddenAtFirst[] = {"Mean A", "Mean B", "p alone", "Iterations A", "Iterations B"};

struct Title {
  const char* title;
  const char* meaning;
};
constexpr Title kMeanings[] = {
    {"Change",
     QT_TRANSLATE_NOOP("ComparisonPanel", "What is held to have changed: slower or faster only where p is below 0.05")},
    {"Share", QT_TRANSLATE_NOOP("ComparisonPanel", "Of all differences of this kind, up and down together")},
    {"Difference", QT_TRANSLATE_NOOP("ComparisonPanel", "Of totals, B − A")},
    {"Ratio", QT_TRANSLATE_NOOP("ComparisonPanel", "Of medians, B / A")},
    {"Ratio from",
     QT_TRANSLATE_NOOP("ComparisonPanel", "The ratio lies between this and the next with 95 % confidence")},
    {"Ratio to",
     QT_TRANSLATE_NOOP("ComparisonPanel", "The ratio lies between the one before and this with 95 % confidence")},
    {"p", QT_TRANSLATE_NOOP(
              "ComparisonPanel",
              "How likely a difference as great is by chance alone, corrected for the number of names tested")},
    {"p alone", QT_TRANSLATE_NOOP("ComparisonPanel", "p before it was corrected for the number of names")},
};

/// What the events of a name are called in each trace.
using EventNames = std::map<std::pair<Subject, std::string>, NameId>;

EventNames eventNames(const compare::Run& run) {
  EventNames names;
  for (const compare::Series& series : run.series)
    if (series.event != kNone) names.emplace(std::pair(series.subject, series.name), series.event);
  return names;
}

std::optional<NameId> nameWithText(const trace::Trace& trace, const std::string& text) {
  for (NameId id = 0; trace.names && id < trace.names->size(); ++id)
    if ((*trace.names)[id].text == text) return (*trace.names)[id].same;
  return std::nullopt;
}

analysis::Table mergedTable(const compare::Comparison& comparison) {
  analysis::Table table;
  table.name = "diff_taken_for_one";
  table.columns = {{"A = B", analysis::ColumnKind::kText}};
  for (std::string& text : mergedTexts(comparison)) table.rows.push_back({std::move(text)});
  return table;
}

/// As the timelines colour it; where it was tested, as far as it is more than chance.
Change changeOf(const ComparedName& name) {
  if (!name.a) return Change::kOnlyB;
  if (!name.b) return Change::kOnlyA;
  const std::string_view verdict = verdictOf(name);
  if (verdict == "slower") return Change::kSlower;
  if (verdict == "faster") return Change::kFaster;
  if (name.evidence.state == compare::Evidence::State::kTested) return Change::kSame;
  // More gaps that are shorter each are no gain.
  const bool ofTotals = name.subject == Subject::kIdle;
  const auto time = [&](const compare::SideFigures& side) {
    return ofTotals ? side.total : static_cast<trace::Ns>(side.median);
  };
  switch (compare::changeOf(time(*name.a), time(*name.b))) {
    case compare::Change::kSlower:
      return Change::kSlower;
    case compare::Change::kFaster:
      return Change::kFaster;
    default:
      return Change::kSame;
  }
}

}  // namespace

struct ComparisonPanel::Answer {
  compare::Comparison comparison;
  std::array<EventNames, 2> events;
  std::string error;  ///< empty: they were compared
};

ComparisonPanel::ComparisonPanel(QWidget* parent)
    : QWidget(parent),
      message_(new QLabel(this)),
      warnings_(new QLabel(this)),
      evidence_(new ElidedLabel(this)),
      table_(new FigureTable(this)) {
  setObjectName("comparisonPanel");
  for (QLabel* label : {message_, warnings_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(1);  // a path in it has no spaces
  }
  message_->setAlignment(Qt::AlignCenter);
  message_->setProperty("tone", "dim");
  warnings_->setProperty("tone", "warning");
  warnings_->setContentsMargins(12, 2, 12, 2);
  warnings_->hide();
  evidence_->setProperty("tone", "dim");
  evidence_->setContentsMargins(12, 4, 12, 4);
  table_->setAccessibleName(tr("Comparison"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(buildHead());
  column->addWidget(warnings_);
  pages_ = new QStackedLayout;
  pages_->addWidget(withRowsLine(table_, this));
  pages_->addWidget(message_);
  column->addLayout(pages_, 1);
  column->addWidget(evidence_);
  connect(table_, &FigureTable::chosen, this, &ComparisonPanel::choose);
  connect(table_, &FigureTable::left, this, &ComparisonPanel::left);
  connect(&Theme::instance(), &Theme::changed, this, &ComparisonPanel::showRows);
  setReports(std::nullopt);
}

QWidget* ComparisonPanel::buildHead() {
  auto* head = new QWidget(this);
  parts_ = new QButtonGroup(head);
  auto* layout = new FlowLayout(head);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->setSpacing(4);
  const auto addPart = [&](const QString& text, int part) {
    QToolButton* button = toggleChip(text, {}, head);
    parts_->addButton(button, part);
    layout->addWidget(button);
  };
  addPart(tr("All names"), kAllNames);
  for (int subject = 0; const char* text : kChips) addPart(tr(text), subject++);
  addPart(tr("Figures"), kFigures);
  addPart(tr("Taken for one"), kTakenForOne);
  parts_->button(kTakenForOne)->setToolTip(tr("Names that are not the same, but are compared as if they were"));
  parts_->button(kAllNames)->setChecked(true);
  selection_ = toggleChip(tr("Selection only"), tr("Events that touch what is selected in both, whole"), head);
  filter_ = new QLineEdit(head);
  filter_->setPlaceholderText(tr("Search rows"));
  filter_->setAccessibleName(tr("Search rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(180);
  copy_ = flatButton(tr("Copy"), head);
  copy_->setToolTip(tr("Copy the table as it is shown"));
  save_ = flatButton(tr("Save CSV…"), head);
  save_->setToolTip(tr("Save the rows shown, as lanescope diff --csv writes them"));
  layout->addWidget(together(head, {selection_, filter_, copy_, save_}));
  connect(parts_, &QButtonGroup::idClicked, this, &ComparisonPanel::showRows);
  connect(selection_, &QToolButton::toggled, this, &ComparisonPanel::refresh);
  connect(filter_, &QLineEdit::textChanged, this, &ComparisonPanel::showRows);
  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(save_, &QPushButton::clicked, this, &ComparisonPanel::save);
  return head;
}

QString ComparisonPanel::message() const { return pages_->currentWidget() == message_ ? message_->text() : QString(); }

QString ComparisonPanel::warnings() const { return warnings_->isHidden() ? QString() : warnings_->text(); }

const compare::Comparison* ComparisonPanel::comparison() const { return answer_ ? &answer_->comparison : nullptr; }

void ComparisonPanel::say(const QString& message) {
  message_->setText(message);
  pages_->setCurrentWidget(message_);
  for (QPushButton* button : {copy_, save_}) button->setEnabled(false);
}

// --- asking --------------------------------------------------------------------------------------------------------

void ComparisonPanel::setReports(std::optional<std::array<Report, 2>> reports, const QString& message) {
  const bool same =
      reports && views_[0] == (*reports)[0].view && views_[1] == (*reports)[1].view && views_[0] && views_[1];
  if (same) {
    for (std::size_t i = 0; i < 2; ++i)
      if (reports_[i].file != (*reports)[i].file) asked_ = {};  // of the same events, but there is more to read now
    reports_ = *reports;
    return refresh();
  }
  for (const auto& view : views_)
    if (view) view->disconnect(this);
  job_.cancel();
  reports_ = reports.value_or(std::array<Report, 2>{});
  trouble_.clear();
  asked_ = {};
  answer_.reset();
  table_->clear();
  warnings_->hide();
  evidence_->clear();
  for (std::size_t i = 0; i < 2; ++i) views_[i] = reports_[i].view;
  if (!reports) return say(message.isEmpty() ? tr("File → Compare compares two reports") : message);
  for (const auto& view : views_) {
    connect(view, &ViewState::traceChanged, this, &ComparisonPanel::refresh);
    connect(view, &ViewState::selectionChanged, this, [this] {
      if (selection_->isChecked()) refresh();
    });
  }
  refresh();
}

void ComparisonPanel::setTrouble(const QString& trouble) {
  if (trouble_ == trouble) return;
  trouble_ = trouble;
  refresh();
}

void ComparisonPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void ComparisonPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  showEvidence();
}

std::array<std::optional<trace::TimeRange>, 2> ComparisonPanel::times() const {
  if (!selection_->isChecked()) return {};
  return {views_[0]->selection(), views_[1]->selection()};
}

void ComparisonPanel::refresh() {
  if (!views_[0] || !views_[1] || !isVisible()) return;
  const std::array<trace::TracePtr, 2> traces{views_[0]->trace(), views_[1]->trace()};
  const auto times = this->times();
  const bool isThere =
      traces[0]->complete && traces[1]->complete && !reports_[0].file.empty() && !reports_[1].file.empty();
  if (!trouble_.isEmpty() || !isThere) {
    job_.cancel();
    asked_ = {};
    return say(trouble_.isEmpty() ? tr("Loading…") : trouble_);
  }
  if (selection_->isChecked() && (!times[0] || !times[1])) {
    job_.cancel();
    asked_ = {};
    return say(tr("Nothing is selected. Drag over the timeline to select a range"));
  }
  if (traces == asked_ && times == askedTimes_) {
    if (answer_) showRows();
    return;
  }
  asked_ = traces;
  askedTimes_ = times;
  if (!answer_) say(tr("Comparing…"));
  job_.start(
      [traces, times, files = std::array{reports_[0].file, reports_[1].file},
       shown = std::array{reports_[0].shown, reports_[1].shown}](const Job& job) {
        auto answer = std::make_shared<Answer>();
        std::array<compare::Run, 2> runs;
        for (std::size_t i = 0; i < 2; ++i) {
          auto values = report::RowValues::open(files[i]);
          if (!values) {
            answer->error = sentence(values.error());
            return answer;
          }
          const analysis::Scope scope = times[i] ? analysis::Scope{*times[i]} : analysis::Scope{};
          runs[i] =
              compare::runOf(*traces[i], *values, shown[i], {{}, i == 0 ? "" : runs[0].iterationName}, scope, job);
          answer->events[i] = eventNames(runs[i]);
          if (job.cancelled()) return answer;
        }
        answer->comparison = compare::compare(std::span(runs).first(1), std::span(runs).last(1), job);
        return answer;
      },
      [this](std::shared_ptr<const Answer> answer) { take(std::move(answer)); });
}

void ComparisonPanel::take(std::shared_ptr<const Answer> answer) {
  answer_ = std::move(answer);
  if (!answer_->error.empty()) return say(QString::fromStdString(answer_->error));
  QStringList warnings;
  for (const std::string& each : answer_->comparison.warnings) warnings += toQt(each);
  warnings_->setText(warnings.join('\n'));
  warnings_->setVisible(!warnings.isEmpty());
  evidence_->setText(toQt(evidenceText(answer_->comparison)));
  showEvidence();
  showChips();
  showRows();
}

/// Of what neither report has there is nothing to choose.
void ComparisonPanel::showChips() {
  const compare::Comparison& comparison = answer_->comparison;
  for (std::size_t i = 0; i < compare::kSubjects; ++i)
    parts_->button(static_cast<int>(i))
        ->setVisible(std::ranges::find(comparison.names, static_cast<Subject>(i), &ComparedName::subject) !=
                     comparison.names.end());
  parts_->button(kFigures)->setVisible(!comparison.figures.empty());
  parts_->button(kTakenForOne)->setVisible(!mergedTexts(comparison).empty());
  if (parts_->checkedButton()->isHidden()) parts_->button(kAllNames)->setChecked(true);
  parts_->button(kAllNames)->parentWidget()->layout()->activate();  // or there are gaps until the next event
}

/// What little room there is belongs to the table.
void ComparisonPanel::showEvidence() { evidence_->setVisible(!evidence_->text().isEmpty() && height() >= kTallEnough); }

// --- showing -------------------------------------------------------------------------------------------------------

void ComparisonPanel::showRows() {
  if (!answer_ || !answer_->error.empty()) return;
  const int part = parts_->checkedId();
  const auto& names = answer_->comparison.names;
  const bool ofNames = part != kFigures && part != kTakenForOne;
  auto table = std::make_shared<analysis::Table>(part == kFigures       ? figuresTable(answer_->comparison)
                                                 : part == kTakenForOne ? mergedTable(answer_->comparison)
                                                                        : allNamesTable(answer_->comparison));
  std::vector<std::size_t> rows = rowsWith(*table, filter_->text().trimmed());
  if (ofNames) {
    if (part != kAllNames)
      std::erase_if(rows, [&](std::size_t row) { return names[row].subject != static_cast<Subject>(part); });
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [&](std::size_t row) { return std::abs(names[row].difference); });
  }
  shown_ = table;
  rows_ = std::make_shared<const std::vector<std::size_t>>(std::move(rows));
  if (rows_->empty()) {
    table_->clear();
    return say(filter_->text().isEmpty() ? tr("Neither report has any") : tr("No row has that in it"));
  }
  TableContent content = reportContent(table, rows_);
  for (std::size_t i = 0; i < content.columns.size(); ++i) {
    TableColumn& column = content.columns[i];
    column.hidden = std::ranges::all_of(*rows_, [&](std::size_t row) {  // evidence, where there is none
      return std::holds_alternative<std::monostate>(table->rows[row][i]);
    });
    for (const char* title : kHiddenAtFirst) column.hidden |= column.title == QLatin1String(title);
    for (const Title& each : kMeanings)
      if (column.title == QLatin1String(each.title)) column.meaning = tr(each.meaning);
  }
  if (ofNames) {
    if (part != kAllNames) content.columns.front().hidden = true;  // all of one kind
    const auto& colours = Theme::palette().colours().changes;
    content.swatch = [answer = answer_, rows = rows_, colours](std::size_t row) {
      return colours[static_cast<std::size_t>(changeOf(answer->comparison.names[(*rows)[row]])) - 1];
    };
  }
  table_->setContent(std::move(content));
  pages_->setCurrentIndex(0);
  for (QPushButton* button : {copy_, save_}) button->setEnabled(true);
}

/// Its events stand out on both sides; of another row, or of none of events, nothing does.
void ComparisonPanel::choose(std::size_t row) {
  const int part = parts_->checkedId();
  if (!answer_ || part == kFigures || part == kTakenForOne || row >= rows_->size()) return;
  const ComparedName& name = answer_->comparison.names[(*rows_)[row]];
  const std::array<const std::vector<std::string>*, 2> merged{&name.mergedA, &name.mergedB};
  std::array<std::optional<NameId>, 2> ids;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& text = merged[i]->empty() ? name.name : merged[i]->front();
    const auto known = answer_->events[i].find({name.subject, text});
    ids[i] = known != answer_->events[i].end() ? std::optional(known->second) : nameWithText(*asked_[i], text);
  }
  for (std::size_t i = 0; i < 2; ++i)
    if (views_[i] && views_[i]->trace() == asked_[i]) views_[i]->setChosenName(ids[i]);
}

void ComparisonPanel::save() {
  if (!shown_ || !rows_) return;
  analysis::Table table = *shown_;
  table.rows.clear();
  for (const std::size_t row : table_->order()) table.rows.push_back(shown_->rows[(*rows_)[row]]);
  saveCsv(this, table);
}

}  // namespace lanescope::views
