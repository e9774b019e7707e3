// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/find_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "model/format.h"
#include "views/elided.h"
#include "views/panels/panel_parts.h"
#include "views/panels/save_table.h"
#include "views/panels/search.h"
#include "views/tables/figure_table.h"
#include "views/tables/hit_table.h"
#include "views/text.h"
#include "views/theme.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

using Events = std::vector<trace::EventRef>;

}  // namespace

FindPanel::FindPanel(QWidget* parent)
    : QWidget(parent),
      headline_(new ElidedLabel(this)),
      copy_(flatButton(tr("Copy"), this)),
      save_(flatButton(tr("Save CSV…"), this)),
      table_(new FigureTable(this)) {
  headline_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  headline_->setAccessibleName(tr("Hits"));
  table_->setAccessibleName(tr("Hits in order of time"));
  copy_->setToolTip(tr("Copy all rows, as they are shown"));

  auto* head = new QHBoxLayout;
  head->setContentsMargins(12, 4, 8, 4);
  head->addWidget(headline_, 1);
  head->addWidget(copy_);
  head->addWidget(save_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addLayout(head);
  layout->addWidget(table_, 1);

  connect(copy_, &QPushButton::clicked, table_, &FigureTable::copyAll);
  connect(save_, &QPushButton::clicked, this, [this] { saveCsv(this, table_->figures()); });
  connect(table_, &FigureTable::chosen, this, [this](std::size_t row) {
    if (search_ && events_ && row < events_->size()) goToEvent(search_->view(), (*events_)[row]);
  });
  connect(table_, &FigureTable::rowDoubleClicked, this, [this](std::size_t row) {
    if (search_ && events_ && row < events_->size())
      search_->view().zoomTo(search_->view().trace()->time((*events_)[row]));
  });
  connect(table_, &FigureTable::left, this, &FindPanel::left);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    if (events_) list(eventsOf_, events_);
  });
  refresh();
}

void FindPanel::setSearch(Search* search) {
  if (search_) search_->disconnect(this);
  search_ = search;
  job_.cancel();
  listed_ = nullptr;
  listedOf_ = nullptr;
  events_ = nullptr;
  eventsOf_ = nullptr;
  table_->clear();
  if (search) connect(search, &Search::changed, this, &FindPanel::refresh);
  refresh();
}

QString FindPanel::headline() const { return headline_->text(); }

void FindPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void FindPanel::refresh() {
  if (!isVisible()) return;
  const auto hits = search_ ? search_->view().hits() : nullptr;
  const auto trace = search_ ? search_->view().trace() : nullptr;
  if (search_ && search_->mistake()) headline_->setText(*search_->mistake());
  else if (search_ && search_->running()) headline_->setText(tr("Looking…"));
  else if (!hits) headline_->setText(tr("Type into Find (Ctrl+F) to list events here"));
  else if (hits->count == 0) headline_->setText(tr("No event satisfies that"));
  else {
    const QString shown = hits->count > kMost ? tr("showing the first %1").arg(numberText(kMost)) : tr("showing all");
    const QString of = search_->name().isEmpty() ? QString() : search_->name() + QStringLiteral(" · ");
    headline_->setText(of + (hits->count == 1 ? tr("1 hit · ") : tr("%1 hits · ").arg(numberText(hits->count))) +
                       shown);
  }
  if (hits == listed_ && trace == listedOf_) return showCurrent();
  listed_ = hits;
  listedOf_ = trace;
  if (!hits) {
    job_.cancel();
    list(nullptr, std::make_shared<const Events>());
    return;
  }
  job_.start(
      [trace, hits](const Job& job) {
        return std::make_shared<const Events>(analysis::firstHits(*trace, *hits, kMost, job));
      },
      [this, trace](std::shared_ptr<const Events> events) { list(trace, std::move(events)); });
}

void FindPanel::list(trace::TracePtr trace, std::shared_ptr<const Events> events) {
  eventsOf_ = std::move(trace);
  events_ = std::move(events);
  copy_->setEnabled(!events_->empty());
  save_->setEnabled(!events_->empty());
  if (!eventsOf_) return table_->clear();
  Palette palette = Theme::palette();
  palette.learn(*eventsOf_);
  table_->setContent(hitContent(eventsOf_, events_, std::move(palette)));
  showCurrent();
}

void FindPanel::showCurrent() {
  if (!search_ || !eventsOf_) return;
  const auto current = search_->view().current();
  // In order of start, as the list: its rank says whether and where it is there.
  if (current && search_->rank() != 0) table_->select(eventsOf_->id(*current));
  else table_->select(std::nullopt);
}

}  // namespace lanescope::views
