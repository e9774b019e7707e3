// SPDX-License-Identifier: Apache-2.0
// What an importer finds in another tool's file, before it is a trace or a report: who (processes, threads, GPUs,
// streams), what (tracks of events, curves), how it hangs together (correlation numbers, links), what was wrong (issues).
// A plain value: importers fill it, toTrace() and toReport() make something of it, and both see the same events in the
// same order. Indices name entries of the vectors here; trace::kNone stands for none. Times are ns, as in the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/trace/counter.h"
#include "model/trace/names.h"
#include "model/trace/split.h"
#include "model/trace/trace.h"

namespace lanescope::imported {

/// What another tool calls a process or a thread: mostly a number, which may be any 64-bit one, else a text.
struct Identity {
  std::int64_t number = 0;
  std::string text = {};  ///< not empty: this, and not the number
  bool operator==(const Identity&) const = default;
};

struct Process {
  Identity id;
  std::string name, rank;
  std::int64_t sortIndex = 0;  ///< trace::Process::sortIndex
};

struct Thread {
  std::uint32_t process = 0;
  Identity id;
  std::string name;
  std::int64_t sortIndex = 0;  ///< among the threads of its process
};

struct Gpu {
  std::uint32_t process = 0;
  std::int64_t device = 0;
  std::string name, bus;
  /// More that the file tells of it, as columns of TARGET_INFO_GPU: "smCount", "totalMemory", …
  std::vector<std::pair<std::string, std::int64_t>> facts = {};
};

struct Stream {
  std::uint32_t gpu = 0;
  std::int64_t context = 0, stream = 0;
  std::string name = {};
  bool isDefault = false;
};

/// What groups ranges of a process: a domain of NVTX, or a kind of event that another tool writes.
struct Domain {
  std::uint32_t process = 0;
  std::string name;  ///< empty: NVTX's default one
  bool isNvtx = false;  ///< else its row is called by the name alone
};

/// What only details show, for an event of a GPU; what is not known stays at -1.
struct WorkDetails {
  std::int64_t gridX = -1, gridY = -1, gridZ = -1, blockX = -1, blockY = -1, blockZ = -1;
  std::int64_t registers = -1, staticShared = -1, dynamicShared = -1, localPerThread = -1, localTotal = -1;
  std::int64_t graph = -1, graphNode = -1;
  std::int64_t sourceKind = -1,
               destinationKind = -1;  ///< of copies, kinds of memory as the export has them (facts 4.5)
  std::int64_t sourceDevice = -1, destinationDevice = -1;
  std::int64_t value = -1;  ///< of a memset
  trace::NameId mangled = 0;  ///< of a kernel; 0: not known
};

/// A function of a call stack.
struct Frame {
  trace::NameId name = 0, module = 0;  ///< 0: not known
  bool isPython = false;
  bool unwound = true;  ///< else where a sample was whose callers are not known
};

/// All events of one kind on one owner, in the order of the file. Times may be invalid: who takes them in counts that.
struct Track {
  trace::EventKind kind = trace::EventKind::kKernel;
  std::uint8_t copyKind = 0;  ///< of copies: the export's (facts 4.5)
  std::uint32_t process = trace::kNone, thread = trace::kNone, gpu = trace::kNone, stream = trace::kNone,
                domain = trace::kNone;
  /// sourceRow of an event is its own among all events that go to one table of a report (kernels; copies; memsets; CUDA
  /// calls; NVTX-like ranges and marks; …); of JSON it is the place among the entries of the file, from 0.
  /// correlation ties a call and its GPU work within a process; name is an id of Recording::names.
  trace::EventList events;
  std::vector<WorkDetails> work = {};  ///< one an event, or empty: not asked for, not known
  std::vector<std::int32_t> results = {};  ///< what a call returned, one an event, or empty
  std::vector<std::uint32_t> stacks = {};  ///< of samples, indices into Recording::stacks, one an event; may be shorter
};

/// A value over time.
struct Curve {
  std::uint32_t process = trace::kNone, gpu = trace::kNone;
  std::string name;
  trace::Counter::Unit unit = trace::Counter::Unit::kCount;
  std::vector<trace::Ns> times;  ///< in the order of the file
  std::vector<double> values;
};

/// An event of a track.
struct EventAt {
  std::uint32_t track = 0, index = 0;
};

/// Two events that belong together without being launch and GPU work.
struct Link {
  EventAt from, to;
};

/// What a range says of the collective that it is the call of, as NCCL's own ranges do (model/report/nccl_calls.h).
struct CollectiveCall {
  EventAt range;
  std::int64_t bytes = 0;  ///< as the caller counts: of one rank's part for AllGather and ReduceScatter
  std::int64_t group = 0;  ///< tells apart who takes part
  std::int64_t ranks = 0;  ///< 0: not known
};

/// Where the entries of a text file stand, so that one can be read again: of every kEvery-th, from the first.
struct Positions {
  static constexpr std::uint64_t kEvery = 64;
  std::vector<std::uint64_t> offsets;  ///< bytes from the beginning of the (unpacked) text
};

/// Of JSON: what stands in the file, whatever became of it.
struct Written {
  std::uint64_t entries = 0;  ///< of traceEvents that could be read
  std::map<std::string, std::uint64_t> byPhase;
  std::int64_t totalNs = 0;  ///< durations of X
  std::optional<std::pair<trace::Ns, trace::Ns>> span;  ///< least ts and greatest, or end of an X; without metadata
  struct Copies {
    std::uint64_t count = 0, bytes = 0;
    std::int64_t totalNs = 0;
  };
  std::map<std::string, Copies> copiesByName;
};

struct Recording {
  std::string format;  ///< "kineto", "chrome-json", "nvprof", "rocpd", "rpd", "hipprof"
  std::string version;  ///< of the format, as the file tells it; may be empty
  std::shared_ptr<trace::NameTable> names = std::make_shared<trace::NameTable>();
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<Gpu> gpus;
  std::vector<Stream> streams;
  std::vector<Domain> domains;
  std::vector<Track> tracks;
  std::vector<Curve> curves;
  std::vector<Link> links;
  std::vector<CollectiveCall> collectives;  ///< where details are wanted
  std::vector<trace::Issue> issues;
  std::vector<std::vector<Frame>> stacks;  ///< from the innermost outwards; samples share them

  std::string host;  ///< where it was recorded; empty: not known
  std::optional<trace::Ns> utcOfZero;  ///< UTC of time 0, in ns since 1970
  std::vector<std::pair<std::string, std::string>> facts;  ///< of the recording as a whole, name and value

  using Written = imported::Written;
  std::optional<Written> written;
  Positions positions;
};

}  // namespace lanescope::imported
