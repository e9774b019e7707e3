// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_perf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "collector/launch/finish_target.h"
#include "collector/unwind/named_ranges.h"
#include "model/format.h"
#include "model/report/rows_host.h"

namespace lanescope::launch {

using report::Id;

namespace {

// ENUM_SAMPLING_THREAD_STATE and ENUM_SCHEDULING_THREAD_BLOCK.
constexpr Id kRunning = 1, kTerminated = 5, kUnscheduled = 6, kWaiting = 7;
constexpr Id kPreempted = 44;

Id globalTidOf(const wire::PerfId& id) { return globalPidOf(id.process) | (id.thread & 0xFFFFFF); }

/// The processor's idle thread, and threads that are gone so far that they have no number any more.
bool isNobody(const wire::PerfId& id) { return id.process == 0 || id.process > 0x7FFFFFFF; }

bool isSwitch(std::uint32_t type) { return type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE; }

}  // namespace

bool PerfRecording::summarize(const Progress& progress, std::uint64_t before) {
  std::uint64_t lostBefore = 0, throttledBefore = 0;
  const bool whole = stream.walk({.chunk =
                                      [&](const Chunk& chunk) {
                                        if (chunk.header.type == wire::ChunkType::kFacts) facts_.add(chunk.records);
                                        if (chunk.header.type != wire::ChunkType::kPerf) return;
                                        broken_ += !forEachPerfRecord(chunk.records, [&](const PerfRecord& record) {
                                          tasks_.take(record);
                                          throttled_ += record.type == PERF_RECORD_THROTTLE;
                                          if (record.type != PERF_RECORD_LOST) return;
                                          const auto count =
                                              numberAt<std::uint64_t>(record.body, sizeof(std::uint64_t));
                                          if (__builtin_add_overflow(lost_, count, &lost_)) lost_ = ~std::uint64_t{0};
                                        });
                                      },
                                  .progress =
                                      [&](std::uint64_t done) {
                                        if (done <= before) lostBefore = lost_, throttledBefore = throttled_;
                                        return progress(done);
                                      }});
  lost_ -= lostBefore;
  throttled_ -= throttledBefore;
  tasks_.arrange();
  format_ = {static_cast<std::uint64_t>(facts_.number("sample-type").value_or(0)),
             static_cast<std::uint64_t>(facts_.number("registers").value_or(0))};
  return whole;
}

void PerfRecording::writeSample(report::Writer& writer, PerfStacks& stacks, const PerfRecord& record) {
  writer.add(report::CpuSampleRow{.id = ++samples,
                                  .start = time(record.id.time),
                                  .cpu = record.id.cpu,
                                  .threadState = kRunning,
                                  .globalTid = globalTidOf(record.id)});
  const trace::Ns at = asTime(record.id.time);
  stacks.write(samples, readSample(record, format_), tasks_.spaceOf(record.id.process, at), record.id.thread, at);
}

void PerfRecording::writeSwitch(report::Writer& writer, const PerfRecord& record) {
  const bool isLeaving = isSwitch(record.type) && (record.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
  const bool isPreempted = isLeaving && (record.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
  const bool isOut = isLeaving || record.type == PERF_RECORD_EXIT;  // an exec's bit is the same as a switch's
  writer.add(report::SwitchRow{.start = time(record.id.time),
                               .cpu = record.id.cpu,
                               .in = !isOut,
                               .globalTid = globalTidOf(record.id),
                               .threadState = !isOut                            ? kRunning
                                              : record.type == PERF_RECORD_EXIT ? kTerminated
                                              : isPreempted                     ? kUnscheduled
                                                                                : kWaiting,
                               .threadBlock = isPreempted ? report::OptionalId(kPreempted) : std::nullopt});
}

bool PerfRecording::writeEvents(report::Writer& writer, StackNames& names, PythonRecording* python,
                                const CaptureWindows& windows, std::uint64_t most, std::uint64_t& cut,
                                const Progress& progress) {
  for (const auto& [name, value] : facts_.all()) {
    if (name != "began" && name != "ended") continue;
    FactLines one;
    one.set(name, value);
    const trace::Ns at = minus(one.number(name).value_or(0), zero);
    name == "began" ? own_.begin(at) : own_.end(at);
  }
  if (!facts_.find("began")) own_.neverOpened();
  PerfStacks stacks(names, python);
  const bool hasSwitches = facts_.text("switches") == "1";
  const auto take = [&](const PerfRecord& record, bool fits) {
    const bool isFirst = record.type == PERF_RECORD_COMM && tasks_.firstExec() &&
                         tasks_.firstExec()->thread == record.id.thread &&
                         tasks_.firstExec()->time == asTime(record.id.time);
    const bool isOfSwitches = isSwitch(record.type) || record.type == PERF_RECORD_EXIT || isFirst;
    if (record.type != PERF_RECORD_SAMPLE && !(hasSwitches && isOfSwitches)) return;
    if (isNobody(record.id) || !keeps(time(record.id.time), windows)) return;
    if (!fits) {
      ++cut;
      return;
    }
    if (!tasks_.see(record.id.process, record.id.thread)) return;
    record.type == PERF_RECORD_SAMPLE ? writeSample(writer, stacks, record) : writeSwitch(writer, record);
  };
  std::uint64_t read = 0;
  return stream.walk({.chunk =
                          [&](const Chunk& chunk) {
                            if (chunk.header.type != wire::ChunkType::kPerf) return;
                            const bool fits = (read += chunk.records.size()) <= most;
                            forEachPerfRecord(chunk.records, [&](const PerfRecord& record) { take(record, fits); });
                          },
                      .progress = progress});
}

std::set<std::uint64_t> PerfRecording::seenProcesses() const {
  std::set<std::uint64_t> seen;
  for (const auto& [pid, process] : tasks_.processes()) {
    if (process.isSeen) seen.insert(pid);
  }
  return seen;
}

void PerfRecording::writeTasks(report::Writer& writer, const Processes& others, const FactLines& facts,
                               std::size_t number) {
  constexpr std::size_t kMostFacts = 10'000;
  std::set<std::uint64_t> known;
  std::set<std::pair<std::uint64_t, std::uint32_t>> named;
  for (const auto& process : others) {
    known.insert(process->pid);
    for (const auto& [thread, text] : process->threadNames) named.emplace(process->pid, thread);
    for (const auto& [thread, name] : process->systemNames) named.emplace(process->pid, thread);
  }
  if (const auto program = facts.number("program-pid"); program && *program > 0)
    known.insert(static_cast<std::uint64_t>(*program));
  for (const auto& [pid, process] : tasks_.processes()) {
    if (!process.isSeen || known.contains(pid)) continue;
    std::string name = std::filesystem::path(process.program).filename().string();
    const auto main = tasks_.threads().find(pid);
    if (name.empty() && main != tasks_.threads().end()) name = main->second.name;
    if (name.empty()) name = fmt::format("process {}", pid);
    writer.add(report::ProcessRow{.globalPid = globalPidOf(pid), .pid = pid, .name = name});
    if (number >= kMostFacts) continue;
    const std::string prefix = fmt::format("LANESCOPE:PROCESS_{}:", number++);
    writer.addCaptureFact(prefix + "PID", std::to_string(pid));
    if (process.parent != 0) writer.addCaptureFact(prefix + "PPID", std::to_string(process.parent));
    if (!process.program.empty()) writer.addCaptureFact(prefix + "EXE", process.program);
    std::string end = seenEndOf(pid, facts);
    if (end.empty()) end = process.ended ? "ended" : "ran on";
    writer.addCaptureFact(prefix + "ENDED", end);
  }
  for (const auto& [tid, thread] : tasks_.threads()) {
    if (!thread.isSeen || thread.name.empty() || named.contains({thread.process, tid})) continue;
    writer.add(report::ThreadNameRow{.name = writer.string(thread.name),
                                     .globalTid = globalPidOf(thread.process) | (tid & 0xFFFFFF),
                                     .priority = {}});
  }
}

std::optional<std::string> PerfRecording::becameSince(std::uint64_t pid, std::uint64_t since) const {
  const auto found =
      pid <= ~std::uint32_t{0} ? tasks_.processes().find(static_cast<std::uint32_t>(pid)) : tasks_.processes().end();
  if (found == tasks_.processes().end() || found->second.lastExec.value_or(0) <= asTime(since)) return std::nullopt;
  return found->second.program;
}

void PerfRecording::writeTrouble(report::Writer& writer, bool wasAskedFor, Losses& losses) const {
  for (const char* fact : {"samples", "switches", "scope", "trigger", "frequency", "period", "kernel", "backtrace",
                           "samples-per-backtrace", "cpus"}) {
    if (const auto value = facts_.find(fact)) writer.addCaptureFact("CPU_SAMPLING:" + factName(fact), *value);
  }
  for (const auto& [name, value] : facts_.all()) {
    if (name != "missing" && name != "fallback") continue;
    if (wasAskedFor && name == "missing") writeIssue(writer, "no-cpu-recording", 1, value, losses);
    else
      writer.add(
          report::DiagnosticRow{.time = 0, .clock = 1, .source = 3, .severity = 1, .text = value, .globalPid = {}});
  }
  const auto say = [&](const char* kind, std::uint64_t count, const std::string& text) {
    if (count > 0) writeIssue(writer, kind, count, text, losses);
  };
  say("lost-cpu-records", lost_,
      fmt::format("{} CPU samples and switches came faster than they could be written", formatCount(lost_)));
  if (__builtin_add_overflow(losses.events, lost_, &losses.events)) losses.events = ~std::uint64_t{0};
  say("cpu-throttled", throttled_,
      fmt::format("The kernel paused CPU sampling {} times because it cost too much; see "
                  "kernel.perf_event_max_sample_rate",
                  formatCount(throttled_)));
  say("cpu-records-damaged", broken_,
      fmt::format("{} parts of the CPU recording hold records that make no sense", formatCount(broken_)));
  say("cpu-tasks-dropped", tasks_.dropped(),
      fmt::format("{} processes, threads and mappings were too many to be kept", formatCount(tasks_.dropped())));
  const StreamReader::Damage& damage = stream.damage();
  say("cpu-stream-damaged", damage.places,
      fmt::format("{} of the CPU recording could not be read, in {} places", formatBytes(damage.bytes),
                  formatCount(damage.places)));
  if (const auto unwritten = facts_.number("unwritten"); unwritten && *unwritten > 0)
    say("cpu-write-failed", static_cast<std::uint64_t>(*unwritten),
        fmt::format("{} of CPU samples and switches could not be written to the disk",
                    formatBytes(static_cast<std::uint64_t>(*unwritten))));
}

}  // namespace lanescope::launch
