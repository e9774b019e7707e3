// SPDX-License-Identifier: Apache-2.0
#include "model/compare/twins.h"

#include <algorithm>
#include <optional>

#include "model/compare/iteration_pairs.h"
#include "model/on_threads.h"

namespace lanescope::compare {
namespace {

using trace::EventId;
using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::LaneId;
using trace::Ns;
using trace::Trace;

constexpr std::size_t kWorthAThread = 1 << 14;  ///< events

/// By Place: what is matched with what has the same number on the other side. One that only this side has: nothing.
class Segments {
 public:
  /// `mine`: which index of a match is of this side.
  Segments(const std::vector<std::vector<Match>>& pairs, std::uint32_t Match::* mine,
           const std::vector<Course::List>& lists) {
    for (std::size_t list = 0; list < lists.size(); ++list) {
      std::vector<std::uint32_t>& numbers = ofList_.emplace_back(2 * lists[list].ranges.size() + 2, kNone);
      std::uint32_t pair = 0;
      numbers[0] = 0;
      for (std::uint32_t i = 0; i < lists[list].ranges.size(); ++i) {
        if (pair < pairs[list].size() && pairs[list][pair].*mine == i) numbers[2 * i + 3] = 2 * pair++ + 1;
        numbers[2 * i + 2] = 2 * pair;
      }
    }
  }

  std::optional<std::uint64_t> of(Place place) const {
    if (place.list == kNone) return kNone;
    const std::uint32_t number = ofList_[place.list][place.at];
    return number == kNone ? std::nullopt : std::optional(std::uint64_t{place.list} << 32 | number);
  }

 private:
  std::vector<std::vector<std::uint32_t>> ofList_;
};

/// Events of one side in order, each segment behind the other.
struct Line {
  std::vector<std::uint64_t> segment;
  std::vector<EventId> id;
  std::vector<Ns> length;
  std::array<std::vector<Token>, kLevels> words;
};

using LanesOf = std::vector<std::vector<LaneId>>;

/// Lanes by their owner; those without one are the last.
template <class Tells>
LanesOf lanesBy(const Trace& trace, std::uint32_t trace::LaneInfo::* owner, std::size_t owners, Tells tells) {
  LanesOf all(owners + 1);
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.lanes[lane] && tells(trace.laneInfo[lane].kind))
      all[std::min<std::size_t>(trace.laneInfo[lane].*owner, owners)].push_back(lane);
  return all;
}

class Matching {
 public:
  Matching(const Trace& a, const Trace& b, const Job& job) : a_(a), b_(b), job_(job) {}

  Twins twins() {
    const CommonNames names = commonNames(a_, b_);
    if (job_.cancelled()) return {};
    roles_ = matchRoles(a_, b_, names);
    const CommonIterations iterations = commonIterations(a_, b_, roles_);
    if (job_.cancelled()) return {};
    const std::vector<std::uint32_t> domainsOfB = numbers(b_.domains.size());
    Side sideA(a_, names.a, domainsOfA()), sideB(b_, names.b, domainsOfB);
    sideA_ = &sideA;
    sideB_ = &sideB;
    const bool byLaunch = sideA.knowsLaunches() && sideB.knowsLaunches();
    onThreads(2, [&](std::size_t side) {
      if (side == 0) sideA.follow(Course(a_, iterations.a, iterations.leading), iterations.a, byLaunch);
      else sideB.follow(Course(b_, iterations.b, iterations.leading), iterations.b, byLaunch);
    });
    if (job_.cancelled()) return {};
    twins_.ofA.assign(eventIds(a_), kNone);
    twins_.ofB.assign(eventIds(b_), kNone);
    where_.assign(twins_.ofB.size(), kNone);
    findCompared();
    pairIterations(iterations, names);
    matchWork();
    matchCallsAndRanges();
    pairProjections();
    return std::move(twins_);
  }

 private:
  void pair(EventId a, EventId b) {
    twins_.ofA[a] = b;
    twins_.ofB[b] = a;
  }

