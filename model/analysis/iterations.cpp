// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/iterations.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <unordered_map>

#include "model/trace/foreign_domains.h"

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

/// Of another tool's kinds of event only annotations are the program's own; operators and frames repeat by themselves.
bool isLibrary(const trace::Domain& domain) {
  if (!domain.isNvtx) return domain.name != trace::kAnnotations;
  return std::find(kLibraries.begin(), kLibraries.end(), domain.name) != kLibraries.end();
}

/// What libraries push into the domain of the program: PyTorch its operators under emit_nvtx, its loader and optimizers
/// as annotations, NCCL its calls.
bool isLibraryCall(std::string_view text) {
  constexpr std::string_view kBeginnings[] = {
      "aten::", "c10d::", "nccl", "cub::", "thrust::", "enumerate(DataLoader)", "Optimizer."};
  return std::ranges::any_of(kBeginnings, [&](std::string_view each) { return text.starts_with(each); }) ||
         text.find(", op_id = ") != std::string_view::npos;
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

/// The numbers that withoutNumbers() leaves out; none where one is too large.
std::optional<std::vector<std::uint64_t>> numbersIn(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  constexpr std::string_view kDigits = "0123456789";
  const char* const end = text.data() + text.size();
  for (std::size_t at = 0; (at = text.find_first_of(kDigits, at)) != std::string_view::npos;) {
    const auto [stop, error] = std::from_chars(text.data() + at, end, numbers.emplace_back());
    if (error != std::errc()) return std::nullopt;
    at = static_cast<std::size_t>(stop - text.data());
  }
  return numbers;
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

std::map<std::uint32_t, std::vector<EventRef>> byThread(const Trace& trace, std::vector<EventRef> ranges) {
  std::ranges::stable_sort(ranges, {}, [&](EventRef range) { return trace.time(range).begin; });
  std::map<std::uint32_t, std::vector<EventRef>> threads;
  for (const EventRef range : ranges) threads[trace.info(range).thread].push_back(range);
  return threads;
}

/// Ranges of one text: some thread has it twice; of another tool's annotations, which frameworks write too, thrice.
bool repeats(const Trace& trace, const std::vector<EventRef>& ranges) {
  return std::ranges::any_of(byThread(trace, ranges), [&](const auto& on) {
    const bool isNvtx = trace.domains[trace.info(on.second.front()).domain].isNvtx;
    return on.second.size() >= (isNvtx ? 2 : 3);
  });
}

/// Ranges of one pattern: on each thread one and the same number of it counts up by a constant, on some to `least` of them;
/// it may begin anew, as steps do in the next epoch. Else they are different things that have a number each.
bool countUpTo(std::size_t least, const Trace& trace, const std::vector<EventRef>& ranges) {
  std::size_t most = 0;
  std::optional<std::size_t> place;
  for (const auto& [thread, instances] : byThread(trace, ranges)) {
    std::vector<std::uint64_t> before, first;
    std::uint64_t step = 0;
    for (const EventRef range : instances) {
      const auto numbers = numbersIn((*trace.names)[trace.name(range)].text);
      if (!numbers) return false;
      if (first.empty()) first = *numbers;
      if (before == *numbers) return false;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const std::uint64_t from = before[i], to = (*numbers)[i];
        if (from == to) continue;
        if (place.value_or(i) != i) return false;
        place = i;
        if (to == first[i]) continue;
        if (to < from || (step != 0 && to - from != step)) return false;
        step = to - from;
      }
      before = *numbers;
    }
    if (step != 0) most = std::max(most, instances.size());
  }
  return most >= least;
}

/// Two may be any things that have a number each.
bool countsUp(const Trace& trace, const std::vector<EventRef>& ranges) { return countUpTo(3, trace, ranges); }

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

  // By domain's name and text, and once more by pattern: how deep it stands at least, and how long it took.
  struct Candidate {
    std::uint32_t depth = trace::kNone;
    Ns time = 0;
    std::vector<EventRef> ranges;
    void add(EventRef range, std::uint32_t at, Ns length) {
      if (at > depth) return;  // inside another of its own, or of one that is deeper elsewhere
      if (at < depth) *this = Candidate{at, 0, {}};
      if (__builtin_add_overflow(time, length, &time)) time = trace::kMaxTime;
      ranges.push_back(range);
    }
  };
  using Candidates = std::map<std::pair<std::string, std::string>, Candidate>;
  Candidates same, counting;
  std::map<std::pair<std::uint32_t, NameId>, std::pair<Candidate*, Candidate*>> known;
  forEachRange(trace, [&](EventRef range) {
    const trace::LaneInfo& info = trace.info(range);
    if (info.kind != EventKind::kNvtxRange || isLibrary(trace.domains[info.domain])) return;
    const trace::Name& name = (*trace.names)[trace.name(range)];
    if (isLibraryCall(name.text)) return;
    auto& [exact, pattern] = known[{info.domain, name.same}];
    const std::string& domain = trace.domains[info.domain].name;
    if (!exact) exact = &same[{domain, std::string(name.text)}];
    if (!pattern) pattern = &counting[{domain, withoutNumbers(name.text)}];
    for (Candidate* each : {exact, pattern}) each->add(range, info.depth, trace.time(range).length());
  });
  std::erase_if(counting, [](const auto& each) {  // parts of a program that are numbered
    const std::string& pattern = each.first.second;
    return pattern.find("phase") != std::string::npos || pattern.find("stage") != std::string::npos;
  });
  for (const auto& [key, candidate] : counting)  // PyTorch's profiler calls them steps, so they are
    if (key.second == "ProfilerStep#*" && countUpTo(2, trace, candidate.ranges))
      return inOrder(trace, key.first + ":" + key.second, candidate.ranges);
  const Candidates::value_type* best = nullptr;
  for (const auto& [candidates, fits] : {std::pair(&counting, &countsUp), {&same, &repeats}})
    for (const auto& each : *candidates) {
      const auto rank = [](const Candidate& c) { return std::pair(c.depth, -c.time); };
      if ((!best || rank(each.second) < rank(best->second)) && fits(trace, each.second.ranges)) best = &each;
    }
  if (!best) return std::nullopt;
  return inOrder(trace, best->first.first + ":" + best->first.second, best->second.ranges);
}

}  // namespace lanescope::analysis
