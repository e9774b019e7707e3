// SPDX-License-Identifier: Apache-2.0
#include "model/compare/evidence.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace lanescope::compare {
namespace {

using trace::Ns;

constexpr std::size_t kMostExact = 50;

/// SplitMix64 (Steele, Lea and Flood, 2014): the same draws on every machine.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  std::uint32_t below(std::size_t limit) {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<std::uint32_t>(((z ^ (z >> 31)) >> 32) * limit >> 32);
  }

 private:
  std::uint64_t state_;
};

double medianOf(std::span<const Ns> sorted) {
  return (static_cast<double>(sorted[(sorted.size() - 1) / 2]) + static_cast<double>(sorted[sorted.size() / 2])) / 2;
}

/// The instances of one name in an iteration.
struct Mean {
  std::uint32_t process;
  double count, time;
};

/// One side, its iterations numbered from 0 in order of run, process and index.
class Side {
 public:
  explicit Side(Sample sample) {
    std::ranges::sort(sample, {}, &Instance::iteration);
    std::vector<Ns> ofRun;
    IterationId before;
    for (std::size_t i = 0; i < sample.size();) {
      const IterationId id = sample[i].iteration;
      const bool isNewRun = runs_.empty() || id.run != before.run;
      if (isNewRun) {
        endRun(ofRun);
        runs_.emplace_back();
      }
      if (isNewRun || id.process != before.process) runs_.back().push_back({iterations(), 0});
      ++runs_.back().back().count;
      before = id;
      double total = 0, count = 0;
      for (; i < sample.size() && sample[i].iteration == id; ++i) {
        total += static_cast<double>(sample[i].time);
        ++count;
        ofRun.push_back(sample[i].time);
        instances_.push_back({sample[i].time, iterations()});
      }
      means_.push_back({id.process, count, total / count});
    }
    endRun(ofRun);
    std::ranges::sort(instances_, {}, &Placed::time);
    thin();
    weight_.assign(means_.size(), 1);
  }

  std::span<const Mean> means() const { return means_; }  ///< of each iteration
  std::span<const double> runMedians() const { return runMedians_; }  ///< their logarithms
  std::uint32_t iterations() const { return static_cast<std::uint32_t>(means_.size()); }

  void draw(Draws& draws) {
    weight_.assign(means_.size(), 0);
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      for (const Iterations& process : runs_.size() > 1 ? runs_[draws.below(runs_.size())] : runs_[r])
        for (std::uint32_t i = 0; i < process.count; ++i) ++weight_[process.first + draws.below(process.count)];
    }
  }

  /// Of all instances of what was drawn last; before that, of all.
  double median() const {
    std::uint64_t all = 0;
    for (const Placed& each : instances_) all += weight_[each.iteration];
    if (all == 0) return 0;
    std::uint64_t seen = 0;
    double below = 0;
    for (const Placed& each : instances_) {
      const std::uint64_t before = seen;
      seen += weight_[each.iteration];
      if (before <= (all - 1) / 2 && seen > (all - 1) / 2) below = static_cast<double>(each.time);
      if (seen > all / 2) return (below + static_cast<double>(each.time)) / 2;
    }
    return below;
  }

 private:
  struct Placed {
    Ns time;
    std::uint32_t iteration;
  };
  struct Iterations {
    std::uint32_t first, count;
  };

  void endRun(std::vector<Ns>& times) {
    if (times.empty()) return;
    std::ranges::sort(times);
    runMedians_.push_back(std::log(std::max(1.0, medianOf(times))));
    times.clear();
  }

  /// Of very many, evenly spaced ones in order of time have the same quantiles.
  void thin() {
    const std::size_t all = instances_.size();
    if (all <= kMostInstances) return;
    for (std::size_t i = 0; i < kMostInstances; ++i)
      instances_[i] = instances_[(2 * i + 1) * all / (2 * kMostInstances)];
    instances_.resize(kMostInstances);
  }

  std::vector<Mean> means_;
  std::vector<double> runMedians_;
  std::vector<Placed> instances_;  // by time
  std::vector<std::vector<Iterations>> runs_;  // those of each of its processes
  std::vector<std::uint32_t> weight_;  // of each iteration
};

