// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/own_view.h"

#include <QScopedValueRollback>
#include <algorithm>

#include "views/panels/search.h"
#include "views/timeline/go_to.h"

namespace lanescope::ui {
namespace {

using trace::Ns;
using trace::TimeRange;
using views::Search;
using views::ViewState;

TimeRange plus(TimeRange range, Ns offset) { return {range.begin + offset, range.end + offset}; }

std::optional<TimeRange> plus(std::optional<TimeRange> range, Ns offset) {
  return range ? std::optional(plus(*range, offset)) : std::nullopt;
}

}  // namespace

OwnView::OwnView(ViewState& all, JoinedPtr joined, std::uint32_t report)
    : all_(all), joined_(std::move(joined)), report_(report) {
  own_.setTrace(joined_->parts[report_].trace);
  followAll();
  leadAll();
  setPlaced(joined_);
}

template <class Change>
void OwnView::pass(Way way, Change change) {
  if (passing_ && *passing_ != way) return;
  const QScopedValueRollback guard(passing_, std::optional(way));
  change();
}

void OwnView::setPlaced(JoinedPtr joined) {
  joined_ = std::move(joined);
  pass(Way::kToOwn, [this] {
    own_.setVisible(plus(all_.visible(), -offset()));
    own_.setSelection(plus(all_.selection(), -offset()));
    own_.setChosenName(all_.chosenName());
    followCurrent();
  });
}

void OwnView::followCurrent() {
  const auto event = all_.current();
  if (!event) own_.setCurrent(std::nullopt);
  else if (joined_->reportOf(*event) == report_) own_.setCurrent(joined_->own(*event));
}

void OwnView::followAll() {
  connect(&all_, &ViewState::visibleChanged, this,
          [this] { pass(Way::kToOwn, [this] { own_.setVisible(plus(all_.visible(), -offset())); }); });
  connect(&all_, &ViewState::selectionChanged, this,
          [this] { pass(Way::kToOwn, [this] { own_.setSelection(plus(all_.selection(), -offset())); }); });
  connect(&all_, &ViewState::chosenNameChanged, this,
          [this] { pass(Way::kToOwn, [this] { own_.setChosenName(all_.chosenName()); }); });
  connect(&all_, &ViewState::hitsChanged, this,
          [this] { pass(Way::kToOwn, [this] { own_.setHits(nullptr); }); });  // something else was searched for
  connect(&all_, &ViewState::currentChanged, this, [this] { pass(Way::kToOwn, [this] { followCurrent(); }); });
}

void OwnView::leadAll() {
  connect(&own_, &ViewState::visibleChanged, this,
          [this] { pass(Way::kToAll, [this] { all_.setVisible(plus(own_.visible(), offset())); }); });
  connect(&own_, &ViewState::selectionChanged, this,
          [this] { pass(Way::kToAll, [this] { all_.setSelection(plus(own_.selection(), offset())); }); });
  connect(&own_, &ViewState::chosenNameChanged, this,
          [this] { pass(Way::kToAll, [this] { all_.setChosenName(own_.chosenName()); }); });
  connect(&own_, &ViewState::currentChanged, this, [this] {
    pass(Way::kToAll, [this] {
      if (own_.current()) views::goToEvent(all_, joined_->joined(report_, *own_.current()));
      else all_.setCurrent(std::nullopt);
    });
  });
  connect(&own_, &ViewState::hitsChanged, this, [this] {
    pass(Way::kToAll, [this] {
      auto hits = std::make_shared<analysis::Hits>(own_.hits() ? *own_.hits() : analysis::Hits());
      for (analysis::Hits::OfLane& each : hits->lanes) each.lane = joined_->parts[report_].laneOf[each.lane];
      std::ranges::sort(hits->lanes, {}, &analysis::Hits::OfLane::lane);
      Search::of(all_).show(own_.hits() ? std::move(hits) : nullptr, Search::of(own_).name());
    });
  });
}

}  // namespace lanescope::ui
