// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>

#include "model/analysis/find_query.h"
#include "model/analysis/grouping.h"
#include "model/format.h"
#include "model/on_threads.h"

namespace lanescope::analysis {
namespace {

using trace::kNone;
using trace::LaneId;
using trace::LaneInfo;
using trace::LanePart;
using trace::Trace;

constexpr std::size_t kWord = 64;
constexpr std::size_t kWordsBetweenChecks = 4096;

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

void addBelow(const Trace& trace, std::uint32_t row, std::vector<bool>& lanes, std::vector<bool>& counters) {
  for (const LaneId lane : trace.rows[row].lanes) lanes[lane] = true;
  for (const std::uint32_t counter : trace.rows[row].counters) counters[counter] = true;
  for (const std::uint32_t child : trace.rows[row].children) addBelow(trace, child, lanes, counters);
}

/// A condition held against a trace: what it says of whole lanes and counters, and how it tests events.
struct Test {
  bool hide = false;
  std::vector<bool> lanes;     // where it may hold
  std::vector<bool> counters;  // shown although it says "only"
  std::vector<std::uint8_t> names;  // by name; empty: any
  std::optional<Matching> lengths;
  std::optional<trace::TimeRange> time;

  bool ofLanesOnly() const { return names.empty() && !lengths && !time; }
};

bool isGpu(const Condition::Device& device, const trace::Gpu& gpu) {
  return device.bus.empty() && gpu.bus.empty() ? device.device == gpu.device : device.bus == gpu.bus;
}

class Testing {
 public:
  Testing(const Trace& trace, const Job& job) : trace_(trace), job_(job) {}

  Test of(const Condition& condition) {
    Test test;
    test.hide = condition.hide;
    test.lanes.assign(trace_.lanes.size(), true);
    // Counters are no events: only what says where they stand leaves them out.
    test.counters.assign(trace_.counters.size(), !condition.hide);
    std::visit(
        Cases{[&](const Condition::Words& words) { add(words, test); },
              [&](const Condition::Name& name) { add(name, test); }, [&](const Condition::Row& row) { add(row, test); },
              [&](const Condition::Time& time) { test.time = time.range; },
              [&](const Condition::Stream& stream) {
                keepLanes(test, [&](const LaneInfo& lane) { return lane.stream != kNone && is(stream, lane); });
              },
              [&](const Condition::Thread& thread) {
                keepLanes(test, [&](const LaneInfo& lane) {
                  return lane.thread != kNone && trace_.threads[lane.thread].globalTid == thread.globalTid;
                });
              },
              [&](const Condition::Process& process) {
                const auto is = [&](std::uint32_t index) {
                  return index != kNone && trace_.processes[index].globalPid == process.globalPid;
                };
                keepLanes(test, [&](const LaneInfo& lane) { return is(lane.process); });
                keepCounters(test, [&](const trace::CounterInfo& c) { return is(c.process); });
              },
              [&](const Condition::Device& device) {
                const auto is = [&](std::uint32_t gpu) { return gpu != kNone && isGpu(device, trace_.gpus[gpu]); };
                keepLanes(test, [&](const LaneInfo& lane) { return is(lane.gpu); });
                keepCounters(test, [&](const trace::CounterInfo& c) { return is(c.gpu); });
              }},
        condition.what);
    return test;
  }

 private:
  bool is(const Condition::Stream& wanted, const LaneInfo& lane) const {
    const trace::Stream& stream = trace_.streams[lane.stream];
    const trace::Gpu& gpu = trace_.gpus[stream.gpu];
    return stream.stream == wanted.stream && stream.context == wanted.context && gpu.device == wanted.device &&
           trace_.processes[gpu.process].globalPid == wanted.globalPid;
  }

  template <class Is>
  void keepLanes(Test& test, Is is) const {
    for (LaneId lane = 0; lane < test.lanes.size(); ++lane) test.lanes[lane] = is(trace_.laneInfo[lane]);
  }
  template <class Is>
  void keepCounters(Test& test, Is is) const {
    for (std::size_t i = 0; i < test.counters.size(); ++i)
      test.counters[i] = i < trace_.counterInfo.size() && is(trace_.counterInfo[i]);
  }

  void add(const Condition::Words& words, Test& test) const {
    Matching matching(trace_, words.query, job_);
    keepLanes(test, [&](const LaneInfo& lane) { return matching.asksFor(lane, true); });
    test.names = matching.names();
    if (!matching.anyDuration()) test.lengths.emplace(std::move(matching));
  }

