// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/dependency.h"

#include <algorithm>

#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::Ns;

namespace {

struct Activity {
  Ns start, end;
  EventRef event;
  std::uint32_t before = trace::kNone;  // what the same thread or stream did before, by index
  std::uint32_t launch = trace::kNone;  // of GPU work its call, by index
  std::uint32_t waitedFor = trace::kNone;  // of a call that blocks the GPU work that let it go on
};

bool blocks(std::string_view call) {
  if (call.find("Synchronize") != std::string_view::npos) return true;
  const bool copies = call.find("Memcpy") != std::string_view::npos || call.find("cuMemcpy") != std::string_view::npos;
  return copies && call.find("Async") == std::string_view::npos;
}

/// The activities of a process: calls that no other call is in progress around, and GPU work.
class Activities {
 public:
  Activities(const ReportInput& input, std::uint32_t process) : trace_(input.trace) {
    std::vector<trace::LaneId> calls, work;
    for (trace::LaneId lane = 0; lane < trace_.laneInfo.size(); ++lane) {
      const trace::LaneInfo& info = trace_.laneInfo[lane];
      if (info.process != process) continue;
      if (info.kind == EventKind::kCudaApi && info.depth == 0) calls.push_back(lane);
      if (isGpuWork(info.kind) && info.stream != trace::kNone) work.push_back(lane);
    }
    std::unordered_map<trace::EventId, std::uint32_t> indexOf;
    std::unordered_map<std::uint32_t, std::uint32_t> lastOfThread, lastOfStream;
    for (const EventRef call : input.byStart(calls)) {
      indexOf[trace_.id(call)] = static_cast<std::uint32_t>(all.size());
      chain(lastOfThread, trace_.info(call).thread, call);
    }
    firstWork = all.size();
    for (const EventRef each : input.byStart(work)) {
      chain(lastOfStream, trace_.info(each).stream, each);
      if (const auto launch = input.launchOf(each))
        if (const auto index = indexOf.find(trace_.id(*launch)); index != indexOf.end())
          all.back().launch = index->second;
    }
    findWaits();
  }

  bool isWork(std::uint32_t index) const { return index >= firstWork; }

  /// What work could only begin after: the later of the work before it on its stream and its launch. A launch that blocks
  /// returns after it; there the work before counts if it went on during the launch.
  std::uint32_t whatHeldUp(std::uint32_t work) const {
    const Activity& of = all[work];
    if (of.launch == trace::kNone || of.before == trace::kNone) return std::min(of.launch, of.before);
    const Activity& launch = all[of.launch];
    return all[of.before].end >= (launch.waitedFor == work ? launch.start : launch.end) ? of.before : of.launch;
  }

  /// Blocked until GPU work ended; what the call took to launch that very work is on the path, not waiting.
  Ns waiting(const Activity& call) const {
    if (call.waitedFor == trace::kNone) return 0;
    const Activity& work = all[call.waitedFor];
    const bool launched =
        work.launch != trace::kNone && &all[work.launch] == &call && whatHeldUp(call.waitedFor) == work.launch;
    return std::max<Ns>(0, std::min(call.end, work.end) - (launched ? std::max(call.start, work.start) : call.start));
  }

  std::vector<Activity> all;
  std::size_t firstWork = 0;

 private:
  void chain(std::unordered_map<std::uint32_t, std::uint32_t>& last, std::uint32_t owner, EventRef event) {
    const trace::TimeRange time = trace_.time(event);
    Activity activity{time.begin, time.end, event};
    const auto index = static_cast<std::uint32_t>(all.size());
    const auto [known, isNew] = last.try_emplace(owner, index);
    if (!isNew) activity.before = std::exchange(known->second, index);
    all.push_back(activity);
  }

  void findWaits() {
    std::vector<std::uint32_t> byEnd;
    for (std::size_t i = firstWork; i < all.size(); ++i) byEnd.push_back(static_cast<std::uint32_t>(i));
    std::stable_sort(byEnd.begin(), byEnd.end(), [&](auto a, auto b) { return all[a].end < all[b].end; });
    for (std::size_t i = 0; i < firstWork; ++i) {
      Activity& call = all[i];
      if (!blocks((*trace_.names)[trace_.name(call.event)].text)) continue;
      const auto after = std::upper_bound(byEnd.begin(), byEnd.end(), call.end,
                                          [&](Ns end, std::uint32_t work) { return end < all[work].end; });
      if (after != byEnd.begin() && all[after[-1]].end > call.start) call.waitedFor = after[-1];
    }
  }

  const trace::Trace& trace_;
};

}  // namespace

std::vector<DependencyLine> dependencyAnalysis(const ReportInput& input, std::uint32_t process) {
  const Activities activities(input, process);
  const std::vector<Activity>& all = activities.all;
  std::unordered_map<trace::NameId, DependencyLine> lines;
  DependencyLine other{"<Other>"};
  const auto lineOf = [&](const Activity& of) -> DependencyLine& {
    const trace::Name& name = (*input.trace.names)[input.trace.name(of.event)];
    DependencyLine& line = lines[name.same];
    if (line.name.empty()) {
      const trace::EventKind kind = input.trace.info(of.event).kind;
      const bool memory = kind == trace::EventKind::kCopy || kind == trace::EventKind::kMemset;
      line.name = memory ? nvprofCopyName(name.label) : name.text;
    }
    return line;
  };
  Ns begin = trace::kMaxTime;
  std::uint32_t at = trace::kNone;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    lineOf(all[i]);
    begin = std::min(begin, all[i].start);
    if (at == trace::kNone || all[i].end > all[at].end) at = i;
    if (const Ns waiting = activities.waiting(all[i]); waiting > 0) lineOf(all[i]).waiting += waiting;
  }

  // `time` only goes back: everything between it and the last end has been given to a line.
  Ns time = at == trace::kNone ? begin : all[at].end;
  // Where clocks disagree, work may come before its launch and the path go round: it ends after as many steps as can be.
  for (std::size_t steps = 2 * all.size(); steps > 0 && at != trace::kNone && time > begin; --steps) {
    const Activity& now = all[at];
    other.critical += std::max<Ns>(0, time - now.end);
    time = std::min(time, now.end);
    std::uint32_t next = now.before;
    Ns from = now.start;
    if (now.waitedFor != trace::kNone && all[now.waitedFor].end <= time) {
      next = now.waitedFor;
      from = all[next].end;
    } else if (activities.isWork(at)) {
      next = activities.whatHeldUp(at);
      if (next != trace::kNone && next == now.launch) from = std::max(from, all[next].start);
    }
    lineOf(now).critical += std::max<Ns>(0, time - std::min(from, time));
    time = std::min(time, from);
    // Work may have begun before its launch returned; the call is what it hung on, as far as that lies before.
    at = next;
    while (at != trace::kNone && all[at].start >= time) at = all[at].before;
  }
  other.critical += std::max<Ns>(0, time - begin);

  std::vector<DependencyLine> result;
  result.reserve(lines.size() + 1);
  for (auto& [name, line] : lines) result.push_back(std::move(line));
  result.push_back(std::move(other));
  std::stable_sort(result.begin(), result.end(), [](const DependencyLine& a, const DependencyLine& b) {
    if (a.critical != b.critical) return a.critical > b.critical;
    return a.waiting != b.waiting ? a.waiting > b.waiting : a.name < b.name;
  });
  return result;
}

}  // namespace lanescope::analysis
