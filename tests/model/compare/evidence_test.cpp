// SPDX-License-Identifier: Apache-2.0
// p against values known from elsewhere, and what it promises: chance is rarely called a change, a change is found.
#include "model/compare/evidence.h"

#include <gmock/gmock.h>

#include <cmath>

namespace lanescope::compare {
namespace {

using State = Evidence::State;

/// One instance an iteration.
Sample oneEach(std::initializer_list<trace::Ns> times, std::uint32_t run = 0) {
  Sample sample;
  for (const trace::Ns time : times) sample.push_back({time, {run, 0, static_cast<std::uint32_t>(sample.size())}});
  return sample;
}

Sample ascending(trace::Ns first, std::uint32_t count) {
  Sample sample;
  for (std::uint32_t i = 0; i < count; ++i) sample.push_back({first + i, {0, 0, i}});
  return sample;
}

TEST(Evidence, FiveAgainstFiveAllSlowerIsTwoOfTheWaysToDealThem) {
  const Evidence of = evidenceOf(oneEach({1, 2, 3, 4, 5}), oneEach({10, 9, 8, 7, 6}));
  EXPECT_EQ(of.state, State::kTested);
  EXPECT_DOUBLE_EQ(of.p, 2.0 / 252);
  EXPECT_TRUE(of.slower);
  EXPECT_DOUBLE_EQ(of.ratio, 8.0 / 3);
  EXPECT_LE(of.low, of.ratio);
  EXPECT_GE(of.high, of.ratio);
  EXPECT_FALSE(evidenceOf(oneEach({10, 9, 8, 7, 6}), oneEach({1, 2, 3, 4, 5})).slower);
}

TEST(Evidence, TiesShareTheirMiddleRank) {
  // Ranks 2, 2, 2, 5, 5 against 5, 8.5, 8.5, 8.5, 8.5: dealt in 252 ways, 6 of which are as far from the middle.
  EXPECT_DOUBLE_EQ(evidenceOf(oneEach({1, 1, 1, 2, 2}), oneEach({2, 3, 3, 3, 3})).p, 6.0 / 252);
}

TEST(Evidence, WhatIsTheSameIsNoChange) {
  const Evidence of = evidenceOf(oneEach({7, 7, 7, 7, 7, 7}), oneEach({7, 7, 7, 7, 7}));
  EXPECT_DOUBLE_EQ(of.p, 1);
  EXPECT_DOUBLE_EQ(of.ratio, 1);
  EXPECT_DOUBLE_EQ(of.low, 1);
  EXPECT_DOUBLE_EQ(of.high, 1);
}

TEST(Evidence, ManyIterationsGoByTheNormalLimit) {
  // 40 against 40, all slower: z = (800 - 0.5) / sqrt(40 · 40 · 81 / 12).
  const double z = 799.5 / std::sqrt(40.0 * 40 * 81 / 12);
  const double p = std::erfc(z / std::sqrt(2.0));
  EXPECT_NEAR(evidenceOf(ascending(1, 40), ascending(41, 40)).p / p, 1, 1e-9);
  EXPECT_DOUBLE_EQ(evidenceOf(Sample(ascending(5, 1)), Sample(ascending(5, 1))).p, 1);
}

TEST(Evidence, TheLimitAndTheExactValueAgreeWhereOneTakesOver) {
  const auto p = [](std::uint32_t count) {
    Sample a, b;
    for (std::uint32_t i = 0; i < count; ++i) {
      a.push_back({10 * i, {0, 0, i}});
      b.push_back({10 * i + 75, {0, 0, i}});
    }
    return evidenceOf(a, b).p;
  };
  EXPECT_NEAR(std::log(p(25)) / std::log(p(26)), 1, 0.06);
}

/// Of two processes, the second of which does ten times the work.
Sample ofTwoRanks(trace::Ns first, std::uint32_t count) {
  Sample sample;
  for (std::uint32_t i = 0; i < count; ++i) {
    sample.push_back({first + i, {0, 0, i}});
    sample.push_back({10 * (first + i), {0, 1, count + i}});
  }
  return sample;
}

TEST(Evidence, IterationsAreRankedWithinTheirProcess) {
  const Evidence of = evidenceOf(ofTwoRanks(100, 5), ofTwoRanks(105, 5));
  EXPECT_DOUBLE_EQ(of.p, 2.0 / 252 / 252) << "every one of B is slower than every one of A of its process";
  EXPECT_TRUE(of.slower);
  // 40 against 40 in each: twice the distance, twice the variance.
  const double z = 1599.5 / std::sqrt(2 * 40.0 * 40 * 81 / 12);
  EXPECT_NEAR(evidenceOf(ofTwoRanks(100, 40), ofTwoRanks(140, 40)).p / std::erfc(z / std::sqrt(2.0)), 1, 1e-9);
}

TEST(Evidence, AProcessThatOneSideDoesNotHaveSaysNothing) {
  Sample a = ascending(1, 5), b = ascending(6, 5);
  for (std::uint32_t i = 5; i < 9; ++i) b.push_back({1, {0, 1, i}});
  EXPECT_DOUBLE_EQ(evidenceOf(a, b).p, 2.0 / 252);
}

TEST(Evidence, EventsOfOneIterationAreNotIndependent) {
  Sample a = ascending(100, 6), b = ascending(100, 6);
  for (int i = 0; i < 10'000; ++i) b.push_back({500, {0, 0, 3}});  // all of them in one slow iteration
  EXPECT_GT(evidenceOf(a, b).p, 0.3);
}

TEST(Evidence, AnIterationOfManyInstancesTellsMoreThanOneOfFew) {
  const auto mixed = [](trace::Ns few, trace::Ns many) {
    Sample sample;
    for (std::uint32_t i = 0; i < 5; ++i) {
      sample.push_back({few + i, {0, 0, 2 * i}});
      for (int k = 0; k < 9; ++k) sample.push_back({many + i, {0, 0, 2 * i + 1}});
    }
    return sample;
  };
  const Evidence of = evidenceOf(mixed(1050, 1000), mixed(950, 1100));  // where there are few, it is faster
  EXPECT_TRUE(of.slower);
  EXPECT_GT(of.p, 2.0 / 252) << "it is not what it would be without those of few";
  EXPECT_DOUBLE_EQ(evidenceOf(mixed(1000, 1000), mixed(1000, 1000)).p, 1);
}

TEST(Evidence, HowManyInstancesThereAreIsNoChange) {
  Sample a, b;
  for (std::uint32_t i = 0; i < 20; ++i)
    for (std::uint32_t k = 0; k < 8; ++k) {
      b.push_back({1000 + (i * 7 + 3) % 20, {0, 0, i}});
      if (k < 4) a.push_back({1000 + (i * 7 + 3) % 20, {0, 0, i}});
    }
  EXPECT_GT(evidenceOf(a, b).p, 0.9);
}

TEST(Evidence, SaysWhyThereIsNone) {
  EXPECT_EQ(evidenceOf(oneEach({1, 2, 3, 4}), oneEach({1, 2, 3, 4, 5})).state, State::kTooFew);
  EXPECT_EQ(evidenceOf({}, oneEach({1, 2, 3, 4, 5})).state, State::kNoIterations);
  EXPECT_EQ(whyNot(State::kTooFew), "too few iterations");
  EXPECT_EQ(whyNot(State::kTested), "");
}

TEST(Evidence, AChangeHasToStandOutFromHowRunsOfOneSideDiffer) {
  const auto run = [](Sample& side, std::uint32_t number, trace::Ns around) {
    for (std::uint32_t i = 0; i < 10; ++i) side.push_back({around + i, {number, 0, i}});
  };
  Sample a, b;
  run(a, 0, 1000), run(a, 1, 1100), run(a, 2, 1050);
  run(b, 0, 1200), run(b, 1, 1040), run(b, 2, 1110);
  const Evidence unsteady = evidenceOf(a, b);
  EXPECT_GT(unsteady.p, 0.05) << "runs of one side differ as much";
  EXPECT_LT(unsteady.low, 1) << "runs are drawn, not iterations alone";
  Sample steadyA, steadyB;
  for (std::uint32_t number = 0; number < 3; ++number) {
    run(steadyA, number, 1000 + number);
    run(steadyB, number, 1100 + number);
  }
  EXPECT_LT(evidenceOf(steadyA, steadyB).p, 1e-4);
}

TEST(Evidence, IsTheSameEveryTime) {
  const Sample a = ascending(100, 40), b = ascending(120, 30);
  const Evidence first = evidenceOf(a, b), second = evidenceOf(a, b);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_LT(first.low, first.high);
}

TEST(Evidence, HolmCorrectsForHowManyWereTested) {
  Evidence of[4] = {{.state = State::kTested, .p = 0.04},
                    {.state = State::kTested, .p = 0.01},
                    {.state = State::kTooFew, .p = 0.001},
                    {.state = State::kTested, .p = 0.03}};
  Evidence* all[] = {&of[0], &of[1], &of[2], &of[3]};
  holm(all);
  EXPECT_DOUBLE_EQ(of[1].corrected, 0.03);
  EXPECT_DOUBLE_EQ(of[3].corrected, 0.06);
  EXPECT_DOUBLE_EQ(of[0].corrected, 0.06) << "never less than that of a smaller p";
  EXPECT_DOUBLE_EQ(of[2].corrected, 1) << "was not tested";
}

/// A recording of names whose durations lie 15 % around the name's own, faster and slower together within an iteration.
class Recorded : public testing::Test {
 protected:
  struct Random {  // SplitMix64, which costs nothing to begin
    std::uint64_t state;
    std::uint64_t operator()() {
      std::uint64_t z = state += 0x9E3779B97F4A7C15;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
      return z ^ (z >> 31);
    }
  };

  Sample sample(std::uint32_t name, const std::vector<std::uint32_t>& iterations, double factor = 1) {
    Sample all;
    for (std::uint32_t i = 0; i < iterations.size(); ++i) {
      Random random{1'000'003ull * iterations[i] + name}, together{iterations[i]};
      const double clock = 0.99 + 0.02 * real(together);
      const std::size_t count = 4 + random() % 5;
      for (std::size_t k = 0; k < count; ++k) {
        const double time = 1000.0 * (name + 1) * clock * factor * (0.85 + 0.3 * real(random));
        all.push_back({static_cast<trace::Ns>(time), {0, 0, i}});
      }
    }
    return all;
  }
  static double real(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }
};

TEST_F(Recorded, RandomHalvesOfOneDifferInAtMostOneOfTwenty) {
  Random random{7};
  constexpr std::uint32_t kNames = 10;
  int found = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<std::uint32_t> a, b;
    for (std::uint32_t i = 0; i < 60; ++i)
      (random() & 1 ? a : b).push_back(static_cast<std::uint32_t>(random() % 5000));
    std::vector<Evidence> names(kNames);
    std::vector<Evidence*> all;
    for (std::uint32_t name = 0; name < kNames; ++name) {
      names[name] = evidenceOf(sample(name, a), sample(name, b), 0);
      all.push_back(&names[name]);
    }
    holm(all);
    found += std::ranges::any_of(names, [](const Evidence& each) { return each.corrected < 0.05; });
  }
  EXPECT_LE(found, 30);
}

TEST_F(Recorded, FivePerCentInOneOfThirtyNamesAreFoundInThirtyIterations) {
  constexpr std::uint32_t kNames = 30;
  int found = 0, blamed = 0;
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    std::vector<std::uint32_t> a, b;
    for (std::uint32_t i = 0; i < 30; ++i) a.push_back(trial * 60 + i), b.push_back(trial * 60 + 30 + i);
    const std::uint32_t slow = trial % kNames;
    std::vector<Evidence> names(kNames);
    std::vector<Evidence*> all;
    for (std::uint32_t name = 0; name < kNames; ++name) {
      names[name] = evidenceOf(sample(name, a), sample(name, b, name == slow ? 1.05 : 1), 0);
      all.push_back(&names[name]);
    }
    holm(all);
    for (std::uint32_t name = 0; name < kNames; ++name)
      if (names[name].corrected < 0.05) ++(name == slow ? found : blamed);
  }
  EXPECT_GE(found, 90);
  EXPECT_LE(blamed, 5);
}

}  // namespace
}  // namespace lanescope::compare
