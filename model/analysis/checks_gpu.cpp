// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "model/analysis/checks.h"
#include "model/analysis/iterations.h"
#include "model/analysis/nvtx_ranges.h"
#include "model/analysis/statistics.h"

namespace lanescope::analysis {

using trace::EventRef;
using trace::Ns;
using trace::TimeRange;

namespace {

/// The cause that most of the idle time has.
IdleCause mainCause(const DeviceIdle& idle) {
  std::array<Ns, kIdleCauses> time{};
  for (const IdleGap& gap : idle.gaps) time[static_cast<std::size_t>(gap.cause)] += gap.time.length();
  time[static_cast<std::size_t>(IdleCause::kShort)] = idle.shortIdle;
  return static_cast<IdleCause>(std::max_element(time.begin(), time.end()) - time.begin());
}

/// Gaps that are this close to each other are one stretch.
constexpr Ns kSameStretch = 50'000;

struct Stretches {
  std::uint64_t gaps = 0;
  Ns idle = 0;  ///< all of them, with those too short to be looked at
  TimeRange longest;
  std::uint64_t inLongest = 0;
};

/// Idle for no other reason than that works are launched one by one: the launch comes late, or the GPU takes its time
/// from one to the next.
Stretches launchBound(const DeviceIdle& idle) {
  Stretches found;
  found.gaps = idle.launchGaps;
  found.idle = idle.launchIdle;
  TimeRange stretch;
  std::uint64_t count = 0;
  for (const IdleGap& gap : idle.gaps) {
    if (gap.cause != IdleCause::kLaunching && gap.cause != IdleCause::kQueued) continue;
    ++found.gaps;
    found.idle += gap.time.length();
    const bool joins = count > 0 && gap.time.begin - stretch.end <= kSameStretch;
    stretch = {joins ? stretch.begin : gap.time.begin, gap.time.end};
    count = joins ? count + 1 : 1;
    if (stretch.length() > found.longest.length()) found.longest = stretch, found.inLongest = count;
  }
  return found;
}

/// From the first work of each iteration to the first of the next, of its thread; in order of start.
struct Span {
  EventRef range;
  TimeRange time;
};
std::vector<Span> iterationSpans(const ReportInput& input, const Iterations& iterations) {
  const trace::Trace& trace = input.trace;
  std::map<std::uint32_t, std::vector<Launches>> launches;  // by thread
  for (const ThreadEvents& thread : threadEvents(input, false))
    for (const trace::LaneId lane : thread.calls) launches[thread.thread].emplace_back(input, lane);
  std::map<std::uint32_t, Span*> open;
  std::vector<Span> spans;
  spans.reserve(iterations.ranges.size());
  for (const EventRef range : iterations.ranges) {
    const std::uint32_t thread = trace.info(range).thread;
    const TimeRange time = trace.time(range);
    Launches::Work work;
    for (Launches& each : launches[thread]) work.add(each.within(time.begin, time.end));
    if (work.calls == 0 || !input.holds(range)) continue;
    Span*& before = open[thread];
    if (before && before->time.begin < work.first) before->time.end = work.first;
    spans.push_back({range, {work.first, work.last}});
    before = &spans.back();
  }
  return spans;
}

}  // namespace

void checkBusy(const Checking& all, Checks& checks) {
  for (std::size_t i = 0; i < all.uses.size(); ++i) {
    const DeviceIdle& idle = all.idle[i];
    const Ns window = idle.window.length();
    Check check = judged("gpu_busy", idle.device, percentOf(window - idle.idle, window));
    check.evidence = fmt::format("busy {} of {}", formatDuration(window - idle.idle), windowText(all, window));
    if (const IdleGap* gap = longestGap(idle)) {
      check.evidence += fmt::format("; longest gap {} at {}: {}", formatDuration(gap->time.length()),
                                    atTime(gap->time.begin), nameOf(gap->cause));
      if (!gap->host.empty()) check.evidence += ", in " + gap->host;
      check.where.push_back({gap->time, gap->culprit});
      if (check.verdict == Verdict::kImprove) {
        const IdleCause cause = mainCause(idle);
        const Ns time = cause == IdleCause::kShort ? idle.shortIdle : idleBy(idle, cause);
        const std::string_view advice = adviceOn(idle, cause);
        check.advice = fmt::format("{} of the idle time is “{}”{}{}; -r idle has all causes",
                                   formatShare(time, idle.idle), nameOf(cause), advice.empty() ? "" : ": ", advice);
      }
    }
    checks.push_back(std::move(check));
  }
}

void checkIterations(const Checking& all, Checks& checks) {
  const trace::Trace& trace = all.input.trace;
  const auto iterations = findIterations(trace, all.input.arguments.iteration);
  const char* kId = "iteration_busy";
  if (!iterations) {
    checks.push_back(without(kId, Verdict::kNotRecorded, "no marker found: push an NVTX range around each iteration"));
    return;
  }
  const std::vector<Span> spans = iterationSpans(all.input, *iterations);
  for (const DeviceUse& use : all.uses) {
    const DeviceWindow& device = use.device;
    std::vector<std::pair<double, std::size_t>> busy;
    for (std::size_t k = 0; k < spans.size(); ++k) {
      const std::uint32_t process = trace.info(spans[k].range).process;
      if (std::ranges::none_of(device.gpus, [&](std::uint32_t gpu) { return trace.gpus[gpu].process == process; }))
        continue;
      const TimeRange time{std::max(spans[k].time.begin, device.window.begin),
                           std::min(spans[k].time.end, device.window.end)};
      if (!time.empty()) busy.emplace_back(percentOf(use.busy.covered(time), time.length()), k);
    }
    if (busy.empty()) continue;
    std::sort(busy.begin(), busy.end());
    const double low = busy[(busy.size() - 1) / 2].first, high = busy[busy.size() / 2].first;
    Check check = judged(kId, device.label, (low + high) / 2);
    const Span& worst = spans[busy.front().second];
    const std::string name = rangeName(trace, worst.range);
    check.evidence = fmt::format("{} of “{}”; least {:.1f} % in {} at {}", counted(busy.size(), "iteration"),
                                 iterations->name, busy.front().first, name, atTime(worst.time.begin));
    check.where.push_back({worst.time, worst.range});
    TimeRange whole;
    for (const auto& [share, k] : busy) whole = hull(whole, spans[k].time);
    check.where.push_back({whole, {}});
    if (check.verdict == Verdict::kImprove)
      check.advice = "look at one iteration: --filter-nvtx with -r idle says what it waits for";
    checks.push_back(std::move(check));
  }
  if (checks.empty() || checks.back().kind->id != kId)
    checks.push_back(without(kId, Verdict::kNone, fmt::format("no GPU work was launched in “{}”", iterations->name)));
}

void blameStartUp(const Checking& all, Checks& checks) {
  constexpr double kMostly = 90;  // per cent
  for (Check& iterations : checks) {
    if (iterations.kind->id != "iteration_busy" || iterations.verdict != Verdict::kGood) continue;
    const TimeRange inside = iterations.where.back().time;
    for (std::size_t i = 0; i < all.idle.size(); ++i) {
      const auto busy = std::ranges::find_if(checks, [&](const Check& check) {
        return check.kind->id == "gpu_busy" && check.of == iterations.of && check.verdict == Verdict::kImprove;
      });
      if (all.idle[i].device != iterations.of || busy == checks.end()) continue;
      const Ns idleInside = inside.length() - all.uses[i].busy.covered(inside);
      if (percentOf(all.idle[i].idle - idleInside, all.idle[i].idle) < kMostly) continue;
      busy->verdict = Verdict::kNote;
      busy->advice = fmt::format(
          "all but {} of the idle time is outside of the iterations; look at these alone: "
          "--filter-time {}/{}",
          formatDuration(idleInside), inside.begin, inside.end);
    }
  }
}

void checkKernelSize(const Checking& all, Checks& checks) {
  for (std::size_t i = 0; i < all.uses.size(); ++i) {
    const DeviceUse& use = all.uses[i];
    const DeviceIdle& idle = all.idle[i];
    if (use.kernels == 0) {
      checks.push_back(without("launch_bound", Verdict::kNone, idle.device + ": no kernels"));
      continue;
    }
    const Stretches bound = launchBound(idle);
    Check check = judged("launch_bound", idle.device, percentOf(bound.idle, idle.window.length()));
    check.evidence = fmt::format(
        "{} of {} ({}) shorter than {}", formatCount(use.shortKernels), counted(use.kernels, "kernel"),
        formatShare(static_cast<Ns>(use.shortKernels), static_cast<Ns>(use.kernels)), formatDuration(kShortKernel));
    const Ns saved = bound.idle - static_cast<Ns>(bound.gaps) * kGraphPause;
    if (bound.gaps > 0) {
      check.evidence +=
          fmt::format("; {} of {} by launching one by one, of which a CUDA graph would save about {} ({})",
                      counted(bound.gaps, "gap"), formatDuration(bound.idle), formatDuration(saved),
                      formatShare(saved, idle.window.length()));
      if (!bound.longest.empty()) {
        check.evidence += fmt::format("; longest stretch {} with {} at {}", formatDuration(bound.longest.length()),
                                      counted(bound.inLongest, "gap"), atTime(bound.longest.begin));
        check.where.push_back({bound.longest, {}});
      }
      if (check.verdict == Verdict::kImprove) check.advice = "fuse kernels, or replay them as a CUDA graph";
    }
    checks.push_back(std::move(check));
  }
}

}  // namespace lanescope::analysis