  static std::vector<std::uint32_t> numbers(std::size_t count) {
    std::vector<std::uint32_t> all(count);
    for (std::uint32_t i = 0; i < count; ++i) all[i] = i;
    return all;
  }

  /// Numbers that B has too, or no domain of B.
  std::vector<std::uint32_t> domainsOfA() const {
    std::vector<std::uint32_t> all = roles_.domains;
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (all[i] == kNone) all[i] = static_cast<std::uint32_t>(b_.domains.size()) + i;
    return all;
  }

  void findCompared() {
    const auto recorded = [](const Trace& trace) {
      std::array<bool, trace::kEventKinds> kinds{};
      for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
        if (trace.lanes[lane] && !trace.lanes[lane]->empty())
          kinds[static_cast<std::size_t>(trace.laneInfo[lane].kind)] = true;
      return kinds;
    };
    const auto inA = recorded(a_), inB = recorded(b_);
    const auto any = [](const auto& kinds, std::initializer_list<EventKind> of) {
      return std::ranges::any_of(of, [&](EventKind kind) { return kinds[static_cast<std::size_t>(kind)]; });
    };
    using enum EventKind;
    for (const auto& group : {std::initializer_list<EventKind>{kKernel, kCopy, kMemset},
                              {kGraphLaunch},
                              {kCudaApi},
                              {kNvtxRange, kNvtxStartEnd, kNvtxMark},
                              {kNvtxProjection}})
      for (const EventKind kind : group)
        twins_.compared[static_cast<std::size_t>(kind)] = any(inA, group) && any(inB, group);
  }

  void pairIterations(const CommonIterations& iterations, const CommonNames& names) {
    const auto pairs = matchIterations(iterations, *sideA_, *sideB_, names, job_);
    for (std::size_t list = 0; list < pairs.size(); ++list)
      for (const Match& match : pairs[list])
        pair(a_.id(iterations.a[list].ranges[match.a]), b_.id(iterations.b[list].ranges[match.b]));
    segmentsA_.emplace(pairs, &Match::a, iterations.a);
    segmentsB_.emplace(pairs, &Match::b, iterations.b);
    tellIterations(iterations);
  }

  void tellIterations(const CommonIterations& iterations) {
    twins_.iterationName = iterations.name;
    std::size_t most = 0;
    for (const std::uint32_t list : iterations.leading) {
      if (iterations.a[list].ranges.size() <= most) continue;
      most = iterations.a[list].ranges.size();
      twins_.iterationsOfA = iterations.a[list].ranges;
      twins_.iterationsOfB = iterations.b[list].ranges;
    }
  }

  // --- lines -------------------------------------------------------------------------------------------------------

  void matchWork() {
    matchAll(&trace::LaneInfo::stream, roles_.streams, b_.streams.size(), trace::isGpuWork);
    matchAll(&trace::LaneInfo::gpu, roles_.gpus, b_.gpus.size(), trace::isGpuWork);  // what moved to another stream
    pairLaunches();
  }

  void matchCallsAndRanges() {
    using enum EventKind;
    const auto isRange = [](EventKind kind) { return kind == kNvtxRange || kind == kNvtxMark; };
    matchAll(&trace::LaneInfo::thread, roles_.threads, b_.threads.size(), isRange);
    const auto isCall = [](EventKind kind) { return kind == kCudaApi; };
    matchAll(&trace::LaneInfo::thread, roles_.threads, b_.threads.size(), isCall);
    const auto isStartEnd = [](EventKind kind) { return kind == kNvtxStartEnd; };
    matchAll(&trace::LaneInfo::process, roles_.processes, b_.processes.size(), isStartEnd);
  }

