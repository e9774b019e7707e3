// SPDX-License-Identifier: Apache-2.0
#include "model/compare/run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "model/analysis/checklist.h"
#include "model/analysis/device_window.h"
#include "model/analysis/gpu_work.h"
#include "model/analysis/idle_causes.h"
#include "model/analysis/losses.h"
#include "model/compare/iteration_of.h"
#include "model/report/load.h"

namespace lanescope::compare {
namespace {

using analysis::ReportInput;
using trace::EventKind;
using trace::EventRef;

std::optional<Subject> subjectOf(EventKind kind) {
  switch (kind) {
    case EventKind::kKernel:
      return Subject::kKernel;
    case EventKind::kGraphLaunch:
      return Subject::kGraph;
    case EventKind::kCopy:
      return Subject::kCopy;
    case EventKind::kMemset:
      return Subject::kMemset;
    case EventKind::kNvtxRange:
    case EventKind::kNvtxStartEnd:
      return Subject::kRange;
    case EventKind::kCudaApi:
      return Subject::kCall;
    default:
      return std::nullopt;
  }
}

class Reading {
 public:
  Reading(const ReportInput& input, const IterationChoice& choice)
      : input_(input), trace_(input.trace), found_(find(input, choice)) {
    if (found_) {
      iterationOf_.emplace(trace_, *found_);
      for (const EventRef range : found_->ranges) isIteration_.insert(trace_.id(range));
    }
  }

  Run run(std::string file) {
    run_.file = std::move(file);
    if (found_) {
      run_.iterationName = found_->name;
      run_.iterations = static_cast<std::uint32_t>(found_->ranges.size());
      Series& series = seriesOf(Subject::kIteration, found_->name);
      for (std::uint32_t i = 0; i < run_.iterations; ++i) add(series, trace_.time(found_->ranges[i]).length(), i);
      numberProcesses();
    }
    for (trace::LaneId lane = 0; lane < trace_.lanes.size(); ++lane) readLane(lane);
    readIdle();
    readFigures();
    return std::move(run_);
  }

 private:
  static std::optional<analysis::Iterations> find(const ReportInput& input, const IterationChoice& choice) {
    std::optional<analysis::Iterations> found;
    if (choice.asked.empty() && !choice.rather.empty()) found = analysis::findIterations(input.trace, choice.rather);
    if (!found) found = analysis::findIterations(input.trace, choice.asked);
    if (found) std::erase_if(found->ranges, [&](EventRef range) { return !isInScope(input, range); });
    return found;
  }

  static bool isInScope(const ReportInput& input, EventRef event) {
    const trace::TimeRange time = input.trace.time(event);
    return input.scope.range.touches(time.begin, time.end);
  }

  /// What ranks first among processes: its rank, its first GPU, its pid.
  std::tuple<std::uint64_t, std::int64_t, std::int64_t> placeOf(std::uint32_t process) const {
    std::uint64_t rank = std::numeric_limits<std::uint64_t>::max();
    std::int64_t device = std::numeric_limits<std::int64_t>::max();
    if (process >= trace_.processes.size()) return {rank, device, 0};
    const trace::Process& of = trace_.processes[process];
    std::from_chars(of.rank.data(), of.rank.data() + of.rank.size(), rank);
    for (const trace::Gpu& gpu : trace_.gpus)
      if (gpu.process == process) device = std::min(device, gpu.device);
    return {rank, device, of.globalPid};
  }

  void numberProcesses() {
    const auto processOf = [&](EventRef range) { return trace_.info(range).process; };
    std::vector<std::uint32_t> processes;
    std::ranges::transform(found_->ranges, std::back_inserter(processes), processOf);
    std::ranges::sort(processes);
    processes.erase(std::ranges::unique(processes).begin(), processes.end());
    std::ranges::stable_sort(processes, {}, [&](std::uint32_t process) { return placeOf(process); });
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    for (const std::uint32_t process : processes) numbers.emplace(process, static_cast<std::uint32_t>(numbers.size()));
    for (const EventRef range : found_->ranges) run_.process.push_back(numbers.at(processOf(range)));
  }

  static void add(Series& series, trace::Ns time, std::uint32_t iteration) {
    series.time.push_back(time);
    series.iteration.push_back(iteration);
  }

  Series& seriesOf(Subject subject, std::string_view name, std::string_view label = {}) {
    const auto [at, isNew] =
        bySubject_[static_cast<std::size_t>(subject)].emplace(std::string(name), run_.series.size());
    if (isNew) run_.series.push_back({subject, std::string(name), std::string(label.empty() ? name : label), {}, {}});
    return run_.series[at->second];
  }

  std::string textOf(Subject subject, EventRef event) const {
    switch (subject) {
      case Subject::kRange:
        return analysis::rangeName(trace_, event);
      case Subject::kCall:
        return std::string(analysis::withoutApiVersion((*trace_.names)[trace_.name(event)]));
      case Subject::kCopy:
        return std::string(trace::copyKindName(trace_.info(event).copyKind));
      case Subject::kMemset:
        return "memset";
      default:
        return std::string(input_.text(event));
    }
  }

