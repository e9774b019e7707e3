// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/clock_map.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace lanescope::launch {

using trace::Ns;

namespace {

constexpr Ns kLatest = std::numeric_limits<Ns>::max();

}  // namespace

Ns minus(Ns a, Ns b) {
  Ns difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? std::numeric_limits<Ns>::min() : kLatest;
}

Ns asTime(std::uint64_t time) { return static_cast<Ns>(std::min<std::uint64_t>(time, kLatest)); }

ClockMap::ClockMap(std::vector<wire::ClockPair> pairs) {
  // Beyond 1/4 of the range nothing is a time, and sums of two such cannot overflow.
  std::erase_if(pairs, [](const wire::ClockPair& pair) {
    return pair.monotonic > kLatest / 4 || pair.realtime > kLatest / 4 || pair.bracket > kLatest / 4;
  });
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.monotonic < b.monotonic; });
  for (const wire::ClockPair& pair : pairs) {
    const Ns monotonic = asTime(pair.monotonic), bracket = asTime(pair.bracket);
    const Ns offset = asTime(pair.realtime) - monotonic;
    if (!stretches_.empty()) {
      Stretch& last = stretches_.back();
      const Ns change = std::abs(offset - last.offset);
      if (change <= kNoise + bracket + last.bracket) {
        if (bracket < last.bracket) last.offset = offset, last.bracket = bracket;
        last.lastMonotonic = monotonic;
        continue;
      }
      if (stretches_.size() == kMostStretches) break;
      largestStep_ = std::max(largestStep_, change);
    }
    stretches_.push_back({offset, bracket, monotonic, monotonic});
  }
}

Ns ClockMap::error() const {
  return stretches_.empty() ? 0 : std::ranges::max(stretches_, {}, &Stretch::bracket).bracket;
}

std::size_t ClockMap::find(Ns realtime) const {
  std::size_t begun = 0;
  for (std::size_t i = stretches_.size(); i-- > 0;) {
    if (stretches_[i].contains(realtime)) return i;
    if (begun == 0 && stretches_[i].begin() <= realtime) begun = i;
  }
  return begun;
}

Ns ClockMap::offsetAt(std::uint64_t realtime) const {
  if (stretches_.empty()) return 0;
  return stretches_[stretches_.size() == 1 ? 0 : find(asTime(realtime))].offset;
}

bool ClockMap::isDoubtful(std::uint64_t time) const {
  if (stretches_.size() < 2) return false;
  const Ns realtime = asTime(time);
  int candidates = 0;
  for (const Stretch& stretch : stretches_) candidates += stretch.contains(realtime);
  const bool outside = realtime < stretches_.front().begin() || find(realtime) + 1 == stretches_.size();
  return candidates > 1 || (candidates == 0 && !outside);
}

}  // namespace lanescope::launch
