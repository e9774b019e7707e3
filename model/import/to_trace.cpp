// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

#include "model/import/import.h"
#include "model/import/placement.h"
#include "model/report/load_issues.h"
#include "model/report/source.h"
#include "model/trace/builder.h"
#include "model/trace/row_links.h"
#include "model/trace/samples.h"
#include "model/utf8.h"

namespace lanescope::imported {
namespace {

using trace::Event;
using trace::EventKind;
using trace::LaneInfo;
using trace::NameId;

class ToTrace {
 public:
  /// `used` where it may be used up: the same recording or none.
  ToTrace(const Recording& recording, Recording* used, const report::LoadOptions& options, const Job& job)
      : recording_(recording), used_(used), options_(options), job_(job), builder_(job, recording.names) {
    if (report::hasZeroTimes(recording.format)) builder_.takeZeroTimes();
    for (NameId name = 1; name < recording.names->size(); ++name)
      if ((*recording.names)[name].text.empty()) nameless_.insert(name);
  }

  Result<trace::TracePtr> run() {
    nameWho();
    const std::vector<trace::RowLink> links = rowLinks();  // before the tracks are used up
    bool counters = options_.only.empty();
    for (const Destination& destination : destinations()) {
      if (std::string_view(destination.table) == "CUDA_UM_CPU_PAGE_FAULT_EVENTS" && counters) takeCurves();
      if (job_.cancelled()) return cancelled();
      take(destination);
    }
    nameGpus();
    if (options_.partners) builder_.correlate();
    if (options_.projections && !job_.cancelled()) builder_.projectRanges();
    if (job_.cancelled()) return cancelled();
    tellIssues();
    trace::TracePtr trace = builder_.snapshot(true);
    if (options_.strict)
      for (const trace::Issue& issue : trace->issues)
        if (report::isDamage(issue)) return tl::unexpected(Error{ErrorCode::kDamaged, {}, issue.text});
    return trace::withRowLinks(trace, links);
  }

 private:
  static tl::unexpected<Error> cancelled() { return tl::unexpected(Error{ErrorCode::kCancelled, {}, {}}); }

  void nameWho() {
    for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
      const Process& from = recording_.processes[i];
      trace::Process& to = builder_.draft().processes[builder_.process(ids_.processes[i])];
      to.name = repairUtf8(imported::nameOf(from.id, from.name));
      to.rank = repairUtf8(from.rank);
      to.sortIndex = from.sortIndex;
      if (from.id.text.empty()) to.pid = from.id.number;
      else to.hasNumber = false;
    }
    for (std::size_t i = 0; i < recording_.threads.size(); ++i) {
      const Thread& from = recording_.threads[i];
      trace::Thread& to = builder_.draft().threads[builder_.thread(ids_.threads[i])];
      to.name = repairUtf8(imported::nameOf(from.id, from.name));
      to.sortIndex = from.sortIndex;
      if (from.id.text.empty()) to.tid = from.id.number;
      else to.hasNumber = false;
    }
  }

  /// Of what has been met.
  void nameGpus() {
    trace::Trace& trace = builder_.draft();
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> gpus;  // by process and device
    for (std::uint32_t i = 0; i < trace.gpus.size(); ++i)
      gpus.emplace(std::pair(trace.processes[trace.gpus[i].process].globalPid, trace.gpus[i].device), i);
    std::vector<std::uint32_t> there;  // of each GPU of the recording
    for (const Gpu& from : recording_.gpus) {
      const auto found = gpus.find({ids_.processes[from.process], from.device});
      there.push_back(found == gpus.end() ? trace::kNone : found->second);
      if (found == gpus.end()) continue;
      trace.gpus[found->second].name = repairUtf8(from.name);
      trace.gpus[found->second].bus = repairUtf8(from.bus);
    }
    std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, trace::Stream*> streams;
    for (trace::Stream& to : trace.streams) streams.emplace(std::tuple(to.gpu, to.context, to.stream), &to);
    for (const Stream& from : recording_.streams)
      if (const auto found = streams.find({there[from.gpu], from.context, from.stream}); found != streams.end()) {
        found->second->name = repairUtf8(from.name);
        found->second->isDefault = from.isDefault;
      }
  }

  // --- events --------------------------------------------------------------------------------------------------------

  /// All tracks of one kind and owner.
  struct Group {
    Placed at;
    std::vector<std::uint32_t> tracks;
    auto key(const Recording& recording) const {
      const Track& track = recording.tracks[tracks.front()];
      const bool ofGpu = track.gpu != trace::kNone || track.stream != trace::kNone;
      return std::tuple(at.kind, track.copyKind, at.globalPid, at.kind == EventKind::kNvtxStartEnd ? 0 : at.globalTid,
                        ofGpu, at.device, at.context, at.stream, at.domain);
    }
  };

