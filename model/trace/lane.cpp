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
  columns_.busyBeforeBlock.reserve(blocks);
  columns_.offset.resize(count);
  columns_.duration.resize(count);
  columns_.row.resize(count);
  names_.resize(count);
  if (withAmounts) columns_.amount.resize(count);
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
  assert(event.end >= event.start && (next_ == 0 || event.start >= end_));
  if (next_ % Lane::kBlock == 0) {
    lane_.base_.push_back(event.start);
    columns_.busyBeforeBlock.push_back(busy_);
  }
  store(static_cast<std::uint64_t>(event.start - lane_.base_.back()), columns_.offset[next_], columns_.longOffsets);
  store(static_cast<std::uint64_t>(event.end - event.start), columns_.duration[next_], columns_.longDurations);
  store(event.sourceRow, columns_.row[next_], columns_.longRows);
  names_[next_] = event.name;
  if (!columns_.amount.empty()) columns_.amount[next_] = event.amount;
  if (event.unfinished) columns_.unfinished.push_back(static_cast<std::uint32_t>(next_));
  busy_ += event.end - event.start;
  end_ = event.end;
  ++next_;
}

Lane LaneBuilder::finish() {
  assert(next_ == names_.size());
  for (const std::vector<Ns>* below = &lane_.base_; below->size() > Lane::kBlock; below = &lane_.upper_.back()) {
    std::vector<Ns> level;
    level.reserve((below->size() + Lane::kBlock - 1) / Lane::kBlock);
    for (std::size_t i = 0; i < below->size(); i += Lane::kBlock) level.push_back((*below)[i]);
    lane_.upper_.push_back(std::move(level));
  }
  lane_.columns_ = std::make_shared<const Lane::Columns>(std::move(columns_));
  lane_.names_ = std::make_shared<const std::vector<NameId>>(std::move(names_));
  lane_.offset_ = lane_.columns_->offset;
  lane_.duration_ = lane_.columns_->duration;
  lane_.row_ = lane_.columns_->row;
  lane_.amount_ = lane_.columns_->amount;
  lane_.unfinished_ = lane_.columns_->unfinished;
  lane_.name_ = *lane_.names_;
  lane_.pyramid_ = Pyramid(lane_);
  return std::move(lane_);
}

Lane Lane::moved(Ns by) const {
  Lane lane = *this;
  for (Ns& start : lane.base_) start += by;
  for (std::vector<Ns>& level : lane.upper_)
    for (Ns& start : level) start += by;
  lane.pyramid_ = pyramid_.moved(by);
  return lane;
}

Lane Lane::renamed(std::span<const NameId> to) const {
  Lane lane = *this;
  std::vector<NameId> names(name_.size());
  std::ranges::transform(name_, names.begin(), [to](NameId id) { return to[id]; });
  lane.names_ = std::make_shared<const std::vector<NameId>>(std::move(names));
  lane.name_ = *lane.names_;
  lane.pyramid_ = pyramid_.renamed(to);
  return lane;
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
  Ns busy = columns_->busyBeforeBlock[block];
  const std::size_t last = std::min((block + 1) * kBlock, size());
  for (std::size_t i = block * kBlock; i < last && start(i) < t; ++i) busy += std::min(end(i), t) - start(i);
  return busy;
}

std::size_t Lane::bytes() const {
  const auto of = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t total = of(base_) + pyramid_.bytes();
  if (columns_)
    total += of(columns_->busyBeforeBlock) + of(columns_->offset) + of(columns_->duration) + of(columns_->row) +
             of(columns_->amount) + of(columns_->longOffsets) + of(columns_->longDurations) + of(columns_->longRows) +
             of(columns_->unfinished) + of(*names_);
  for (const auto& level : upper_) total += of(level);
  return total;
}

}  // namespace lanescope::trace
