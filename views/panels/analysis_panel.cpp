// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/analysis_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "views/elided.h"
#include "views/panels/panel_parts.h"
#include "views/panels/plain_label.h"
#include "views/panels/save_table.h"
#include "views/tables/figure_table.h"
#include "views/tables/report_table.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

constexpr std::size_t kTimesMore = 10;  // lines, when more are asked for

/// Beside a line of the checklist.
QRgb colourOf(analysis::Verdict verdict) {
  const ThemeColours& colours = Theme::colours();
  switch (verdict) {
    case analysis::Verdict::kGood:
      return colours.accent.rgb();
    case analysis::Verdict::kImprove:
      return colours.warning.rgb();
    case analysis::Verdict::kNote:
      return colours.textDim.rgb();
    default:
      return colours.textFaint.rgb();
  }
}

}  // namespace

AnalysisPanel::AnalysisPanel(QWidget* parent) : QWidget(parent) {
  setObjectName("analysisPanel");
  list_ = new QListWidget(this);
  list_->setAccessibleName(tr("Rules"));
  list_->setTextElideMode(Qt::ElideMiddle);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setMinimumWidth(kListWidth * 2 / 5);
  putListBeside(this, list_, buildRight());

  connect(list_, &QListWidget::currentRowChanged, this, &AnalysisPanel::showSection);
  connect(table_, &FigureTable::chosen, this, &AnalysisPanel::goToLine);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AnalysisPanel::showWords);
  connect(table_, &FigureTable::left, this, &AnalysisPanel::left);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    fillList();
    showSection();
  });
  setReport(nullptr, {});
}

QWidget* AnalysisPanel::buildRight() {
  auto* right = new QWidget(this);
  headline_ = new ElidedLabel(right);
  headline_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  stop_ = new QPushButton(tr("Stop"), right);
  stop_->hide();
  more_ = flatButton(tr("Show more"), right);
  more_->setObjectName("showMore");
  more_->hide();
  copy_ = flatButton(tr("Copy"), right);
  copy_->setToolTip(tr("Copy the table as it is shown"));
  save_ = flatButton(tr("Save CSV…"), right);
  table_ = new FigureTable(right);
  table_->setAccessibleName(tr("Findings"));
  message_ = plainLabel(right);
  message_->setAlignment(Qt::AlignCenter);
  message_->setProperty("tone", "dim");
  words_ = plainLabel(right);
  words_->setAccessibleName(tr("What it means"));
  words_->setContentsMargins(12, 4, 12, 6);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 8, 4);
  head->addWidget(headline_, 1);
  for (QPushButton* button : {stop_, more_, copy_, save_}) head->addWidget(button);
  pages_ = new QStackedLayout;
  pages_->addWidget(table_);
  pages_->addWidget(message_);
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addLayout(pages_, 1);
  layout->addWidget(words_);

  connect(stop_, &QPushButton::clicked, this, &AnalysisPanel::stop);
  connect(more_, &QPushButton::clicked, this, &AnalysisPanel::showMore);
  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(save_, &QPushButton::clicked, this, [this] { saveCsv(this, table_->figures()); });
  return right;
}

void AnalysisPanel::setReport(ViewState* view, std::filesystem::path file, const QString& message) {
  if (view && view == view_ && file_ && file_->path() == file && askedOf_ == view->trace()) return;
  if (view_) view_->disconnect(this);
  view_ = view;
  job_.cancel();
  moreJob_.cancel();
  stop_->hide();
  file_ = view ? std::make_shared<ReportFile>(std::move(file)) : nullptr;
  askedOf_ = nullptr;
  sections_.clear();
  table_->clear();
  fillList();
  say(!message.isEmpty() ? message : view ? tr("Loading…") : tr("No report"));
  if (!view) return;
  connect(view, &ViewState::traceChanged, this, [this] { setReport(view_, file_->path()); });
  connect(view, &ViewState::passingChanged, this, [this] { say(this->message()); });
  refresh();
}

void AnalysisPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void AnalysisPanel::refresh() {
  if (!view_ || !isVisible() || !view_->trace()->complete || askedOf_ == view_->trace()) return;
  askedOf_ = view_->trace();
  say(tr("Working…"));
  stop_->show();
  job_.start([trace = askedOf_, file = file_](const Job& job) { return adviceOn(trace, file, job); },
             [this](std::vector<AdviceSection> sections) {
               stop_->hide();
               sections_ = std::move(sections);
               fillList();
               list_->setCurrentRow(0);
             });
}

void AnalysisPanel::stop() {
  job_.cancel();
  stop_->hide();
  say(tr("Stopped. Open this panel again to go on"));
  askedOf_ = nullptr;
}

