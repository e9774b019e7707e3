// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/iterations.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::NameId;
using trace::Ns;
using trace::Trace;

namespace {

/// Domains that libraries push ranges into, on their own account.
constexpr std::array<std::string_view, 12> kLibraries{"NCCL",  "CCCL",   "cuBLAS",  "cuDNN",    "cuSOLVER", "cuSPARSE",
                                                      "cuFFT", "Thrust", "libcudf", "TensorRT", "NVSHMEM",  "UCX"};

bool isLibrary(const std::string& domain) {
  return std::find(kLibraries.begin(), kLibraries.end(), domain) != kLibraries.end();
}

std::string wholeName(const Trace& trace, EventRef range, std::string_view text) {
  return trace.domains[trace.info(range).domain].name + ":" + std::string(text);
}

/// Push/pop ranges that have an end.
template <class Visit>
void forEachRange(const Trace& trace, Visit visit) {
  for (LaneId id = 0; id < trace.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (info.kind != EventKind::kNvtxRange && info.kind != EventKind::kNvtxStartEnd) continue;
    const trace::Lane& lane = *trace.lanes[id];
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (lane.unfinishedEvents().empty() || !lane.unfinished(i)) visit(EventRef{id, i});
  }
}

std::optional<Iterations> inOrder(const Trace& trace, std::string name, std::vector<EventRef> ranges) {
  if (ranges.size() < 2) return std::nullopt;
  std::stable_sort(ranges.begin(), ranges.end(),
                   [&](EventRef a, EventRef b) { return trace.time(a).begin < trace.time(b).begin; });
  return Iterations{std::move(name), std::move(ranges)};
}

std::optional<Iterations> named(const Trace& trace, std::string_view text) {
  std::vector<EventRef> exact, alike;
  const std::string pattern = withoutNumbers(text);
  std::unordered_map<NameId, std::string> patterns;
  forEachRange(trace, [&](EventRef range) {
    const trace::Name& name = (*trace.names)[trace.name(range)];
    auto [known, isNew] = patterns.try_emplace(name.same);
    if (isNew) known->second = withoutNumbers(name.text);
    const auto is = [&](std::string_view wanted, std::string_view candidate) {
      return wanted == candidate || wanted == wholeName(trace, range, candidate);
    };
    if (is(text, name.text)) exact.push_back(range);
    if (is(pattern, known->second)) alike.push_back(range);
  });
  const bool repeats = exact.size() >= 2;
  std::vector<EventRef>& ranges = repeats ? exact : alike;
  if (ranges.empty()) return std::nullopt;
  const std::string_view first = (*trace.names)[trace.name(ranges.front())].text;
  std::string name = wholeName(trace, ranges.front(), repeats ? std::string(first) : withoutNumbers(first));
  return inOrder(trace, std::move(name), std::move(ranges));
}

}  // namespace

std::string withoutNumbers(std::string_view text) {
  std::string pattern;
  bool inNumber = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) pattern += c;
    else if (!inNumber) pattern += '*';
    inNumber = digit;
  }
  return pattern;
}

std::optional<Iterations> findIterations(const Trace& trace, std::string_view text) {
  if (!text.empty()) return named(trace, text);

  // By domain's name and pattern: how deep it stands at least, and how long it took on the thread that has it most.
  struct Candidate {
    std::uint32_t depth = trace::kNone;
    std::map<std::uint32_t, std::uint64_t> count;  // by thread, at that depth
    Ns time = 0;
    std::vector<EventRef> ranges;
  };
  std::map<std::pair<std::string, std::string>, Candidate> candidates;
  std::map<std::pair<std::uint32_t, NameId>, Candidate*> known;
  forEachRange(trace, [&](EventRef range) {
    const trace::LaneInfo& info = trace.info(range);
    if (info.kind != EventKind::kNvtxRange || isLibrary(trace.domains[info.domain].name)) return;
    const trace::Name& name = (*trace.names)[trace.name(range)];
    Candidate*& candidate = known[{info.domain, name.same}];
    if (!candidate) candidate = &candidates[{trace.domains[info.domain].name, withoutNumbers(name.text)}];
    if (info.depth > candidate->depth) return;  // inside another of its own, or of one that is deeper elsewhere
    if (info.depth < candidate->depth) *candidate = Candidate{info.depth, {}, 0, {}};
    ++candidate->count[info.thread];
    const trace::TimeRange time = trace.time(range);
    if (__builtin_add_overflow(candidate->time, time.length(), &candidate->time)) candidate->time = trace::kMaxTime;
    candidate->ranges.push_back(range);
  });
  const auto repeats = [](const Candidate& each) {
    return std::any_of(each.count.begin(), each.count.end(), [](const auto& on) { return on.second >= 2; });
  };
  auto best = candidates.end();
  for (auto each = candidates.begin(); each != candidates.end(); ++each) {
    if (!repeats(each->second)) continue;
    const auto rank = [](const Candidate& c) { return std::pair(c.depth, -c.time); };
    if (best == candidates.end() || rank(each->second) < rank(best->second)) best = each;
  }
  if (best == candidates.end()) return std::nullopt;
  return inOrder(trace, best->first.first + ":" + best->first.second, std::move(best->second.ranges));
}

}  // namespace lanescope::analysis
