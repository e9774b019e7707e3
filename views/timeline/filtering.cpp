// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/filtering.h"

#include <QMenu>
#include <algorithm>
#include <utility>

#include "views/text.h"

namespace lanescope::views {
namespace {

constexpr qsizetype kLongestLabel = 48;

QString labelOf(const analysis::Condition& condition) {
  const QString whole = toQt(condition.label, 200);
  QString label = whole.size() > kLongestLabel ? whole.left(kLongestLabel - 1) + u'…' : whole;
  return label.replace('&', "&&");
}

}  // namespace

using analysis::Condition;
using analysis::PassingPtr;

Filtering& Filtering::of(ViewState& view) {
  auto* filtering = view.findChild<Filtering*>(QString(), Qt::FindDirectChildrenOnly);
  return filtering ? *filtering : *new Filtering(view);
}

const Filtering* Filtering::find(const ViewState& view) {
  return view.findChild<const Filtering*>(QString(), Qt::FindDirectChildrenOnly);
}

Filtering::Filtering(ViewState& view) : QObject(&view), view_(view) {
  connect(&view_, &ViewState::traceChanged, this, &Filtering::start);
  connect(&view_, &ViewState::passingChanged, this, &Filtering::changed);
  connect(&view_, &ViewState::countedChanged, this, &Filtering::changed);
}

void Filtering::add(Condition condition) {
  if (std::ranges::find(filter_, condition) != filter_.end()) return;
  filter_.push_back(std::move(condition));
  restart();
}

void Filtering::remove(std::size_t index) {
  if (index >= filter_.size()) return;
  filter_.erase(filter_.begin() + static_cast<std::ptrdiff_t>(index));
  restart();
}

void Filtering::setFilter(analysis::Filter filter) {
  if (filter == filter_) return;
  filter_ = std::move(filter);
  restart();
}

void Filtering::filterAndZoomIn() {
  const auto selection = view_.selection();
  if (!selection) return;
  add(Condition::time(*selection));
  view_.setVisible(*selection);
}

void Filtering::restart() {
  start();
  emit filterChanged();
}

void Filtering::start() {
  if (filter_.empty()) {
    job_.cancel();
    view_.setPassing(nullptr);
  } else if (!view_.trace()->lanes.empty()) {
    job_.start(
        [trace = view_.trace(), filter = filter_](const Job& job) {
          return PassingPtr(std::make_shared<const analysis::Passing>(trace, filter, job));
        },
        [this](PassingPtr passing) { view_.setPassing(std::move(passing)); });
  }
  emit changed();
}

void Filtering::addMenu(QMenu& menu, std::optional<trace::EventRef> event, std::uint32_t row) {
  QMenu* filter = menu.addMenu(tr("F&ilter"));
  filter->setObjectName("filter");
  const trace::Trace& trace = *view_.trace();
  std::vector<Condition> conditions;
  if (event) conditions = analysis::conditionsOf(trace, *event);
  if (row != trace::kNone) {
    // Of an event all that it is and the row it was clicked in; of a row all that it is.
    std::vector<Condition> ofRow = analysis::conditionsOf(trace, row);
    if (event) ofRow.erase(ofRow.begin() + 1, ofRow.end());
    conditions.insert(conditions.begin() + (event && !conditions.empty() ? 1 : 0), ofRow.begin(), ofRow.end());
  }
  for (const bool hide : {false, true}) {
    for (const Condition& condition : conditions) {
      const bool isRow = std::holds_alternative<Condition::Row>(condition.what);
      const QString label = isRow ? tr("row %1").arg(labelOf(condition)) : labelOf(condition);
      filter->addAction(hide ? tr("Hide %1").arg(label) : tr("Show only %1").arg(label), this, [this, condition, hide] {
        Condition wanted = condition;
        wanted.hide = hide;
        add(std::move(wanted));
      });
    }
    filter->addSeparator();
  }
  const auto selection = view_.selection();
  filter
      ->addAction(tr("Show only the selected time"), this,
                  [this] {
                    if (const auto now = view_.selection()) add(Condition::time(*now));
                  })
      ->setEnabled(selection.has_value());
  filter->addAction(tr("Filter and zoom in"), this, &Filtering::filterAndZoomIn)->setEnabled(selection.has_value());
  filter->addAction(tr("Remove filter"), this, &Filtering::clear)->setEnabled(!filter_.empty());
}

}  // namespace lanescope::views
