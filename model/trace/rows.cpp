// SPDX-License-Identifier: Apache-2.0
#include "model/trace/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <tuple>

#include "model/trace/own_threads.h"

namespace lanescope::trace {
namespace {

/// What the program itself says it does; the rest is what happens around it.
constexpr bool speaks(EventKind kind) {
  return kind == EventKind::kCudaApi || kind == EventKind::kNvtxRange || kind == EventKind::kNvtxStartEnd ||
         kind == EventKind::kNvtxMark || kind == EventKind::kLibraryCall;
}

constexpr bool isState(EventKind kind) { return kind == EventKind::kThreadState || kind == EventKind::kThreadWait; }

/// The library whose calls a table holds.
std::string libraryOf(std::string_view table) {
  if (table.starts_with("CUBLAS")) return "cuBLAS";
  if (table.starts_with("CUDNN")) return "cuDNN";
  if (table.starts_with("MPI")) return "MPI";
  return std::string(table);
}

/// "NVIDIA H100 80GB HBM3" takes half of a row header to say what everybody knows.
std::string withoutVendor(const std::string& gpu) { return gpu.starts_with("NVIDIA ") ? gpu.substr(7) : gpu; }

class RowBuilder {
 public:
  RowBuilder(Trace& trace, BusyCache& cache) : trace_(trace), cache_(cache) {}

  void build() {
    std::vector<int> rank(trace_.processes.size(), 2);  // GPU work before CUDA and NVTX before the rest of the machine
    for (const LaneInfo& lane : trace_.laneInfo)
      if (lane.process != kNone)
        rank[lane.process] = std::min(rank[lane.process], isGpuWork(lane.kind) ? 0 : speaks(lane.kind) ? 1 : 2);
    const auto order = [&](const Process& p) {
      const bool hasRank = !p.rank.empty();  // "10" comes after "9"
      // What a file calls by a name alone ("Spans") is a heading, and no program.
      return std::tuple(rank[static_cast<std::size_t>(&p - trace_.processes.data())], p.sortIndex, !p.hasNumber,
                        hasRank, p.rank.size(), p.rank, p.pid, p.globalPid);
    };
    groupOnce();
    const std::vector<std::uint32_t> processes = sorted(trace_.processes, order);
    for (const std::uint32_t process : processes) addProcess(process, rank[process] < 2 || processes.size() == 1);
    addGpuMetrics();
    addCpuCores();
  }

 private:
  /// What belongs to whom, once: a report may have thousands of processes, GPUs and streams.
  void groupOnce() {
    lanesOf_.resize(trace_.processes.size());
    lanesOfGpu_.resize(trace_.gpus.size());
    for (LaneId lane = 0; lane < trace_.laneInfo.size(); ++lane)
      if (const LaneInfo& info = trace_.laneInfo[lane]; info.process != kNone && info.kind != EventKind::kCpuCore) {
        lanesOf_[info.process].push_back(lane);
        if (info.gpu != kNone && trace_.gpus[info.gpu].process == info.process) lanesOfGpu_[info.gpu].push_back(lane);
      }
    countersOf_.resize(trace_.processes.size());
    countersOfGpu_.resize(trace_.gpus.size());
    for (std::uint32_t c = 0; c < trace_.counters.size(); ++c) {
      const CounterInfo& info = trace_.counterInfo[c];
      if (info.process == kNone) continue;
      if (info.gpu == kNone) countersOf_[info.process].push_back(c);
      else if (trace_.gpus[info.gpu].process == info.process) countersOfGpu_[info.gpu].push_back(c);
    }
    severalDevices_ =
        std::ranges::adjacent_find(trace_.gpus, std::ranges::not_equal_to(), &Gpu::device) != trace_.gpus.end();
    gpusOf_.resize(trace_.processes.size());
    for (const std::uint32_t gpu : sorted(trace_.gpus, [](const Gpu& g) { return g.device; }))
      gpusOf_[trace_.gpus[gpu].process].push_back(gpu);
    streamsOf_.resize(trace_.gpus.size());
    for (const std::uint32_t stream :
         sorted(trace_.streams, [](const Stream& t) { return std::tuple(t.context, t.stream); }))
      streamsOf_[trace_.streams[stream].gpu].push_back(stream);
  }

