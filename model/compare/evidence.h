// SPDX-License-Identifier: Apache-2.0
// Whether a change of one name's durations is more than chance. What happens within one iteration hangs together, so
// iterations are what is drawn again, not events:
//
// - Effect: the ratio of the medians of all instances, B over A, with an interval that holds it with 95 %: percentiles of
//   999 bootstrap draws of whole iterations with replacement; of several runs a side, runs are drawn first (Efron and
//   Tibshirani, An Introduction to the Bootstrap, 1993, chapters 13 and 8; Davison and Hinkley, 1997, section 3.8).
// - Evidence: Wilcoxon's rank sum over iterations, ranked by the time that their instances took beyond as many of the
//   middle iteration's mean: by their means, that is, where all have as many instances; of those with more a difference
//   tells more. (A median would not see that one of several shapes under a name got slower.) Two-sided, ties at their
//   middle rank: exactly, over all ways to deal the iterations to the sides, for up to 50 together, and by its normal limit with
//   corrections for ties and continuity above (Lehmann, Nonparametrics, 1975, chapter 1). The ranks of a job may do
//   unlike work under one name, so iterations are ranked and dealt within their own process, and the sums of all
//   processes are added (the same book, section 3.3); draws keep to processes too. With at least two runs on both
//   sides the change also has to stand out from how the runs of one side differ: Welch's t of the logarithms of the
//   runs' medians; the larger p counts.
// - Many names are tested, so p is corrected for their number (Holm, 1979).
//
// One run a side says nothing of how runs differ, and a drift during a recording (clocks, heat) looks like a change.
// Deterministic: draws come from a fixed seed. O(999 · instances), of which at most kMostInstances a side are
// looked at in the draws. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::compare {

/// An iteration of one of a side's runs.
struct IterationId {
  std::uint32_t run = 0;
  std::uint32_t process = 0;  ///< the same number on both sides: its iterations are alike
  std::uint32_t index = 0;
  auto operator<=>(const IterationId&) const = default;
};

/// One name on one side.
struct Instance {
  trace::Ns time = 0;
  IterationId iteration;
};
using Sample = std::vector<Instance>;

inline constexpr std::uint32_t kFewestIterations = 5;  ///< on each side, for anything to be said
inline constexpr std::size_t kMostInstances = 8192;

struct Evidence {
  enum class State : std::uint8_t {
    kTested,
    kNoIterations,  ///< none of the instances of a side is in an iteration
    kTooFew,  ///< iterations that have the name, on a side
    kOneSide,  ///< there is nothing to compare with
  } state = State::kOneSide;
  std::uint32_t iterationsA = 0, iterationsB = 0;  ///< that have the name
  double ratio = 1;  ///< of medians, B / A, if tested
  double low = 1, high = 1;  ///< holds it with 95 %, if tested
  double p = 1;  ///< of this name alone, if tested
  bool slower = false;  ///< which way iterations differ, where p is small: those of B take longer
  double corrected = 1;  ///< for all that were tested; holm() sets it
};

/// "too few iterations"; empty if it was tested.
std::string_view whyNot(Evidence::State state);

inline constexpr std::size_t kDraws = 999;

/// Of instances in iterations. Without draws, low and high are the ratio.
Evidence evidenceOf(Sample a, Sample b, std::size_t draws = kDraws);

/// Sets `corrected` of those that were tested.
void holm(std::span<Evidence*> all);

}  // namespace lanescope::compare
