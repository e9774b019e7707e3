// SPDX-License-Identifier: Apache-2.0
#include "model/trace/pyramid.h"

#include <algorithm>
#include <bit>

#include "model/trace/lane_part.h"

namespace lanescope::trace {
namespace {

constexpr std::size_t kEventsPerBin = 4;

/// Time per name inside one bin. The bin holds few events on average; when it holds many names, the ones met first
/// stay, which is what a picture of one pixel can show.
class Tally {
 public:
  void add(NameId name, Ns time) {
    total_ += time;
    for (unsigned i = 0; i < used_; ++i)
      if (entry_[i].name == name) {
        entry_[i].time += time;
        return;
      }
    if (used_ < kEntries) entry_[used_++] = {name, time};
  }
  bool any() const { return used_ > 0; }
  Ns total() const { return total_; }
  NameId dominant() const {
    return std::max_element(entry_, entry_ + used_, [](const Entry& a, const Entry& b) { return a.time < b.time; })
        ->name;
  }
  void clear() { used_ = 0, total_ = 0; }

 private:
  struct Entry {
    NameId name;
    Ns time;
  };
  static constexpr unsigned kEntries = 8;
  Entry entry_[kEntries];
  unsigned used_ = 0;
  Ns total_ = 0;
};

std::uint16_t fraction(Ns busy, unsigned shift) {
  // Rounded down but never to 0: a touched bin is not blank. Bins of more than 2^47 ns lose bits that no pixel shows.
  const unsigned spare = shift > 47 ? shift - 47 : 0;
  const auto scaled = (static_cast<std::uint64_t>(busy) >> spare) * Pyramid::kFull >> (shift - spare);
  return static_cast<std::uint16_t>(std::clamp<std::uint64_t>(scaled, 1, Pyramid::kFull));
}

}  // namespace

Pyramid::Pyramid(const Lane& lane) : Pyramid(LaneView(lane)) {}

Pyramid::Pyramid(const LaneView& events) {
  if (events.empty()) return;
  const Lane& lane = events.lane();
  const TimeRange span{lane.start(events.next(0)), lane.end(*events.previous(lane.size()))};
  origin_ = span.begin;
  const auto length = static_cast<std::uint64_t>(std::max<Ns>(span.length(), 1));
  const std::uint64_t wanted = std::max<std::uint64_t>(events.count() / kEventsPerBin, 1);
  finestShift_ = static_cast<unsigned>(std::bit_width(length / wanted));

  // A zero-length event at the very end stands in the bin that begins there, hence the one more.
  std::size_t count = (length >> finestShift_) + 1;
  std::size_t total = 0;
  for (std::size_t size = count;; size = (size + 1) / 2) {
    first_.push_back(total);
    size_.push_back(size);
    total += size;
    if (size == 1) break;
  }
  std::vector<std::uint16_t> busy(total);
  std::vector<NameId> name(total);

  const auto binOf = [&](Ns t) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(t - origin_) >> finestShift_);
  };
  const auto binStart = [&](std::size_t bin) { return origin_ + static_cast<Ns>(bin << finestShift_); };
  Tally tally;
  std::size_t current = 0;
  const auto close = [&] {
    if (tally.any()) {
      busy[current] = fraction(tally.total(), finestShift_);
      name[current] = tally.dominant();
    }
    tally.clear();
  };
  for (std::size_t i = events.next(0); i < lane.size(); i = events.next(i + 1)) {
    const Ns start = lane.start(i);
    const Ns end = lane.end(i);
    const NameId called = lane.name(i);
    std::size_t bin = binOf(start);
    if (bin != current) close(), current = bin;
    const std::size_t lastBin = end > start ? binOf(end - 1) : bin;
    Ns from = start;
    for (; bin < lastBin; ++bin) {
      const Ns edge = binStart(bin + 1);
      tally.add(called, edge - from);
      close();
      from = edge;
      current = bin + 1;
    }
    tally.add(called, end - from);
  }
  close();

  for (unsigned level = 1; level < levels(); ++level) {
    const std::size_t below = first_[level - 1];
    const std::size_t belowSize = size_[level - 1];
    for (std::size_t i = 0; i < size_[level]; ++i) {
      const std::size_t left = below + 2 * i;
      const bool hasRight = 2 * i + 1 < belowSize;
      const unsigned a = busy[left];
      const unsigned b = hasRight ? busy[left + 1] : 0;
      busy[first_[level] + i] = static_cast<std::uint16_t>((a + b + 1) / 2);
      name[first_[level] + i] = a >= b ? name[left] : name[left + 1];
    }
  }
  busy_ = std::make_shared<const std::vector<std::uint16_t>>(std::move(busy));
  name_ = std::make_shared<const std::vector<NameId>>(std::move(name));
}

Pyramid Pyramid::moved(Ns by) const {
  Pyramid pyramid = *this;
  pyramid.origin_ += by;
  return pyramid;
}

Pyramid Pyramid::renamed(std::span<const NameId> to) const {
  Pyramid pyramid = *this;
  if (!name_) return pyramid;
  std::vector<NameId> names(name_->size());
  std::ranges::transform(*name_, names.begin(), [to](NameId id) { return to[id]; });
  pyramid.name_ = std::make_shared<const std::vector<NameId>>(std::move(names));
  return pyramid;
}

std::size_t Pyramid::bytes() const {
  return busy_ ? busy_->capacity() * sizeof((*busy_)[0]) + name_->capacity() * sizeof((*name_)[0]) : 0;
}

int Pyramid::levelFor(Ns width) const {
  if (first_.empty() || width <= 0) return -1;
  const int level =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(width))) - 1 - static_cast<int>(finestShift_);
  return std::clamp(level, -1, static_cast<int>(levels()) - 1);
}

}  // namespace lanescope::trace
