// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/diagnostics_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>
#include <optional>

#include "model/format.h"
#include "views/panels/copyable_tree.h"
#include "views/panels/plain_label.h"
#include "views/tables/plain_cells.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

enum Column { kWhat, kTime, kText };

QString word(report::Severity severity) {
  switch (severity) {
    case report::Severity::kError:
      return DiagnosticsPanel::tr("Error");
    case report::Severity::kWarning:
      return DiagnosticsPanel::tr("Warning");
    case report::Severity::kInfo:
      break;
  }
  return DiagnosticsPanel::tr("Note");
}

QColor colour(report::Severity severity) {
  const ThemeColours& colours = Theme::colours();
  if (severity == report::Severity::kError) return colours.error;
  return severity == report::Severity::kWarning ? colours.warning : colours.textDim;
}

/// Sorted by how bad it is, by time, or by text. What reading found is the worst and has no time.
class Line : public QTreeWidgetItem {
 public:
  Line(QTreeWidget* list, const QStringList& texts, int rank, std::optional<trace::Ns> time)
      : QTreeWidgetItem(list, texts), rank_(rank), time_(time) {}

  const std::optional<trace::Ns>& time() const { return time_; }
  bool operator<(const QTreeWidgetItem& other) const override {
    const auto& line = static_cast<const Line&>(other);
    if (treeWidget()->sortColumn() == kWhat) return rank_ < line.rank_;
    if (treeWidget()->sortColumn() == kTime) return time_ < line.time_;
    return text(kText) < line.text(kText);
  }

 private:
  int rank_;
  std::optional<trace::Ns> time_;
};

}  // namespace

DiagnosticsPanel::DiagnosticsPanel(QWidget* parent)
    : QWidget(parent), message_(plainLabel(this)), list_(new CopyableTree({tr("Kind"), tr("Time"), tr("What")}, this)) {
  message_->setProperty("tone", "dim");
  message_->setContentsMargins(12, 8, 12, 8);
  list_->setAccessibleName(tr("Diagnostics"));
  new PlainCells(list_);
  list_->header()->setSectionResizeMode(kWhat, QHeaderView::ResizeToContents);
  list_->header()->setSectionResizeMode(kTime, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(true);
  list_->headerItem()->setTextAlignment(kTime, Qt::AlignRight | Qt::AlignVCenter);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(message_, 0, Qt::AlignTop);
  layout->addWidget(list_, 1);
  list_->setSortingEnabled(true);
  list_->sortByColumn(kWhat, Qt::DescendingOrder);
  const auto go = [this](QTreeWidgetItem* item) {
    if (const auto time = static_cast<Line*>(item)->time()) emit timeWanted(*time);
  };
  connect(list_, &QTreeWidget::itemClicked, this, go);
  connect(list_, &QTreeWidget::itemActivated, this, go);
  setMessage(tr("Open a report to see what was lost of it"));
}

void DiagnosticsPanel::setReport(std::span<const trace::Issue> issues, std::span<const report::Diagnostic> said) {
  list_->clear();
  list_->setSortingEnabled(false);  // until all are there
  constexpr int kReading = static_cast<int>(report::Severity::kError) + 1;
  for (const trace::Issue& issue : issues) {
    const QString text = QString::fromStdString(issue.text);
    auto* item = new Line(list_, {tr("Reading"), QString(), text}, kReading, std::nullopt);
    item->setForeground(kWhat, Theme::colours().warning);
    item->setToolTip(kText, text);
  }
  for (const report::Diagnostic& one : said) {
    const QString text = QString::fromStdString(one.text);
    auto* item = new Line(list_,
                          {word(one.severity), one.time ? QString::fromStdString(formatDuration(*one.time)) : QString(),
                           text.simplified()},
                          static_cast<int>(one.severity), one.time);
    item->setForeground(kWhat, colour(one.severity));
    item->setForeground(kTime, Theme::colours().textDim);
    item->setFont(kTime, Theme::figures());
    item->setTextAlignment(kTime, Qt::AlignRight | Qt::AlignVCenter);
    item->setToolTip(kText, text);
  }
  list_->setSortingEnabled(true);
  if (list_->topLevelItemCount() == 0) {
    setMessage(tr("Nothing was lost, and the profiler had nothing to say"));
    return;
  }
  message_->hide();
  list_->show();
}

void DiagnosticsPanel::setMessage(const QString& message) {
  message_->setText(message);
  message_->show();
  list_->hide();
}

}  // namespace lanescope::views
