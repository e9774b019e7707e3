// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/idle_causes.h"

#include <algorithm>
#include <array>
#include <map>

#include "model/analysis/device_window.h"
#include "model/analysis/host_activity.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::Ns;
using trace::TimeRange;

namespace {

struct CauseWords {
  std::string_view name, advice;
};
constexpr std::array<CauseWords, kIdleCauses> kWords{{
    {"host in a synchronization call",
     "synchronize less often: order work by streams and events, and read results back later"},
    {"host in a blocking copy", "copy with cudaMemcpyAsync from pinned memory, on a stream of its own"},
    {"launching slower than the GPU consumes", "fuse small kernels or replay them as a CUDA graph"},
    {"host busy in other code or calls", "move this work off the launching thread, or launch further ahead"},
    {"waiting for data loading", "load ahead: more workers, prefetching, pinned buffers"},
    {"waiting for another stream's event", "see whether the streams have to wait for each other here"},
    {"waiting for a peer in a collective", "look at the rank that comes last"},
    {"profiler overhead", "not the program's: record less, or look at another part"},
    {"no work submitted", "nothing was launched any more"},
    {"queued: the GPU's own pause between works", "larger kernels, or a CUDA graph, leave fewer of these"},
    {"unknown", "nothing recorded tells: record CUDA calls too, and see whether another program used the GPU"},
    {"too short to be looked at", "a CUDA graph makes these shorter"},
}};

/// A GPU's own pause between two works is some microseconds (on an H100 1.3, at most 10 in golden recordings).
constexpr Ns kOwnPause = 50'000;

constexpr std::array kCalls{EventKind::kCudaApi};

class Causes {
 public:
  explicit Causes(const ReportInput& input) : input_(input), trace_(input.trace), host_(input) { findWaits(); }

  DeviceIdle of(const DeviceWindow& device, Ns least) {
    DeviceIdle idle{device.label, device.gpus, device.window, 0, {}, 0, 0, false};
    lastLaunch_.clear();
    lastThread_ = trace::kNone;
    Ns covered = device.window.begin;
    const auto gapUntil = [&](Ns end, std::optional<EventRef> next) {
      const TimeRange gap{covered, std::min(end, device.window.end)};
      if (gap.empty()) return;
      idle.idle += gap.length();
      if (gap.length() <= least) {
        ++idle.shortGaps;
        idle.shortIdle += gap.length();
      } else {
        idle.gaps.push_back(judge(gap, next));
      }
    };
    for (const EventRef work : input_.byStart(device.lanes)) {
      const TimeRange time = trace_.time(work);
      gapUntil(time.begin, work);
      covered = std::max(covered, std::min(time.end, device.window.end));
      if (const auto launch = input_.launchOf(work)) {
        lastLaunch_[trace_.info(work).stream] = trace_.time(*launch).begin;
        lastThread_ = trace_.info(*launch).thread;
      }
      if (input_.job.cancelled()) break;
    }
    gapUntil(device.window.end, std::nullopt);
    idle.cut = host_.exhausted();
    return idle;
  }

 private:
  /// Calls that let a stream wait for an event, by stream where the report says which, else by thread.
  void findWaits() {
    const TableValues syncs(input_, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {"contextId", "streamId"});
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> streams;
    for (std::uint32_t i = 0; i < trace_.streams.size(); ++i) {
      const trace::Stream& stream = trace_.streams[i];
      streams.emplace(std::tuple(trace_.gpus[stream.gpu].process, stream.context, stream.stream), i);
    }
    for (const EventRef call : input_.byStart(input_.lanes(kCalls))) {
      if (host_.calls().kindOf(call) != CallKind::kStreamWait) continue;
      std::optional<std::int64_t> context, stream;
      for (const trace::EventId id : trace_.partners(call)) {
        const EventRef sync = trace_.ref(id);
        context = syncs.at(sync, 0);
        stream = syncs.at(sync, 1);
      }
      const auto& info = trace_.info(call);
      if (!context || !stream) {
        waitsOfThread_[info.thread].push_back(call);
      } else if (const auto found = streams.find(std::tuple(info.process, *context, *stream)); found != streams.end()) {
        waitsOfStream_[found->second].push_back(call);
      }
    }
  }

  /// The last wait in a list after `from` and before `to`.
  std::optional<EventRef> waitBetween(const std::vector<EventRef>& waits, Ns from, Ns to) const {
    const auto after = std::lower_bound(waits.begin(), waits.end(), to,
                                        [&](EventRef wait, Ns time) { return trace_.time(wait).begin < time; });
    if (after == waits.begin() || trace_.time(*(after - 1)).begin <= from) return std::nullopt;
    return *(after - 1);
  }

  std::optional<EventRef> waitBefore(EventRef work, EventRef launch) const {
    const std::uint32_t stream = trace_.info(work).stream, thread = trace_.info(launch).thread;
    const auto last = lastLaunch_.find(stream);
    const Ns from = last == lastLaunch_.end() ? trace::kMinTime : last->second, to = trace_.time(launch).begin;
    if (const auto known = waitsOfStream_.find(stream); known != waitsOfStream_.end())
      if (const auto wait = waitBetween(known->second, from, to)) return wait;
    const auto known = waitsOfThread_.find(thread);
    return known == waitsOfThread_.end() ? std::nullopt : waitBetween(known->second, from, to);
  }

