// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::views {
namespace {

using trace::Ns;

constexpr double kFewest = 8, kMost = 60;
constexpr Ns kLargest = trace::kMaxTime / 10;  // power of ten that is looked at, so that nine of it have room
constexpr Ns kWide = 100;  // longest by shortest, from where on bins grow

/// Leaves room for an edge behind the longest.
Ns clamped(Ns duration) { return std::clamp<Ns>(duration, 0, std::numeric_limits<Ns>::max() - 1); }

/// Where a duration stands on an axis on which every bin is 1 wide; in the middle of a bin that is 1 ns wide.
double placeOf(const Bins& bins, Ns duration) {
  const auto above = std::upper_bound(bins.edges.begin(), bins.edges.end(), duration);
  const auto bin = static_cast<std::size_t>(above - bins.edges.begin() - 1);
  const Ns from = bins.edges[bin], to = bins.edges[bin + 1];
  if (to - from == 1) return static_cast<double>(bin) + 0.5;
  const auto logOf = [](Ns ns) { return std::log(static_cast<double>(std::max<Ns>(ns, 1))); };
  const double part = bins.logarithmic ? (logOf(duration) - logOf(from)) / (logOf(to) - logOf(from))
                                       : static_cast<double>(duration - from) / static_cast<double>(to - from);
  return static_cast<double>(bin) + part;
}

bool areApart(const std::vector<DurationTick>& ticks, double least) {
  for (std::size_t i = 1; i < ticks.size(); ++i)
    if (ticks[i].place - ticks[i - 1].place < least) return false;
  return true;
}

/// The multiples, up to nine, of each stride-th power of ten that lie within the bins.
std::vector<DurationTick> powers(const Bins& bins, std::initializer_list<int> multiples, int stride) {
  std::vector<DurationTick> ticks;
  int exponent = 0;
  for (Ns power = 1; power < bins.edges.back(); power *= 10, ++exponent) {
    for (const int multiple : multiples)
      if (const Ns at = power * multiple; exponent % stride == 0 && at >= bins.edges.front() && at < bins.edges.back())
        ticks.push_back({placeOf(bins, at), at});
    if (power > kLargest / 10) break;
  }
  return ticks;
}

std::vector<DurationTick> logarithmicTicks(const Bins& bins, double leastApart) {
  std::vector<DurationTick> labelled = powers(bins, {1, 2, 5}, 1);
  for (int stride = 1; !areApart(labelled, leastApart); ++stride) labelled = powers(bins, {1}, stride);
  std::vector<DurationTick> ticks = powers(bins, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
  for (DurationTick& tick : ticks)
    tick.labelled = std::any_of(labelled.begin(), labelled.end(), [&](const auto& each) { return each.at == tick.at; });
  return ticks;
}

std::vector<DurationTick> linearTicks(const Bins& bins, double leastApart) {
  for (Ns power = 1; power < bins.edges.back(); power *= 10) {
    for (const int multiple : {1, 2, 5}) {
      const Ns step = power * multiple, first = (bins.edges.front() + step - 1) / step * step;
      if ((bins.edges.back() - first) / step > static_cast<Ns>(bins.size() / leastApart) + 1) continue;
      std::vector<DurationTick> ticks;
      for (Ns at = first; at < bins.edges.back(); at += step) ticks.push_back({placeOf(bins, at), at});
      if (areApart(ticks, leastApart)) return ticks;
    }
    if (power > kLargest / 10) break;
  }
  return {};
}

/// How many bins of Freedman and Diaconis' width span the values. Reorders them.
std::size_t binCount(std::vector<double>& values, double span) {
  const std::size_t n = values.size();
  const auto quartile = [&](std::size_t rank) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank), values.end());
    return values[rank];
  };
  const double width = 2 * (quartile(n * 3 / 4) - quartile(n / 4)) / std::cbrt(static_cast<double>(n));
  if (width <= 0) return static_cast<std::size_t>(std::clamp(std::sqrt(static_cast<double>(n)), kFewest, kMost));
  return static_cast<std::size_t>(std::clamp(std::ceil(span / width), kFewest, kMost));
}

}  // namespace

Bins binsOf(std::span<const Ns> durations) {
  Bins bins;
  if (durations.empty()) return bins;
  const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
  const Ns shortest = clamped(*least), longest = clamped(*most);
  // What lies below 1 ns has no logarithm; it joins the first bin.
  bins.logarithmic = longest / std::max<Ns>(shortest, 1) > kWide;
  const auto onAxis = [&](Ns ns) {
    return bins.logarithmic ? std::log(static_cast<double>(std::max<Ns>(ns, 1))) : static_cast<double>(ns);
  };
  const double from = onAxis(shortest), span = onAxis(longest) - from;

  std::vector<double> values(durations.size());
  std::transform(durations.begin(), durations.end(), values.begin(), onAxis);
  const std::size_t wanted = binCount(values, span);
  // Edges are whole nanoseconds, so short spans have fewer bins.
  bins.edges.push_back(shortest);
  for (std::size_t i = 1; i < wanted; ++i) {
    const double place = from + span * static_cast<double>(i) / static_cast<double>(wanted);
    const Ns edge = std::llround(bins.logarithmic ? std::exp(place) : place);
    if (edge > bins.edges.back() && edge <= longest) bins.edges.push_back(edge);
  }
  bins.edges.push_back(longest + 1);

  bins.counts.assign(bins.edges.size() - 1, 0);
  for (const Ns ns : durations) {
    const auto above = std::upper_bound(bins.edges.begin(), bins.edges.end(), clamped(ns));
    ++bins.counts[static_cast<std::size_t>(above - bins.edges.begin() - 1)];
  }
  return bins;
}

std::vector<DurationTick> durationTicks(const Bins& bins, double leastApart) {
  if (bins.empty()) return {};
  std::vector<DurationTick> ticks;
  if (bins.edges.back() <= 2 * trace::kMaxTime)  // as every valid one
    ticks = bins.logarithmic ? logarithmicTicks(bins, leastApart) : linearTicks(bins, leastApart);
  if (std::count_if(ticks.begin(), ticks.end(), [](const auto& tick) { return tick.labelled; }) >= 2) return ticks;
  const Ns shortest = bins.edges.front(), longest = bins.edges.back() - 1;
  ticks = {{placeOf(bins, shortest), shortest}};
  if (longest > shortest) ticks.push_back({placeOf(bins, longest), longest});
  return ticks;
}

}  // namespace lanescope::views
