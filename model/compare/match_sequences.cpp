// SPDX-License-Identifier: Apache-2.0
#include "model/compare/match_sequences.h"

#include <algorithm>
#include <compare>
#include <cstdlib>

namespace lanescope::compare {
namespace {

constexpr std::uint32_t kDeepest = 24;  ///< anchors between anchors
constexpr std::uint32_t kSmall = 64;  ///< both sides together: edits alone are as quick

struct Placed {
  Token token;
  std::uint32_t at;
  auto operator<=>(const Placed&) const = default;
};

/// Those that are there once, by token.
std::vector<Placed> once(std::span<const Token> tokens, std::uint32_t begin, std::uint32_t end) {
  std::vector<Placed> all;
  all.reserve(end - begin);
  for (std::uint32_t i = begin; i < end; ++i)
    if (tokens[i] != SequenceMatch::kNever) all.push_back({tokens[i], i});
  std::ranges::sort(all);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i + 1;
    while (next < all.size() && all[next].token == all[i].token) ++next;
    if (next == i + 1) all[kept++] = all[i];
    i = next;
  }
  all.resize(kept);
  return all;
}

}  // namespace

std::vector<std::uint32_t> longestAscending(std::span<const std::int64_t> values) {
  constexpr std::uint32_t kNoOne = 0xFFFFFFFF;
  std::vector<std::uint32_t> ends, before(values.size(), kNoOne);  // ends: of the best part of each length
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    const auto at = std::ranges::lower_bound(ends, values[i], {}, [&](std::uint32_t end) { return values[end]; });
    if (at != ends.begin()) before[i] = *std::prev(at);
    if (at == ends.end()) ends.push_back(i);
    else *at = i;
  }
  std::vector<std::uint32_t> part(ends.size());
  if (part.empty()) return part;
  std::uint32_t i = ends.back();
  for (std::size_t left = part.size(); left-- > 0; i = before[i]) part[left] = i;
  return part;
}

template <class Visit>
void SequenceMatch::forEachGap(Visit visit) const {
  std::uint32_t a = 0, b = 0;
  for (const Match& match : matches_) {
    if (match.a > a && match.b > b) visit(Gap{a, match.a, b, match.b, 0});
    a = match.a + 1;
    b = match.b + 1;
  }
  if (a < sizeOfA_ && b < sizeOfB_) visit(Gap{a, sizeOfA_, b, sizeOfB_, 0});
}

void SequenceMatch::add(std::span<const Token> a, std::span<const Token> b) {
  a_ = a;
  b_ = b;
  found_.clear();
  forEachGap([&](const Gap& gap) {
    open_.push_back(gap);
    while (!open_.empty()) {
      const Gap next = open_.back();
      open_.pop_back();
      fill(next);
    }
  });
  matches_.insert(matches_.end(), found_.begin(), found_.end());
  std::ranges::sort(matches_, {}, &Match::a);
}

void SequenceMatch::addByPosition() {
  found_.clear();
  forEachGap([&](const Gap& gap) {
    const std::uint32_t both = std::min(gap.aEnd - gap.a, gap.bEnd - gap.b);
    for (std::uint32_t i = 0; i < both; ++i) found_.push_back({gap.a + i, gap.b + i});
  });
  matches_.insert(matches_.end(), found_.begin(), found_.end());
  std::ranges::sort(matches_, {}, &Match::a);
}

void SequenceMatch::settle(std::span<const Token> a, std::span<const Token> b, std::span<const std::int64_t> weightA,
                           std::span<const std::int64_t> weightB) {
  if (matches_.size() < sizeOfA_) settle<&Match::a, &Match::b>(a, sizeOfA_, weightA, weightB);
  if (matches_.size() < sizeOfB_) settle<&Match::b, &Match::a>(b, sizeOfB_, weightB, weightA);
}

template <std::uint32_t Match::* Mine, std::uint32_t Match::* Other>
void SequenceMatch::settle(std::span<const Token> mine, std::uint32_t size, std::span<const std::int64_t> weight,
                           std::span<const std::int64_t> otherWeight) {
  const std::size_t count = matches_.size();
  const auto costs = [&](std::uint32_t place, std::uint32_t other) {
    return std::abs(weight[place] - otherWeight[other]);
  };
  for (std::size_t behind = 0; behind <= count; ++behind) {  // the match behind a gap
    const std::uint32_t first = behind == 0 ? 0 : matches_[behind - 1].*Mine + 1;
    const std::uint32_t end = behind == count ? size : matches_[behind].*Mine;
    const std::uint32_t gap = end - first;
    if (gap == 0) continue;
    // To where the matches before it, or behind it, take one of its places after the other.
    std::int64_t cost = 0, least = 0;
    std::size_t before = 0, after = 0;
    const auto isRun = [&](const Match& x, const Match& y) {
      return x.*Mine + 1 == y.*Mine && x.*Other + 1 == y.*Other;
    };
    for (std::size_t i = behind; i > 0; --i) {
      const Match& match = matches_[i - 1];
      if (i < behind && !isRun(match, matches_[i])) break;
      ++steps_;
      if (mine[match.*Mine] != mine[match.*Mine + gap]) break;
      cost += costs(match.*Mine + gap, match.*Other) - costs(match.*Mine, match.*Other);
      if (cost >= least) continue;
      least = cost;
      before = behind - i + 1;
    }
    cost = 0;
    for (std::size_t i = behind; i < count; ++i) {
      const Match& match = matches_[i];
      if (i > behind && !isRun(matches_[i - 1], match)) break;
      ++steps_;
      if (mine[match.*Mine] != mine[match.*Mine - gap]) break;
      cost += costs(match.*Mine - gap, match.*Other) - costs(match.*Mine, match.*Other);
      if (cost >= least) continue;
      least = cost;
      before = 0;
      after = i - behind + 1;
    }
    for (std::size_t i = 0; i < before; ++i) matches_[behind - 1 - i].*Mine += gap;
    for (std::size_t i = 0; i < after; ++i) matches_[behind + i].*Mine -= gap;
    behind += after;
  }
}

