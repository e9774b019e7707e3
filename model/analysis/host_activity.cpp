// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/host_activity.h"
#include "model/analysis/intervals.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;
using trace::TimeRange;

namespace {

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return lower;
}

/// Calls of the OS that read from a file or a socket.
constexpr std::string_view kReads[] = {"read",  "pread",    "pread64", "readv",   "preadv", "fread",
                                       "fgets", "recvfrom", "recv",    "recvmsg", "getline"};

/// What ranges around the loading of data are called: PyTorch's "enumerate(DataLoader)", and what people write.
constexpr std::string_view kDataRanges[] = {"dataload",  "data load",  "data_load",  "load data",  "load_data",
                                            "next_data", "load batch", "load_batch", "next batch", "next_batch",
                                            "get_batch", "fetch_data", "fetch_batch"};

/// What CUPTI reports as overhead though the program has it unprofiled too: CUDA loads or compiles code (as we and Nsight
/// Systems name it, and as Kineto does), or launches wait for room.
constexpr std::string_view kLoadingNames[] = {"module loading", "function loading", "jit", "driver compiler"};
constexpr std::string_view kPressureName = "command buffer full";

bool isMore(Ns part, Ns whole) { return part > whole / 2; }

}  // namespace

void HostTime::add(HostDoing doing, Ns time, std::optional<EventRef> event, Ns eventTime) {
  Part& part = (*this)[doing];
  part.time += time;
  if (event && eventTime > part.longestTime) {
    part.longest = event;
    part.longestTime = eventTime;
  }
}

HostActivity::HostActivity(const ReportInput& input)
    : trace_(input.trace),
      calls_(input),
      story_(input.file.database(), input.trace),
      threads_(trace_.threads.size()),
      processOverhead_(trace_.processes.size()) {
  for (LaneId id = 0; id < trace_.laneInfo.size(); ++id) {
    const trace::LaneInfo& info = trace_.laneInfo[id];
    if (info.kind == EventKind::kOverhead && info.thread == trace::kNone && info.process != trace::kNone)
      processOverhead_[info.process].push_back(id);
    if (info.thread == trace::kNone) continue;
    Thread& thread = threads_[info.thread];
    switch (info.kind) {
      case EventKind::kCudaApi:
        thread.calls.push_back(id);
        break;
      case EventKind::kNvtxRange:
        thread.ranges.push_back(id);
        break;
      case EventKind::kOsRuntime:
        thread.osRuntime.push_back(id);
        break;
      case EventKind::kLibraryCall:
        if (trace_.tables[info.table].starts_with("MPI_")) thread.peers.push_back(id);
        else thread.libraries.push_back(id);
        break;
      case EventKind::kOverhead:
        thread.overhead.push_back(id);
        break;
      default:
        break;
    }
  }
}

HostTime HostActivity::during(std::uint32_t thread, TimeRange range) {
  HostTime time;
  if (range.empty()) return time;
  struct Call {
    TimeRange time;
    EventRef event;
  };
  std::vector<Call> found;
  for (const LaneId id : threads_[thread].calls) {
    const trace::Lane& lane = *trace_.lanes[id];
    for (std::size_t i = lane.firstTouching(range.begin); i < lane.size() && lane.start(i) < range.end; ++i) {
      if (++steps_ >= kMostSteps) break;
      found.push_back({{lane.start(i), lane.end(i)}, {id, static_cast<std::uint32_t>(i)}});
    }
  }
  std::sort(found.begin(), found.end(), [](const Call& a, const Call& b) {
    return a.time.begin != b.time.begin ? a.time.begin < b.time.begin : a.time.end > b.time.end;
  });
  Ns covered = range.begin;
  for (const Call& call : found) {
    const TimeRange part = common(call.time, {covered, range.end});
    if (part.empty()) continue;
    addPause(thread, {covered, part.begin}, time);
    addCall(call.event, part, thread, time);
    covered = part.end;
  }
  addPause(thread, {covered, range.end}, time);
  return time;
}

