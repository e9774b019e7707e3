// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "model/analysis/checks.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::Ns;
using trace::TimeRange;

namespace {

/// Calls of one sort on one thread.
struct Waiting {
  Intervals time;
  std::uint64_t calls = 0;
  std::map<std::string_view, std::pair<Ns, std::uint64_t>> byName;
  Ns lastEnd = 0;
  std::optional<EventRef> longest;
  Ns longestTime = 0;

  /// In order of start. A call inside another of the sort is the same waiting told twice.
  void add(EventRef call, TimeRange part, std::string_view name) {
    if (calls > 0 && part.end <= lastEnd) return;
    lastEnd = part.end;
    time.add(part);
    ++calls;
    auto& [sum, count] = byName[name];
    sum += part.length();
    ++count;
    if (part.length() >= longestTime) longest = call, longestTime = part.length();
  }
  /// "cudaStreamSynchronize (64 calls, 12.05 ms)", of the three that took most.
  std::string names() const {
    std::vector<std::pair<std::string_view, std::pair<Ns, std::uint64_t>>> order(byName.begin(), byName.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
    std::string text;
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(kShown, order.size()); ++i)
      text += fmt::format("{}{} ({}, {})", i == 0 ? "" : ", ", order[i].first, counted(order[i].second.second, "call"),
                          formatDuration(order[i].second.first));
    return text + (order.size() > kShown ? ", …" : "");
  }
};

struct Host {
  bool launches = false;
  Waiting synchronization, pageable, synchronous;
};

bool launchesWork(const trace::Trace& trace, EventRef call) {
  const auto partners = trace.partners(call);
  return !partners.empty() && trace::isGpuWork(trace.info(trace.ref(partners.front())).kind);
}

std::map<std::uint32_t, Host> hosts(const ReportInput& input, TimeRange wall) {
  const trace::Trace& trace = input.trace;
  HostCalls calls(input);
  std::map<std::uint32_t, Host> hosts;
  std::vector<EventRef> found;
  for (const trace::LaneId id : input.lanes(std::array{EventKind::kCudaApi})) {
    Host& host = hosts[trace.laneInfo[id].thread];
    const trace::Lane& lane = *trace.lanes[id];
    for (std::size_t i = 0; i < lane.size() && !host.launches; ++i)  // also before that time
      host.launches = launchesWork(trace, {id, static_cast<std::uint32_t>(i)});
    const auto [first, last] = touching(lane, wall);
    for (std::size_t i = first; i < last; ++i) {
      const EventRef call{id, static_cast<std::uint32_t>(i)};
      if (calls.kindOf(call) == CallKind::kSynchronization || calls.blocksForMemory(call)) found.push_back(call);
    }
  }
  const auto order = [&](EventRef call) { return std::pair(trace.time(call).begin, -trace.time(call).end); };
  std::ranges::stable_sort(found, {}, order);  // what is around others before them
  for (const EventRef call : found) {
    Host& host = hosts[trace.info(call).thread];
    const TimeRange time = trace.time(call), part{std::max(time.begin, wall.begin), std::min(time.end, wall.end)};
    const CallKind kind = calls.kindOf(call);
    Waiting& waiting = kind == CallKind::kSynchronization ? host.synchronization
                       : kind == CallKind::kCopy          ? host.synchronous
                                                          : host.pageable;
    waiting.add(call, part, withoutApiVersion((*trace.names)[trace.name(call)]));
  }
  for (auto& [thread, host] : hosts)
    for (Waiting* each : {&host.synchronization, &host.pageable, &host.synchronous}) each->time.finish();
  return hosts;
}

std::string threadName(const trace::Trace& trace, std::uint32_t thread) {
  const trace::Thread& of = trace.threads[thread];
  return of.name.empty() ? fmt::format("thread {}", of.tid) : fmt::format("thread {} {}", of.tid, of.name);
}

/// A line on the thread that has most of one sort of calls; nothing if none has any.
std::optional<Check> most(const Checking& all, std::map<std::uint32_t, Host>& hosts, const char* id,
                          Waiting Host::* which) {
  const Waiting* worst = nullptr;
  std::uint32_t thread = 0;
  for (auto& [each, host] : hosts) {
    // One that launches nothing may wait as long as it likes.
    const Waiting& waiting = host.*which;
    if (waiting.calls > 0 && host.launches && (!worst || waiting.time.total() > worst->time.total()))
      worst = &waiting, thread = each;
  }
  if (!worst) return std::nullopt;
  const trace::Trace& trace = all.input.trace;
  const Ns wall = all.wall().length();
  Check check = judged(id, threadName(trace, thread), percentOf(worst->time.total(), wall));
  check.evidence =
      fmt::format("{} of {}: {}; longest {} at {}", formatDuration(worst->time.total()), windowText(all, wall),
                  worst->names(), formatDuration(worst->longestTime), atTime(trace.time(*worst->longest).begin));
  check.where.push_back({trace.time(*worst->longest), worst->longest});
  return check;
}

}  // namespace

void checkHost(const Checking& all, Checks& checks) {
  constexpr const char* kIds[] = {"host_sync", "pageable_copies", "sync_copies"};
  if (all.input.lanes(std::array{EventKind::kCudaApi}).empty()) {
    for (const char* id : kIds) checks.push_back(without(id, Verdict::kNotRecorded, "CUDA calls were not recorded"));
    return;
  }
  auto hosts = analysis::hosts(all.input, all.wall());
  if (auto sync = most(all, hosts, "host_sync", &Host::synchronization)) {
    Ns idle = 0, available = 0;
    for (const DeviceIdle& each : all.idle) {
      idle += idleBy(each, IdleCause::kSynchronization);
      available += each.window.length();
    }
    constexpr double kHarmless = 1;  // per cent of the GPUs' time
    if (sync->verdict == Verdict::kImprove && percentOf(idle, available) < kHarmless) {
      sync->verdict = Verdict::kNote;
      sync->advice = fmt::format("the GPU had work meanwhile: all waiting left it idle for {} ({})",
                                 formatDuration(idle), formatShare(idle, available));
    } else if (sync->verdict == Verdict::kImprove) {
      sync->advice = fmt::format(
          "it leaves the GPU idle for {} ({}): order work by streams and events instead of "
          "waiting, and read results back later",
          formatDuration(idle), formatShare(idle, available));
    }
    checks.push_back(std::move(*sync));
  } else {
    checks.push_back(without("host_sync", Verdict::kNone, "no thread that launches work synchronizes"));
  }
  const auto copies = [&](const char* id, Waiting Host::* which, const char* none, const char* advice) {
    auto check = most(all, hosts, id, which);
    if (check && check->verdict == Verdict::kImprove) check->advice = advice;
    checks.push_back(check ? std::move(*check) : without(id, Verdict::kNone, none));
  };
  copies("pageable_copies", &Host::pageable, "no asynchronous copy from or to pageable memory",
         "allocate with cudaMallocHost or pin with cudaHostRegister (pin_memory=True): these copies block the host and "
         "take twice the way");
  copies("sync_copies", &Host::synchronous, "no synchronous copy",
         "use cudaMemcpyAsync from pinned memory on a stream of its own");
}

}  // namespace lanescope::analysis
