// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/report/loading.h"
#include "model/report/slice.h"

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
  std::int8_t state, block;  // of one that leaves; 0 not known
};

constexpr int kTerminated = 5;  // ENUM_SAMPLING_THREAD_STATE

/// What a thread is that lost its core.
const char* waitName(const Switch& left) {
  constexpr int kUnknownBlock = 1, kQuantumEnd = 42, kPreempted = 44, kDeferred = 51;  // ENUM_SCHEDULING_THREAD_BLOCK
  if (left.block == kQuantumEnd || left.block == kPreempted || left.block == kDeferred) return "Preempted";
  switch (left.state) {
    case 1:  // it would go on running
      return "Preempted";
    case 2:
    case 7:
      return "Waiting";
    case 3:
      return "Waiting, uninterruptible";
    case 4:
      return "Stopped";
    case 6:
      return "Unscheduled";
    case 8:
      return "Waiting in the OS";
    default:
      return left.block > kUnknownBlock ? "Waiting" : "Not running";
  }
}

/// A scheduling event has no end: a thread runs, on its core, from where it is switched in until it is switched out, and
/// from there it waits until it is switched in again. One that is first seen leaving ran from the first switch on; one
/// that never leaves, or never comes back though it lives, is torn at the end.
void loadSwitches(Loading& loading) {
  enum Column { kStart, kCpu, kIn, kGlobalTid, kState, kBlock };
  if (!loading.wants(EventKind::kThreadState)) return;
  trace::TraceBuilder& builder = loading.builder;
  std::vector<Switch> switches;
  const auto code = [](const TableRow& row, int column) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(row.integer(column), 0, 127));
  };
  const Columns columns{"start", "cpu", "isSchedIn", "globalTid", "threadState", "threadBlock"};
  loading.forEach("SCHED_EVENTS", columns, [&](const TableRow& row) {
    if (!loading.hasTimes(row, kStart, kStart) || !loading.hasThread(row, kGlobalTid)) return;
    if (!builder.acceptInstant(row.integer(kStart), EventKind::kThreadState)) return;
    const bool hasCore = row.isInteger(kCpu) && row.integer(kCpu) >= 0 && row.integer(kCpu) < trace::kNone;
    switches.push_back({row.integer(kStart), row.integer(kGlobalTid), row.rowid(),
                        hasCore ? static_cast<std::uint32_t>(row.integer(kCpu)) : trace::kNone, row.integer(kIn) != 0,
                        code(row, kState), code(row, kBlock)});
  });
  std::stable_sort(switches.begin(), switches.end(), [](const Switch& a, const Switch& b) { return a.time < b.time; });

  const std::uint16_t table = switches.empty() ? 0 : builder.table("SCHED_EVENTS");
  const trace::NameId running = builder.names().intern("Running");
  std::map<std::int64_t, Switch> runningThreads, waitingThreads;
  std::set<std::int64_t> seen;
  const auto stop = [&](const Switch& began, Ns end, bool unfinished = false) {
    const std::uint32_t thread = builder.thread(began.globalTid);
    const trace::Thread& who = builder.draft().threads[thread];
    LaneInfo state;
    state.kind = EventKind::kThreadState;
    state.table = table;
    state.process = who.process;
    state.thread = thread;
    Event event{.start = began.time,
                .end = end,
                .name = running,
                .unfinished = unfinished,
                .sourceRow = static_cast<std::uint64_t>(began.rowid)};
    builder.sequence(state).add(event);

    if (began.cpu == trace::kNone) return;
    LaneInfo core;
    core.kind = EventKind::kCpuCore;
    core.table = table;
    core.process = who.process;
    core.core = began.cpu;
    event.name = builder.names().intern(who.name.empty() ? fmt::format("Thread {}", who.tid)
                                                         : fmt::format("{} {}", who.tid, who.name));
    builder.sequence(core).add(event);
  };
  const auto wait = [&](const Switch& left, Ns end, bool unfinished = false) {
    LaneInfo info;
    info.kind = EventKind::kThreadWait;
    info.table = table;
    info.thread = builder.thread(left.globalTid);
    info.process = builder.draft().threads[info.thread].process;
    builder.sequence(info).add({.start = left.time,
                                .end = end,
                                .name = builder.names().intern(waitName(left)),
                                .unfinished = unfinished,
                                .sourceRow = static_cast<std::uint64_t>(left.rowid)});
  };
  for (const Switch& each : switches) {
    if (const auto left = waitingThreads.find(each.globalTid); left != waitingThreads.end()) {
      if (each.in && each.time > left->second.time) wait(left->second, each.time);
      waitingThreads.erase(left);
    }
    const auto began = runningThreads.find(each.globalTid);
    if (began != runningThreads.end()) {  // switched out, or in again without having been seen to leave
      stop(began->second, each.time);
      runningThreads.erase(began);
    } else if (!each.in && !seen.contains(each.globalTid)) {
      Switch before = each;
      before.time = switches.front().time;
      stop(before, each.time);
    }
    seen.insert(each.globalTid);
    if (each.in) runningThreads.emplace(each.globalTid, each);
    else if (each.state != kTerminated) waitingThreads.emplace(each.globalTid, each);
  }
  if (switches.empty()) return builder.finish();
  // Of a part of a recording it is known to the part's end what threads did.
  const auto part = partRange(loading.database);
  const Ns last = part ? std::max(part->end, switches.back().time) : switches.back().time;
  for (const auto& [tid, began] : runningThreads) stop(began, last, !part);
  for (const auto& [tid, left] : waitingThreads) wait(left, last, !part);
  builder.finish();
}