void HostActivity::addCall(EventRef call, TimeRange part, std::uint32_t thread, HostTime& time) {
  const auto add = [&](HostDoing doing, Ns length) { time.add(doing, length, call, length); };
  if (calls_.kindOf(call) == CallKind::kSynchronization) return add(HostDoing::kSynchronization, part.length());
  if (calls_.blocksForMemory(call)) return add(HostDoing::kBlockingCopy, part.length());
  if (part.length() <= kDispatch) return add(HostDoing::kLaunching, part.length());
  const Ns own = part.length() - addOwnTimes(thread, part, time);
  if (calls_.kindOf(call) == CallKind::kLoading) return add(HostDoing::kLoading, own);
  const auto partners = trace_.partners(call);
  const bool launched = !partners.empty() && trace::isGpuWork(trace_.info(trace_.ref(partners.front())).kind);
  add(launched ? HostDoing::kLaunching : HostDoing::kHostCode, own);
}

/// What the profiler took of the range, and CUDA to load code: how much that was.
Ns HostActivity::addOwnTimes(std::uint32_t thread, TimeRange range, HostTime& time) {
  const HostTime::Part profiler = overhead(thread, range);
  time.add(HostDoing::kOverhead, profiler.time, profiler.longest, profiler.longestTime);
  const HostTime::Part loading = ownTime(thread, range, &HostActivity::loadsCode);
  const Ns loadingTime = std::min(loading.time, range.length() - profiler.time);  // one may lie in the other
  time.add(HostDoing::kLoading, loadingTime, loading.longest, loading.longestTime);
  return profiler.time + loadingTime;
}

void HostActivity::addPause(std::uint32_t index, TimeRange pause, HostTime& time) {
  if (pause.empty()) return;
  const auto launches = [&](Ns length) { time.add(HostDoing::kLaunching, length, {}, 0); };
  if (pause.length() <= kDispatch) return launches(pause.length());
  const Ns length = pause.length() - addOwnTimes(index, pause, time);
  if (length <= kDispatch) return launches(length);
  Thread& thread = threads_[index];
  const auto take = [&](HostDoing doing, const HostTime::Part& part) {
    if (!isMore(part.time, length)) return false;
    time.add(doing, length, part.longest, part.longestTime);
    return true;
  };
  if (take(HostDoing::kPeer, covering(thread.peers, pause, &HostActivity::any)) ||
      take(HostDoing::kPeer, covering(thread.ranges, pause, &HostActivity::waitsForPeers)) ||
      take(HostDoing::kDataLoading, covering(thread.ranges, pause, &HostActivity::loadsData)) ||
      take(HostDoing::kDataLoading, covering(thread.osRuntime, pause, &HostActivity::loadsData)))
    return;
  HostTime::Part os = covering(thread.osRuntime, pause, &HostActivity::any);
  if (!isMore(os.time, length)) os = {};
  const auto python = story_.place(index, pause, os.longest);
  const bool loads = python && python->loadsData;
  const HostDoing doing = loads ? HostDoing::kDataLoading : HostDoing::kHostCode;
  auto range = innermostRange(index, pause);
  if (const auto call = libraryCall(index, pause);
      call && (!range || trace_.time(*call).begin >= trace_.time(*range).begin))
    range = call;
  if (range && !(loads && os.longest))
    return time.add(doing, length, range, common(trace_.time(*range), pause).length());
  time.add(doing, length, os.longest, os.longestTime);
}

