// SPDX-License-Identifier: Apache-2.0
// A trace in memory: who (processes, threads, streams, GPUs), what (lanes of events, counters), how it hangs together
// (rows, partners), and what was wrong with it (issues). Immutable and shared; a loading trace is published as a
// sequence of snapshots, each of which only adds lanes, so that an event's id never changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/trace/busy.h"
#include "model/trace/counter.h"
#include "model/trace/lane.h"
#include "model/trace/names.h"
#include "model/trace/time.h"

namespace lanescope::trace {

/// What an event is. One lane holds events of one kind.
enum class EventKind : std::uint8_t {
  kKernel,
  kCopy,         ///< memory copy; LaneInfo::copyKind tells the direction
  kMemset,
  kGraphLaunch,  ///< a CUDA graph recorded as a whole: busy, nodes not recorded
  kSync,         ///< synchronization, in host time; never GPU busy
  kGpuPageFault,
  kCudaApi,
  kOsRuntime,
  kNvtxRange,     ///< push/pop
  kNvtxStartEnd,  ///< may begin and end on different threads
  kNvtxMark,
  kLibraryCall,   ///< cuBLAS, cuDNN, MPI
  kOverhead,      ///< the profiler's own time, or CUDA's back-pressure
  kThreadState,   ///< it ran
  kCpuSample,
  kCpuCore,       ///< which thread ran on a core
  kCpuPageFault,
  kThreadWait,    ///< it did not run, called by why it lost its core
  kPythonSample,  ///< a stack of Python alone, taken from outside
  kGilWait,       ///< for Python's global interpreter lock
  kNvtxProjection,  ///< an NVTX range's span on one stream: first start to last end of the GPU work launched inside it
  kIdle,  ///< a gap between a GPU's works, called by its cause
};
inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::kIdle) + 1;  // the last one

/// "kernel", "CUDA API", … as a person reads it.
std::string_view kindName(EventKind kind);

/// "Host-to-Device" and the like for a copyKind of the export (facts 4.5); "HtoD" when `brief`.
std::string_view copyKindName(std::uint8_t copyKind, bool brief = false);

struct Process {
  std::int64_t globalPid = 0;  ///< hardware, VM and process, thread bits 0; wide, as stored
  std::int64_t pid = 0;  ///< for people; of another tool's file any number
  std::string name;
  std::string rank;  ///< "3" of several that work on one thing; empty: none
  bool hasNumber = true;  ///< else its name is all that its file calls it by
  std::int64_t sortIndex = 0;  ///< where its file wants it among processes that do as much: the least first
};

struct Thread {
  std::uint32_t process = 0;  ///< index into Trace::processes, as everywhere below
  std::int64_t globalTid = 0;
  std::int64_t tid = 0;  ///< for people, as Process::pid
  std::string name;
  bool hasNumber = true;
  std::int64_t sortIndex = 0;  ///< where its file wants it in its process: the least first
};

struct Gpu {
  std::uint32_t process = 0;
  std::int64_t device = 0;  ///< CUDA ordinal as that process sees it
  std::string name;  ///< "NVIDIA H100 80GB HBM3", empty if not recorded
  std::string bus;
  bool severalContexts = false;  ///< its streams need their context beside them
};

struct Stream {
  std::uint32_t gpu = 0;
  std::int64_t context = 0;
  std::int64_t stream = 0;
  std::string name;  ///< the user's name, empty if none
  bool isDefault = false;  ///< the context's null stream
};

struct Domain {
  std::uint32_t process = 0;
  std::int64_t id = 0;  ///< 0 is the default domain
  std::string name;
  std::map<std::int64_t, std::string> categories;  ///< names of its categories
  bool isNvtx = true;  ///< else a kind of event that another tool writes
};

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Whose events a lane holds.
struct LaneInfo {
  EventKind kind = EventKind::kKernel;
  std::uint8_t copyKind = 0;  ///< copies: the export's copyKind
  std::uint16_t table = 0;  ///< index into Trace::tables: where sourceRow points
  std::uint32_t process = kNone;
  std::uint32_t thread = kNone;
  std::uint32_t stream = kNone;
  std::uint32_t gpu = kNone;
  std::uint32_t domain = kNone;
  std::uint32_t core = kNone;  ///< CPU number
  std::uint32_t depth = 0;  ///< nesting depth, or which of several when events overlap
  std::uint32_t firstEvent = 0;  ///< EventId of its first event
};