/// B over A.
double ratioOf(const Side& a, const Side& b) {
  const double before = a.median(), after = b.median();
  return before > 0 ? after / before : after > 0 ? HUGE_VAL : 1;
}

/// The iterations of one process on both sides, ranked. Ranks are doubled, so that the middle rank of ties is an integer.
struct Ranked {
  std::vector<std::uint32_t> ranks;
  std::size_t ofA = 0;  ///< how many are of A
  std::uint64_t sum = 0;  ///< of the ranks of A
  double ties = 0;  ///< t³ - t, of each t that are the same

  std::uint64_t expected() const { return ofA * (ranks.size() + 1); }
  /// Of the sum of ranks that are not doubled.
  double variance() const {
    const auto n = static_cast<double>(ofA), all = static_cast<double>(ranks.size());
    return n > 0 && n < all ? n * (all - n) / 12 * (all + 1 - ties / (all * (all - 1))) : 0;
  }
};

struct Value {
  Mean mean;
  bool isA;
  double excess = 0;
};

/// Of one process, in order of their means.
Ranked ranked(std::span<Value> values) {
  const double middle = (values[(values.size() - 1) / 2].mean.time + values[values.size() / 2].mean.time) / 2;
  for (Value& value : values) value.excess = value.mean.count * (value.mean.time - middle);
  std::ranges::sort(values, {}, &Value::excess);
  Ranked of;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i + 1;
    while (end < values.size() && values[end].excess == values[i].excess) ++end;
    const auto same = static_cast<double>(end - i);
    of.ties += same * same * same - same;
    const auto rank = static_cast<std::uint32_t>(i + 1 + end);
    for (; i < end; ++i) {
      of.ranks.push_back(rank);
      if (!values[i].isA) continue;
      of.sum += rank;
      ++of.ofA;
    }
  }
  return of;
}

std::vector<Ranked> ranked(std::span<const Mean> a, std::span<const Mean> b) {
  std::vector<Value> values;
  values.reserve(a.size() + b.size());
  for (const Mean& mean : a) values.push_back({mean, true});
  for (const Mean& mean : b) values.push_back({mean, false});
  std::ranges::sort(values, {}, [](const Value& value) { return std::pair(value.mean.process, value.mean.time); });
  std::vector<Ranked> processes;
  for (auto first = values.begin(); first != values.end();) {
    const auto end = std::find_if(first, values.end(), [process = first->mean.process](const Value& value) {
      return value.mean.process != process;
    });
    processes.push_back(ranked({first, end}));
    first = end;
  }
  return processes;
}

/// In how many ways the ranks of A have each sum.
std::vector<double> waysOf(const Ranked& process) {
  const std::uint64_t all = std::accumulate(process.ranks.begin(), process.ranks.end(), std::uint64_t{0});
  std::vector<std::vector<double>> ways(process.ofA + 1, std::vector<double>(all + 1));  // by how many, by their sum
  ways[0][0] = 1;
  for (std::size_t i = 0; i < process.ranks.size(); ++i)
    for (std::size_t n = std::min(process.ofA, i + 1); n > 0; --n)
      for (std::uint64_t s = all; s >= process.ranks[i]; --s) ways[n][s] += ways[n - 1][s - process.ranks[i]];
  return std::move(ways.back());
}

/// The probability of sums at least as far from their expectation, every way to deal within processes being equally
/// likely.
double exactP(std::span<const Ranked> processes, std::uint64_t distance, std::uint64_t expected) {
  std::vector<double> ways{1};
  for (const Ranked& process : processes) {
    const std::vector<double> more = waysOf(process);
    std::vector<double> together(ways.size() + more.size() - 1);
    for (std::size_t i = 0; i < ways.size(); ++i)
      for (std::size_t k = 0; k < more.size() && ways[i] > 0; ++k) together[i + k] += ways[i] * more[k];
    ways = std::move(together);
  }
  double far = 0, whole = 0;
  for (std::uint64_t s = 0; s < ways.size(); ++s) {
    whole += ways[s];
    if ((s > expected ? s - expected : expected - s) >= distance) far += ways[s];
  }
  return far / whole;
}