  template <class Predicate>
  std::vector<LaneId> among(const std::vector<LaneId>& lanes, Predicate predicate) const {
    std::vector<LaneId> chosen;
    for (const LaneId lane : lanes)
      if (predicate(trace_.laneInfo[lane])) chosen.push_back(lane);
    return chosen;
  }

  /// Indices of a list, ordered by what `key` gives.
  template <class T, class Key>
  static std::vector<std::uint32_t> sorted(const std::vector<T>& list, Key key) {
    std::vector<std::uint32_t> order(list.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(list[a]) < key(list[b]); });
    return order;
  }

  std::uint32_t add(std::uint32_t parent, RowKind kind, const std::string& key, std::string label,
                    std::vector<LaneId> lanes = {}) {
    const auto index = static_cast<std::uint32_t>(trace_.rows.size());
    Row row;
    row.kind = kind;
    row.key = parent == kNone ? key : trace_.rows[parent].key + "/" + key;
    row.label = std::move(label);
    row.parent = parent;
    row.depth = parent == kNone ? 0 : static_cast<std::uint16_t>(trace_.rows[parent].depth + 1);
    row.lanes = std::move(lanes);
    trace_.rows.push_back(std::move(row));
    (parent == kNone ? trace_.rootRows : trace_.rows[parent].children).push_back(index);
    return index;
  }

  std::shared_ptr<const BusyUnion> busyOf(const std::vector<LaneId>& lanes) {
    if (lanes.empty()) return nullptr;
    auto& cached = cache_[lanes];
    if (!cached) {
      std::vector<LanePtr> pointers;
      pointers.reserve(lanes.size());
      for (const LaneId lane : lanes) pointers.push_back(trace_.lanes[lane]);
      cached = std::make_shared<const BusyUnion>(std::move(pointers));
    }
    return cached;
  }

  Row& row(std::uint32_t index) { return trace_.rows[index]; }
  void showBusy(std::uint32_t index) { row(index).busy = busyOf(row(index).lanes); }

  // --- processes ---------------------------------------------------------------------------------------------------

  void addProcess(std::uint32_t process, bool expanded) {
    const std::vector<LaneId>& lanes = lanesOf_[process];
    const bool hasCounters = !countersOf_[process].empty() || std::ranges::any_of(gpusOf_[process], [this](auto gpu) {
      return !countersOfGpu_[gpu].empty();
    });
    if (lanes.empty() && !hasCounters) return;

    const Process& who = trace_.processes[process];
    std::string name = who.name;
    if (name.empty()) name = "process";
    if (who.hasNumber) name = fmt::format("{} [{}]", name.substr(name.find_last_of('/') + 1), who.pid);
    const std::uint32_t root = add(kNone, RowKind::kProcess, fmt::format("process {}", who.globalPid >> 24),
                                   (who.rank.empty() ? "" : "rank " + who.rank + " · ") + name);
    std::vector<LaneId> shown = among(lanes, [](const LaneInfo& l) { return isGpuWork(l.kind); });
    if (shown.empty()) shown = among(lanes, [](const LaneInfo& l) { return l.depth == 0 && !isState(l.kind); });
    row(root).lanes = std::move(shown);
    row(root).summary = true;
    row(root).expanded = expanded;

    for (const std::uint32_t gpu : gpusOf_[process]) addGpu(root, gpu);
    addProcessRanges(root, lanes);
    if (auto faults = among(lanes, [](const LaneInfo& l) { return l.kind == EventKind::kCpuPageFault; });
        !faults.empty())
      row(add(root, RowKind::kUnifiedMemory, "cpu page faults", "CPU page faults", std::move(faults))).stacked = true;
    addThreads(root, process, lanes);
    addProcessCounters(root, process);
  }

