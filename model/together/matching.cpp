// SPDX-License-Identifier: Apache-2.0
#include "model/together/matching.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace lanescope::together {

using trace::Ns;

namespace {

bool sameOperation(const RankCall& a, const RankCall& b) {
  return a.operation == b.operation && (!a.bytes || !b.bytes || a.bytes == b.bytes);
}

/// Clamped, so that differences of differences are representable.
Ns betweenEnds(const RankCall& a, const RankCall& b) {
  return std::clamp(a.time.end - b.time.end, trace::kMinTime, trace::kMaxTime);
}

bool overlap(const Slot& a, const Slot& b, Ns slack) { return a.begin <= b.end + slack && b.begin <= a.end + slack; }

/// The middle of the shortest interval that holds a third of these, half its length, and how many are near its middle.
struct Mode {
  Ns middle = 0, half = 0;
  std::size_t near = 0;
};
Mode modeOf(std::vector<Ns> values) {
  std::ranges::sort(values);
  const std::size_t count = (values.size() + 2) / 3;
  std::size_t best = 0;
  const auto length = [&](std::size_t first) { return values[first + count - 1] - values[first]; };
  for (std::size_t i = 1; i + count <= values.size(); ++i)
    if (length(i) < length(best)) best = i;
  Mode mode{values[best] + length(best) / 2, length(best) / 2};
  mode.near = static_cast<std::size_t>(
      std::ranges::count_if(values, [&](Ns value) { return std::abs(value - mode.middle) <= kLeavingApart; }));
  return mode;
}

Ns medianOf(std::vector<Ns> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// b[k - shift] is a[k]; what of it overlaps.
struct Shift {
  std::int64_t by = 0;
  std::size_t firstA(std::size_t i) const { return i + static_cast<std::size_t>(std::max<std::int64_t>(by, 0)); }
  std::size_t firstB(std::size_t i) const { return i + static_cast<std::size_t>(std::max<std::int64_t>(-by, 0)); }
};

constexpr std::size_t kLookedAt = 64;
constexpr std::int64_t kMostShifts = 20'000, kBothWays = 16;

/// Nothing where operations do not agree. `near` in sixteenths of what was looked at.
std::optional<Mode> modeAt(const Sequence& a, const Sequence& b, Shift shift, std::size_t overlapping) {
  const std::size_t looked = std::min(overlapping, kLookedAt);
  std::vector<Ns> differences;
  differences.reserve(looked);
  for (std::size_t i = 0; i < looked; ++i) {
    const std::size_t at = overlapping * i / looked;
    const RankCall &left = *a[shift.firstA(at)], &right = *b[shift.firstB(at)];
    if (sameOperation(left, right)) differences.push_back(betweenEnds(left, right));
  }
  if (differences.empty() || differences.size() * 2 < looked) return std::nullopt;
  Mode mode = modeOf(std::move(differences));
  mode.near = mode.near * 16 / looked;
  return mode;
}

struct Laid {
  Mode mode;
  Ns doubt = 0;  ///< how far another one that fits about as well lies off
};

std::optional<Laid> lay(const Sequence& a, const Sequence& b, const std::optional<Prior>& prior) {
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  const std::int64_t shorter = std::min(n, m), out = std::min(kBothWays, shorter / 2);
  const auto overlapping = [&](std::int64_t shift) {
    return static_cast<std::size_t>(
        std::min(n - std::max<std::int64_t>(shift, 0), m + std::min<std::int64_t>(shift, 0)));
  };
  if (n == m && !prior) {
    const auto same = std::ranges::equal(a, b, [](auto* x, auto* y) { return sameOperation(*x, *y); });
    if (same)
      if (const auto mode = modeAt(a, b, {}, overlapping(0))) return Laid{*mode, 0};
  }
  const std::int64_t from = std::min<std::int64_t>(n - m, 0) - out, to = std::max<std::int64_t>(n - m, 0) + out;
  const auto isLookedAt = [&](std::int64_t shift) {
    return shift - from < kMostShifts / 2 || to - shift < kMostShifts / 2;
  };
  struct Fit {
    Mode mode;
    Ns spread = 0;  // not less than what is no difference
    Ns alone = 0;   // how many lie beside the other sequence
    Ns off = 0;     // of what is known before
  };
  std::vector<Fit> fits;
  for (std::int64_t shift = from; shift <= to; ++shift) {
    if (!isLookedAt(shift)) continue;
    const auto mode = modeAt(a, b, {shift}, overlapping(shift));
    if (!mode) continue;
    fits.push_back({*mode, std::max(mode->half, kLeavingApart / 5), n + m - 2 * static_cast<Ns>(overlapping(shift)),
                    prior ? std::abs(mode->middle - prior->offset) : 0});
  }
  if (fits.empty()) return std::nullopt;
  const auto best = [&](bool byPrior) {
    return *std::ranges::min_element(fits, [&](const Fit& x, const Fit& y) {
      return std::tuple(y.mode.near, x.spread, byPrior ? x.off : x.alone) <
             std::tuple(x.mode.near, y.spread, byPrior ? y.off : y.alone);
    });
  };
  Fit taken = best(false);
  std::erase_if(fits, [&](const Fit& each) {  // what does not fit about as well
    return each.mode.near * 4 < taken.mode.near * 3 || each.spread / 2 > taken.spread;
  });
  if (prior) {
    const auto isExpected = [&](const Fit& each) { return each.off <= prior->error + each.spread + kLeavingApart; };
    const auto others = std::ranges::stable_partition(fits, isExpected);
    if (others.begin() != fits.begin()) {
      fits.erase(others.begin(), others.end());
      taken = best(true);
    }
  }
  Laid laid{taken.mode, 0};
  for (const Fit& each : fits) laid.doubt = std::max(laid.doubt, std::abs(each.mode.middle - taken.mode.middle));
  return laid;
}

}  // namespace

SequencesBy sequencesBy(std::span<const ReportCalls> reports) {
  std::set<std::uint64_t> communicators;
  std::set<std::uint32_t> streams;
  bool allTell = true;
  for (const ReportCalls& report : reports) {
    for (const ReportRank& rank : report.ranks) {
      bool tells = false;
      std::uint32_t last = 0;
      for (const RankCall& call : rank.calls) {
        last = std::max(last, call.stream);
        if (call.communicator != 0) communicators.insert(call.communicator), tells = true;
      }
      allTell &= tells;
      streams.insert(last);
    }
  }
  if (allTell && !communicators.empty())
    return communicators.size() > 1 ? SequencesBy::kCommunicator : SequencesBy::kNothing;
  return streams.size() == 1 ? SequencesBy::kStream : SequencesBy::kNothing;
}

std::map<SequenceKey, Sequence> sequencesOf(const ReportRank& rank, SequencesBy by) {
  std::map<SequenceKey, Sequence> sequences;
  for (const RankCall& call : rank.calls) {
    SequenceKey key;
    if (by == SequencesBy::kCommunicator) key.communicator = call.communicator;
    if (by == SequencesBy::kStream) key.stream = call.stream;
    sequences[key].push_back(&call);
  }
  return sequences;
}

bool leavesTogether(const RankCall& call) {
  return call.operation == "AllReduce" || call.operation == "AllGather" || call.operation == "ReduceScatter" ||
         call.operation == "AlltoAll";
}

std::vector<Slot> slotsOf(const Sequence& sequence, Ns offset) {
  std::vector<Slot> slots;
  slots.reserve(sequence.size());
  for (const RankCall* call : sequence) slots.push_back({call, call->time.begin + offset, call->time.end + offset});
  return slots;
}

std::vector<SlotPair> inOrder(std::span<const Slot> a, std::span<const Slot> b, Ns slack) {
  const auto fits = [&](std::size_t i, std::size_t j) {
    return i < a.size() && j < b.size() && sameOperation(*a[i].call, *b[j].call) && overlap(a[i], b[j], slack);
  };
  const auto fitsByOrder = [&](std::size_t i, std::size_t j) {
    return sameOperation(*a[i].call, *b[j].call) && !leavesTogether(*a[i].call) &&
           ((i + 1 == a.size() && j + 1 == b.size()) || fits(i + 1, j + 1));
  };
  const auto apart = [&](std::size_t i, std::size_t j) { return std::abs(a[i].end - b[j].end); };
  std::vector<SlotPair> pairs;
  pairs.reserve(std::max(a.size(), b.size()));
  std::size_t i = 0, j = 0;
  const auto takeA = [&] { pairs.push_back({static_cast<std::uint32_t>(i++), kNoSlot}); };
  const auto takeB = [&] { pairs.push_back({kNoSlot, static_cast<std::uint32_t>(j++)}); };
  while (i < a.size() && j < b.size()) {
    if (!fits(i, j) && !fitsByOrder(i, j)) {
      if (a[i].end <= b[j].end) takeA();
      else takeB();
    } else if (fits(i + 1, j) && apart(i + 1, j) < apart(i, j)) {
      takeA();
    } else if (fits(i, j + 1) && apart(i, j + 1) < apart(i, j)) {
      takeB();
    } else {
      pairs.push_back({static_cast<std::uint32_t>(i++), static_cast<std::uint32_t>(j++)});
    }
  }
  while (i < a.size()) takeA();
  while (j < b.size()) takeB();
  return pairs;
}

std::optional<Estimate> estimate(const ReportCalls& a, const ReportCalls& b, SequencesBy by,
                                 const std::optional<Prior>& prior) {
  std::map<SequenceKey, Sequence> ofA, ofB;  // of the first rank that has them
  for (const ReportRank& rank : a.ranks) ofA.merge(sequencesOf(rank, by));
  for (const ReportRank& rank : b.ranks) ofB.merge(sequencesOf(rank, by));

  std::optional<Laid> laid;
  std::size_t most = 0;
  for (const auto& [key, left] : ofA) {  // the sequence that says most says where to look
    const auto right = ofB.find(key);
    if (right == ofB.end() || std::min(left.size(), right->second.size()) <= most) continue;
    if (const auto here = lay(left, right->second, prior)) {
      laid = here;
      most = std::min(left.size(), right->second.size());
    }
  }
  if (!laid) return std::nullopt;

  constexpr Ns kMostSlack = 10'000'000'000;
  const Ns slack = std::clamp(8 * std::min(laid->mode.half, kMostSlack), 2 * kLeavingApart, kMostSlack);
  std::vector<Ns> together, all;
  for (const auto& [key, left] : ofA) {
    const auto right = ofB.find(key);
    if (right == ofB.end()) continue;
    const std::vector<Slot> x = slotsOf(left, 0), y = slotsOf(right->second, laid->mode.middle);
    for (const SlotPair& pair : inOrder(x, y, slack)) {
      if (pair.a == kNoSlot || pair.b == kNoSlot) continue;
      const Ns difference = betweenEnds(*x[pair.a].call, *y[pair.b].call);
      all.push_back(difference);
      if (leavesTogether(*x[pair.a].call)) together.push_back(difference);
    }
  }
  constexpr std::size_t kEnough = 3;
  if (together.size() < kEnough) together = all;
  if (together.empty()) return std::nullopt;
  Estimate found{.offset = medianOf(together), .slack = slack, .pairs = together.size()};
  for (Ns& difference : together) difference = std::abs(difference - found.offset);
  constexpr Ns kTenThousandths = 14826;  // of a normal deviation in a median absolute one
  const Ns deviation = medianOf(std::move(together));
  found.error = std::max({deviation / 10'000 * kTenThousandths + deviation % 10'000 * kTenThousandths / 10'000,
                          kLeavingApart, laid->doubt});
  return found;
}

}  // namespace lanescope::together
