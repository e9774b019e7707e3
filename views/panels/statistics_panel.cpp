// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/statistics_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "model/analysis/column_glossary.h"
#include "model/format.h"
#include "views/chip.h"
#include "views/elided.h"
#include "views/flow_layout.h"
#include "views/panels/panel_parts.h"
#include "views/panels/rows_line.h"
#include "views/panels/save_table.h"
#include "views/panels/search.h"
#include "views/tables/figure_table.h"
#include "views/tables/report_table.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

using analysis::StatsReport;

constexpr int kSlowMs = 200;
constexpr int kLongestName = 200;  // characters, of what was found
constexpr int kReportRole = Qt::UserRole + 1;  // its place in analysis::statsReports()
constexpr const char* kFirst = "cuda_gpu_kern_sum";

/// What somebody may type to find a report, also of what only its columns say.
bool isMeant(const StatsReport& report, const QString& text) {
  const auto holds = [&](std::string_view words) { return toQt(words).contains(text, Qt::CaseInsensitive); };
  for (const analysis::ColumnMeaning& column : analysis::columnGlossary())
    if (report.name == column.report && (holds(column.title) || holds(column.meaning))) return true;
  for (const std::string_view alias : report.aliases)
    if (holds(alias)) return true;
  return holds(report.name) || holds(report.title) || holds(report.about);
}

}  // namespace

StatisticsPanel::StatisticsPanel(QWidget* parent)
    : QWidget(parent), message_(new QLabel(this)), caveats_(new QLabel(this)), table_(new FigureTable(this)) {
  setObjectName("statisticsPanel");
  for (QLabel* label : {message_, caveats_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setMinimumWidth(1);  // a path in it has no spaces
  }
  message_->setAlignment(Qt::AlignCenter);
  message_->setProperty("tone", "dim");
  caveats_->setProperty("tone", "warning");
  caveats_->setContentsMargins(12, 4, 12, 4);
  caveats_->hide();
  table_->setAccessibleName(tr("Statistics"));

  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(buildHead());
  pages_ = new QStackedLayout;
  pages_->addWidget(withRowsLine(table_, right));
  pages_->addWidget(message_);
  column->addLayout(pages_, 1);
  column->addWidget(caveats_);
  column->addWidget(buildFoot());
  putListBeside(this, buildList(), right);

  connect(table_, &FigureTable::rowDoubleClicked, this, &StatisticsPanel::goToRow);
  connect(table_, &FigureTable::left, this, &StatisticsPanel::left);
  connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &StatisticsPanel::showWithout);
  slow_.setSingleShot(true);
  slow_.setInterval(kSlowMs);
  connect(&slow_, &QTimer::timeout, this, &StatisticsPanel::showHeadline);
  fillList();
  setReport(nullptr, {});
}

