// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanescope::views {
namespace {

using trace::Ns;

constexpr double kFewest = 8, kMost = 60;
constexpr Ns kWide = 100;  // longest by shortest, from where on bins grow

/// Leaves room for an edge behind the longest.
Ns clamped(Ns duration) { return std::clamp<Ns>(duration, 0, std::numeric_limits<Ns>::max() - 1); }

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

}  // namespace lanescope::views
