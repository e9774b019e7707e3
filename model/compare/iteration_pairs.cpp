// SPDX-License-Identifier: Apache-2.0
#include "model/compare/iteration_pairs.h"

#include <algorithm>
#include <map>

#include "model/analysis/iterations.h"

namespace lanescope::compare {
namespace {

using trace::EventKind;
using trace::EventRef;
using trace::kNone;
using trace::Trace;

std::map<std::uint32_t, std::vector<EventRef>> byThread(const Trace& trace, const analysis::Iterations& all) {
  std::map<std::uint32_t, std::vector<EventRef>> threads;
  for (const EventRef range : all.ranges) threads[trace.info(range).thread].push_back(range);
  return threads;
}

std::vector<std::int64_t> lengths(const Trace& trace, const std::vector<EventRef>& ranges) {
  std::vector<std::int64_t> all;
  all.reserve(ranges.size());
  for (const EventRef range : ranges) all.push_back(trace.time(range).length());
  return all;
}

/// What happens in each iteration of each list, without an order: all of it, its GPU work, and its names once.
struct Contents {
  struct Of {
    Token all = 1, work = 1, names = 1;
  };
  std::vector<std::vector<Of>> lists;

  Contents(const std::vector<Course::List>& ranges, const Side& side) {
    for (const Course::List& list : ranges) lists.emplace_back(list.ranges.size());
    struct Seen {
      std::uint32_t list, at;
      Token word;
      auto operator<=>(const Seen&) const = default;
    };
    std::vector<Seen> seen;
    const Trace& trace = side.trace();
    for (trace::LaneId id = 0; id < trace.lanes.size(); ++id) {
      const trace::LaneInfo& info = trace.laneInfo[id];
      if (!trace.lanes[id] || !Side::isMatched(info.kind)) continue;
      for (std::uint32_t i = 0; i < trace.lanes[id]->size(); ++i) {
        const Place place = side.place(info.firstEvent + i);
        if (place.list == kNone || place.at % 2 == 0 || side.isIteration(info.firstEvent + i)) continue;
        const std::uint32_t at = (place.at - 3) / 2;
        Of& of = lists[place.list][at];
        const Words words = side.words({id, i});
        of.all += words[1];
        if (trace::isGpuWork(info.kind)) of.work += words[1];
        if (info.kind != EventKind::kCudaApi) seen.push_back({place.list, at, words[2]});
      }
    }
    std::ranges::sort(seen);
    const auto twice = std::ranges::unique(seen);
    seen.erase(twice.begin(), twice.end());
    for (const Seen& each : seen) lists[each.list][each.at].names += each.word;
  }
};

}  // namespace

CommonIterations commonIterations(const Trace& a, const Trace& b, const Roles& roles) {
  CommonIterations common;
  auto inA = analysis::findIterations(a), inB = analysis::findIterations(b);
  if (inA && (!inB || inB->name != inA->name)) {
    if (auto same = analysis::findIterations(b, inA->name)) inB = std::move(same);
    else if (auto other = inB ? analysis::findIterations(a, inB->name) : std::nullopt) inA = std::move(other);
  } else if (inB && !inA) {
    inA = analysis::findIterations(a, inB->name);
  }
  if (!inA || !inB || inA->name != inB->name) return common;

  std::map<std::uint32_t, std::vector<EventRef>> threadsB = byThread(b, *inB);
  std::map<std::uint32_t, std::uint32_t> leading;
  for (auto& [thread, ranges] : byThread(a, *inA)) {
    const auto other = threadsB.find(thread < roles.threads.size() ? roles.threads[thread] : kNone);
    if (other == threadsB.end()) continue;
    const auto index = static_cast<std::uint32_t>(common.a.size());
    common.a.push_back({thread, a.info(ranges.front()).process, std::move(ranges)});
    common.b.push_back({other->first, b.info(other->second.front()).process, std::move(other->second)});
    const auto [lead, isFirst] = leading.emplace(common.a.back().process, index);
    if (common.a[lead->second].ranges.size() < common.a.back().ranges.size()) lead->second = index;
  }
  for (const auto& [process, list] : leading) common.leading.push_back(list);
  if (!common.a.empty()) common.name = inA->name;
  return common;
}

std::vector<std::vector<Match>> matchIterations(const CommonIterations& iterations, const Side& a, const Side& b,
                                                const CommonNames& names, const Job& job) {
  const Contents inA(iterations.a, a), inB(iterations.b, b);
  const bool isNumbered = iterations.name.find('*') != std::string::npos;
  std::vector<std::vector<Match>> all;
  for (std::size_t list = 0; list < iterations.a.size(); ++list) {
    const std::vector<EventRef>&rangesA = iterations.a[list].ranges, &rangesB = iterations.b[list].ranges;
    SequenceMatch match(static_cast<std::uint32_t>(rangesA.size()), static_cast<std::uint32_t>(rangesB.size()), job);
    std::vector<Token> tokensA, tokensB;
    const auto add = [&](auto token) {
      const auto tokens = [&](const Side& side, const NameNumbers& numbers, const std::vector<EventRef>& ranges,
                              const std::vector<Contents::Of>& contents) {
        std::vector<Token> some(ranges.size());
        for (std::size_t i = 0; i < ranges.size(); ++i)
          some[i] = token(numbers.strict[side.trace().name(ranges[i])], contents[i]) | 1;
        return some;
      };
      tokensA = tokens(a, names.a, rangesA, inA.lists[list]);
      tokensB = tokens(b, names.b, rangesB, inB.lists[list]);
      match.add(tokensA, tokensB);
    };
    constexpr Token kSpread = 0x9E3779B97F4A7C15ull;
    add([](Token text, const Contents::Of& of) { return text * kSpread * 2 + of.all; });
    match.settle(tokensA, tokensB, lengths(a.trace(), rangesA), lengths(b.trace(), rangesB));
    if (isNumbered) {
      add([](Token text, const Contents::Of& of) { return text * kSpread * 2 + of.work; });
      add([](Token text, const Contents::Of&) { return text * 2; });
    }
    add([](Token, const Contents::Of& of) { return of.all; });
    add([](Token, const Contents::Of& of) { return of.work; });
    add([](Token, const Contents::Of& of) { return of.names; });
    match.addByPosition();
    all.push_back(match.matches());
  }
  return all;
}

}  // namespace lanescope::compare
