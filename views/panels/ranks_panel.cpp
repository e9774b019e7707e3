// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/ranks_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/chip.h"
#include "views/elided.h"
#include "views/panels/alignment_panel.h"
#include "views/panels/panel_parts.h"
#include "views/panels/plain_label.h"
#include "views/tables/collective_table.h"
#include "views/tables/figure_table.h"
#include "views/tables/report_table.h"
#include "views/text.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

bool hasMpi(const trace::Trace& trace) {
  return std::ranges::any_of(trace.laneInfo, [&](const trace::LaneInfo& lane) {
    return lane.kind == trace::EventKind::kLibraryCall && lane.table < trace.tables.size() &&
           std::string_view(trace.tables[lane.table]).starts_with("MPI_");
  });
}

QString noCollective(const trace::Trace& trace) {
  if (!hasMpi(trace)) return RanksPanel::tr("No collective was found on more than one rank");
  return RanksPanel::tr(
      "Only collectives of NCCL are matched across ranks, and there are none on more than one. Calls of MPI stand on "
      "the timeline, rank below rank, and in Statistics, MPI Event Summary");
}

}  // namespace

RanksPanel::RanksPanel(QWidget* parent) : QWidget(parent), alignment_(new AlignmentPanel) {
  auto* halves = new QSplitter(this);
  halves->addWidget(alignment_);
  halves->addWidget(buildRight());
  halves->setChildrenCollapsible(false);
  halves->setStretchFactor(0, 2);
  halves->setStretchFactor(1, 3);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(halves);
  connect(alignment_, &AlignmentPanel::left, this, &RanksPanel::left);
  show(kStragglers);
}

QWidget* RanksPanel::buildRight() {
  auto* right = new QWidget;
  headline_ = new ElidedLabel(right);
  headline_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  headline_->setProperty("tone", "dim");
  copy_ = flatButton(tr("Copy"), right);
  copy_->setToolTip(tr("Copy the table as it is shown"));
  table_ = new FigureTable(right);
  table_->setAccessibleName(tr("Collectives across ranks"));
  message_ = plainLabel(right);
  message_->setAlignment(Qt::AlignCenter);
  message_->setProperty("tone", "dim");

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 8, 4);
  head->setSpacing(4);
  const QString texts[] = {tr("Ranks"), tr("Operations"), tr("Calls")};
  const QString tips[] = {tr("Who kept the others waiting in collectives, and how long"),
                          tr("Waiting and transfer by operation and rank"),
                          tr("Every collective that all its ranks took part in, the longest wait first")};
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    chips_[i] = toggleChip(texts[i], tips[i], right);
    connect(chips_[i], &QToolButton::clicked, this, [this, i] { show(static_cast<Shown>(i)); });
    head->addWidget(chips_[i]);
  }
  head->addSpacing(8);
  head->addWidget(headline_, 1);
  head->addWidget(copy_);
  pages_ = new QStackedLayout;
  pages_->addWidget(table_);
  pages_->addWidget(message_);
  auto* layout = new QVBoxLayout(right);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addLayout(pages_, 1);

  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(table_, &FigureTable::chosen, this, &RanksPanel::choose);
  connect(table_, &FigureTable::left, this, &RanksPanel::left);
  return right;
}

void RanksPanel::setReports(ViewState* view, std::shared_ptr<const together::Joined> joined,
                            std::shared_ptr<const together::Across> across) {
  view_ = view;
  joined_ = std::move(joined);
  across_ = std::move(across);
  alignment_->setReports(view, joined_);
  fill();
}

void RanksPanel::show(Shown shown) {
  const bool other = shown != shown_;
  shown_ = shown;
  for (std::size_t i = 0; i < chips_.size(); ++i) chips_[i]->setChecked(i == static_cast<std::size_t>(shown));
  if (other) table_->clear();  // nor its order, nor what was selected
  fill();
}

void RanksPanel::fill() {
  QString message;
  if (!joined_) message = tr("No reports together");
  else if (!across_) message = tr("Reading the collectives…");
  else if (across_->calls.empty()) message = noCollective(*joined_->trace);
  message_->setText(message);
  pages_->setCurrentWidget(message.isEmpty() ? static_cast<QWidget*>(table_) : message_);
  copy_->setEnabled(message.isEmpty());
  for (QToolButton* chip : chips_) chip->setEnabled(message.isEmpty());
  headline_->setText({});
  if (!message.isEmpty()) return table_->clear();
  headline_->setText(
      tr("%1 collectives across %2 ranks").arg(numberText(across_->calls.size())).arg(across_->ranks.size()) +
      (across_->missing.empty() ? QString() : QStringLiteral(" · ") + toQt(across_->missing)));
  headline_->setToolTip(headline_->text());
  if (shown_ == kCalls) return table_->setContent(collectiveContent(across_));
  auto table =
      std::make_shared<const analysis::Table>(shown_ == kStragglers ? stragglerTable(*across_) : acrossTable(*across_));
  auto rows = std::make_shared<const std::vector<std::size_t>>(rowsWith(*table, {}));
  table_->setContent(reportContent(std::move(table), std::move(rows)));
}

QString RanksPanel::message() const { return pages_->currentWidget() == message_ ? message_->text() : QString(); }

void RanksPanel::choose(std::size_t row) {
  if (!view_ || shown_ != kCalls || !across_ || view_->trace() != joined_->trace) return;
  const together::AcrossCall& call = across_->calls[table_->content().keyOf(row)];
  trace::TimeRange all = across_->partsOf(call).front().time;
  const together::AcrossPart* last = nullptr;
  for (const together::AcrossPart& part : across_->partsOf(call)) {
    all = {std::min(all.begin, part.time.begin), std::max(all.end, part.time.end)};
    if (part.rank == call.last) last = &part;
  }
  if (!last) return;
  const std::uint32_t report = across_->ranks[last->rank].report;
  goToEvent(*view_, joined_->joined(report, joined_->parts[report].trace->ref(last->kernel)));
  view_->zoomTo(all);
}

}  // namespace lanescope::views