void SequenceMatch::fill(Gap gap) {
  const auto same = [this](std::uint32_t a, std::uint32_t b) {
    ++steps_;
    return a_[a] == b_[b] && a_[a] != kNever;
  };
  while (gap.a < gap.aEnd && gap.b < gap.bEnd && same(gap.a, gap.b)) found_.push_back({gap.a++, gap.b++});
  while (gap.a < gap.aEnd && gap.b < gap.bEnd && same(gap.aEnd - 1, gap.bEnd - 1))
    found_.push_back({--gap.aEnd, --gap.bEnd});
  if (gap.a == gap.aEnd || gap.b == gap.bEnd || job_.cancelled()) return;
  const bool isSmall = gap.aEnd - gap.a + gap.bEnd - gap.b <= kSmall;
  if (isSmall || gap.depth >= kDeepest || !fillByAnchors(gap)) fillByEdits(gap);
}

bool SequenceMatch::fillByAnchors(const Gap& gap) {
  steps_ += gap.aEnd - gap.a + gap.bEnd - gap.b;
  const std::vector<Placed> onceInA = once(a_, gap.a, gap.aEnd), onceInB = once(b_, gap.b, gap.bEnd);
  std::vector<Match> both;
  for (auto a = onceInA.begin(), b = onceInB.begin(); a != onceInA.end() && b != onceInB.end();) {
    if (a->token < b->token) ++a;
    else if (b->token < a->token) ++b;
    else both.push_back({a++->at, b++->at});
  }
  if (both.empty()) return false;
  std::ranges::sort(both, {}, &Match::a);
  std::vector<std::int64_t> places;
  places.reserve(both.size());
  for (const Match& match : both) places.push_back(match.b);
  Gap between{gap.a, 0, gap.b, 0, gap.depth + 1};
  const auto close = [&](std::uint32_t aEnd, std::uint32_t bEnd) {
    between.aEnd = aEnd;
    between.bEnd = bEnd;
    if (between.a < aEnd && between.b < bEnd) open_.push_back(between);
    between.a = aEnd + 1;
    between.b = bEnd + 1;
  };
  for (const std::uint32_t i : longestAscending(places)) {
    found_.push_back(both[i]);
    close(both[i].a, both[i].b);
  }
  close(gap.aEnd, gap.bEnd);
  return true;
}

void SequenceMatch::fillByEdits(Gap gap) {
  std::vector<std::int64_t> reach;  // row d: how far in A on diagonals -d, -d + 2, … d, after d edits
  while (gap.a < gap.aEnd && gap.b < gap.bEnd && !job_.cancelled()) {
    const std::int64_t n = gap.aEnd - gap.a, m = gap.bEnd - gap.b;
    const auto row = [](std::int64_t d) { return d * (d + 1) / 2; };
    const auto at = [&](std::int64_t d, std::int64_t k) -> std::int64_t& {
      return reach[static_cast<std::size_t>(row(d) + (k + d) / 2)];
    };
    // How the path to a diagonal leaves the row before: by a step in B, or in A.
    const auto stepsInB = [&](std::int64_t d, std::int64_t k) {
      return k == -d || (k != d && at(d - 1, k - 1) < at(d - 1, k + 1));
    };
    const auto begin = [&](std::int64_t d, std::int64_t k) -> std::int64_t {
      if (d == 0) return 0;
      return stepsInB(d, k) ? at(d - 1, k + 1) : at(d - 1, k - 1) + 1;
    };
    std::int64_t d = 0, diagonal = 0;
    bool done = false;
    for (;; ++d) {
      reach.resize(static_cast<std::size_t>(row(d + 1)));
      std::int64_t furthest = -1;
      for (std::int64_t k = -d; k <= d && !done; k += 2) {
        std::int64_t x = begin(d, k), y = x - k;
        while (x < n && y < m && a_[gap.a + x] == b_[gap.b + y] && a_[gap.a + x] != kNever) {
          ++x;
          ++y;
          ++steps_;
        }
        ++steps_;
        at(d, k) = x;
        done = x >= n && y >= m;
        const std::int64_t far = std::min(x, n) + std::min(y, m);
        if (x <= n && y <= m && far > furthest) furthest = far;
        if (done || (x <= n && y <= m && far == furthest)) diagonal = k;
      }
      if (done || d == kMostEdits) break;
      if (furthest < 0) return;
    }
    const std::int64_t x = at(d, diagonal), y = x - diagonal;
    const std::uint32_t aNext = gap.a + static_cast<std::uint32_t>(x), bNext = gap.b + static_cast<std::uint32_t>(y);
    std::int64_t back = x;
    for (std::int64_t k = diagonal; d >= 0; --d) {
      const std::int64_t from = begin(d, k);
      for (; back > from; --back)
        found_.push_back(
            {gap.a + static_cast<std::uint32_t>(back - 1), gap.b + static_cast<std::uint32_t>(back - 1 - k)});
      if (d == 0) break;
      const bool inB = stepsInB(d, k);
      k += inB ? 1 : -1;
      back = at(d - 1, k);
    }
    if (done) return;
    gap.a = aNext;
    gap.b = bNext;
  }
}

}  // namespace lanescope::compare
