// SPDX-License-Identifier: Apache-2.0
// Two traces laid one above the other: times, rows and events that correspond.
#include "model/compare/alignment.h"

#include <gmock/gmock.h>

#include <random>
#include <set>

#include "model/compare/match_sequences.h"
#include "tests/support/launch_trace.h"
#include "tests/support/loaded_report.h"

namespace lanescope::compare {
namespace {

using testing::ElementsAre;
using trace::kNone;
using trace::Ns;
using trace::TracePtr;

TEST(TimeMap, WithoutMomentsTimesAreTheSame) {
  EXPECT_EQ(TimeMap().toB(42), 42);
  EXPECT_EQ(TimeMap(std::vector<Moment>{}).toA(-7), -7);
  EXPECT_EQ(TimeMap().moments().size(), 1u);
}

TEST(TimeMap, IsLinearBetweenMomentsAndShiftedBeyondThem) {
  const TimeMap map({{100, 1000}, {200, 1300}});
  EXPECT_EQ(map.toB(100), 1000);
  EXPECT_EQ(map.toB(150), 1150);
  EXPECT_EQ(map.toB(200), 1300);
  EXPECT_EQ(map.toB(90), 990);
  EXPECT_EQ(map.toB(210), 1310);
  EXPECT_EQ(map.toA(1150), 150);
  EXPECT_EQ(map.toA(0), -900);
}

TEST(TimeMap, LeavesOutTheFewestMomentsThatDoNotAscend) {
  EXPECT_THAT(TimeMap({{3, 30}, {1, 10}, {2, 500}, {2, 20}, {4, 40}}).moments(),
              ElementsAre(Moment{1, 10}, Moment{2, 20}, Moment{3, 30}, Moment{4, 40}));
}

TEST(TimeMap, IsMonotoneAndGoesBackToWhereItCameFrom) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<Moment> moments(random() % 20 + 1);
    Ns a = -1'000'000, b = 4'000'000'000'000;
    Ns stretch = 1;
    for (Moment& each : moments) {
      const auto stepA = static_cast<Ns>(random() % 100'000 + 1), stepB = static_cast<Ns>(random() % 100'000 + 1);
      stretch = std::max({stretch, stepA / stepB + 2, stepB / stepA + 2});
      each = {a += stepA, b += stepB};
    }
    const TimeMap map(moments);
    ASSERT_EQ(map.moments().size(), moments.size());
    for (const Moment& each : moments) {
      EXPECT_EQ(map.toB(each.a), each.b);
      EXPECT_EQ(map.toA(each.b), each.a);
    }
    Ns before = trace::kMinTime;
    for (Ns t = moments.front().a - 5000; t < moments.back().a + 5000; t += static_cast<Ns>(random() % 3000)) {
      const Ns there = map.toB(t);
      ASSERT_GE(there, before);
      ASSERT_LE(std::abs(map.toA(there) - t), stretch);
      before = there;
    }
  }
}

std::vector<Token> tokens(std::string_view text) { return {text.begin(), text.end()}; }

std::string common(std::string_view a, std::string_view b) {
  SequenceMatch match(static_cast<std::uint32_t>(a.size()), static_cast<std::uint32_t>(b.size()));
  match.add(tokens(a), tokens(b));
  std::string text;
  for (const Match& each : match.matches()) {
    EXPECT_EQ(a[each.a], b[each.b]);
    text += a[each.a];
  }
  return text;
}

TEST(SequenceMatch, FindsALongestCommonPart) {
  EXPECT_EQ(common("", ""), "");
  EXPECT_EQ(common("abc", ""), "");
  EXPECT_EQ(common("abc", "abc"), "abc");
  EXPECT_EQ(common("ABCABBA", "CBABAC").size(), 4u) << "the example of Myers' paper";
  EXPECT_EQ(common("aaaa", "aa"), "aa");
  EXPECT_EQ(common("xaybzc", "abc"), "abc");
  EXPECT_EQ(common("abc", "def"), "");
}

TEST(SequenceMatch, IsAsLongAsTheTableOfAllPairsSays) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::string a(random() % 30, ' '), b(random() % 30, ' ');
    for (std::string* text : {&a, &b})
      for (char& c : *text) c = static_cast<char>('a' + random() % 4);
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 1; i <= a.size(); ++i)
      for (std::size_t j = 1; j <= b.size(); ++j)
        table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    EXPECT_EQ(common(a, b).size(), table[a.size()][b.size()]) << a << " " << b;
  }
}

TEST(SequenceMatch, WhatIsMatchedStaysAndLooserTokensFillTheGaps) {
  SequenceMatch match(4, 4);
  match.add(std::vector<Token>{1, 2, 3, 4}, std::vector<Token>{9, 2, 8, 4});
  EXPECT_THAT(match.matches(), ElementsAre(Match{1, 1}, Match{3, 3}));
  match.add(std::vector<Token>{5, 4, 5, 5}, std::vector<Token>{5, 5, 6, 5});
  EXPECT_THAT(match.matches(), ElementsAre(Match{0, 0}, Match{1, 1}, Match{3, 3}));
  match.addByPosition();
  EXPECT_THAT(match.matches(), ElementsAre(Match{0, 0}, Match{1, 1}, Match{2, 2}, Match{3, 3}));
}

