// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/summary_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "model/report/span.h"
#include "views/panels/copyable_tree.h"
#include "views/panels/plain_label.h"
#include "views/tables/plain_cells.h"

namespace lanescope::views {
namespace {

enum Column { kPart, kWhat, kValue };

}  // namespace

SummaryPanel::SummaryPanel(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit(this)),
      message_(plainLabel(this)),
      list_(new CopyableTree({tr("Part"), tr("What"), tr("Value")}, this)) {
  search_->setPlaceholderText(tr("Search the summary"));
  search_->setAccessibleName(tr("Search the summary"));
  search_->setClearButtonEnabled(true);
  search_->setMaximumWidth(240);
  message_->setProperty("tone", "dim");
  message_->setContentsMargins(12, 8, 12, 8);
  message_->hide();
  list_->setAccessibleName(tr("Summary"));
  new PlainCells(list_);
  for (const Column column : {kPart, kWhat})
    list_->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  list_->header()->setStretchLastSection(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 4, 0, 0);
  layout->setSpacing(4);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 0, 8, 0);
  head->addWidget(search_);
  head->addStretch();
  layout->addLayout(head);
  layout->addWidget(message_);
  layout->addWidget(list_, 1);
  connect(search_, &QLineEdit::textChanged, this, &SummaryPanel::filter);
}

void SummaryPanel::setReport(std::filesystem::path file, std::vector<analysis::NamedTime> times) {
  if (file == file_ && times.size() == times_.size()) return refresh();
  if (file != file_) search_->clear();
  file_ = std::move(file);
  times_ = std::move(times);
  read_ = false;
  job_.cancel();
  list_->clear();
  refresh();
}

void SummaryPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void SummaryPanel::refresh() {
  if (!isVisible() || read_ || file_.empty()) return;
  read_ = true;
  job_.start(
      [file = file_, times = times_](const Job&) -> Result<std::vector<report::SummaryLine>> {
        const auto database = report::Database::open(file);
        if (!database) return tl::unexpected(database.error());
        std::vector<report::SummaryLine> lines;
        const auto add = [&lines](const analysis::NamedTime& time) {
          lines.push_back({"Times", time.name, time.text()});
        };
        if (const auto span = report::recordedSpan(*database)) add(analysis::recordedTime(*span));
        std::ranges::for_each(times, add);
        std::ranges::move(report::summary(*database), std::back_inserter(lines));
        return lines;
      },
      [this](const Result<std::vector<report::SummaryLine>>& lines) { showLines(lines); });
}

void SummaryPanel::showLines(const Result<std::vector<report::SummaryLine>>& lines) {
  message_->setVisible(!lines);
  if (!lines) return message_->setText(QString::fromStdString(sentence(lines.error())));
  for (const report::SummaryLine& line : *lines) {
    const QString value = QString::fromStdString(line.value);
    auto* item = new QTreeWidgetItem(
        list_, {QString::fromStdString(line.part), QString::fromStdString(line.what), value.simplified()});
    item->setToolTip(kValue, value.toHtmlEscaped());
  }
  filter(search_->text());
}

void SummaryPanel::filter(const QString& text) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i) {
    QTreeWidgetItem* item = list_->topLevelItem(i);
    bool holds = false;
    for (const Column column : {kPart, kWhat, kValue})
      holds = holds || item->text(column).contains(text.trimmed(), Qt::CaseInsensitive);
    item->setHidden(!holds);
  }
}

}  // namespace lanescope::views