QWidget* StatisticsPanel::buildList() {
  auto* side = new QWidget(this);
  search_ = new QLineEdit(side);
  search_->setPlaceholderText(tr("Search reports"));
  search_->setAccessibleName(tr("Search reports"));
  search_->setClearButtonEnabled(true);
  list_ = new QListWidget(side);
  list_->setAccessibleName(tr("Reports"));
  list_->setTextElideMode(Qt::ElideMiddle);  // names differ in their ends
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setMinimumWidth(kListWidth * 2 / 5);
  auto* layout = new QVBoxLayout(side);
  layout->setContentsMargins(8, 6, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(search_);
  layout->addWidget(list_, 1);
  connect(search_, &QLineEdit::textChanged, this, &StatisticsPanel::filterList);
  connect(list_, &QListWidget::currentItemChanged, this, &StatisticsPanel::choose);
  connect(list_, &QListWidget::itemClicked, this, &StatisticsPanel::refresh);
  return side;
}

QWidget* StatisticsPanel::buildHead() {
  auto* head = new QWidget(this);
  headline_ = new ElidedLabel(head);
  headline_->setToolTip(
      tr("Events that the edge of the time cuts count with all of theirs here, as lanescope stats does it.\n"
         "Selection counts the part inside, unless Whole events is chosen"));
  headline_->setMinimumWidth(1);  // it takes a line of its own, and widens nothing
  naming_ = new QComboBox(head);
  naming_->addItems({tr("Whole names"), tr("Base names"), tr("Mangled names")});
  naming_->setAccessibleName(tr("Names of kernels"));
  nvtxName_ = toggleChip(tr("NVTX range"), tr("Before a kernel's name the innermost NVTX range of its launch"), head);
  limit_ = new QSpinBox(head);
  limit_->setRange(0, 100'000);
  limit_->setSpecialValueText(tr("Usual rows"));
  limit_->setSuffix(tr(" rows"));
  limit_->setAccessibleName(tr("At most so many rows"));
  filter_ = new QLineEdit(head);
  filter_->setPlaceholderText(tr("Search rows"));
  filter_->setAccessibleName(tr("Search rows"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(180);
  stop_ = new QPushButton(tr("Stop"), head);
  stop_->hide();
  copy_ = flatButton(tr("Copy"), head);
  copy_->setToolTip(tr("Copy the table as it is shown"));
  save_ = flatButton(tr("Save CSV…"), head);
  save_->setToolTip(tr("Save the rows shown, as lanescope stats writes them"));

  auto* layout = new FlowLayout(head, 2);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(headline_);
  for (QWidget* argument : std::initializer_list<QWidget*>{naming_, nvtxName_, limit_}) argument->hide();
  parts_ = new PartChips(head);
  layout->addWidget(together(head, {stop_, naming_, nvtxName_, limit_}));
  layout->addWidget(together(head, {parts_, filter_, copy_, save_}));
  connect(parts_, &PartChips::changed, this, &StatisticsPanel::refresh);
  connect(naming_, &QComboBox::currentIndexChanged, this, &StatisticsPanel::refresh);
  connect(nvtxName_, &QToolButton::toggled, this, &StatisticsPanel::refresh);
  connect(limit_, &QSpinBox::valueChanged, this, &StatisticsPanel::refresh);
  connect(filter_, &QLineEdit::textChanged, this, &StatisticsPanel::showRows);
  connect(stop_, &QPushButton::clicked, this, &StatisticsPanel::stop);
  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(save_, &QPushButton::clicked, this, &StatisticsPanel::save);
  return head;
}

QWidget* StatisticsPanel::buildFoot() {
  auto* foot = new QWidget(this);
  command_ = new QLineEdit(foot);
  command_->setReadOnly(true);
  command_->setFont(Theme::figures());
  command_->setAccessibleName(tr("Command line that prints this table"));
  auto* copy = flatButton(tr("Copy command"), foot);
  copy->setObjectName("copyCommand");
  without_ = new QLabel(foot);
  without_->setProperty("tone", "dim");
  without_->hide();
  auto* layout = new QHBoxLayout(foot);
  layout->setContentsMargins(12, 4, 8, 4);
  layout->addWidget(command_, 1);
  layout->addWidget(without_);
  layout->addWidget(copy);
  connect(copy, &QPushButton::clicked, this, &StatisticsPanel::copyCommand);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    command_->setFont(Theme::figures());
    fillList();
  });
  return foot;
}

// --- choosing a report ---------------------------------------------------------------------------------------------

void StatisticsPanel::fillList() {
  const QSignalBlocker quiet(list_);
  list_->clear();
  std::vector<const StatsReport*> order;  // those without data last
  for (const StatsReport& report : analysis::statsReports()) order.push_back(&report);
  const auto hasDataHere = [this](const StatsReport* report) { return !view_ || hasDataFor(*report, *view_->trace()); };
  std::ranges::stable_partition(order, hasDataHere);
  QString chosen = chosen_;
  if (chosen.isEmpty()) {
    const auto first = std::ranges::find(order, std::string_view(kFirst), &StatsReport::name);
    chosen = toQt((first != order.end() && hasDataHere(*first) ? *first : order.front())->name);
  }
  for (const StatsReport* each : order) {
    const StatsReport& report = *each;
    auto* item = new QListWidgetItem(toQt(report.title), list_);
    item->setData(Qt::UserRole, toQt(report.name));
    item->setData(kReportRole, static_cast<int>(each - analysis::statsReports().data()));
    const bool hasData = hasDataHere(each);
    item->setToolTip(toQt(report.name) + QStringLiteral(": ") + toQt(report.about) +
                     (hasData ? QString() : tr("\nThe report has no data for it")));
    if (!hasData) item->setForeground(Theme::colours().textFaint);
    if (item->data(Qt::UserRole) == chosen) list_->setCurrentItem(item);
  }
  filterList(search_->text());
}

void StatisticsPanel::filterList(const QString& text) {
  const auto& reports = analysis::statsReports();
  for (int i = 0; i < list_->count(); ++i)
    list_->item(i)->setHidden(
        !isMeant(reports[static_cast<std::size_t>(list_->item(i)->data(kReportRole).toInt())], text.trimmed()));
}

/// What is done to the rows here is no part of the command.
void StatisticsPanel::showWithout() {
  const bool sorted = table_->horizontalHeader()->sortIndicatorSection() >= 0;
  const bool searched = !filter_->text().trimmed().isEmpty();
  without_->setText(sorted && searched ? tr("without the order and the search of rows")
                    : sorted           ? tr("without the order of rows")
                                       : tr("without the search of rows"));
  without_->setVisible(sorted || searched);
}

void StatisticsPanel::choose() {
  if (const QListWidgetItem* item = list_->currentItem()) chosen_ = item->data(Qt::UserRole).toString();
  table_->sortBy(-1, Qt::DescendingOrder);
  const QSignalBlocker quiet(filter_);
  filter_->clear();
  showWithout();
  refresh();
}

void StatisticsPanel::setReport(ViewState* view, std::filesystem::path file, const QString& message,
                                std::filesystem::path calledBy) {
  if (view && view == view_ && file_ && file_->path() == file && fileOf_ == view->trace()) return refresh();
  if (view_) view_->disconnect(this);
  if (view != view_) {
    const QSignalBlocker quiet(filter_);  // what was looked for in one report empties the table of another
    filter_->clear();
  }
  view_ = view;
  job_.cancel();
  stepJob_.cancel();
  slow_.stop();
  stop_->hide();
  asked_.reset();
  answer_.reset();
  rows_.reset();
  stepped_.clear();
  steps_ = {};
  file_ = view ? std::make_shared<ReportFile>(file, calledBy) : nullptr;
  stepFile_ = view ? std::make_shared<ReportFile>(std::move(file), std::move(calledBy)) : nullptr;
  parts_->follow(view);
  fileOf_ = view ? view->trace() : nullptr;
  table_->clear();
  caveats_->hide();
  command_->clear();
  fillList();
  if (!view) {
    say(message.isEmpty() ? tr("No report") : message);
    return;
  }
  connect(view, &ViewState::traceChanged, this, [this] { setReport(view_, file_->path(), {}, file_->calledBy()); });
  connect(view, &ViewState::passingChanged, this, &StatisticsPanel::showHeadline);
  refresh();
}

// --- asking --------------------------------------------------------------------------------------------------------

std::optional<StatisticsQuestion> StatisticsPanel::question() const {
  const QListWidgetItem* chosen = list_->currentItem();
  if (!view_ || !chosen) return std::nullopt;
  StatisticsQuestion question{view_->trace(), file_, {}, {}};
  const StatsReport& report = analysis::statsReports()[static_cast<std::size_t>(chosen->data(kReportRole).toInt())];
  question.call.report = &report;
  if (report.arguments & StatsReport::kKernelArguments)
    question.call.arguments.kernels = static_cast<analysis::KernelNaming>(naming_->currentIndex());
  if (report.arguments & StatsReport::kNvtxName) question.call.arguments.nvtxName = nvtxName_->isChecked();
  if (report.arguments & StatsReport::kRows && limit_->value() > 0)
    question.call.arguments.rows = static_cast<std::size_t>(limit_->value());
  question.time = parts_->time(*view_);
  return question;
}

void StatisticsPanel::refresh() {
  if (!view_ || !isVisible()) return;
  auto wanted = question();
  if (!wanted) return say(tr("Choose a report from the list"));
  const std::uint8_t takes = wanted->call.report->arguments;
  naming_->setVisible(takes & StatsReport::kKernelArguments);
  nvtxName_->setVisible(takes & StatsReport::kNvtxName);
  limit_->setVisible(takes & StatsReport::kRows);
  if (!view_->trace()->complete) return say(tr("Loading…"));
  if (parts_->isEmpty(*view_)) {
    job_.cancel();
    asked_.reset();
    command_->clear();
    return say(parts_->emptyText());
  }
  command_->setText(statsCommand(*wanted));
  command_->setCursorPosition(0);
  if (asked_ == wanted) return;
  asked_ = wanted;
  slow_.start();
  job_.start([question = std::move(*wanted)](const Job& job) { return answer(question, job); },
             [this](StatisticsAnswer answer) { take(std::move(answer)); });
}

void StatisticsPanel::stop() {
  job_.cancel();
  slow_.stop();
  stop_->hide();
  asked_.reset();
  answer_.reset();
  say(tr("Stopped. Choose the report again, or another part of the timeline"));
}

void StatisticsPanel::take(StatisticsAnswer answer) {
  slow_.stop();
  stop_->hide();
  stepJob_.cancel();
  const bool other = answer_ && answer_->question.call.report != answer.question.call.report;
  answer_ = std::move(answer);
  caveats_->setText(caveats());
  caveats_->setVisible(!answer_->caveats.empty());
  showRows();
  if (!other) return;
  table_->select(std::nullopt);
  table_->setCurrentIndex({});
  table_->scrollToTop();
}

// --- showing -------------------------------------------------------------------------------------------------------

void StatisticsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void StatisticsPanel::say(const QString& message) {
  message_->setText(message);
  pages_->setCurrentWidget(message.isEmpty() ? table_->parentWidget() : message_);
  copy_->setEnabled(message.isEmpty());
  save_->setEnabled(message.isEmpty());
  showHeadline();
}

void StatisticsPanel::showRows() {
  showWithout();
  if (!answer_) return;
  if (!answer_->table) return say(answer_->missing);
  rows_ = std::make_shared<const std::vector<std::size_t>>(rowsWith(*answer_->table, filter_->text().trimmed()));
  table_->setContent(reportContent(answer_->table, rows_));
  say({});
}

void StatisticsPanel::showHeadline() {
  const QListWidgetItem* chosen = list_->currentItem();
  const bool late = job_.running() && asked_ && !slow_.isActive();
  stop_->setVisible(late);
  QString text = chosen ? chosen->text() : QString();
  if (late) {
    text += tr(" · working…");
  } else if (answer_ && answer_->table && rows_ && message().isEmpty()) {
    if (answer_->question.time)
      text += QStringLiteral(" · ") + QString::fromStdString(formatDuration(answer_->question.time->length()));
    const std::size_t all = answer_->table->rows.size();
    text += QStringLiteral(" · ") + (rows_->size() == all
                                         ? all == 1 ? tr("1 row") : tr("%1 rows").arg(numberText(all))
                                         : tr("%1 of %2 rows").arg(numberText(rows_->size()), numberText(all)));
  }
  if (view_ && view_->passing() && chosen) text += tr(" · the filter does not apply here");
  headline_->setText(text);
}

QString StatisticsPanel::message() const { return pages_->currentWidget() == message_ ? message_->text() : QString(); }
QString StatisticsPanel::headline() const { return headline_->text(); }
QString StatisticsPanel::command() const { return command_->text(); }

QString StatisticsPanel::caveats() const {
  QStringList lines;
  if (answer_)
    for (const std::string& caveat : answer_->caveats) lines += QStringLiteral("⚠ ") + QString::fromStdString(caveat);
  return lines.join('\n');
}

// --- doing ---------------------------------------------------------------------------------------------------------

/// The report and all texts and numbers of a row that are no figures: the same in a table of other time.
QString StatisticsPanel::nameOfRow(std::size_t shown) const {
  const TableContent& content = table_->content();
  QString name = toQt(answer_->question.call.report->name);
  for (std::size_t i = 0; i < content.columns.size(); ++i) {
    const bool names = content.columns[i].kind == analysis::ColumnKind::kText ||
                       content.columns[i].kind == analysis::ColumnKind::kId || content.columns[i].exact;
    if (names && !content.columns[i].quiet) name += u'\n' + cellText(content.columns[i], content.cell(shown, i));
  }
  return name;
}

void StatisticsPanel::goToRow(std::size_t shown) {
  if (!view_ || !answer_ || !answer_->table || answer_->question.trace != view_->trace()) return;
  const std::size_t row = (*rows_)[shown];
  const auto go = [this] {
    if (steps_.longest.empty()) return;
    const trace::EventRef event = steps_.longest[step_ % steps_.longest.size()];
    goToEvent(*view_, event);
    view_->zoomTo(view_->trace()->time(event));
  };
  const QString meant = nameOfRow(shown);
  if (stepped_ == meant && view_->hits() == steps_.hits) {
    ++step_;
    return go();
  }
  const TableContent& content = table_->content();
  const QString name = cellText(content.columns[content.nameColumn], content.cell(shown, content.nameColumn));
  StatisticsQuestion question = answer_->question;
  question.file = stepFile_;  // the other may be read from just now
  stepJob_.start([question = std::move(question), table = answer_->table,
                  row](const Job& job) { return eventsOf(question, *table, row, job); },
                 [this, meant, go, name = name.left(kLongestName), trace = view_->trace()](StatisticsRow found) {
                   if (!view_ || view_->trace() != trace || found.longest.empty()) return;
                   stepped_ = meant;
                   step_ = 0;
                   steps_ = std::move(found);
                   Search::of(*view_).show(steps_.hits, name);
                   go();
                 });
}

void StatisticsPanel::copyCommand() const { QApplication::clipboard()->setText(command_->text()); }

void StatisticsPanel::save() {
  if (!answer_ || !answer_->table) return;
  analysis::Table shown = *answer_->table;
  shown.rows.clear();
  for (const std::size_t row : table_->order()) shown.rows.push_back(answer_->table->rows[(*rows_)[row]]);
  saveCsv(this, shown);
}

}  // namespace lanescope::views