  /// Curves that are of no GPU; many of them under one row for all.
  void addProcessCounters(std::uint32_t parent, std::uint32_t process) {
    const std::vector<std::uint32_t>& counters = countersOf_[process];
    constexpr std::size_t kFew = 3;
    if (counters.size() > kFew)
      parent = add(parent, RowKind::kCounters, "counters", fmt::format("Counters ({})", counters.size()));
    for (const std::uint32_t c : counters) addMetric(parent, c);
  }

  void addGpu(std::uint32_t parent, std::uint32_t gpu) {
    const std::vector<LaneId>& lanes = lanesOfGpu_[gpu];
    const Gpu& who = trace_.gpus[gpu];
    const std::vector<LaneId> work = among(lanes, [](const LaneInfo& l) { return isGpuWork(l.kind); });
    const std::string number = fmt::format("GPU {}", who.device), model = withoutVendor(who.name);
    const std::string name = who.name.empty() ? number : severalDevices_ ? number + " · " + model : model;
    const std::uint32_t root = add(parent, RowKind::kGpu, fmt::format("gpu {}", who.device), "CUDA HW · " + name, work);
    row(root).summary = true;
    showBusy(root);

    const auto kernels = among(
        work, [](const LaneInfo& l) { return l.kind == EventKind::kKernel || l.kind == EventKind::kGraphLaunch; });
    const bool graphs = std::any_of(kernels.begin(), kernels.end(),
                                    [&](LaneId l) { return trace_.laneInfo[l].kind == EventKind::kGraphLaunch; });
    if (!kernels.empty())
      showBusy(add(root, RowKind::kKernels, "kernels", graphs ? "Kernels and graphs" : "Kernels", kernels));
    addMemory(root, "memory", among(work, [](const LaneInfo& l) {
                return l.kind == EventKind::kCopy || l.kind == EventKind::kMemset;
              }));

    std::map<std::uint32_t, std::vector<LaneId>> streams, projections;
    for (const LaneId lane : work) streams[trace_.laneInfo[lane].stream].push_back(lane);
    for (const LaneId lane : lanes)
      if (trace_.laneInfo[lane].kind == EventKind::kNvtxProjection)
        projections[trace_.laneInfo[lane].stream].push_back(lane);
    for (const std::uint32_t stream : streamsOf_[gpu]) addStream(root, stream, streams[stream], projections[stream]);
    for (const std::uint32_t c : countersOfGpu_[gpu])
      row(add(root, RowKind::kMemoryUsage, trace_.counters[c]->name(), trace_.counters[c]->name())).counters = {c};
    if (auto faults = among(lanes, [](const LaneInfo& l) { return l.kind == EventKind::kGpuPageFault; });
        !faults.empty())
      row(add(root, RowKind::kUnifiedMemory, "gpu page faults", "GPU page faults", std::move(faults))).stacked = true;
    if (auto syncs = among(lanes, [](const LaneInfo& l) { return l.kind == EventKind::kSync; }); !syncs.empty()) {
      const std::uint32_t sync = add(root, RowKind::kSync, "synchronization", "Synchronization", std::move(syncs));
      row(sync).stacked = true;
    }
  }

  /// Copies by direction and memsets, one row each under one for all.
  void addMemory(std::uint32_t parent, const std::string& key, const std::vector<LaneId>& lanes) {
    if (lanes.empty()) return;
    const std::uint32_t root = add(parent, RowKind::kMemory, key, "Memory", lanes);
    showBusy(root);
    std::map<std::pair<EventKind, std::uint8_t>, std::vector<LaneId>> directions;
    for (const LaneId lane : lanes)
      directions[{trace_.laneInfo[lane].kind, trace_.laneInfo[lane].copyKind}].push_back(lane);
    if (directions.size() < 2) {
      if (directions.begin()->first.first == EventKind::kCopy)
        row(root).label = fmt::format("Memory · {}", copyKindName(directions.begin()->first.second, true));
      return;
    }
    for (const auto& [what, some] : directions) {
      const std::string label = what.first == EventKind::kMemset ? "Memset" : std::string(copyKindName(what.second));
      showBusy(add(root, RowKind::kCopyDirection, label, label, some));
    }
    row(root).expanded = false;
  }