/// Ten times as many lines; those that were there stay where they are.
void AnalysisPanel::showMore() {
  const AdviceSection* shown = section();
  if (!shown || shown->more == 0 || askedOf_ != view_->trace()) return;
  more_->setEnabled(false);
  moreJob_.start([rule = shown->rule, rows = kTimesMore * shown->lines.size(), trace = askedOf_,
                  file = file_](const Job& job) { return adviceOf(*rule, rows, trace, file, job); },
                 [this](AdviceSection more) {
                   const auto kept = std::ranges::find(sections_, more.rule, &AdviceSection::rule);
                   if (kept == sections_.end()) return;
                   *kept = std::move(more);
                   if (section() != &*kept) return;
                   fillTable(*kept);
                   say({});
                 });
}

// --- showing -------------------------------------------------------------------------------------------------------

const AdviceSection* AnalysisPanel::section() const {
  const int row = list_->currentRow();
  return row >= 0 && static_cast<std::size_t>(row) < sections_.size() ? &sections_[static_cast<std::size_t>(row)]
                                                                      : nullptr;
}

void AnalysisPanel::fillList() {
  const int chosen = list_->currentRow();
  const QSignalBlocker quiet(list_);
  list_->clear();
  for (const AdviceSection& each : sections_) {
    auto* item = new QListWidgetItem(toQt(each.rule->title), list_);
    item->setToolTip(toQt(each.rule->name) + QStringLiteral(": ") + toQt(each.rule->about));
    if (!each.finds) item->setForeground(Theme::colours().textFaint);
  }
  list_->setCurrentRow(chosen);
}

void AnalysisPanel::showSection() {
  const AdviceSection* shown = section();
  if (!shown) return;
  step_ = 0;
  table_->sortBy(-1, Qt::DescendingOrder);
  if (!shown->table) {
    table_->clear();
    return say(shown->words);
  }
  fillTable(*shown);
  table_->select(std::nullopt);
  table_->setCurrentIndex({});
  table_->scrollToTop();
  say({});
}

void AnalysisPanel::fillTable(const AdviceSection& shown) {
  auto rows = std::make_shared<const std::vector<std::size_t>>(rowsWith(*shown.table, {}));
  TableContent content = reportContent(shown.table, std::move(rows));
  if (!shown.lines.empty() && shown.lines.front().verdict) {
    content.nameColumn = 1;
    content.swatch = [lines = shown.lines](std::size_t row) { return colourOf(*lines[row].verdict); };
  }
  table_->setContent(std::move(content));
}

void AnalysisPanel::showWords() {
  const AdviceSection* shown = section();
  if (!shown || !shown->table) return words_->hide();
  const auto line = table_->currentRow();
  const bool ofLine = line && *line < shown->lines.size() && !shown->lines[*line].words.isEmpty();
  words_->setText(ofLine ? shown->lines[*line].words : shown->words);
  words_->setVisible(!words_->text().isEmpty());
}

void AnalysisPanel::say(const QString& message) {
  message_->setText(message);
  pages_->setCurrentWidget(message.isEmpty() ? static_cast<QWidget*>(table_) : message_);
  copy_->setEnabled(message.isEmpty());
  save_->setEnabled(message.isEmpty());
  const AdviceSection* shown = section();
  more_->setVisible(message.isEmpty() && shown && shown->more > 0);
  more_->setEnabled(true);
  if (shown) more_->setToolTip(tr("%1 more were found; shows ten times as many").arg(numberText(shown->more)));
  QString text = shown ? toQt(shown->rule->title) + QStringLiteral(" · ") + shown->summary : QString();
  if (shown && view_ && view_->passing()) text += tr(" · the filter does not apply here");
  headline_->setText(text);
  showWords();
}

QString AnalysisPanel::message() const { return pages_->currentWidget() == message_ ? message_->text() : QString(); }
QString AnalysisPanel::headline() const { return headline_->text(); }
QString AnalysisPanel::words() const { return words_->isHidden() ? QString() : words_->text(); }

void AnalysisPanel::goToLine(std::size_t line) {
  const AdviceSection* shown = section();
  if (!view_ || !shown || line >= shown->lines.size() || askedOf_ != view_->trace()) return;
  const std::vector<analysis::Evidence>& where = shown->lines[line].where;
  if (where.empty()) return;
  step_ = line == line_ ? step_ : 0;
  line_ = line;
  const analysis::Evidence& evidence = where[step_++ % where.size()];
  if (evidence.event) goToEvent(*view_, *evidence.event);
  view_->setSelection(evidence.time);
  view_->zoomTo(evidence.time);
}

}  // namespace lanescope::views
