// SPDX-License-Identifier: Apache-2.0
// Two sequences matched in order by edit distance: what is the same, common beginnings and ends first, then what both have
// once and in the same order (Bram Cohen's patience diff), and between these by the shortest edit script (Myers, An O(ND)
// Difference Algorithm, 1986). Where that would take more than kMostEdits edits, the path that came furthest is taken and
// the search begins anew behind it, so that no input takes more than O(n · (log n + kMostEdits)). Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/job.h"

namespace lanescope::compare {

/// What may be matched is equal. Hashes will do: two that are equal by accident are matched by mistake, no more.
using Token = std::uint64_t;

struct Match {
  std::uint32_t a = 0, b = 0;  ///< indices
  bool operator==(const Match&) const = default;
};

inline constexpr std::uint32_t kMostEdits = 256;

/// Matches of one step after the other, from strict tokens to loose ones: what is matched stays.
class SequenceMatch {
 public:
  SequenceMatch(std::uint32_t sizeOfA, std::uint32_t sizeOfB, const Job& job = {})
      : sizeOfA_(sizeOfA), sizeOfB_(sizeOfB), job_(job) {}

  /// Matches ascending on both sides, known already. Before the first add().
  void start(std::vector<Match> known) { matches_ = std::move(known); }

  /// Between the matches there are, matches what has equal tokens. kNever matches nothing.
  void add(std::span<const Token> a, std::span<const Token> b);
  static constexpr Token kNever = 0;

  /// Pairs what stands between two matches in the same number on both sides, whatever it is.
  void addByPosition();

  /// Where what is missing on one side could be missing elsewhere as well, because tokens repeat: lets it be where the
  /// others differ least in `weight`, by the sum of all. Times tell which of several equal steps is gone. O(size).
  void settle(std::span<const Token> a, std::span<const Token> b, std::span<const std::int64_t> weightA,
              std::span<const std::int64_t> weightB);

  /// Ascending on both sides.
  const std::vector<Match>& matches() const { return matches_; }

  std::uint64_t steps() const { return steps_; }  ///< comparisons of tokens: what it cost

 private:
  struct Gap {
    std::uint32_t a, aEnd, b, bEnd;
    std::uint32_t depth;
  };
  template <class Visit>
  void forEachGap(Visit visit) const;
  void fill(Gap gap);
  bool fillByAnchors(const Gap& gap);
  void fillByEdits(Gap gap);
  template <std::uint32_t Match::* Mine, std::uint32_t Match::* Other>
  void settle(std::span<const Token> mine, std::uint32_t size, std::span<const std::int64_t> weight,
              std::span<const std::int64_t> otherWeight);

  std::uint32_t sizeOfA_, sizeOfB_;
  Job job_;
  std::span<const Token> a_, b_;  // while add() runs
  std::vector<Match> matches_, found_;
  std::vector<Gap> open_;
  std::uint64_t steps_ = 0;
};

/// Indices of a longest strictly ascending part of the values. O(n log n); of several the one that ends lowest.
std::vector<std::uint32_t> longestAscending(std::span<const std::int64_t> values);

}  // namespace lanescope::compare
