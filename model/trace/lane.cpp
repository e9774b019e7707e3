// SPDX-License-Identifier: Apache-2.0
#include "model/trace/lane.h"

#include <algorithm>
#include <cassert>

namespace lanescope::trace {

Lane::Lane(std::span<const Event> events, bool withAmounts) {
  LaneBuilder builder(events.size(), withAmounts);
  for (const Event& event : events) builder.add(event);
  *this = builder.finish();
}

LaneBuilder::LaneBuilder(std::size_t count, bool withAmounts) {
  assert(count < Lane::kEscaped);
  const std::size_t blocks = (count + Lane::kBlock - 1) / Lane::kBlock;
  lane_.base_.reserve(blocks);
  lane_.busyBeforeBlock_.reserve(blocks);
  lane_.offset_.resize(count);
  lane_.duration_.resize(count);
  lane_.row_.resize(count);
  lane_.name_.resize(count);
  if (withAmounts) lane_.amount_.resize(count);
}

void LaneBuilder::store(std::uint64_t value, std::uint32_t& slot, std::vector<Lane::Escape>& table) const {
  if (value < Lane::kEscaped) {
    slot = static_cast<std::uint32_t>(value);
  } else {
    slot = Lane::kEscaped;
    table.push_back({static_cast<std::uint32_t>(next_), value});
  }
}

void LaneBuilder::add(const Event& event) {
  assert(event.end >= event.start && (next_ == 0 || event.start >= lane_.end(next_ - 1)));
  if (next_ % Lane::kBlock == 0) {
    lane_.base_.push_back(event.start);
    lane_.busyBeforeBlock_.push_back(busy_);
  }
  store(static_cast<std::uint64_t>(event.start - lane_.base_.back()), lane_.offset_[next_], lane_.longOffsets_);
  store(static_cast<std::uint64_t>(event.end - event.start), lane_.duration_[next_], lane_.longDurations_);
  store(event.sourceRow, lane_.row_[next_], lane_.longRows_);
  lane_.name_[next_] = event.name;
  if (!lane_.amount_.empty()) lane_.amount_[next_] = event.amount;
  if (event.unfinished) lane_.unfinished_.push_back(static_cast<std::uint32_t>(next_));
  busy_ += event.end - event.start;
  ++next_;
}

Lane LaneBuilder::finish() {
  assert(next_ == lane_.size());
  for (const std::vector<Ns>* below = &lane_.base_; below->size() > Lane::kBlock; below = &lane_.upper_.back()) {
    std::vector<Ns> level;
    level.reserve((below->size() + Lane::kBlock - 1) / Lane::kBlock);
    for (std::size_t i = 0; i < below->size(); i += Lane::kBlock) level.push_back((*below)[i]);
    lane_.upper_.push_back(std::move(level));
  }
  lane_.pyramid_ = Pyramid(lane_);
  return std::move(lane_);
}

std::uint64_t Lane::escaped(const std::vector<Escape>& table, std::size_t i) {
  return std::lower_bound(table.begin(), table.end(), i,
                          [](const Escape& e, std::size_t index) { return e.index < index; })
      ->value;
}

bool Lane::unfinished(std::size_t i) const { return std::binary_search(unfinished_.begin(), unfinished_.end(), i); }

// The last block that starts before t, 0 if none does: the block in which the first event at or after t may stand.
std::size_t Lane::blockOf(Ns t) const {
  std::size_t node = 0;
  for (std::size_t level = upper_.size() + 1; level-- > 0;) {
    const std::vector<Ns>& starts = level == 0 ? base_ : upper_[level - 1];
    const std::size_t begin = node * kBlock;
    const std::size_t end = std::min(begin + kBlock, starts.size());
    const auto first = starts.begin() + static_cast<std::ptrdiff_t>(level == upper_.size() ? 0 : begin);
    const auto last = starts.begin() + static_cast<std::ptrdiff_t>(level == upper_.size() ? starts.size() : end);
    const auto found = std::lower_bound(first, last, t);
    node = static_cast<std::size_t>((found == first ? first : found - 1) - starts.begin());
  }
  return node;
}

std::size_t Lane::lowerBound(Ns t) const {
  if (empty()) return 0;
  const std::size_t block = blockOf(t);
  std::size_t low = block * kBlock;
  std::size_t high = std::min(low + kBlock, size());
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (start(middle) < t) low = middle + 1;
    else high = middle;
  }
  return low;
}

std::size_t Lane::firstTouching(Ns t) const {
  const std::size_t i = lowerBound(t);
  return i > 0 && end(i - 1) > t ? i - 1 : i;
}

std::optional<std::size_t> Lane::at(Ns t) const {
  const std::size_t i = firstTouching(t);
  if (i == size() || start(i) > t) return std::nullopt;
  std::size_t best = i;  // zero-length events at t come first; the one that goes on wins
  while (best + 1 < size() && start(best + 1) == t) ++best;
  return best;
}

Ns Lane::busyBefore(Ns t) const {
  if (empty()) return 0;
  const std::size_t block = blockOf(t);
  Ns busy = busyBeforeBlock_[block];
  const std::size_t last = std::min((block + 1) * kBlock, size());
  for (std::size_t i = block * kBlock; i < last && start(i) < t; ++i) busy += std::min(end(i), t) - start(i);
  return busy;
}

std::size_t Lane::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t total = of(base_) + of(busyBeforeBlock_) + of(offset_) + of(duration_) + of(row_) + of(name_) +
                      of(amount_) + of(longOffsets_) + of(longDurations_) + of(longRows_) + of(unfinished_) +
                      pyramid_.bytes();
  for (const auto& level : upper_) total += of(level);
  return total;
}

}  // namespace lanescope::trace