  /// What `tells` picks, owner by owner that play one part.
  template <class Tells>
  void matchAll(std::uint32_t trace::LaneInfo::* owner, const std::vector<std::uint32_t>& toB, std::size_t ownersOfB,
                Tells tells) {
    const LanesOf inA = lanesBy(a_, owner, toB.size(), tells), inB = lanesBy(b_, owner, ownersOfB, tells);
    for (std::uint32_t i = 0; i <= toB.size(); ++i) {
      const std::size_t other = i == toB.size() ? ownersOfB : toB[i];
      if (other > ownersOfB || inA[i].empty() || inB[other].empty()) continue;
      if (job_.cancelled()) return;
      std::array<Line, 2> lines;
      const auto make = [&](std::size_t side) {
        lines[side] = side == 0 ? line(*sideA_, *segmentsA_, inA[i], twins_.ofA)
                                : line(*sideB_, *segmentsB_, inB[other], twins_.ofB);
      };
      const auto size = [](const Trace& trace, const std::vector<LaneId>& lanes) {
        std::size_t events = 0;
        for (const LaneId lane : lanes) events += trace.lanes[lane]->size();
        return events;
      };
      if (size(a_, inA[i]) > kWorthAThread) onThreads(2, make);
      else make(0), make(1);
      match(lines[0], lines[1]);
    }
  }

  Line line(const Side& side, const Segments& segments, const std::vector<LaneId>& lanes,
            const std::vector<EventId>& twins) const {
    struct Item {
      std::uint64_t segment;
      Ns start;
      EventId id;
      EventRef event;
    };
    const Trace& trace = side.trace();
    std::vector<Item> items;
    for (const LaneId id : lanes) {
      const trace::LaneInfo& info = trace.laneInfo[id];
      if (!twins_.compared[static_cast<std::size_t>(info.kind)]) continue;
      const bool isCall = info.kind == EventKind::kCudaApi;
      for (std::uint32_t i = 0; i < trace.lanes[id]->size(); ++i) {
        const EventId event = info.firstEvent + i;
        if (side.isIteration(event) || (!isCall && twins[event] != kNone)) continue;
        if (const auto segment = segments.of(side.place(event)))
          items.push_back({*segment, trace.lanes[id]->start(i), event, {id, i}});
      }
    }
    std::ranges::sort(items, [](const Item& x, const Item& y) {
      return std::tie(x.segment, x.start, x.id) < std::tie(y.segment, y.start, y.id);
    });
    Line line;
    line.segment.reserve(items.size());
    line.id.reserve(items.size());
    line.length.reserve(items.size());
    for (auto& level : line.words) level.reserve(items.size());
    for (const Item& item : items) {
      line.segment.push_back(item.segment);
      line.id.push_back(item.id);
      line.length.push_back(trace.lanes[item.event.lane]->duration(item.event.index));
      const Words words = twins[item.id] == kNone ? side.words(item.event) : Words{};
      for (std::size_t level = 0; level < kLevels; ++level) line.words[level].push_back(words[level]);
    }
    return line;
  }

  void match(const Line& a, const Line& b) {
    std::size_t nextB = 0;
    for (std::size_t beginA = 0, endA = 0; beginA < a.id.size() && !job_.cancelled(); beginA = endA) {
      const std::uint64_t segment = a.segment[beginA];
      while (endA < a.id.size() && a.segment[endA] == segment) ++endA;
      while (nextB < b.id.size() && b.segment[nextB] < segment) ++nextB;
      const std::size_t beginB = nextB;
      while (nextB < b.id.size() && b.segment[nextB] == segment) ++nextB;
      if (nextB == beginB) continue;
      match(a, {beginA, endA}, b, {beginB, nextB});
    }
  }

  void match(const Line& a, Part inA, const Line& b, Part inB) {
    SequenceMatch match(static_cast<std::uint32_t>(inA.last - inA.first),
                        static_cast<std::uint32_t>(inB.last - inB.first), job_);
    const auto ofA = [&](const auto& all) { return std::span(all).subspan(inA.first, inA.last - inA.first); };
    const auto ofB = [&](const auto& all) { return std::span(all).subspan(inB.first, inB.last - inB.first); };
    std::vector<Match> known = knownIn(a, inA, b, inB);
    const bool isKnown = !known.empty();
    match.start(std::move(known));
    const std::size_t most = std::min(inA.last - inA.first, inB.last - inB.first);
    for (std::size_t level = 0; level < kLevels && match.matches().size() < most; ++level) {
      match.add(ofA(a.words[level]), ofB(b.words[level]));
      if (level == 0 && !isKnown) match.settle(ofA(a.words[0]), ofB(b.words[0]), ofA(a.length), ofB(b.length));
    }
    for (const Match& each : match.matches()) pair(a.id[inA.first + each.a], b.id[inB.first + each.b]);
    twins_.steps += match.steps();
  }

