// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/folded_events.h"

#include <algorithm>

namespace lanescope::analysis {

namespace {

constexpr std::size_t kLookEvery = 65'536;  // events, at the job

}  // namespace

FoldedEvents::FoldedEvents(std::shared_ptr<const EventList> list, const Folds& folds, const Job& job)
    : list_(std::move(list)) {
  if (list_->question().order != EventOrder::kNested || (!folds.all && folds.others.empty())) return;
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < list_->size(); ++i) {
    if (i % kLookEvery == 0 && job.cancelled()) return;
    if (!holds(i) || !folds.folded(list_->id(i))) continue;
    std::size_t end = i + 1;
    while (end < list_->size() && list_->depth(end) > list_->depth(i)) ++end;
    hidden_.push_back({static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(end), before});
    before += hidden_.back().count();
    i = end - 1;
  }
}

std::size_t FoldedEvents::place(std::size_t row) const {
  // Behind each range, rows begin at its first place less what was hidden before it.
  const auto next = std::ranges::upper_bound(
      hidden_, row, {}, [](const Range& range) -> std::size_t { return range.first - range.before - std::size_t{1}; });
  if (next == hidden_.begin()) return row;
  const Range& range = *std::prev(next);
  const std::size_t own = range.first - std::size_t{1};  // the folded event
  const std::size_t beyond = row - (own - range.before);
  return beyond == 0 ? own : range.last - 1 + beyond;
}

bool FoldedEvents::folded(std::size_t row) const {
  return std::ranges::binary_search(hidden_, place(row) + 1, {},
                                    [](const Range& range) -> std::size_t { return range.first; });
}

std::optional<std::size_t> FoldedEvents::around(std::size_t row) const {
  const unsigned own = depth(row);
  if (own == 0) return std::nullopt;
  while (row-- > 0)
    if (depth(row) < own) return row;
  return std::nullopt;
}

std::optional<std::size_t> FoldedEvents::rowOf(trace::EventRef event, bool orAround) const {
  const auto place = list_->placeOf(event);
  if (!place) return std::nullopt;
  const auto next =
      std::ranges::upper_bound(hidden_, *place, {}, [](const Range& range) -> std::size_t { return range.first; });
  if (next == hidden_.begin()) return place;
  const Range& range = *std::prev(next);
  if (*place >= range.last) return *place - range.before - range.count();
  if (!orAround) return std::nullopt;
  return range.first - std::size_t{1} - range.before;
}

}  // namespace lanescope::analysis