  void addStream(std::uint32_t parent, std::uint32_t stream, const std::vector<LaneId>& lanes,
                 const std::vector<LaneId>& projections) {
    if (lanes.empty()) return;
    const Stream& who = trace_.streams[stream];
    std::string label = fmt::format("{} {}", who.isDefault ? "Default stream" : "Stream", who.stream);
    if (trace_.gpus[who.gpu].severalContexts) label += fmt::format(" (context {})", who.context);
    if (!who.name.empty()) label += " · " + who.name;
    const std::uint32_t root =
        add(parent, RowKind::kStream, fmt::format("stream {}.{}", who.context, who.stream), std::move(label), lanes);
    showBusy(root);
    row(root).stacked = true;  // concurrent kernels of one stream stand below each other

    const auto kernels = among(
        lanes, [](const LaneInfo& l) { return l.kind == EventKind::kKernel || l.kind == EventKind::kGraphLaunch; });
    const auto memory =
        among(lanes, [](const LaneInfo& l) { return l.kind == EventKind::kCopy || l.kind == EventKind::kMemset; });
    if (!kernels.empty() && !memory.empty()) {
      const std::uint32_t kernelRow = add(root, RowKind::kKernels, "kernels", "Kernels", kernels);
      row(kernelRow).stacked = true;
      showBusy(kernelRow);
      addMemory(root, "memory", memory);
      row(root).expanded = !projections.empty();
    }
    constexpr std::uint32_t kDeep = 6;  // stacks of Python are 40: they would push all else out of sight
    if (std::ranges::any_of(projections, [&](LaneId lane) { return trace_.laneInfo[lane].depth >= kDeep; }))
      row(root).expanded = false;
    std::map<std::int64_t, std::vector<LaneId>> domains;  // by id: the default domain first
    for (const LaneId lane : projections) domains[trace_.domains[trace_.laneInfo[lane].domain].id].push_back(lane);
    for (auto& [id, some] : domains) {
      std::string title = labelOf(trace_.laneInfo[some.front()].domain);
      row(add(root, RowKind::kNvtxProjection, fmt::format("nvtx {}", id), std::move(title), std::move(some))).stacked =
          true;
    }
  }

  // --- threads -----------------------------------------------------------------------------------------------------

  void addProcessRanges(std::uint32_t parent, const std::vector<LaneId>& lanes) {
    std::map<std::uint32_t, std::vector<LaneId>> domains;
    for (const LaneId lane : lanes) {
      const LaneInfo& info = trace_.laneInfo[lane];
      if (info.kind == EventKind::kNvtxStartEnd) domains[info.domain].push_back(lane);
    }
    for (auto& [domain, some] : domains) {
      const std::uint32_t ranges =
          add(parent, RowKind::kNvtxProcess, fmt::format("nvtx ranges {}", trace_.domains[domain].id),
              labelOf(domain, "NVTX start/end"), std::move(some));
      row(ranges).stacked = true;
    }
  }

  /// "NVTX · NCCL", or the name alone of what is no domain of NVTX.
  std::string labelOf(std::uint32_t domain, std::string_view what = "NVTX") const {
    const Domain& who = trace_.domains[domain];
    if (!who.name.empty()) return who.isNvtx ? fmt::format("{} · {}", what, who.name) : who.name;
    return who.id == 0 ? std::string(what) : fmt::format("{} · domain {}", what, who.id);
  }