  bool wants(EventKind kind) const {
    return options_.only.empty() || std::ranges::find(options_.only, kind) != options_.only.end();
  }

  void take(const Destination& destination) {
    std::vector<Group> groups;
    for (std::uint32_t i = 0; i < recording_.tracks.size(); ++i)
      if (const Track& track = recording_.tracks[i]; destination.holds(track.kind) && !track.events.empty())
        groups.push_back({placed(recording_, ids_, track), {i}});
    const auto less = [this](const Group& a, const Group& b) { return a.key(recording_) < b.key(recording_); };
    std::stable_sort(groups.begin(), groups.end(), less);
    for (std::size_t i = 0; i < groups.size();) {
      std::size_t next = i + 1;
      for (; next < groups.size() && !less(groups[i], groups[next]); ++next)
        groups[i].tracks.push_back(groups[next].tracks.front());
      if (isWanted(groups[i].at.kind)) take(groups[i], destination.table);
      for (const std::uint32_t track : groups[i].tracks)
        if (used_) used_->tracks[track].events = {};
      i = next;
    }
    builder_.finish();
  }

  /// The kinds of NVTX stand in one table.
  bool isWanted(EventKind kind) const {
    const bool ofNvtx =
        kind == EventKind::kNvtxRange || kind == EventKind::kNvtxStartEnd || kind == EventKind::kNvtxMark;
    return wants(ofNvtx ? EventKind::kNvtxRange : kind);
  }

  void take(const Group& group, const char* table) {
    const Track& first = recording_.tracks[group.tracks.front()];
    const auto rowOf = [&](std::size_t i) { return first.events[i].sourceRow; };
    bool ascends = group.tracks.size() == 1;
    for (std::size_t i = 1; ascends && i < first.events.size(); ++i) ascends = rowOf(i - 1) <= rowOf(i);
    trace::EventList events;
    if (ascends) {
      if (used_) events = std::move(used_->tracks[group.tracks.front()].events);
      else events = first.events;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < events.size(); ++i)
        if (Event event = events[i]; prepare(event, group.at, first, i)) events[kept++] = event;
      events.shrink(kept);
    } else {
      for (const RowAt& each : byRow(recording_, group.tracks)) {
        const Track& track = recording_.tracks[each.event.track];
        Event event = track.events[each.event.index];
        if (prepare(event, placed(recording_, ids_, track), track, each.event.index)) events.push_back(event);
      }
    }
    if (!events.empty()) builder_.sequence(infoOf(group.at, first, table)).add(std::move(events));
  }

  LaneInfo infoOf(const Placed& at, const Track& track, const char* table) {
    LaneInfo info;
    info.kind = at.kind;
    info.table = builder_.table(table);
    info.process = builder_.process(at.globalPid);
    switch (at.kind) {
      case EventKind::kCopy:
        info.copyKind = track.copyKind;
        [[fallthrough]];
      case EventKind::kKernel:
      case EventKind::kMemset:
      case EventKind::kGraphLaunch:
        info.gpu = builder_.gpu(info.process, at.device);
        info.stream = builder_.stream(info.gpu, at.context, at.stream);
        break;
      case EventKind::kSync:
      case EventKind::kGpuPageFault:
        info.gpu = builder_.gpu(info.process, at.device);
        break;
      case EventKind::kCpuPageFault:
        break;
      case EventKind::kNvtxRange:
      case EventKind::kNvtxMark:
        info.thread = builder_.thread(at.globalTid);
        [[fallthrough]];
      case EventKind::kNvtxStartEnd: {
        info.domain = builder_.domain(info.process, at.domain);
        trace::Domain& domain = builder_.draft().domains[info.domain];
        if (track.domain == trace::kNone) break;
        domain.name = repairUtf8(recording_.domains[track.domain].name);
        domain.isNvtx = recording_.domains[track.domain].isNvtx;
        break;
      }
      default:
        info.thread = builder_.thread(at.globalTid);
    }
    return info;
  }