/// Where a counter's row stands.
struct CounterInfo {
  std::uint32_t process = kNone;
  std::uint32_t gpu = kNone;
  std::string group;  ///< GPU metrics: the heading they share, with GPU and rate; else empty
};

using LaneId = std::uint32_t;
using EventId = std::uint32_t;  ///< LaneInfo::firstEvent + index in the lane

struct EventRef {
  LaneId lane = 0;
  std::uint32_t index = 0;
  bool operator==(const EventRef&) const = default;
};

/// A line the user sees.
enum class RowKind : std::uint8_t {
  kProcess,
  kGpu,  ///< "CUDA HW": all kernels and copies of a process on one GPU
  kKernels,
  kMemory,
  kCopyDirection,  ///< one direction of copies, or memsets
  kStream,
  kNvtxProjection,  ///< NVTX ranges where their work ran, below a stream
  kMemoryUsage,
  kUnifiedMemory,  ///< page faults
  kSync,
  kThreads,
  kThread,
  kNvtx,  ///< one domain of a thread
  kNvtxProcess,  ///< start/end ranges of one domain, which belong to no single thread
  kCudaApi,
  kOsRuntime,
  kLibrary,
  kPython,  ///< samples of a thread's Python stack; its waits for the interpreter lock
  kOverhead,
  kCpu,
  kCpuCore,
  kGpuMetrics,  ///< a heading
  kIdle,  ///< why a GPU was idle
  kMoreMetrics,  ///< metrics that stay at zero or repeat another in other units
  kMetric,
  kCounters,  ///< a heading: curves of a process
  kReport,  ///< one of several in one trace: all of its rows stand below it
};

struct Row {
  RowKind kind = RowKind::kProcess;
  std::string key;  ///< names the row through snapshots, sessions and reports of one program
  std::string label;
  std::uint32_t parent = kNone;
  std::uint16_t depth = 0;
  std::vector<std::uint32_t> children;
  std::vector<LaneId> lanes;
  bool stacked = false;  ///< lanes one below the other by LaneInfo::depth; else all in one strip
  std::vector<std::uint32_t> counters;  ///< indices into Trace::counters
  bool expanded = true;  ///< at first sight
  bool summary = false;  ///< its children show the same lanes: drawn only while collapsed
  std::shared_ptr<const BusyUnion> busy;  ///< where a busy share means something, else null
};

struct Issue {
  std::string kind;  ///< "end-before-start", …
  std::uint64_t count = 0;
  std::string text;  ///< for a person
  std::optional<EventKind> about = {};  ///< whose counts and times it touches; none: all, or no numbers
};

struct EventUse;
struct DerivedRow;

class Trace {
 public:
  std::shared_ptr<const NameTable> names;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Gpu> gpus;
  std::vector<Stream> streams;
  std::vector<Domain> domains;
  std::vector<std::string> tables;  ///< tables of the report that lanes point into

  std::vector<LanePtr> lanes;
  std::vector<LaneInfo> laneInfo;
  std::vector<std::shared_ptr<const Counter>> counters;
  std::vector<CounterInfo> counterInfo;
  std::vector<Row> rows;  ///< parents before children
  std::vector<std::uint32_t> rootRows;
  std::vector<Issue> issues;

  /// First start to last end of every event and sample with a valid time; empty if there is none.
  TimeRange range;
  bool complete = false;  ///< false while still loading

  /// Events of the file; projections, which are made of them, stand behind these.
  std::size_t eventCount() const { return projected_ ? projected_->first : eventCount_; }
  std::size_t projectionCount() const { return projected_ ? projected_->rangeOf.size() : 0; }
  EventId id(EventRef event) const { return laneInfo[event.lane].firstEvent + event.index; }
  EventRef ref(EventId id) const;

  NameId name(EventRef e) const { return lanes[e.lane]->name(e.index); }
  const LaneInfo& info(EventRef e) const { return laneInfo[e.lane]; }
  TimeRange time(EventRef e) const { return {lanes[e.lane]->start(e.index), lanes[e.lane]->end(e.index)}; }