  void addThreads(std::uint32_t parent, std::uint32_t process, const std::vector<LaneId>& ofProcess) {
    std::vector<std::uint32_t> threads;
    std::vector<std::vector<LaneId>> lanesOf(trace_.threads.size());
    for (const LaneId lane : ofProcess)
      if (const std::uint32_t thread = trace_.laneInfo[lane].thread; thread != kNone) lanesOf[thread].push_back(lane);
    for (std::uint32_t thread = 0; thread < trace_.threads.size(); ++thread)
      if (trace_.threads[thread].process == process && !lanesOf[thread].empty()) threads.push_back(thread);
    if (threads.empty()) return;

    // As their file wants them; else the main thread before all, threads that say something, then by id.
    const auto says = [&](std::uint32_t thread) {
      return std::any_of(lanesOf[thread].begin(), lanesOf[thread].end(),
                         [&](LaneId lane) { return speaks(trace_.laneInfo[lane].kind); });
    };
    std::stable_sort(threads.begin(), threads.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto rank = [&](std::uint32_t t) {
        const Thread& who = trace_.threads[t];
        return std::tuple(who.sortIndex, who.tid != trace_.processes[process].pid, !says(t), who.tid);
      };
      return rank(a) < rank(b);
    });
    const auto isOwn = [&](std::uint32_t thread) { return isOwnThread(trace_.threads[thread]); };
    std::vector<std::uint32_t> own;
    std::ranges::copy_if(threads, std::back_inserter(own), isOwn);
    std::erase_if(threads, isOwn);
    if (!threads.empty()) {
      const std::uint32_t root = add(parent, RowKind::kThreads, "threads", fmt::format("Threads ({})", threads.size()));
      for (const std::uint32_t thread : threads) addThread(root, thread, lanesOf[thread], says(thread));
    }
    if (own.empty()) return;
    const std::uint32_t profiler =
        add(parent, RowKind::kThreads, "profiler threads", fmt::format("Profiler ({})", own.size()));
    row(profiler).expanded = false;
    for (const std::uint32_t thread : own) addThread(profiler, thread, lanesOf[thread], false);
  }

  void addThread(std::uint32_t parent, std::uint32_t thread, const std::vector<LaneId>& lanes, bool expanded) {
    const Thread& who = trace_.threads[thread];
    const auto ofKind = [&](EventKind kind) {
      return among(lanes, [kind](const LaneInfo& l) { return l.kind == kind; });
    };
    const std::vector<LaneId> state = ofKind(EventKind::kThreadState);
    std::vector<LaneId> head = ofKind(EventKind::kThreadWait);
    head.insert(head.end(), state.begin(), state.end());
    std::vector<LaneId> samples = ofKind(EventKind::kCpuSample);
    const bool covered = !state.empty() && !samples.empty();  // bars of what it did hide ticks in the same strip
    if (!covered) head.insert(head.end(), samples.begin(), samples.end());
    const bool summary = head.empty();
    if (summary) head = among(lanes, [](const LaneInfo& l) { return l.depth == 0; });

    const std::string label = !who.hasNumber     ? who.name
                              : who.name.empty() ? fmt::format("Thread {}", who.tid)
                                                 : fmt::format("{} {}", who.tid, who.name);
    const std::uint32_t root = add(parent, RowKind::kThread, fmt::format("thread {}", who.tid), label, std::move(head));
    row(root).summary = summary;
    row(root).expanded = expanded;
    row(root).busy = busyOf(state);

    if (covered) add(root, RowKind::kPython, "cpu samples", "CPU samples", std::move(samples));
    std::map<std::int64_t, std::vector<LaneId>> domains;  // by id: the default domain first
    for (const LaneId lane : lanes) {
      const LaneInfo& info = trace_.laneInfo[lane];
      if (info.kind == EventKind::kNvtxRange || info.kind == EventKind::kNvtxMark)
        domains[trace_.domains[info.domain].id].push_back(lane);
    }
    for (auto& [id, some] : domains) {
      std::string title = labelOf(trace_.laneInfo[some.front()].domain);
      row(add(root, RowKind::kNvtx, fmt::format("nvtx {}", id), std::move(title), std::move(some))).stacked = true;
    }
    if (auto samplesOfPython = ofKind(EventKind::kPythonSample); !samplesOfPython.empty())
      add(root, RowKind::kPython, "python", "Python", std::move(samplesOfPython));
    addCalls(root, RowKind::kPython, "python gil", "Python GIL", ofKind(EventKind::kGilWait));
    addCalls(root, RowKind::kCudaApi, "cuda api", "CUDA API", ofKind(EventKind::kCudaApi));
    std::map<std::string, std::vector<LaneId>> libraries;
    for (const LaneId lane : ofKind(EventKind::kLibraryCall))
      libraries[libraryOf(trace_.tables[trace_.laneInfo[lane].table])].push_back(lane);
    for (const auto& [library, some] : libraries) addCalls(root, RowKind::kLibrary, library, library, some);
    addCalls(root, RowKind::kOsRuntime, "os runtime", "OS runtime", ofKind(EventKind::kOsRuntime));
    addCalls(root, RowKind::kOverhead, "overhead", "Profiler overhead", ofKind(EventKind::kOverhead));
  }