  void readLane(trace::LaneId id) {
    const trace::LaneInfo& info = trace_.laneInfo[id];
    const std::optional<Subject> subject = subjectOf(info.kind);
    if (!subject || !trace_.lanes[id]) return;
    const trace::Lane& lane = *trace_.lanes[id];
    run_.wholeGraphs |= subject == Subject::kGraph && !lane.empty();
    run_.hasCalls |= subject == Subject::kCall && !lane.empty();
    run_.hasRanges |= subject == Subject::kRange && !lane.empty();
    std::unordered_map<trace::NameId, std::size_t> known;  // index of the series of a name in this lane
    for (std::uint32_t i = 0; i < lane.size(); ++i) {
      const EventRef event{id, i};
      if (!isInScope(input_, event)) continue;
      if (lane.unfinished(i) || (subject == Subject::kRange && isIteration_.contains(trace_.id(event)))) continue;
      const auto [at, isNew] = known.emplace(lane.name(i), 0);
      if (isNew) {
        const trace::Name& name = (*trace_.names)[lane.name(i)];
        at->second = static_cast<std::size_t>(
            &seriesOf(*subject, textOf(*subject, event), subject == Subject::kKernel ? name.label : "") -
            run_.series.data());
        run_.series[at->second].event = name.same;
      }
      add(run_.series[at->second], lane.duration(i), iterationOf(event, *subject));
    }
  }

  std::uint32_t iterationOf(EventRef event, Subject subject) const {
    if (!iterationOf_) return trace::kNone;
    const bool onHost = subject == Subject::kCall || subject == Subject::kRange;
    const std::optional<EventRef> launch = onHost ? event : input_.launchOf(event);
    const EventRef host = launch.value_or(event);
    const trace::LaneInfo& info = trace_.info(host);
    return iterationOf_->host(info.thread, info.process, trace_.time(host).begin);
  }

  void readIdle() {
    for (const analysis::DeviceIdle& device : analysis::idleCauses(input_)) {
      const std::uint32_t process = device.gpus.empty() ? trace::kNone : trace_.gpus[device.gpus.front()].process;
      for (const analysis::IdleGap& gap : device.gaps)
        add(seriesOf(Subject::kIdle, nameOf(gap.cause)), gap.time.length(),
            iterationOf_ ? iterationOf_->host(gap.thread, process, gap.time.begin) : trace::kNone);
    }
  }

  void readFigures() {
    const analysis::GpuWork work(trace_, input_.job);
    analysis::GpuFigures all;
    for (const auto& device : work.devices()) {
      const trace::TimeRange window = analysis::windowOf(trace_, device.lanes, input_.scope.range);
      const analysis::GpuFigures figures = analysis::GpuWork::figures(device, window);
      all.available += figures.available;
      all.busy += figures.busy;
      const std::size_t name = device.label.find(" · ");
      run_.gpus.push_back(name == std::string::npos ? device.label : device.label.substr(name + sizeof " · " - 1));
    }
    const auto add = [&](const char* id, const char* title, trace::Ns time) {
      run_.figures.push_back({id, "", title, "ns", time});
    };
    if (!work.devices().empty()) {
      add("gpu_time", "GPU time: first to last work", all.available);
      add("busy", "GPU busy", all.busy);
      add("idle", "GPU idle", all.idle());
    }
    for (const analysis::Check& check : analysis::checklist(input_))
      if (check.figure)
        run_.figures.push_back({std::string(check.kind->id), check.of, std::string(check.kind->title),
                                std::string(check.kind->unit), *check.figure});
    std::vector<EventKind> kinds;
    for (std::size_t i = 0; i < trace::kEventKinds; ++i)
      if (subjectOf(static_cast<EventKind>(i))) kinds.push_back(static_cast<EventKind>(i));
    run_.losses = analysis::reasons(trace_, kinds);
  }

  const ReportInput& input_;
  const trace::Trace& trace_;
  const std::optional<analysis::Iterations> found_;
  std::optional<IterationOf> iterationOf_;
  std::unordered_set<trace::EventId> isIteration_;
  std::array<std::unordered_map<std::string, std::size_t>, kSubjects> bySubject_;
  Run run_;
};

struct SubjectNames {
  std::string_view name, word;
};
constexpr std::array<SubjectNames, kSubjects> kNames = {{{"Iterations", "iteration"},
                                                         {"Kernels", "kernel"},
                                                         {"CUDA graphs", "graph"},
                                                         {"Copies", "copy"},
                                                         {"Memsets", "memset"},
                                                         {"NVTX ranges", "nvtx"},
                                                         {"CUDA API", "api"},
                                                         {"Idle time of GPUs by cause", "idle"}}};

}  // namespace

std::string_view nameOf(Subject subject) { return kNames[static_cast<std::size_t>(subject)].name; }

std::string_view wordOf(Subject subject) { return kNames[static_cast<std::size_t>(subject)].word; }

Run runOf(const ReportInput& input, std::string file, const IterationChoice& choice) {
  return Reading(input, choice).run(std::move(file));
}

Run runOf(const trace::Trace& trace, report::RowValues& values, std::string file, const IterationChoice& choice,
          const analysis::Scope& scope, const Job& job) {
  const analysis::ReportArguments arguments;
  return runOf({trace, values, scope, arguments, job}, std::move(file), choice);
}

Result<Run> readRun(const std::filesystem::path& path, std::string file, const IterationChoice& choice, bool strict,
                    const Job& job) {
  const Result<trace::TracePtr> trace = report::load(path, {.strict = strict}, {}, job);
  if (!trace) return tl::unexpected(trace.error());
  Result<report::RowValues> values = report::RowValues::open(path);
  if (!values) return tl::unexpected(values.error());
  return runOf(**trace, *values, std::move(file), choice, {}, job);
}

}  // namespace lanescope::compare