  void add(const Condition::Name& name, Test& test) const {
    test.names.resize(trace_.names->size());
    for (trace::NameId id = 0; id < test.names.size(); ++id) test.names[id] = (*trace_.names)[id].text == name.text;
  }

  void add(const Condition::Row& row, Test& test) const {
    test.lanes.assign(trace_.lanes.size(), false);
    test.counters.assign(trace_.counters.size(), false);
    for (std::uint32_t index = 0; index < trace_.rows.size(); ++index)
      if (trace_.rows[index].key == row.key) addBelow(trace_, index, test.lanes, test.counters);
  }

  const Trace& trace_;
  const Job& job_;
};

/// The bits of one lane.
class Bits {
 public:
  Bits(const trace::Lane& lane, const Job& job) : lane_(lane), job_(job), bits_((lane.size() + kWord - 1) / kWord) {
    setAll(true);
  }

  void setAll(bool value) {
    std::fill(bits_.begin(), bits_.end(), value ? ~std::uint64_t{0} : 0);
    if (value && lane_.size() % kWord != 0) bits_.back() = (std::uint64_t{1} << lane_.size() % kWord) - 1;
  }

  void take(const Test& test, LaneId id) {
    const bool may = test.lanes[id];
    if (!may || test.ofLanesOnly()) {
      if (may == test.hide) setAll(false);
      return;
    }
    std::vector<std::uint64_t> holds = bits_;
    const trace::NameId* const names = lane_.names().data();
    const std::uint8_t* const wanted = test.names.data();
    if (test.time) {
      const Touching touched = touching(lane_, *test.time);
      const auto within = [&](std::size_t i) { return touched.first <= i && i < touched.last; };
      keep(holds, within);
    }
    if (!test.names.empty()) keep(holds, [&](std::size_t i) { return wanted[names[i]] != 0; });
    if (test.lengths) keep(holds, [&](std::size_t i) { return test.lengths->hasLength(lane_, i); });
    for (std::size_t word = 0; word < bits_.size(); ++word) bits_[word] &= test.hide ? ~holds[word] : holds[word];
  }

  std::uint64_t looked() const { return looked_; }

  /// Null: all of them.
  std::shared_ptr<const LanePart> part() {
    std::size_t count = 0;
    for (const std::uint64_t word : bits_) count += static_cast<std::size_t>(std::popcount(word));
    return count == lane_.size() ? nullptr : std::make_shared<const LanePart>(lane_, std::move(bits_));
  }

 private:
  template <class Holds>
  void keep(std::vector<std::uint64_t>& bits, Holds holds) {
    for (std::size_t word = 0; word < bits.size(); ++word) {
      if (word % kWordsBetweenChecks == 0 && job_.cancelled()) return;
      if (bits[word] == 0) continue;
      const std::size_t begin = word * kWord, end = std::min(begin + kWord, lane_.size());
      std::uint64_t held = 0;
      for (std::size_t i = begin; i < end; ++i) held |= std::uint64_t{holds(i)} << (i - begin);
      bits[word] &= held;
      looked_ += end - begin;
    }
  }

