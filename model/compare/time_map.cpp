// SPDX-License-Identifier: Apache-2.0
#include "model/compare/time_map.h"

#include <algorithm>

#include "model/compare/match_sequences.h"
#include "model/wide.h"

namespace lanescope::compare {
namespace {

using trace::Ns;

Ns mapped(const std::vector<Moment>& moments, Ns time, Ns Moment::* from, Ns Moment::* to) {
  const auto after = std::ranges::upper_bound(moments, time, {}, from);
  if (after == moments.begin()) return time - moments.front().*from + moments.front().*to;
  const Moment& before = *std::prev(after);
  const Ns past = time - before.*from;
  if (after == moments.end()) return past + before.*to;
  const Wide whole = (*after).*from - before.*from, target = (*after).*to - before.*to;
  return before.*to + static_cast<Ns>(past * target / whole);
}

}  // namespace

TimeMap::TimeMap(std::vector<Moment> moments) {
  if (moments.empty()) return;
  std::ranges::sort(moments,
                    [](const Moment& x, const Moment& y) { return std::pair(x.a, y.b) < std::pair(y.a, x.b); });
  std::vector<Ns> times;  // of one time in A the latest in B first, so that an ascending part has one of them
  times.reserve(moments.size());
  for (const Moment& each : moments) times.push_back(each.b);
  moments_.clear();
  for (const std::uint32_t i : longestAscending(times)) moments_.push_back(moments[i]);
}

Ns TimeMap::toB(Ns a) const { return mapped(moments_, a, &Moment::a, &Moment::b); }
Ns TimeMap::toA(Ns b) const { return mapped(moments_, b, &Moment::b, &Moment::a); }

}  // namespace lanescope::compare
