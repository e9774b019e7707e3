// SPDX-License-Identifier: Apache-2.0
#include "model/trace/lane_part.h"

#include <algorithm>
#include <bit>

namespace lanescope::trace {
namespace {

constexpr std::size_t kWord = 64;

std::uint64_t below(std::size_t bit) { return (std::uint64_t{1} << bit) - 1; }

}  // namespace

LanePart::LanePart(const Lane& lane, std::vector<std::uint64_t> bits) : size_(lane.size()) {
  const std::size_t words = (size_ + kWord - 1) / kWord;
  bits.resize(words);
  levels_.push_back(std::move(bits));
  while (levels_.back().size() > 1) {
    const std::vector<std::uint64_t>& under = levels_.back();
    std::vector<std::uint64_t> level((under.size() + kWord - 1) / kWord);
    for (std::size_t i = 0; i < under.size(); ++i) level[i / kWord] |= std::uint64_t{under[i] != 0} << (i % kWord);
    levels_.push_back(std::move(level));
  }

  countBefore_.reserve(words);
  busyBefore_.reserve(words);
  Ns busy = 0;
  for (std::size_t word = 0; word < words; ++word) {
    countBefore_.push_back(static_cast<std::uint32_t>(count_));
    busyBefore_.push_back(busy);
    const std::uint64_t set = levels_.front()[word];
    count_ += static_cast<std::size_t>(std::popcount(set));
    for (std::uint64_t left = set; left != 0; left &= left - 1)
      busy += lane.duration(word * kWord + static_cast<std::size_t>(std::countr_zero(left)));
  }
  if (count_ > 0) pyramid_ = Pyramid(LaneView(lane, this));
}

std::size_t LanePart::countBefore(std::size_t i) const {
  if (i >= size_) return count_;
  return countBefore_[i / kWord] +
         static_cast<std::size_t>(std::popcount(levels_.front()[i / kWord] & below(i % kWord)));
}

std::size_t LanePart::next(std::size_t i) const {
  // Up to the first level whose word has a bit at or after the place, then down along first bits.
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::vector<std::uint64_t>& words = levels_[level];
    if (i / kWord >= words.size()) return size_;
    if (const std::uint64_t left = words[i / kWord] & ~below(i % kWord); left != 0) {
      i = i / kWord * kWord + static_cast<std::size_t>(std::countr_zero(left));
      while (level-- > 0) i = i * kWord + static_cast<std::size_t>(std::countr_zero(levels_[level][i]));
      return i;
    }
    i = i / kWord + 1;
  }
  return size_;
}

std::optional<std::size_t> LanePart::previous(std::size_t i) const {
  i = std::min(i, size_);
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::vector<std::uint64_t>& words = levels_[level];
    if (words.empty()) break;
    const bool isPast = i / kWord == words.size();  // the last word is full: all of it lies before i
    const std::size_t word = i / kWord - isPast;
    if (const std::uint64_t left = isPast ? words[word] : words[word] & below(i % kWord); left != 0) {
      const auto last = [](std::uint64_t bits) { return kWord - 1 - static_cast<std::size_t>(std::countl_zero(bits)); };
      i = word * kWord + last(left);
      while (level-- > 0) i = i * kWord + last(levels_[level][i]);
      return i;
    }
    i /= kWord;
  }
  return std::nullopt;
}

Ns LanePart::busyBefore(const Lane& lane, Ns t) const {
  const std::size_t end = lane.lowerBound(t);
  if (end == 0) return 0;
  const std::size_t last = end - 1, word = last / kWord;  // starts before t, may end after it
  Ns busy = busyBefore_[word];
  for (std::uint64_t left = levels_.front()[word] & (below(last % kWord) << 1 | 1); left != 0; left &= left - 1)
    busy += lane.duration(word * kWord + static_cast<std::size_t>(std::countr_zero(left)));
  return has(last) ? busy - std::max<Ns>(0, lane.end(last) - t) : busy;
}

std::size_t LanePart::bytes() const {
  std::size_t bytes = countBefore_.capacity() * sizeof(countBefore_[0]) + busyBefore_.capacity() * sizeof(Ns);
  for (const auto& level : levels_) bytes += level.capacity() * sizeof(level[0]);
  return bytes + pyramid_.bytes();
}

}  // namespace lanescope::trace