  const trace::Lane& lane_;
  const Job& job_;
  std::vector<std::uint64_t> bits_;
  std::uint64_t looked_ = 0;
};

std::string streamLabel(const trace::Stream& stream) {
  return stream.name.empty() ? fmt::format("stream {}", stream.stream) : fmt::format("stream {}", stream.name);
}

void addOwners(const Trace& trace, const LaneInfo& lane, std::vector<Condition>& conditions) {
  if (lane.stream != kNone) {
    const trace::Stream& stream = trace.streams[lane.stream];
    const trace::Gpu& gpu = trace.gpus[stream.gpu];
    conditions.push_back(
        {.what = Condition::Stream{trace.processes[gpu.process].globalPid, gpu.device, stream.context, stream.stream},
         .label = streamLabel(stream)});
  }
  if (lane.gpu != kNone) {
    const trace::Gpu& gpu = trace.gpus[lane.gpu];
    conditions.push_back({.what = Condition::Device{gpu.bus, gpu.device}, .label = fmt::format("GPU {}", gpu.device)});
  }
  if (lane.thread != kNone) {
    const trace::Thread& thread = trace.threads[lane.thread];
    conditions.push_back(
        {.what = Condition::Thread{thread.globalTid},
         .label = fmt::format("thread {}", thread.name.empty() ? fmt::to_string(thread.tid) : thread.name)});
  }
  if (lane.process != kNone) {
    const trace::Process& process = trace.processes[lane.process];
    conditions.push_back(
        {.what = Condition::Process{process.globalPid}, .label = fmt::format("process {}", process.pid)});
  }
}

}  // namespace

tl::expected<Condition, Query::Mistake> Condition::words(std::string_view text, bool regex, bool hide) {
  auto query = Query::parse(text, regex, Query::Case::kSmart);
  if (!query) return tl::unexpected(query.error());
  if (query->empty()) return tl::unexpected(Query::Mistake{0, text.size(), "nothing to filter by"});
  return Condition{.what = Words{std::string(text), regex, *std::move(query)},
                   .hide = hide,
                   .label = regex ? fmt::format("/{}/", text) : std::string(text)};
}

Condition Condition::time(trace::TimeRange range, bool hide) {
  return {.what = Time{range},
          .hide = hide,
          .label = fmt::format("{} from {}", formatDuration(range.length()), formatExact(range.begin))};
}

std::vector<Condition> conditionsOf(const Trace& trace, trace::EventRef event) {
  const trace::Name& name = (*trace.names)[trace.name(event)];
  std::vector<Condition> conditions;
  if (!name.text.empty())
    conditions.push_back({.what = Condition::Name{std::string(name.text)}, .label = std::string(name.label)});
  addOwners(trace, trace.info(event), conditions);
  return conditions;
}

std::vector<Condition> conditionsOf(const Trace& trace, std::uint32_t row) {
  const trace::Row& r = trace.rows[row];
  std::vector<Condition> conditions{{.what = Condition::Row{r.key}, .label = r.label}};
  // What all of its lanes have in common.
  std::vector<bool> isBelow(trace.lanes.size()), counters(trace.counters.size());
  addBelow(trace, row, isBelow, counters);
  std::optional<LaneInfo> common;
  for (LaneId lane = 0; lane < isBelow.size(); ++lane) {
    if (!isBelow[lane]) continue;
    const LaneInfo& info = trace.laneInfo[lane];
    if (!common) common = info;
    for (auto member : {&LaneInfo::stream, &LaneInfo::gpu, &LaneInfo::thread, &LaneInfo::process})
      if ((*common).*member != info.*member) (*common).*member = kNone;
  }
  if (common) addOwners(trace, *common, conditions);
  return conditions;
}

Passing::Passing(trace::TracePtr trace, Filter filter, const Job& job)
    : trace_(std::move(trace)), filter_(std::move(filter)), parts_(trace_->lanes.size()) {
  Testing testing(*trace_, job);
  std::vector<Test> tests;
  tests.reserve(filter_.size());
  for (const Condition& condition : filter_) tests.push_back(testing.of(condition));

  std::atomic<std::uint64_t> looked = 0;
  onThreads(parts_.size(), [&](std::size_t lane) {
    if (job.cancelled()) return;
    Bits bits(*trace_->lanes[lane], job);
    for (const Test& test : tests) bits.take(test, static_cast<LaneId>(lane));
    looked += bits.looked();
    parts_[lane] = bits.part();
  });
  looked_ = looked;

  for (LaneId lane = 0; lane < parts_.size(); ++lane)
    if (const auto kind = trace_->laneInfo[lane].kind;
        kind != trace::EventKind::kNvtxProjection && kind != trace::EventKind::kIdle)  // no events of the file
      events_ += of(*trace_, lane).count();

  const auto showsCounter = [&](std::uint32_t counter) {
    return std::all_of(tests.begin(), tests.end(),
                       [&](const Test& test) { return test.counters[counter] != test.hide; });
  };
  isShown_.assign(trace_->rows.size(), false);
  for (std::size_t row = isShown_.size(); row-- > 0;) {  // parents stand before their children
    const trace::Row& r = trace_->rows[row];
    isShown_[row] =
        isShown_[row] || std::any_of(r.counters.begin(), r.counters.end(), showsCounter) ||
        std::any_of(r.lanes.begin(), r.lanes.end(), [&](LaneId lane) { return !of(*trace_, lane).empty(); });
    if (isShown_[row] && r.parent != kNone) isShown_[r.parent] = true;
  }
}

}  // namespace lanescope::analysis