  /// The other end of a correlation: for a launch all the GPU work it started, for GPU work its launch. Empty if none
  /// or not loaded yet. O(1) plus the answer.
  std::span<const EventId> partners(EventRef event) const;

  /// What else belongs together: an event record and the waits for it (their calls), an NVTX range and its projections,
  /// one collective on several ranks.
  /// Empty if none or not loaded yet. O(log n) plus the answer.
  std::span<const EventId> links(EventRef event) const;

  /// What another tool's file tied to it, an NVTX range or not: for all others, what links() says. O(log n).
  std::span<const EventId> tied(EventRef event) const;

  /// Of two that belong together, whether the first led to the second: a call leads to its work, a record to the waits
  /// for it, a range to its projections, the rank that came last to those that waited.
  bool leads(EventRef first, EventRef second) const;

  /// For a call that recorded an event for which something waits: the stream it was recorded on. Else none.
  std::optional<std::int64_t> recordedOn(EventRef call) const;

  std::size_t bytes() const;  ///< of lanes, counters, partners and links

 private:
  friend class TraceBuilder;
  friend class TraceJoin;
  friend std::shared_ptr<const Trace> withRows(const std::shared_ptr<const Trace>&, const std::vector<DerivedRow>&);
  friend std::shared_ptr<const Trace> withLinks(const std::shared_ptr<const Trace>&,
                                                std::span<const std::pair<EventId, EventId>>);
  friend std::uint64_t correlateEvents(Trace&, const std::vector<std::vector<std::int64_t>>&, std::vector<EventUse>&,
                                       const Job&);
  // One word an event, where a lane has partners: kNone, an EventId, or kMany | index into fans_.
  static constexpr std::uint32_t kMany = 0x80000000;
  using Partners = std::shared_ptr<const std::vector<std::uint32_t>>;
  std::vector<Partners> partners_;  // per lane; shorter than lanes, or null: none
  std::shared_ptr<const std::vector<std::uint32_t>> fans_;  // at each index a count and so many EventIds
  /// Both ways, by `from`, then by start of `to`.
  struct Links {
    std::vector<EventId> from, to;
    std::vector<bool> leads;  ///< whether `from` led to `to`
    std::vector<std::pair<EventId, std::int64_t>> recordedOn;  // by call
  };
  std::shared_ptr<const Links> links_;  // null: none
  /// The same for ranges and their projections, of which there are millions: 8 bytes each.
  struct Projected {
    EventId first = 0;  ///< of the projections, which are the last events
    std::vector<EventId> rangeOf;  ///< of each of them
    std::vector<EventId> byRange;  ///< they themselves, by range, then by start
  };
  std::shared_ptr<const Projected> projected_;  // null: none
  std::size_t eventCount_ = 0;
};

using TracePtr = std::shared_ptr<const Trace>;

/// Trace::ref for ids that mostly stay in one lane: O(1) there. One thread.
class NearbyRefs {
 public:
  explicit NearbyRefs(const Trace& trace) : trace_(trace) {}
  EventRef of(EventId id) {
    if (id < first_ || id - first_ >= size_) {
      lane_ = trace_.ref(id).lane;
      first_ = trace_.laneInfo[lane_].firstEvent;
      size_ = trace_.lanes[lane_]->size();
    }
    return {lane_, id - first_};
  }

 private:
  const Trace& trace_;
  LaneId lane_ = 0;
  EventId first_ = 0;
  std::size_t size_ = 0;
};

/// What the machine did, whoever ran on it, what shows an event a second time where its work ran, and what follows from
/// others: left out unless somebody asks for it.
constexpr bool isBackground(EventKind kind) {
  return kind == EventKind::kThreadState || kind == EventKind::kThreadWait || kind == EventKind::kCpuCore ||
         kind == EventKind::kCpuSample || kind == EventKind::kPythonSample || kind == EventKind::kNvtxProjection ||
         kind == EventKind::kIdle;
}

/// True for what occupies a GPU: kernels, copies, memsets, whole graphs.
constexpr bool isGpuWork(EventKind kind) {
  return kind == EventKind::kKernel || kind == EventKind::kCopy || kind == EventKind::kMemset ||
         kind == EventKind::kGraphLaunch;
}

}  // namespace lanescope::trace
