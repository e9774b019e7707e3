// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "model/report/loading.h"

namespace lanescope::report {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;
using trace::Ns;

namespace {

struct Switch {
  Ns time;
  std::int64_t globalTid;
  std::int64_t rowid;
  std::uint32_t cpu;
  bool in;
};

/// A scheduling event has no end: a thread runs from where it is switched in until it is switched out, a core is taken
/// until the next switch on it.
void loadSwitches(Loading& loading) {
  enum Column { kStart, kCpu, kIn, kGlobalTid };
  trace::TraceBuilder& builder = loading.builder;
  std::vector<Switch> switches;
  loading.forEach("SCHED_EVENTS", {"start", "cpu", "isSchedIn", "globalTid"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, kStart) || row.isNull(kGlobalTid)) return;
    if (!builder.acceptInstant(row.integer(kStart), EventKind::kThreadState)) return;
    switches.push_back({row.integer(kStart), row.integer(kGlobalTid), row.rowid(),
                        static_cast<std::uint32_t>(row.integer(kCpu)), row.integer(kIn) != 0});
  });
  std::stable_sort(switches.begin(), switches.end(), [](const Switch& a, const Switch& b) { return a.time < b.time; });

  const std::uint16_t table = switches.empty() ? 0 : builder.table("SCHED_EVENTS");
  const trace::NameId running = builder.names().intern("Running");
  std::unordered_map<std::int64_t, Switch> runningThreads;
  const auto stop = [&](const Switch& began, Ns end) {
    const std::uint32_t thread = builder.thread(began.globalTid);
    const trace::Thread& who = builder.draft().threads[thread];
    LaneInfo state;
    state.kind = EventKind::kThreadState;
    state.table = table;
    state.process = who.process;
    state.thread = thread;
    Event event{.start = began.time, .end = end, .name = running, .sourceRow = static_cast<std::uint64_t>(began.rowid)};
    builder.sequence(state).add(event);

    LaneInfo core;
    core.kind = EventKind::kCpuCore;
    core.table = table;
    core.process = who.process;
    core.core = began.cpu;
    event.name = builder.names().intern(who.name.empty() ? fmt::format("Thread {}", who.tid)
                                                         : fmt::format("{} {}", who.tid, who.name));
    builder.sequence(core).add(event);
  };
  for (const Switch& each : switches) {
    const auto began = runningThreads.find(each.globalTid);
    if (began != runningThreads.end()) {  // switched out, or in again without having been seen to leave
      stop(began->second, each.time);
      runningThreads.erase(began);
    }
    if (each.in) runningThreads.emplace(each.globalTid, each);
  }
  if (!switches.empty())
    for (const auto& [tid, began] : runningThreads)
      stop(began, std::max(switches.back().time, builder.draft().range.end));
  builder.finish();
}

void loadSamples(Loading& loading) {
  enum Column { kStart, kGlobalTid };
  trace::TraceBuilder& builder = loading.builder;
  const trace::NameId sample = builder.names().intern("CPU sample");
  loading.forEach("COMPOSITE_EVENTS", {"start", "globalTid"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, kStart) || row.isNull(kGlobalTid)) return;
    const Ns time = row.integer(kStart);
    if (!builder.acceptInstant(time, EventKind::kCpuSample)) return;
    LaneInfo info;
    info.kind = EventKind::kCpuSample;
    info.table = builder.table("COMPOSITE_EVENTS");
    info.thread = builder.thread(row.integer(kGlobalTid));
    info.process = builder.draft().threads[info.thread].process;
    builder.sequence(info).add(
        {.start = time, .end = time, .name = sample, .sourceRow = static_cast<std::uint64_t>(row.rowid())});
  });
  builder.finish();
}

}  // namespace

void loadScheduling(Loading& loading) {
  loadSwitches(loading);
  loadSamples(loading);
}

}  // namespace lanescope::report
