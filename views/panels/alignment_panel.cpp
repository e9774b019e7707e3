// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/alignment_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include "model/analysis/time_filter.h"
#include "views/elided.h"
#include "views/panels/panel_parts.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

bool isFigure(int column) { return column == AlignmentPanel::kOffset || column == AlignmentPanel::kError; }

QString errorText(const together::Placement& placement) {
  if (placement.method == together::ClockMethod::kNone) return AlignmentPanel::tr("not known");
  if (placement.method == together::ClockMethod::kByHand) return AlignmentPanel::tr("by hand");
  return QStringLiteral("± ") + toQt(formatDuration(placement.error));
}

}  // namespace

std::optional<trace::Ns> typedTime(const QString& text) {
  QString plain = text.simplified().remove(' ');
  plain.replace(QChar(0x2212), '-').replace(QChar(0xB5), 'u').replace(QChar(0x3BC), 'u');
  if (plain.isEmpty() || plain.contains('/')) return std::nullopt;
  const auto filter = analysis::parseTimeFilter(plain.toStdString() + "/");
  if (!filter || !filter->begin) return std::nullopt;
  return filter->begin->time;
}

AlignmentPanel::AlignmentPanel(QWidget* parent)
    : QWidget(parent),
      message_(new ElidedLabel(this)),
      align_(flatButton(tr("Align current event"), this)),
      reset_(flatButton(tr("Reset"), this)),
      table_(editableTable({{tr("Report"), false, 120},
                            {tr("Moved by"), isFigure(kOffset), 150},
                            {tr("Error"), isFigure(kError), 110},
                            {tr("Placed by")}},
                           tr("Where each report stands in time"), this)) {
  message_->setProperty("tone", "dim");
  align_->setObjectName("alignCurrent");
  align_->setToolTip(
      tr("Moves the report of the current event so that the event begins where the selection begins.\n"
         "Choose an event of one report and press M, then an event of another report, then this"));
  reset_->setObjectName("resetAlignment");
  reset_->setToolTip(tr("Every report where its clock says it belongs"));
  table_->installEventFilter(this);

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 8, 4);
  head->addWidget(message_, 1);
  head->addWidget(align_);
  head->addWidget(reset_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(table_, 1);

  connect(align_, &QPushButton::clicked, this, &AlignmentPanel::alignCurrent);
  connect(reset_, &QPushButton::clicked, this, &AlignmentPanel::resetWanted);
  connect(table_, &QTableWidget::itemChanged, this, &AlignmentPanel::change);
  fill();
}

void AlignmentPanel::setReports(ViewState* view, std::shared_ptr<const together::Joined> joined) {
  if (view_ != view && view_) view_->disconnect(this);
  if (view_ != view && view) {
    connect(view, &ViewState::selectionChanged, this, &AlignmentPanel::showWhatCanBe);
    connect(view, &ViewState::currentChanged, this, &AlignmentPanel::showWhatCanBe);
  }
  view_ = view;
  joined_ = std::move(joined);
  fill();
}

void AlignmentPanel::fill() {
  const QSignalBlocker silence(table_);
  const std::size_t reports = joined_ ? joined_->parts.size() : 0;
  table_->setRowCount(static_cast<int>(reports));
  const auto put = [&](std::size_t row, Column to, const QString& text) {
    QTableWidgetItem* item = table_->item(static_cast<int>(row), to);
    if (!item) {
      item = new QTableWidgetItem;
      if (to != kOffset) item->setFlags(item->flags() & ~Qt::ItemIsEditable);
      item->setTextAlignment((isFigure(to) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
      if (isFigure(to)) item->setFont(Theme::figures());
      table_->setItem(static_cast<int>(row), to, item);
    }
    item->setText(text);
    item->setToolTip(text);
  };
  bool byHand = false, unknown = false;
  for (std::size_t i = 0; i < reports; ++i) {
    const together::Joined::Part& part = joined_->parts[i];
    put(i, kReport, toQt(part.title));
    table_->item(static_cast<int>(i), kReport)->setToolTip(toQt(part.identity.file.string()));
    put(i, kOffset, toQt(formatExact(part.placement.offset)));
    put(i, kError, errorText(part.placement));
    put(i, kMethod, toQt(part.placement.sentence));
    byHand |= part.placement.method == together::ClockMethod::kByHand;
    unknown |= part.placement.method == together::ClockMethod::kNone;
  }
  reset_->setEnabled(byHand);
  message_->setText(reports == 0 ? tr("No reports together")
                    : unknown    ? tr("Not every report could be placed: type how far it is to be moved")
                                 : tr("Alignment · double-click a time to change it"));
  showWhatCanBe();
}

void AlignmentPanel::showWhatCanBe() { align_->setEnabled(view_ && joined_ && view_->current() && view_->selection()); }

void AlignmentPanel::change(const QTableWidgetItem* item) {
  if (!joined_ || item->column() != kOffset) return;
  const auto report = static_cast<std::uint32_t>(item->row());
  const auto time = typedTime(item->text());
  if (time && *time != joined_->parts[report].placement.offset) return emit offsetWanted(report, *time);
  const QString typed = item->text();
  fill();  // as it was
  if (!time) message_->setText(tr("“%1” is no time: type it like -1.5 ms").arg(typed));
}

void AlignmentPanel::alignCurrent() {
  if (!align_->isEnabled()) return;
  const trace::EventRef event = *view_->current();
  const std::uint32_t report = joined_->reportOf(event);
  const trace::Ns by = view_->selection()->begin - joined_->trace->time(event).begin;
  if (by != 0) emit offsetWanted(report, joined_->parts[report].placement.offset + by);
}

bool AlignmentPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
    return QWidget::eventFilter(watched, event);
  emit left();
  return true;
}

}  // namespace lanescope::views
