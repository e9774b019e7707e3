// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/idle_causes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/analysis/device_window.h"
#include "model/analysis/host_activity.h"
#include "model/analysis/intervals.h"

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
    {"in or between CUDA graphs", "fewer and larger nodes, and more work in each graph, leave fewer of these"},
    {"unified memory being migrated",
     "move it ahead in large pieces with cudaMemPrefetchAsync, or keep it where it is used by cudaMemAdvise"},
    {"loading code",
     "launch each kernel once before it matters, or load all code at the start: CUDA_MODULE_LOADING=EAGER; what is "
     "built for this GPU needs no compiling"},
    {"unknown", "nothing recorded tells: record CUDA calls too, and see whether another program used the GPU"},
    {"too short to be looked at", "a CUDA graph makes these shorter"},
}};

/// A GPU's own pause between two works is some microseconds (on an H100 1.3, at most 10 in golden recordings).
constexpr Ns kOwnPause = 50'000;

/// A gap that is short by itself, whatever is not looked at.
constexpr Ns kShortest = 1000;

constexpr std::array kCalls{EventKind::kCudaApi};

class Causes {
 public:
  explicit Causes(const ReportInput& input) : input_(input), trace_(input.trace), host_(input) { findWaits(); }

  DeviceIdle of(const DeviceWindow& device, Ns least) {
    DeviceIdle idle;
    idle.device = device.label;
    idle.gpus = device.gpus;
    idle.window = device.window;
    lastLaunch_.clear();
    launched_.clear();
    std::optional<EventRef> last;  // the work that ended last
    lastThread_ = trace::kNone;
    Ns covered = device.window.begin;
    const auto gapUntil = [&](Ns end, std::optional<EventRef> next) {
      const TimeRange gap{covered, std::min(end, device.window.end)};
      if (gap.empty()) return;
      idle.idle += gap.length();
      if (gap.length() <= least) {
        ++idle.shortGaps;
        idle.shortIdle += gap.length();
        if (gap.length() > kGraphPause && gap.length() <= kShortest && next && !between(last, *next)) {
          ++idle.launchGaps;
          idle.launchIdle += gap.length();
        }
      } else {
        idle.gaps.push_back(judge(gap, next));
        refine(idle.gaps.back(), last);
        tell(idle.gaps.back());
      }
    };
    for (const EventRef work : input_.byStart(device.lanes)) {
      const TimeRange time = trace_.time(work);
      gapUntil(time.begin, work);
      if (time.end >= covered) last = work;
      covered = std::max(covered, std::min(time.end, device.window.end));
      if (trace_.info(work).kind == EventKind::kKernel) launched_.emplace(trace_.info(work).process, trace_.name(work));
      if (const auto launch = input_.launchOf(work)) {
        lastLaunch_[trace_.info(work).stream] = trace_.time(*launch).begin;
        lastThread_ = trace_.info(*launch).thread;
      }
      if (input_.job.cancelled()) break;
    }
    gapUntil(device.window.end, std::nullopt);
    idle.cut = host_.exhausted();
    idle.clocksApart =
        std::ranges::find(trace_.issues, "import-clocks-apart", &trace::Issue::kind) != trace_.issues.end();
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

  /// How long work lay in its queue though its launch had returned; not what any launch takes to get to a GPU.
  static Ns queuedFor(TimeRange gap, TimeRange call) {
    const Ns queued = gap.end - std::clamp(call.end, gap.begin, gap.end);
    return queued > kOwnPause ? queued : 0;
  }

  IdleGap judge(TimeRange gap, std::optional<EventRef> next) {
    IdleGap judged{gap, IdleCause::kUnknown, {}, {}, trace::kNone, next};
    if (!next) {
      judged.cause = IdleCause::kNoWork;
      return judged;
    }
    const auto launch = input_.launchOf(*next);
    if (!launch) {
      judged.thread = lastThread_;
      if (judged.thread == trace::kNone) return judged;
      byHost(judged, gap.end);
      if (judged.cause == IdleCause::kLaunching)
        judged.cause = IdleCause::kUnknown, judged.culprit.reset(), judged.longest.reset();
      return judged;
    }
    judged.thread = trace_.info(*launch).thread;
    const TimeRange call = trace_.time(*launch);
    if (call.begin > gap.begin) {
      if (const Ns queued = queuedFor(gap, call); queued <= gap.length() / 2)
        byHost(judged, std::min(call.begin, gap.end), launch, queued);
      else if (const auto wait = waitBefore(*next, *launch))
        judged.cause = IdleCause::kEventWait, judged.culprit = wait;
      else if (const HostTime::Part profiler = host_.overhead(judged.thread, gap); profiler.time > gap.length() / 2)
        judged.cause = IdleCause::kOverhead, judged.culprit = profiler.longest;
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

  /// What two works that follow each other are, if they are not launched one by one.
  std::optional<IdleCause> between(std::optional<EventRef> last, EventRef next) {
    if (isMigration(trace_.info(next)) || (last && isMigration(trace_.info(*last)))) return IdleCause::kMigration;
    if (trace_.info(next).kind == EventKind::kGraphLaunch) return IdleCause::kGraph;
    const auto launch = input_.launchOf(next);
    if (!launch) return std::nullopt;
    const auto [known, isNew] = launchesGraphs_.try_emplace(trace_.name(*launch));
    if (isNew) known->second = (*trace_.names)[trace_.name(*launch)].text.find("GraphLaunch") != std::string::npos;
    return known->second ? std::optional(IdleCause::kGraph) : std::nullopt;
  }

  /// Tells apart what would else be launching one by one.
  void refine(IdleGap& gap, std::optional<EventRef> last) {
    if (!gap.next || host_.exhausted()) return;
    if (gap.cause != IdleCause::kLaunching && gap.cause != IdleCause::kQueued && gap.cause != IdleCause::kUnknown)
      return;
    if (const auto cause = between(last, *gap.next)) {
      gap.cause = *cause;
      return;
    }
    const auto launch = input_.launchOf(*gap.next);
    const auto& info = trace_.info(*gap.next);
    if (!launch || info.kind != EventKind::kKernel || launched_.contains({info.process, trace_.name(*gap.next)}))
      return;
    const TimeRange call = trace_.time(*launch);
    const Ns inside = std::min(call.end, gap.time.end) - std::max(call.begin, gap.time.begin);
    if (inside > kOwnPause && inside > gap.time.length() / 2) {
      gap.cause = IdleCause::kLoading;
      gap.culprit = launch;
      gap.longest.reset();
    }
  }

  /// Says where the host was, of causes that are its own.
  void tell(IdleGap& gap) {
    constexpr std::array kOfHost{IdleCause::kSynchronization, IdleCause::kBlockingCopy, IdleCause::kHostCode,
                                 IdleCause::kDataLoading,     IdleCause::kPeer,         IdleCause::kUnknown};
    if (gap.thread == trace::kNone || std::ranges::find(kOfHost, gap.cause) == kOfHost.end()) return;
    gap.host = host_.story().of(gap.thread, gap.time, gap.culprit ? gap.culprit : gap.longest);
    if (gap.host.empty() && (gap.cause == IdleCause::kHostCode || gap.cause == IdleCause::kUnknown))
      gap.host = host_.story().function(gap.thread, gap.time);
  }

  /// By what the gap's thread did until `called`; of what is left of the gap all but `queued` is the launch's.
  void byHost(IdleGap& judged, Ns called, std::optional<EventRef> launch = {}, Ns queued = 0) {
    const TimeRange gap = judged.time;
    HostTime time = host_.during(judged.thread, {gap.begin, called});
    if (host_.exhausted()) return;
    const Ns ofLaunch = gap.end - queued - called;
    time.add(HostDoing::kLaunching, ofLaunch, launch, ofLaunch);
    if (const auto blocked = host_.blockedAt(judged.thread, gap.begin)) {
      const HostDoing drained = host_.calls().kindOf(*blocked) == CallKind::kSynchronization
                                    ? HostDoing::kSynchronization
                                    : HostDoing::kBlockingCopy;
      HostTime::Part& part = time[drained];
      for (const HostDoing other : {HostDoing::kSynchronization, HostDoing::kBlockingCopy, HostDoing::kLaunching})
        if (other != drained) part.time += time[other].time, time[other] = {};
      part.longest = blocked;
      part.longestTime = gap.length();
    }
    if (HostTime::Part& launching = time[HostDoing::kLaunching]; launch && launching.time > 0)
      launching.longest = launch, launching.longestTime = gap.length();
    const auto most = std::max_element(time.parts.begin(), time.parts.end(),
                                       [](const auto& a, const auto& b) { return a.time < b.time; });
    constexpr IdleCause kCauseOf[kHostDoings] = {
        IdleCause::kSynchronization, IdleCause::kBlockingCopy, IdleCause::kLaunching, IdleCause::kHostCode,
        IdleCause::kDataLoading,     IdleCause::kPeer,         IdleCause::kOverhead,  IdleCause::kLoading};
    judged.cause = kCauseOf[most - time.parts.begin()];
    (most->longestTime > gap.length() / 2 ? judged.culprit : judged.longest) = most->longest;
    if (judged.cause != IdleCause::kHostCode || judged.culprit) return;
    judged.culprit = host_.libraryCall(judged.thread, gap);  // with all the short calls and pauses inside it
    if (judged.culprit) judged.longest.reset();
  }

  const ReportInput& input_;
  const trace::Trace& trace_;
  HostActivity host_;
  std::unordered_map<std::uint32_t, std::vector<EventRef>> waitsOfStream_, waitsOfThread_;
  std::unordered_map<std::uint32_t, Ns> lastLaunch_;  // by stream, when its last work was launched
  std::uint32_t lastThread_ = trace::kNone;
  std::unordered_map<trace::NameId, bool> launchesGraphs_;        // calls
  std::set<std::pair<std::uint32_t, trace::NameId>> launched_;  // kernels that ran before, by process
};

}  // namespace

std::string_view nameOf(IdleCause cause) { return kWords[static_cast<std::size_t>(cause)].name; }

std::string_view adviceOn(const DeviceIdle& idle, IdleCause cause) {
  if (cause == IdleCause::kUnknown && idle.clocksApart)
    return "the file's times of calls and of GPU work are of different clocks, so nothing tells: record them with one "
           "tool";
  if (cause == IdleCause::kShort && idle.launchIdle <= idle.shortIdle / 2) return {};
  return kWords[static_cast<std::size_t>(cause)].advice;
}

const std::string_view kIdleAlgorithm =
    "A gap is a time in which no kernel, copy, memset or graph ran on a GPU; it has one cause. Work whose launch "
    "call began before the gap was queued: if its stream had been told to wait for an event, that is the cause; else "
    "the call or the profiler, where one took more than half of the gap; else up to 50 us are the GPU's own pause, "
    "and more is unknown. If the call began inside the gap, the cause is what the calling thread did most until "
    "then: outermost CUDA calls count as what they are, pauses of up to 20 us between them as launching; of longer "
    "pauses and calls the profiler's own time counts as its, CUDA's for loading and compiling code as loading, the "
    "rest of a pause as MPI or NCCL, data loading (a "
    "reading OS call, an NVTX range that says so, or Python in a library that loads data) where one fills more than "
    "half, else as host code, named by the innermost NVTX range or call of cuBLAS or cuDNN. A thread that was in a "
    "synchronization or blocking "
    "copy when the GPU fell idle had "
    "drained the queue: launching then counts for that. Where the call had returned and its work lay in the queue for "
    "more than 50 us, that is not launching; if it is more than half of the gap, the work was queued. What is left as "
    "launching, pause or unknown is the migration "
    "of unified memory where it lies beside one, that of CUDA graphs before work of one, and loading code where the "
    "first launch of a kernel took more than half of the gap and 50 us. A culprit fills more than half of its gap, "
    "or had drained the queue, or launched what ended it. Where the thread was is told by its stacks of Python and by "
    "the OS call that filled more than half of the gap; host code without either by the function that most CPU samples "
    "were in. All parts add up to the idle time.";

Ns coveredBy(const trace::Trace& trace, const IdleGap& gap, EventRef event) {
  return std::max<Ns>(0, common(trace.time(event), gap.time).length());
}

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