struct RankSum {
  double p = 1;
  bool slower = false;
};

RankSum rankSum(std::span<const Mean> a, std::span<const Mean> b) {
  const std::vector<Ranked> processes = ranked(a, b);
  std::uint64_t sum = 0, expected = 0;
  double variance = 0;
  for (const Ranked& process : processes) {
    sum += process.sum;
    expected += process.expected();
    variance += process.variance();
  }
  const bool slower = sum < expected;  // A has the lesser ranks
  const std::uint64_t distance = slower ? expected - sum : sum - expected;
  if (a.size() + b.size() <= kMostExact) return {exactP(processes, distance, expected), slower};
  if (variance <= 0) return {};
  const double z = std::max(0.0, static_cast<double>(distance) / 2 - 0.5) / std::sqrt(variance);
  return {std::min(1.0, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), z))), slower};
}

struct Moments {
  double mean = 0, variance = 0, count = 0;
};
Moments momentsOf(std::span<const double> values) {
  Moments result{.count = static_cast<double>(values.size())};
  for (const double value : values) result.mean += value / result.count;
  for (const double value : values)
    result.variance += (value - result.mean) * (value - result.mean) / (result.count - 1);
  return result;
}

/// Welch's t, two-sided.
double welchP(std::span<const double> a, std::span<const double> b) {
  const Moments of[] = {momentsOf(a), momentsOf(b)};
  const double errorA = of[0].variance / of[0].count, errorB = of[1].variance / of[1].count, error = errorA + errorB;
  const double difference = std::abs(of[0].mean - of[1].mean);
  if (!(error > 0)) return difference > 0 ? 0 : 1;
  const double freedom = error * error / (errorA * errorA / (of[0].count - 1) + errorB * errorB / (of[1].count - 1));
  return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), difference / std::sqrt(error)));
}

}  // namespace

std::string_view whyNot(Evidence::State state) {
  switch (state) {
    case Evidence::State::kTested:
      return "";
    case Evidence::State::kNoIterations:
      return "outside iterations";
    case Evidence::State::kTooFew:
      return "too few iterations";
    case Evidence::State::kOneSide:
      return "on one side only";
  }
  return "";
}

Evidence evidenceOf(Sample a, Sample b, std::size_t draws) {
  Side sides[] = {Side(std::move(a)), Side(std::move(b))};
  Evidence result{.iterationsA = sides[0].iterations(), .iterationsB = sides[1].iterations()};
  const std::uint32_t fewer = std::min(result.iterationsA, result.iterationsB);
  result.state = fewer == 0                  ? Evidence::State::kNoIterations
                 : fewer < kFewestIterations ? Evidence::State::kTooFew
                                             : Evidence::State::kTested;
  if (result.state != Evidence::State::kTested) return result;

  const RankSum ranks = rankSum(sides[0].means(), sides[1].means());
  result.p = ranks.p;
  result.slower = ranks.slower;
  if (std::min(sides[0].runMedians().size(), sides[1].runMedians().size()) > 1)
    result.p = std::max(result.p, welchP(sides[0].runMedians(), sides[1].runMedians()));

  result.ratio = ratioOf(sides[0], sides[1]);
  result.low = result.high = result.ratio;
  if (draws == 0) return result;
  Draws random(20261128);
  std::vector<double> ratios;
  ratios.reserve(draws);
  for (std::size_t i = 0; i < draws; ++i) {
    for (Side& side : sides) side.draw(random);
    ratios.push_back(ratioOf(sides[0], sides[1]));
  }
  std::ranges::sort(ratios);
  const std::size_t below = draws / 40;  // 2.5 % of them
  result.low = ratios[below];
  result.high = ratios[draws - 1 - below];
  return result;
}

void holm(std::span<Evidence*> all) {
  std::vector<Evidence*> tested;
  for (Evidence* each : all)
    if (each->state == Evidence::State::kTested) tested.push_back(each);
  std::ranges::sort(tested, {}, [](const Evidence* each) { return each->p; });
  double least = 0;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    least = std::max(least, std::min(1.0, static_cast<double>(tested.size() - i) * tested[i]->p));
    tested[i]->corrected = least;
  }
}

}  // namespace lanescope::compare