  /// Makes the event what report::load() would make of its row; false if it is left out.
  bool prepare(Event& event, const Placed& at, const Track& track, std::size_t index) {
    const bool isInstant = at.kind == EventKind::kCpuSample || at.kind == EventKind::kPythonSample ||
                           at.kind == EventKind::kCpuPageFault || at.kind == EventKind::kNvtxMark ||
                           track.kind == EventKind::kNvtxMark;
    if (isInstant) event.end = event.start, event.unfinished = false;
    event.unfinished &= at.kind == EventKind::kNvtxRange || at.kind == EventKind::kNvtxStartEnd;
    const bool takesAnyStart = event.unfinished || (isInstant && at.kind != EventKind::kNvtxStartEnd);
    if (!(takesAnyStart ? builder_.acceptInstant(event.start, at.kind)
                        : builder_.accept(event.start, event.end, at.kind)))
      return false;
    event.name = nameOf(event, at, track, index);
    const bool tiesCalls = trace::isGpuWork(at.kind) || at.kind == EventKind::kCudaApi || at.kind == EventKind::kSync;
    if (at.kind == EventKind::kNvtxStartEnd)
      event.correlation = at.hasThread ? std::int64_t{builder_.thread(at.globalTid)} + 1 : 0;
    else if (!tiesCalls) event.correlation = 0;
    if (at.kind != EventKind::kCopy && at.kind != EventKind::kMemset) event.amount = 0;
    return true;
  }

  NameId nameOf(const Event& event, const Placed& at, const Track& track, std::size_t index) {
    if (at.kind == EventKind::kGraphLaunch)
      return builder_.names().intern("Graph " + std::to_string(index < track.work.size()
                                                                   ? std::max<std::int64_t>(track.work[index].graph, 0)
                                                                   : 0));
    if (fixedFor_ != std::pair(at.kind, track.copyKind)) {
      fixedFor_ = {at.kind, track.copyKind};
      const auto [text, label] = fixedName(at.kind, track.copyKind);
      fixed_ = text.empty() ? 0 : builder_.names().intern(text, label);
    }
    const bool isNamed = at.kind == EventKind::kCpuSample && !builder_.names()[event.name].text.empty();
    if (fixed_ != 0 && !isNamed) return fixed_;
    if (event.name != 0 && (nameless_.empty() || !nameless_.contains(event.name))) return event.name;
    return builder_.names().intern(kUnnamed, {}, builder_.names()[event.name].argb);
  }

  // --- what is no event ----------------------------------------------------------------------------------------------

  void takeCurves() {
    for (const Curve& curve : recording_.curves) {
      trace::Samples samples;
      for (std::size_t i = 0; i < std::min(curve.times.size(), curve.values.size()); ++i)
        badSamples_ += !samples.add(curve.times[i], curve.values[i]);
      if (!samples.empty()) {
        trace::CounterInfo info;
        if (curve.gpu != trace::kNone) {
          const Gpu& gpu = recording_.gpus[curve.gpu];
          info.process = builder_.process(ids_.processes[gpu.process]);
          info.gpu = builder_.gpu(info.process, gpu.device);
        } else if (curve.process != trace::kNone) {
          info.process = builder_.process(ids_.processes[curve.process]);
        } else {
          info.group = trace::kOfNobody;
        }
        builder_.addCounter(std::move(samples).counter(repairUtf8(curve.name), curve.unit), std::move(info));
      }
    }
  }

  std::vector<trace::RowLink> rowLinks() {
    if (!options_.only.empty() || !options_.partners) return {};
    const auto rowOf = [this](EventAt at) {
      const RowOf row = placeOf(recording_, at);
      return trace::RowRef{builder_.table(row.table), row.row};
    };
    std::vector<trace::RowLink> links;
    links.reserve(recording_.links.size());
    for (const Link& link : recording_.links) links.push_back({rowOf(link.from), rowOf(link.to)});
    return links;
  }

  void tellIssues() {
    for (const trace::Issue& issue : recording_.issues)
      builder_.addIssue(issue.kind, issue.count, repairUtf8(issue.text), issue.about);
    report::addBadSamples(builder_, badSamples_);
    report::addWholeGraphs(builder_);
  }

  const Recording& recording_;
  Recording* const used_;
  const report::LoadOptions& options_;
  const Job& job_;
  const GlobalIds ids_ = globalIdsOf(recording_);
  trace::TraceBuilder builder_;
  std::uint64_t badSamples_ = 0;
  std::pair<EventKind, std::uint8_t> fixedFor_{EventKind::kIdle, 0};
  NameId fixed_ = 0;
  std::unordered_set<NameId> nameless_;  // but for 0: that have only a colour
};

}  // namespace

Result<trace::TracePtr> toTrace(Recording&& recording, const report::LoadOptions& options, const Job& job) {
  return ToTrace(recording, &recording, options, job).run();
}

Result<trace::TracePtr> toTrace(const Recording& recording, const report::LoadOptions& options, const Job& job) {
  return ToTrace(recording, nullptr, options, job).run();
}

}  // namespace lanescope::imported
