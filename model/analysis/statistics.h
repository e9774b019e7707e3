// SPDX-License-Identifier: Apache-2.0
// The figures of many durations: the same definitions for a selection, for `lanescope stats` and for a comparison, as
// Nsight Systems prints them (facts 2.2, 2.5). Sums are of integers and exact; only what is divided becomes a double.
#pragma once

#include <cstdint>
#include <span>

#include "model/trace/time.h"

namespace lanescope::analysis {

struct Statistics {
  std::uint64_t count = 0;
  trace::Ns total = 0;  ///< saturates at the largest Ns
  trace::Ns min = 0, max = 0;
  double mean = 0;
  double median = 0;     ///< of an even count the mean of the two middle values
  double deviation = 0;  ///< sample standard deviation (n - 1); 0 for fewer than two
};

/// Reorders `values`. All zero for none. O(n).
Statistics statisticsOf(std::span<std::int64_t> values);

/// The same of values most of which fit 32 bits, several times quicker. Every one of `longer` is greater than every
/// one of `shorter`, unless that is empty. Reorders both.
Statistics statisticsOf(std::span<std::uint32_t> shorter, std::span<std::int64_t> longer);

/// The same of values in several places, ascending in each and of which some are there; moves none. O(n), but constant
/// memory.
Statistics statisticsOf(std::span<const std::span<const std::int64_t>> sorted);

}  // namespace lanescope::analysis