/// Time of the range in wanted events, lane by lane: where they nest, the lane that covers most counts.
HostTime::Part HostActivity::covering(const Lanes& lanes, TimeRange range, bool (HostActivity::*wanted)(EventRef)) {
  HostTime::Part most;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *trace_.lanes[id];
    HostTime::Part part;
    for (std::size_t i = lane.firstTouching(range.begin); i < lane.size() && lane.start(i) < range.end; ++i) {
      if (++steps_ >= kMostSteps) break;
      const EventRef event{id, static_cast<std::uint32_t>(i)};
      const Ns inside = common({lane.start(i), lane.end(i)}, range).length();
      if (inside <= 0 || !(this->*wanted)(event)) continue;
      part.time += inside;
      if (inside > part.longestTime) part.longest = event, part.longestTime = inside;
    }
    if (part.time > most.time) most = part;
  }
  return most;
}

HostTime::Part HostActivity::ownTime(std::uint32_t thread, TimeRange range, bool (HostActivity::*wanted)(EventRef)) {
  HostTime::Part own = covering(threads_[thread].overhead, range, wanted);
  const HostTime::Part all = covering(processOverhead_[trace_.threads[thread].process], range, wanted);
  return own.time >= all.time ? own : all;
}

HostActivity::Whose HostActivity::whose(EventRef overhead) {
  const auto [known, isNew] = overheadNames_.try_emplace(trace_.name(overhead), Whose::kProfilers);
  if (isNew) {
    const std::string name = lowerCase((*trace_.names)[trace_.name(overhead)].text);
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    if (std::ranges::any_of(kLoadingNames, has)) known->second = Whose::kLoading;
    if (has(kPressureName)) known->second = Whose::kPressure;
  }
  return known->second;
}

bool HostActivity::isProfilers(EventRef overhead) { return whose(overhead) == Whose::kProfilers; }
bool HostActivity::loadsCode(EventRef overhead) { return whose(overhead) == Whose::kLoading; }

std::optional<EventRef> HostActivity::blockedAt(std::uint32_t thread, Ns time) {
  for (const LaneId id : threads_[thread].calls) {  // outermost first
    const auto at = trace_.lanes[id]->at(time);
    if (!at) continue;
    const EventRef call{id, static_cast<std::uint32_t>(*at)};
    if (calls_.kindOf(call) == CallKind::kSynchronization || calls_.blocksForMemory(call)) return call;
  }
  return std::nullopt;
}

std::optional<EventRef> HostActivity::innermostRange(std::uint32_t thread, TimeRange most) const {
  return innermostOf(threads_[thread].ranges, most);
}

std::optional<EventRef> HostActivity::libraryCall(std::uint32_t thread, TimeRange most) const {
  return innermostOf(threads_[thread].libraries, most);
}

std::optional<EventRef> HostActivity::innermostOf(std::span<const LaneId> lanes, TimeRange most) const {
  std::optional<EventRef> innermost;
  Ns begin = trace::kMinTime;
  for (const LaneId id : lanes)
    if (const auto at = trace_.lanes[id]->at(most.begin + most.length() / 2);
        at && trace_.lanes[id]->start(*at) >= begin &&
        isMore(common({trace_.lanes[id]->start(*at), trace_.lanes[id]->end(*at)}, most).length(), most.length())) {
      innermost = EventRef{id, static_cast<std::uint32_t>(*at)};
      begin = trace_.lanes[id]->start(*at);
    }
  return innermost;
}

bool HostActivity::waitsForPeers(EventRef range) {
  const std::string& domain = trace_.domains[trace_.info(range).domain].name;
  return domain == "NCCL" || domain == "MPI";
}

bool HostActivity::loadsData(EventRef event) {
  const auto [known, isNew] = dataNames_.try_emplace(trace_.name(event));
  if (isNew) {
    const std::string name = lowerCase((*trace_.names)[trace_.name(event)].text);
    known->second = trace_.info(event).kind == EventKind::kOsRuntime
                        ? std::find(std::begin(kReads), std::end(kReads), name) != std::end(kReads)
                        : std::any_of(std::begin(kDataRanges), std::end(kDataRanges),
                                      [&](std::string_view part) { return name.find(part) != std::string::npos; });
  }
  return known->second;
}

}  // namespace lanescope::analysis