  void addCalls(std::uint32_t parent, RowKind kind, const std::string& key, const std::string& label,
                const std::vector<LaneId>& lanes) {
    if (lanes.empty()) return;
    const std::uint32_t calls = add(parent, kind, key, label, lanes);
    row(calls).stacked = kind != RowKind::kOverhead;  // nested overhead is still only overhead
    row(calls).busy = busyOf(among(lanes, [](const LaneInfo& l) { return l.depth == 0; }));
  }

  // --- machine -----------------------------------------------------------------------------------------------------

  void addGpuMetrics() {
    std::map<std::string, std::vector<std::uint32_t>> groups;
    for (std::uint32_t c = 0; c < trace_.counters.size(); ++c)
      if (!trace_.counterInfo[c].group.empty()) groups[trace_.counterInfo[c].group].push_back(c);
    for (const auto& [group, counters] : groups) {
      const std::uint32_t root = add(kNone, RowKind::kGpuMetrics, group, group);
      std::vector<std::uint32_t> quiet;
      for (const std::uint32_t c : counters) {
        const std::string& name = trace_.counters[c]->name();
        // The raw sums repeat, in other units, the percentages beside them.
        if (trace_.counters[c]->max() == 0 || name.ends_with("[Avg]") || name.ends_with("[Avg Warps per Cycle]"))
          quiet.push_back(c);
        else addMetric(root, c);
      }
      if (quiet.empty()) continue;
      const std::uint32_t more =
          add(root, RowKind::kMoreMetrics, "more", fmt::format("More metrics ({})", quiet.size()));
      row(more).expanded = false;
      for (const std::uint32_t c : quiet) addMetric(more, c);
    }
  }

  void addMetric(std::uint32_t parent, std::uint32_t counter) {
    const std::string& name = trace_.counters[counter]->name();
    const std::size_t unit = name.find(" [");
    const bool figureHasIt = trace_.counters[counter]->unit() != Counter::Unit::kCount;
    row(add(parent, RowKind::kMetric, name, figureHasIt ? name.substr(0, unit) : name)).counters = {counter};
  }

  void addCpuCores() {
    std::vector<LaneId> lanes;
    for (LaneId lane = 0; lane < trace_.laneInfo.size(); ++lane)
      if (trace_.laneInfo[lane].kind == EventKind::kCpuCore) lanes.push_back(lane);
    if (lanes.empty()) return;
    std::map<std::uint32_t, std::vector<LaneId>> cores;
    for (const LaneId lane : lanes) cores[trace_.laneInfo[lane].core].push_back(lane);
    const std::uint32_t root = add(kNone, RowKind::kCpu, "cpu", fmt::format("CPU ({})", cores.size()), lanes);
    row(root).summary = true;
    row(root).expanded = false;
    for (auto& [core, some] : cores)
      showBusy(
          add(root, RowKind::kCpuCore, fmt::format("core {}", core), fmt::format("Core {}", core), std::move(some)));
  }

  Trace& trace_;
  BusyCache& cache_;
  std::vector<std::vector<LaneId>> lanesOf_, lanesOfGpu_;  // by process; by GPU
  std::vector<std::vector<std::uint32_t>> countersOf_, countersOfGpu_;  // of a process but for those of its GPUs
  std::vector<std::vector<std::uint32_t>> gpusOf_, streamsOf_;  // by process; by GPU
  bool severalDevices_ = false;
};

}  // namespace

void buildRows(Trace& trace, BusyCache& cache) {
  trace.rows.clear();
  trace.rootRows.clear();
  RowBuilder(trace, cache).build();
}

}  // namespace lanescope::trace