  IdleGap judge(TimeRange gap, std::optional<EventRef> next) {
    IdleGap judged{gap, IdleCause::kUnknown, {}, trace::kNone, next};
    if (!next) {
      judged.cause = IdleCause::kNoWork;
      return judged;
    }
    const auto launch = input_.launchOf(*next);
    if (!launch) {
      judged.thread = lastThread_;
      if (judged.thread == trace::kNone) return judged;
      byHost(judged, gap.end);
      if (judged.cause == IdleCause::kLaunching) judged.cause = IdleCause::kUnknown, judged.culprit.reset();
      return judged;
    }
    judged.thread = trace_.info(*launch).thread;
    const TimeRange call = trace_.time(*launch);
    if (call.begin > gap.begin) {
      byHost(judged, std::min(call.begin, gap.end), launch);
      return judged;
    }
    const auto isMost = [&](Ns part) { return part > gap.length() / 2; };
    if (const auto wait = waitBefore(*next, *launch)) {
      judged.cause = IdleCause::kEventWait;
      judged.culprit = wait;
    } else if (isMost(std::min(call.end, gap.end) - gap.begin)) {
      judged.cause = host_.calls().blocksForMemory(*launch) ? IdleCause::kBlockingCopy : IdleCause::kLaunching;
      judged.culprit = launch;
    } else if (const HostTime::Part profiler = host_.overhead(judged.thread, gap); isMost(profiler.time)) {
      judged.cause = IdleCause::kOverhead;
      judged.culprit = profiler.longest;
    } else if (gap.length() <= kOwnPause) {
      judged.cause = IdleCause::kQueued;
    }
    return judged;
  }

  /// By what the gap's thread did until `called`.
  void byHost(IdleGap& judged, Ns called, std::optional<EventRef> launch = {}) {
    const TimeRange gap = judged.time;
    HostTime time = host_.during(judged.thread, {gap.begin, called});
    if (host_.exhausted()) return;
    time.add(HostDoing::kLaunching, gap.end - called, launch);
    if (const auto blocked = host_.blockedAt(judged.thread, gap.begin)) {
      const HostDoing drained = host_.calls().kindOf(*blocked) == CallKind::kSynchronization
                                    ? HostDoing::kSynchronization
                                    : HostDoing::kBlockingCopy;
      HostTime::Part& part = time[drained];
      for (const HostDoing other : {HostDoing::kSynchronization, HostDoing::kBlockingCopy, HostDoing::kLaunching})
        if (other != drained) part.time += time[other].time, time[other] = {};
      part.longest = blocked;
    }
    if (launch && time[HostDoing::kLaunching].time > 0) time[HostDoing::kLaunching].longest = launch;
    const auto most = std::max_element(time.parts.begin(), time.parts.end(),
                                       [](const auto& a, const auto& b) { return a.time < b.time; });
    constexpr IdleCause kCauseOf[kHostDoings] = {
        IdleCause::kSynchronization, IdleCause::kBlockingCopy, IdleCause::kLaunching, IdleCause::kHostCode,
        IdleCause::kDataLoading,     IdleCause::kPeer,         IdleCause::kOverhead};
    judged.cause = kCauseOf[most - time.parts.begin()];
    judged.culprit = most->longest;
  }

  const ReportInput& input_;
  const trace::Trace& trace_;
  HostActivity host_;
  std::unordered_map<std::uint32_t, std::vector<EventRef>> waitsOfStream_, waitsOfThread_;
  std::unordered_map<std::uint32_t, Ns> lastLaunch_;  // by stream, when its last work was launched
  std::uint32_t lastThread_ = trace::kNone;
};

}  // namespace

std::string_view nameOf(IdleCause cause) { return kWords[static_cast<std::size_t>(cause)].name; }
std::string_view adviceOn(IdleCause cause) { return kWords[static_cast<std::size_t>(cause)].advice; }

const std::string_view kIdleAlgorithm =
    "A gap is a time in which no kernel, copy, memset or graph ran on a GPU; it has one cause. Work whose launch call "
    "began before the gap was queued: if its stream had been told to wait for an event, that is the cause; else the "
    "call or the profiler, where one took more than half of the gap; else up to 50 us are the GPU's own pause, and "
    "more "
    "is unknown. If the call began "
    "inside the gap, the cause is what the calling thread did most until then: outermost CUDA calls count as what they "
    "are, pauses of up to 20 us between them as launching, longer pauses as the profiler, MPI or NCCL, data loading "
    "(a reading OS call, or an NVTX range that says so) where one fills more than half, else as host code, named by "
    "the innermost NVTX range. A thread that was in a synchronization or blocking copy when the GPU fell idle had "
    "drained the queue: launching then counts for that. All parts add up to the idle time.";

std::vector<DeviceIdle> idleCauses(const ReportInput& input, Ns least) {
  const Scope everything;  // what ends a gap may lie behind the scope
  const ReportInput all{input.trace, input.file, everything, input.arguments, input.job};
  Causes causes(all);
  std::vector<DeviceIdle> found;
  for (const DeviceWindow& device : deviceWindows(input.trace, input.scope, input.job))
    found.push_back(causes.of(device, least));
  return found;
}

}  // namespace lanescope::analysis
