// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/checklist.h"

#include <algorithm>

#include "model/analysis/checks.h"
#include "model/analysis/kernel_categories.h"
#include "model/analysis/losses.h"

namespace lanescope::analysis {

namespace {

/// Which way a copy goes (copyKind, facts 4.5).
enum class Way : std::uint8_t { kToDevice, kToHost, kPeer, kOther };
Way wayOf(std::uint8_t copyKind) {
  switch (copyKind) {
    case 1:  // from the host to the GPU, to an array, by a migration
    case 3:
    case 11:
      return Way::kToDevice;
    case 2:
    case 4:
    case 12:
      return Way::kToHost;
    case 10:
      return Way::kPeer;
    default:
      return Way::kOther;
  }
}

}  // namespace

using trace::EventKind;
using trace::Ns;
using trace::TimeRange;

std::string_view nameOf(Verdict verdict) {
  constexpr std::string_view kNames[] = {"good", "note", "improve", "info", "none", "not recorded"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string CheckKind::goalText() const { return goal ? fmt::format("{} {}", above ? '>' : '<', *goal) : ""; }

const std::vector<CheckKind>& checkKinds() {
  using enum EventKind;
  const std::vector<EventKind> work{kKernel, kCopy, kMemset, kGraphLaunch}, host{kCudaApi};
  static const std::vector<CheckKind> kKinds{
      {"gpu_busy", "GPU busy", "time with a kernel, copy, memset or graph / GPU time", "%", "GPU time", 85, true, work},
      {"iteration_busy",
       "GPU busy per iteration",
       "the median over iterations, each from the first work it launched to the first of the next",
       "%",
       "iteration",
       85,
       true,
       {kKernel, kCopy, kMemset, kGraphLaunch, kNvtxRange, kCudaApi}},
      {"copy_overlap",
       "Copies hidden behind compute",
       "copies between host and GPU and between GPUs while kernels other than collectives ran / all of their time; not "
       "copies within a GPU, nor migrations of unified memory, which the kernels that touch it wait for",
       "%",
       "copying",
       60,
       true,
       {kKernel, kCopy, kGraphLaunch}},
      {"comm_exposed",
       "Communication not hidden",
       "collective kernels and peer copies while no other kernel ran / all of their time",
       "%",
       "communication",
       20,
       false,
       {kKernel, kCopy, kGraphLaunch}},
      {"comm_share",
       "Communication",
       "communication / (compute + communication)",
       "%",
       "compute + communication",
       {},
       false,
       {kKernel, kCopy, kGraphLaunch}},
      {"host_sync", "Host waiting in synchronization",
       "time in synchronization calls / GPU time, of the launching thread that has most", "%", "GPU time", 10, false,
       host},
      {"launch_bound",
       "Launches and small kernels",
       "idle only because works are launched one by one: late launches and the GPU's own pauses / GPU time",
       "%",
       "GPU time",
       5,
       false,
       {kKernel, kCopy, kMemset, kGraphLaunch, kCudaApi}},
      {"pageable_copies",
       "Pageable copies",
       "time in asynchronous copy calls from or to pageable memory / GPU time, of the thread that has most",
       "%",
       "GPU time",
       1,
       false,
       {kCudaApi, kCopy}},
      {"sync_copies",
       "Synchronous copies",
       "time in synchronous copy calls / GPU time, of the thread that has most",
       "%",
       "GPU time",
       1,
       false,
       {kCudaApi, kCopy}},
      {"pcie",
       "Copies between host and GPU",
       "bytes / time of the copies, migrations of unified memory included",
       "GB/s",
       "",
       {},
       true,
       {kCopy}},
      {"bound",
       "What bounds the kernels",
       "the greater of DRAM and SM use while kernels ran, from GPU metrics",
       "%",
       "peak",
       {},
       false,
       {kKernel}},
      {"load_imbalance",
       "Load imbalance between ranks",
       "(most - least) / most time in kernels other than collectives",
       "%",
       "the most loaded",
       10,
       false,
       {kKernel}},
  };
  return kKinds;
}

const CheckKind* findCheck(std::string_view id) {
  const auto found = std::ranges::find(checkKinds(), id, &CheckKind::id);
  return found == checkKinds().end() ? nullptr : &*found;
}

bool fails(const Check& check, std::optional<double> goal) {
  if (check.verdict == Verdict::kNotRecorded) return goal.has_value();
  if (!goal) goal = check.kind->goal;
  if (!check.figure || !goal) return false;
  return check.kind->above ? *check.figure < *goal : *check.figure > *goal;
}

std::vector<DeviceUse> deviceUses(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  std::unordered_map<trace::NameId, bool> isCollective;
  std::vector<DeviceUse> uses;
  for (DeviceWindow& device : deviceWindows(trace, input.scope, input.job)) {
    DeviceUse& use = uses.emplace_back();
    const TimeRange window = device.window;
    for (const trace::LaneId id : device.lanes) {
      const trace::Lane& lane = *trace.lanes[id];
      const trace::LaneInfo& info = trace.laneInfo[id];
      const auto [first, last] = touching(lane, window);
      for (std::size_t i = first; i < last; ++i) {
        const TimeRange time{std::max(lane.start(i), window.begin), std::min(lane.end(i), window.end)};
        use.busy.add(time);
        if (info.kind == EventKind::kGraphLaunch) {
          use.compute.add(time);
        } else if (info.kind == EventKind::kKernel) {
          const auto [known, isNew] = isCollective.try_emplace(lane.name(i));
          if (isNew) {
            const trace::Name& name = (*trace.names)[lane.name(i)];
            known->second = categoryOf(name.text, name.label) == KernelCategory::kCollective;
          }
          (known->second ? use.communication : use.compute).add(time);
          ++use.kernels;
          use.shortKernels += lane.duration(i) < kShortKernel;
        } else if (const Way way = wayOf(info.copyKind); info.kind == EventKind::kCopy && way != Way::kOther) {
          if (way == Way::kPeer) use.communication.add(time);
          if (!isMigration(info)) use.hideable.add(time);
          const std::uint64_t bytes = bytesIn(lane, i, window, Clip::kAtEdges);
          const auto count = [&](DeviceUse::Copies& copies) { copies.bytes += bytes, copies.time += time.length(); };
          if (way != Way::kPeer) count(way == Way::kToDevice ? use.toDevice : use.toHost);
          if (isMigration(info)) count(use.migrations);
        }
      }
    }
    for (Intervals* each : {&use.busy, &use.compute, &use.communication, &use.hideable}) each->finish();
    use.device = std::move(device);
  }
  return uses;
}

TimeRange Checking::wall() const {
  TimeRange wall;
  for (const DeviceUse& use : uses) wall = hull(wall, use.device.window);
  return wall;
}

Check judged(std::string_view id, std::string of, double figure) {
  const CheckKind* kind = findCheck(id);
  Check check{kind, std::move(of), Verdict::kInfo, figure, {}, {}};
  if (kind->goal) {
    const bool reached = kind->above ? figure > *kind->goal : figure < *kind->goal;
    check.verdict = reached ? Verdict::kGood : Verdict::kImprove;
  }
  return check;
}

Check without(std::string_view id, Verdict verdict, std::string evidence) {
  return {findCheck(id), {}, verdict, {}, std::move(evidence), {}};
}

const IdleGap* longestGap(const DeviceIdle& idle, std::optional<IdleCause> cause) {
  const IdleGap* longest = nullptr;
  for (const IdleGap& gap : idle.gaps)
    if ((!cause || gap.cause == *cause) && (!longest || gap.time.length() > longest->time.length())) longest = &gap;
  return longest;
}

Ns idleBy(const DeviceIdle& idle, IdleCause cause) {
  Ns sum = 0;
  for (const IdleGap& gap : idle.gaps)
    if (gap.cause == cause) sum += gap.time.length();
  return sum;
}

double percentOf(Ns part, Ns whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string windowText(const Checking& all, Ns window) {
  return fmt::format("the {} {}", formatDuration(window), windowName(all.input.scope));
}

std::string atTime(Ns time) {
  const Ns micros = time / 1000, whole = micros / 1'000'000, rest = micros % 1'000'000;
  return fmt::format("{}{}.{:06} s", time < 0 ? "-" : "", whole < 0 ? -whole : whole, rest < 0 ? -rest : rest);
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", formatCount(count), what, count == 1 ? "" : "s");
}

std::vector<Check> checklist(const ReportInput& input) {
  Checking all{input, deviceUses(input), idleCauses(input)};
  Checks checks;
  if (all.uses.empty()) {
    for (const CheckKind& kind : checkKinds())
      checks.push_back(without(kind.id, Verdict::kNotRecorded, "no GPU work was recorded in this time"));
  } else {
    for (const auto check : {checkBusy, checkIterations, checkCopyOverlap, checkCommunication, checkHost,
                             checkKernelSize, checkPcie, checkBound, checkRanks})
      if (!input.job.cancelled()) check(all, checks);
    blameStartUp(all, checks);
    std::ranges::stable_sort(checks, {}, [](const Check& check) { return check.kind - checkKinds().data(); });
  }
  for (Check& check : checks)
    if (check.figure)
      for (const std::string& reason : reasons(input.trace, check.kind->kinds))
        check.caveat += (check.caveat.empty() ? "" : "; ") + reason;
  return checks;
}

}  // namespace lanescope::analysis
