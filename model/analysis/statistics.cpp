// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/statistics.h"
#include "model/wide.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace lanescope::analysis {
namespace {

// NOLINTNEXTLINE(modernize-use-using): __extension__ goes with typedef only
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

std::int64_t saturated(Wide value) { return static_cast<std::int64_t>(std::clamp<Wide>(value, kLeast, kMost)); }

struct Sums {
  std::uint64_t count = 0;
  Wide total = 0;
  Wide squares = 0;
  bool squaresOverflow = false;
  long double wideSquares = 0;  // where the exact ones do not fit
  std::int64_t min = kMost, max = kLeast;

  void add(std::int64_t value) {
    ++count;
    total += value;
    squaresOverflow |= __builtin_add_overflow(squares, Wide{value} * value, &squares);
    wideSquares += static_cast<long double>(value) * static_cast<long double>(value);
    min = std::min(min, value);
    max = std::max(max, value);
  }

  /// Plain loops over plain sums, so that the compiler makes vectors of them.
  void add(std::span<const std::uint32_t> values) {
    if (values.empty()) return;
    std::uint32_t least = values.front(), most = values.front();
    std::uint64_t sum = 0, squaresLow = 0, squaresHigh = 0;
    for (const std::uint32_t value : values) {
      const std::uint64_t square = std::uint64_t{value} * value;
      least = std::min(least, value);
      most = std::max(most, value);
      sum += value;
      squaresLow += square & 0xFFFFFFFF;
      squaresHigh += square >> 32;
    }
    count += values.size();
    total += sum;
    const Wide all = (Wide{squaresHigh} << 32) + squaresLow;
    squares += all;
    wideSquares += static_cast<long double>(all);
    min = std::min<std::int64_t>(min, least);
    max = std::max<std::int64_t>(max, most);
  }

  double deviation() const {
    if (count < 2) return 0;
    const auto n = static_cast<long double>(count);
    Wide scaled = 0, square = 0, difference = 0;
    const bool exact = !squaresOverflow && !__builtin_mul_overflow(squares, static_cast<Wide>(count), &scaled) &&
                       !__builtin_mul_overflow(total, total, &square) &&
                       !__builtin_sub_overflow(scaled, square, &difference);
    const auto sum = static_cast<long double>(total);
    const long double spread =
        exact ? static_cast<long double>(difference) : std::max(0.0L, wideSquares * n - sum * sum);
    return static_cast<double>(std::sqrt(spread / n / (n - 1)));
  }
};

struct Middle {
  std::int64_t lower = 0, upper = 0;  // the same for an odd count
};

template <class T>
Middle middleBySorting(std::span<T> values, std::size_t lower, std::size_t upper) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(lower);
  std::nth_element(values.begin(), at, values.end());
  Middle middle{static_cast<std::int64_t>(*at), static_cast<std::int64_t>(*at)};
  if (upper != lower) middle.upper = static_cast<std::int64_t>(*std::min_element(at + 1, values.end()));
  return middle;
}

/// The values of rank `lower` and `upper` = lower or lower + 1. Counts into buckets between the least and the greatest
/// value, keeps the middle bucket only, and again: three rounds at most, whatever the values are.
Middle middleOf(std::span<std::uint32_t> values, std::size_t lower, std::size_t upper) {
  constexpr std::size_t kFew = 512;
  constexpr unsigned kBits = 11;
  while (values.size() > kFew) {
    std::uint32_t least = values.front(), most = values.front();
    for (const std::uint32_t value : values) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (least == most) return {least, least};
    const auto width = static_cast<unsigned>(std::bit_width(most - least));
    const unsigned shift = width > kBits ? width - kBits : 0;
    // Four counters a bucket: equal values in a row do not wait for each other.
    std::array<std::array<std::uint32_t, 1u << kBits>, 4> counts{};
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4)
      for (std::size_t k = 0; k < 4; ++k) ++counts[k][(values[i + k] - least) >> shift];
    for (; i < values.size(); ++i) ++counts[0][(values[i] - least) >> shift];

    std::size_t before = 0, inBucket = 0;
    std::uint32_t bucket = 0;
    for (;; ++bucket) {
      inBucket = std::size_t{counts[0][bucket]} + counts[1][bucket] + counts[2][bucket] + counts[3][bucket];
      if (before + inBucket > lower) break;
      before += inBucket;
    }
    if (upper >= before + inBucket) {  // they stand in two buckets: the greatest of one, the least of a later one
      Middle middle{0, std::numeric_limits<std::uint32_t>::max()};
      for (const std::uint32_t value : values) {
        if ((value - least) >> shift <= bucket) middle.lower = std::max<std::int64_t>(middle.lower, value);
        else middle.upper = std::min<std::int64_t>(middle.upper, value);
      }
      return middle;
    }
    std::size_t kept = 0;
    for (const std::uint32_t value : values) {
      values[kept] = value;  // without a branch: what does not belong is overwritten
      kept += (value - least) >> shift == bucket;
    }
    values = values.first(kept);
    lower -= before;
    upper -= before;
  }
  return middleBySorting(values, lower, upper);
}

Statistics finished(const Sums& sums, Middle middle) {
  Statistics result;
  result.count = sums.count;
  result.total = saturated(sums.total);
  result.min = sums.min;
  result.max = sums.max;
  result.mean = static_cast<double>(static_cast<long double>(sums.total) / static_cast<long double>(sums.count));
  result.median =
      static_cast<double>((static_cast<long double>(middle.lower) + static_cast<long double>(middle.upper)) / 2);
  result.deviation = sums.deviation();
  return result;
}

/// The value of this rank, by halving the range that it is in.
std::int64_t valueAt(std::span<const std::span<const std::int64_t>> sorted, std::uint64_t rank, std::int64_t least,
                     std::int64_t most) {
  while (least < most) {
    const std::int64_t middle = std::midpoint(least, most);
    std::uint64_t upTo = 0;
    for (const auto& part : sorted)
      upTo += static_cast<std::uint64_t>(std::ranges::upper_bound(part, middle) - part.begin());
    if (upTo > rank) most = middle;
    else least = middle + 1;
  }
  return least;
}

}  // namespace

Statistics statisticsOf(std::span<const std::span<const std::int64_t>> sorted) {
  Sums sums;
  for (const auto& part : sorted)
    for (const std::int64_t value : part) sums.add(value);
  if (sums.count == 0) return {};
  const auto at = [&](std::uint64_t rank) { return valueAt(sorted, rank, sums.min, sums.max); };
  return finished(sums, {at((sums.count - 1) / 2), at(sums.count / 2)});
}

Statistics statisticsOf(std::span<std::int64_t> values) {
  if (values.empty()) return {};
  Sums sums;
  for (const std::int64_t value : values) sums.add(value);
  return finished(sums, middleBySorting(values, (values.size() - 1) / 2, values.size() / 2));
}

Statistics statisticsOf(std::span<std::uint32_t> shorter, std::span<std::int64_t> longer) {
  if (shorter.empty()) return statisticsOf(longer);
  Sums sums;
  sums.add(shorter);
  for (const std::int64_t value : longer) sums.add(value);
  const std::size_t lower = (sums.count - 1) / 2, upper = sums.count / 2, few = shorter.size();
  Middle middle;
  if (upper < few) {
    middle = middleOf(shorter, lower, upper);
  } else if (lower >= few) {
    middle = middleBySorting(longer, lower - few, upper - few);
  } else {
    middle.lower = *std::max_element(shorter.begin(), shorter.end());
    middle.upper = *std::min_element(longer.begin(), longer.end());
  }
  return finished(sums, middle);
}

}  // namespace lanescope::analysis