  /// Those that have a twin already and stand in the same order on both sides.
  std::vector<Match> knownIn(const Line& a, Part inA, const Line& b, Part inB) {
    std::vector<Match> known;
    std::vector<std::int64_t> places;
    for (std::size_t i = inB.first; i < inB.last; ++i)
      if (twins_.ofB[b.id[i]] != kNone) where_[b.id[i]] = static_cast<std::uint32_t>(i - inB.first);
    for (std::size_t i = inA.first; i < inA.last; ++i) {
      const EventId twin = twins_.ofA[a.id[i]];
      if (twin == kNone || where_[twin] == kNone) continue;
      known.push_back({static_cast<std::uint32_t>(i - inA.first), where_[twin]});
      places.push_back(where_[twin]);
    }
    for (std::size_t i = inB.first; i < inB.last; ++i) where_[b.id[i]] = kNone;
    std::vector<Match> ascending;
    for (const std::uint32_t i : longestAscending(places)) ascending.push_back(known[i]);
    return ascending;
  }

  // --- what follows others -----------------------------------------------------------------------------------------

  void pairLaunches() {
    if (!twins_.compared[static_cast<std::size_t>(EventKind::kCudaApi)]) return;
    trace::NearbyRefs refsA(a_), refsB(b_);
    for (EventId work = 0; work < twins_.ofA.size(); ++work) {
      if (twins_.ofA[work] == kNone) continue;
      const EventRef inA = refsA.of(work);
      if (!trace::isGpuWork(a_.info(inA).kind)) continue;
      const auto launchA = sideA_->launchOf(inA), launchB = sideB_->launchOf(refsB.of(twins_.ofA[work]));
      if (!launchA || !launchB || twins_.ofA[*launchA] != kNone || twins_.ofB[*launchB] != kNone) continue;
      const std::uint32_t thread = a_.info(a_.ref(*launchA)).thread;
      if (thread < roles_.threads.size() && roles_.threads[thread] == b_.info(b_.ref(*launchB)).thread)
        pair(*launchA, *launchB);
    }
  }

  /// Projections of twins on streams that play one part.
  void pairProjections() {
    if (!twins_.compared[static_cast<std::size_t>(EventKind::kNvtxProjection)]) return;
    trace::NearbyRefs refsB(b_);
    for (LaneId lane = 0; lane < a_.lanes.size(); ++lane) {
      const trace::LaneInfo& info = a_.laneInfo[lane];
      if (info.kind != EventKind::kNvtxProjection || !a_.lanes[lane] || info.stream >= roles_.streams.size()) continue;
      for (std::uint32_t i = 0; i < a_.lanes[lane]->size(); ++i) {
        const std::span<const EventId> range = a_.links({lane, i});
        const EventId twin = range.empty() ? kNone : twins_.ofA[range.front()];
        if (twin == kNone) continue;
        for (const EventId other : b_.links(refsB.of(twin)))
          if (b_.info(b_.ref(other)).stream == roles_.streams[info.stream]) pair(info.firstEvent + i, other);
      }
    }
  }

  const Trace &a_, &b_;
  const Job& job_;
  Roles roles_;
  const Side *sideA_ = nullptr, *sideB_ = nullptr;
  std::optional<Segments> segmentsA_, segmentsB_;
  std::vector<std::uint32_t> where_;  // by event of B: where in a line, while that is matched
  Twins twins_;
};

}  // namespace

Twins findTwins(const Trace& a, const Trace& b, const Job& job) { return Matching(a, b, job).twins(); }

}  // namespace lanescope::compare
