// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/trail.h"

#include <algorithm>

namespace lanescope::views {
namespace {

constexpr std::size_t kMostMoves = 200;

}  // namespace

Trail& Trail::of(ViewState& view) {
  auto* trail = view.findChild<Trail*>(QString(), Qt::FindDirectChildrenOnly);
  return trail ? *trail : *new Trail(view);
}

Trail::Trail(ViewState& view) : QObject(&view), view_(view) {
  connect(&view, &ViewState::traceChanged, this, [this] {
    followed_.reset();
    moves_.clear();
  });
}

void Trail::goTo(trace::EventRef event, trace::TimeRange range) {
  const trace::TimeRange visible = view_.visible();
  const auto before = view_.current();
  if (range != visible) view_.setVisible(range);
  if (view_.visible() != visible && before != event) {
    if (moves_.size() == kMostMoves) moves_.erase(moves_.begin());
    moves_.push_back({visible, view_.visible(), before});
  }
  view_.setCurrent(event);
  if (!before) return;
  const auto partners = view_.trace()->partners(event);
  if (std::ranges::find(partners, view_.trace()->id(*before)) != partners.end()) setFrom(*before);
}

std::optional<trace::EventRef> Trail::from() const {
  return followed_ && followed_->to == view_.current() ? std::optional(followed_->from) : std::nullopt;
}

void Trail::setFrom(trace::EventRef from) {
  if (const auto current = view_.current()) followed_ = {from, *current};
}

void Trail::undoZoom() {
  const trace::TimeRange after = view_.visible();
  view_.undoZoom();
  if (moves_.empty() || moves_.back().after != after || moves_.back().before != view_.visible()) return;
  const auto left = moves_.back().left;
  moves_.pop_back();
  if (!left || view_.isShown(*left)) view_.setCurrent(left);
}

}  // namespace lanescope::views