/// Samples of other tools' files are called by where they were taken: there is nothing else to see of them.
std::map<std::int64_t, trace::NameId> sampleNames(Loading& loading) {
  std::map<std::int64_t, trace::NameId> names;
  if (!loading.database.has("LANESCOPE_SOURCE")) return names;
  loading.forEach("SAMPLING_CALLCHAINS", {"id", "symbol", "stackDepth"}, [&](const TableRow& row) {
    if (row.integer(2) == 0) names[row.integer(0)] = loading.strings.name(row.integer(1));
  });
  return names;
}

/// A sample without cycles is a stack that was taken for a switch; where no sample has any, the file does not tell.
bool tellsCycles(const Database& database) {
  return database.has("COMPOSITE_EVENTS", "cpuCycles") &&
         database.integer("SELECT EXISTS (SELECT 1 FROM COMPOSITE_EVENTS WHERE cpuCycles > 0)") != 0;
}

void loadSamples(Loading& loading) {
  enum Column { kStart, kGlobalTid, kCycles };
  if (!loading.wants(EventKind::kCpuSample) || !loading.database.has("COMPOSITE_EVENTS")) return;
  trace::TraceBuilder& builder = loading.builder;
  const trace::NameId sample = builder.names().intern("CPU sample");
  const std::map<std::int64_t, trace::NameId> names = sampleNames(loading);
  const bool byCycles = tellsCycles(loading.database);
  loading.forEach("COMPOSITE_EVENTS", {"start", "globalTid", "cpuCycles"}, [&](const TableRow& row) {
    if (byCycles && row.isInteger(kCycles) && row.integer(kCycles) == 0) return;
    if (!loading.hasTimes(row, kStart, kStart) || !loading.hasThread(row, kGlobalTid)) return;
    const Ns time = row.integer(kStart);
    if (!builder.acceptInstant(time, EventKind::kCpuSample)) return;
    LaneInfo info;
    info.kind = EventKind::kCpuSample;
    info.table = builder.table("COMPOSITE_EVENTS");
    info.thread = builder.thread(row.integer(kGlobalTid));
    info.process = builder.draft().threads[info.thread].process;
    const auto named = names.find(row.rowid());
    builder.sequence(info).add({.start = time,
                                .end = time,
                                .name = named == names.end() ? sample : named->second,
                                .sourceRow = static_cast<std::uint64_t>(row.rowid())});
  });
  builder.finish();
}

}  // namespace

void loadScheduling(Loading& loading) {
  loadSwitches(loading);
  loadSamples(loading);
}

}  // namespace lanescope::report