TEST(SequenceMatch, WhatNeverMatchesDoesNot) {
  SequenceMatch match(2, 2);
  match.add(std::vector<Token>{SequenceMatch::kNever, 1}, std::vector<Token>{SequenceMatch::kNever, 1});
  EXPECT_THAT(match.matches(), ElementsAre(Match{1, 1}));
}

TEST(SequenceMatch, NoInputCostsMoreThanItsSizeTimesTheMostEdits) {
  constexpr std::uint32_t kSize = 5'000;
  std::mt19937 random(3);
  const auto sequence = [&](auto token) {
    std::vector<Token> all(kSize);
    for (std::uint32_t i = 0; i < kSize; ++i) all[i] = token(i);
    return all;
  };
  const auto same = sequence([](auto) { return 1U; });
  const auto otherwise = sequence([](auto i) { return i % 2 + 1; });
  const auto noise = sequence([&](auto) { return random() % 3 + 1; });
  const auto backwards = sequence([](auto i) { return kSize - i; }), forwards = sequence([](auto i) { return i + 1; });
  const auto strangers = sequence([](auto i) { return i + 100'000; });
  for (const auto* a : {&same, &otherwise, &noise, &backwards, &forwards})
    for (const auto* b : {&same, &otherwise, &noise, &forwards, &strangers}) {
      SequenceMatch match(kSize, kSize);
      match.add(*a, *b);
      EXPECT_LE(match.steps(), std::uint64_t{2} * kSize * (kMostEdits + 32));
      for (std::size_t i = 1; i < match.matches().size(); ++i) {
        ASSERT_LT(match.matches()[i - 1].a, match.matches()[i].a);
        ASSERT_LT(match.matches()[i - 1].b, match.matches()[i].b);
      }
    }
}

TEST(SequenceMatch, ManyEqualOnesOfWhichSomeAreGoneTakeOnePass) {
  constexpr std::uint32_t kSize = 1'000'000;
  SequenceMatch match(kSize, kSize - 1000);
  match.add(std::vector<Token>(kSize, 5), std::vector<Token>(kSize - 1000, 5));
  EXPECT_EQ(match.matches().size(), kSize - 1000);
  EXPECT_LE(match.steps(), 2 * kSize);
}

TEST(SequenceMatch, WhatIsGoneOfEqualOnesIsWhereTheOthersDifferLeast) {
  const std::vector<Token> six(6, 5), five(5, 5), four(4, 5);
  const std::vector<std::int64_t> a{10, 20, 30, 40, 50, 60};
  const auto missing = [](const SequenceMatch& match) {
    std::vector<std::uint32_t> all{0, 1, 2, 3, 4, 5};
    for (const Match& each : match.matches()) std::erase(all, each.a);
    return all;
  };
  for (const std::size_t gone : {0U, 2U, 5U}) {
    std::vector<std::int64_t> b = a;
    b.erase(b.begin() + static_cast<std::ptrdiff_t>(gone));
    SequenceMatch match(6, 5), turned(5, 6);
    match.add(six, five);
    match.settle(six, five, a, b);
    EXPECT_THAT(missing(match), ElementsAre(gone));
    turned.add(five, six);
    turned.settle(five, six, b, a);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(turned.matches()[i], (Match{match.matches()[i].b, match.matches()[i].a}));
  }
  SequenceMatch two(6, 4);
  two.add(six, four);
  two.settle(six, four, a, std::vector<std::int64_t>{10, 40, 50, 60});
  EXPECT_THAT(missing(two), ElementsAre(1, 2));
  SequenceMatch other(3, 2);
  other.add(std::vector<Token>{1, 2, 1}, std::vector<Token>{1, 2});
  other.settle(std::vector<Token>{1, 2, 1}, std::vector<Token>{1, 2}, std::vector<std::int64_t>{9, 9, 1},
               std::vector<std::int64_t>{1, 9});
  EXPECT_THAT(other.matches(), ElementsAre(Match{0, 0}, Match{1, 1})) << "the order stays";
}

std::vector<RowPair> each(std::uint32_t rows) {
  std::vector<RowPair> pairs(rows);
  for (std::uint32_t i = 0; i < rows; ++i) pairs[i] = {i, i};
  return pairs;
}

TEST(MatchRows, EveryRowOfAGoldenReportIsMatchedWithItself) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& file : test::goldenExports()) {
    const TracePtr trace = report::load(file, {}, {}, Job{}).value();
    std::vector<RowPair> pairs = matchRows(*trace, *trace);
    std::ranges::sort(pairs, {}, &RowPair::a);
    EXPECT_EQ(pairs, each(static_cast<std::uint32_t>(trace->rows.size()))) << file;
  }
}

TEST(Align, ByCaptureStartByFirstWorkAndByAnOffset) {
  const TracePtr trace = trace::launchTrace();
  const auto by = [&](const AlignRequest& request) { return align(trace, trace, request, {}).value(); };
  EXPECT_EQ(by({.by = AlignBy::kCaptureStart}).map.toB(5), 5);
  EXPECT_EQ(by({.by = AlignBy::kFirstGpuWork}).map.moments().front(), (Moment{20'000, 20'000}));
  EXPECT_EQ(by({.by = AlignBy::kOffset, .offset = 12}).map.toB(5), 17);
  const trace::EventRef one = trace::eventNamed(*trace, "one"), late = trace::eventNamed(*trace, "late");
  EXPECT_EQ(by({.by = AlignBy::kEvent, .a = one, .b = late}).map.toB(20'000), 210'000);
}

}  // namespace
}  // namespace lanescope::compare
