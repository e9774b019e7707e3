// SPDX-License-Identifier: Apache-2.0
#include "model/trace/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "model/trace/ids.h"

namespace lanescope::trace {
namespace {

/// Ids of one kind stand together: events of files, projections, then what is derived.
enum Group : std::uint8_t { kRecorded, kProjected, kDerived };
constexpr std::array kGroups{kRecorded, kProjected, kDerived};

constexpr std::size_t kMostOpen = 2;  // of more a line each is what one sees first; of those their streams are closed

Group groupOf(const LaneInfo& lane) {
  if (lane.kind == EventKind::kNvtxProjection) return kProjected;
  return lane.kind == EventKind::kIdle ? kDerived : kRecorded;
}

std::uint32_t plus(std::uint32_t index, std::size_t base) {
  return index == kNone ? kNone : index + static_cast<std::uint32_t>(base);
}

/// The events of one trace by their ids here.
struct IdMap {
  struct Begin {
    EventId own = 0, here = 0;
  };
  std::vector<Begin> groups;  // by own; at most kGroups of them

  EventId operator()(EventId own) const {
    const Begin* of = groups.data();
    for (const Begin& each : groups)
      if (each.own <= own) of = &each;
    return of->here + (own - of->own);
  }
};

std::size_t eventsOf(const Trace& trace) {
  std::size_t count = 0;
  for (const LanePtr& lane : trace.lanes) count += lane->size();
  return count;
}

/// What a program named anew in each report: made its own where another report has it.
class Pids {
 public:
  std::int64_t distinct(std::int64_t globalPid) {
    constexpr std::int64_t kOtherMachine = std::int64_t{1} << 56;
    while (!taken_.insert(globalPid).second)
      globalPid = static_cast<std::int64_t>(static_cast<std::uint64_t>(globalPid) + kOtherMachine);
    return globalPid;
  }

 private:
  std::unordered_set<std::int64_t> taken_;
};

}  // namespace

class TraceJoin {
 public:
  explicit TraceJoin(std::span<const TraceToJoin> parts) : parts_(parts.begin(), parts.end()) {}

  JoinedTraces join(const Trace* earlier) {
    trace_.complete = true;
    leaveOutWhatIsTooMany();
    for (const TraceToJoin& part : parts_) addOwners(part);
    for (const Group group : kGroups) addLanes(group);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (!earlier) addPartners(i);
      addLinks(i);
      addCounters(i);
      addRows(i);
      for (Issue issue : parts_[i].trace->issues) {
        issue.text = parts_[i].label + ": " + issue.text;
        trace_.issues.push_back(std::move(issue));
      }
    }
    if (earlier) {
      trace_.partners_ = earlier->partners_;
      trace_.fans_ = earlier->fans_;
      trace_.projected_ = earlier->projected_;
    } else {
      addProjected();
      if (!fans_.empty()) trace_.fans_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(fans_));
    }
    if (!links_.from.empty() || !links_.recordedOn.empty())
      trace_.links_ = std::make_shared<const Trace::Links>(std::move(links_));
    return {std::make_shared<const Trace>(std::move(trace_)), std::move(laneOf_)};
  }

 private:
  /// Where the lists of a trace begin here.
  struct Bases {
    std::size_t processes, threads, gpus, streams, domains;
    std::vector<std::uint16_t> tables;
  };

  void leaveOutWhatIsTooMany() {
    std::size_t total = 0;
    for (TraceToJoin& part : parts_) {
      const std::size_t events = eventsOf(*part.trace);
      if (total + events < Trace::kMany) {
        total += events;
        continue;
      }
      auto without = std::make_shared<Trace>();
      without->names = part.trace->names;
      without->complete = part.trace->complete;
      without->issues = {
          {"too-many-events", events, "its events are left out: one timeline can hold two thousand million of them"}};
      part.trace = std::move(without);
    }
  }

  void addOwners(const TraceToJoin& part) {
    const Trace& own = *part.trace;
    if (!trace_.names) trace_.names = own.names;
    trace_.complete &= own.complete;
    if (own.range != TimeRange{} || !own.lanes.empty()) {
      const TimeRange range{own.range.begin + part.offset, own.range.end + part.offset};
      trace_.range = anyTime_
                         ? TimeRange{std::min(trace_.range.begin, range.begin), std::max(trace_.range.end, range.end)}
                         : range;
      anyTime_ = true;
    }
    Bases bases{trace_.processes.size(), trace_.threads.size(), trace_.gpus.size(),
                trace_.streams.size(),   trace_.domains.size(), {}};
    std::vector<std::int64_t> moved;  // of the ids of a process and its threads
    for (Process process : own.processes) {
      const std::int64_t before = process.globalPid;
      process.globalPid = pids_.distinct(before);
      moved.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(process.globalPid) -
                                                static_cast<std::uint64_t>(before)));
      trace_.processes.push_back(std::move(process));
    }
    for (Thread thread : own.threads) {
      thread.globalTid = static_cast<std::int64_t>(static_cast<std::uint64_t>(thread.globalTid) +
                                                   static_cast<std::uint64_t>(moved[thread.process]));
      thread.process = plus(thread.process, bases.processes);
      trace_.threads.push_back(std::move(thread));
    }
    for (Gpu gpu : own.gpus) {
      gpu.process = plus(gpu.process, bases.processes);
      // Without a place on the bus nothing says that it is a GPU of another report.
      gpu.bus = gpu.bus.empty() ? fmt::format("{} {}", part.key, gpu.device) : part.host + ' ' + gpu.bus;
      trace_.gpus.push_back(std::move(gpu));
    }
    for (Stream stream : own.streams) {
      stream.gpu = plus(stream.gpu, bases.gpus);
      trace_.streams.push_back(std::move(stream));
    }
    for (Domain domain : own.domains) {
      domain.process = plus(domain.process, bases.processes);
      trace_.domains.push_back(std::move(domain));
    }
    for (const std::string& table : own.tables) {
      const auto found = std::ranges::find(trace_.tables, table);
      bases.tables.push_back(static_cast<std::uint16_t>(found - trace_.tables.begin()));
      if (found == trace_.tables.end()) trace_.tables.push_back(table);
    }
    bases_.push_back(std::move(bases));
    laneOf_.emplace_back(own.lanes.size());
    ids_.emplace_back();
  }

  void addLanes(Group group) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Trace& own = *parts_[i].trace;
      const Bases& bases = bases_[i];
      bool first = true;
      for (LaneId lane = 0; lane < own.lanes.size(); ++lane) {
        LaneInfo info = own.laneInfo[lane];
        if (groupOf(info) != group) continue;
        if (first) ids_[i].groups.push_back({info.firstEvent, nextEvent_});
        first = false;
        info.firstEvent = nextEvent_;
        nextEvent_ += static_cast<EventId>(own.lanes[lane]->size());
        info.process = plus(info.process, bases.processes);
        info.thread = plus(info.thread, bases.threads);
        info.gpu = plus(info.gpu, bases.gpus);
        info.stream = plus(info.stream, bases.streams);
        info.domain = plus(info.domain, bases.domains);
        if (info.table < bases.tables.size()) info.table = bases.tables[info.table];
        laneOf_[i][lane] = static_cast<LaneId>(trace_.lanes.size());
        trace_.laneInfo.push_back(info);
        trace_.lanes.push_back(parts_[i].offset == 0
                                   ? own.lanes[lane]
                                   : std::make_shared<const Lane>(own.lanes[lane]->moved(parts_[i].offset)));
      }
      std::ranges::sort(ids_[i].groups, {}, &IdMap::Begin::own);
    }
    if (group == kRecorded) trace_.eventCount_ = nextEvent_;
    if (group == kProjected) projections_ = nextEvent_ - trace_.eventCount_;
  }

  void addPartners(std::size_t part) {
    const Trace& own = *parts_[part].trace;
    const auto fanBase = static_cast<std::uint32_t>(fans_.size());
    if (own.fans_) {
      const std::vector<std::uint32_t>& fans = *own.fans_;
      for (std::size_t i = 0; i < fans.size(); i += fans[i] + std::size_t{1}) {
        fans_.push_back(fans[i]);
        for (std::size_t k = 1; k <= fans[i]; ++k) fans_.push_back(ids_[part](fans[i + k]));
      }
    }
    trace_.partners_.resize(trace_.lanes.size());
    const auto here = [&](std::uint32_t word) {
      if (word == kNone) return word;
      return (word & Trace::kMany) != 0 ? word + fanBase : ids_[part](word);
    };
    for (LaneId lane = 0; lane < own.partners_.size(); ++lane) {
      if (!own.partners_[lane]) continue;
      const std::vector<std::uint32_t>& words = *own.partners_[lane];
      Trace::Partners& partners = trace_.partners_[laneOf_[part][lane]];
      if (std::ranges::all_of(words, [&](std::uint32_t word) { return here(word) == word; })) {
        partners = own.partners_[lane];
        continue;
      }
      auto changed = std::make_shared<std::vector<std::uint32_t>>(words.size());
      std::ranges::transform(words, changed->begin(), here);
      partners = std::move(changed);
    }
  }

  void addLinks(std::size_t part) {
    const Trace& own = *parts_[part].trace;
    if (!own.links_) return;
    for (const EventId id : own.links_->from) links_.from.push_back(ids_[part](id));
    for (const EventId id : own.links_->to) links_.to.push_back(ids_[part](id));
    links_.leads.insert(links_.leads.end(), own.links_->leads.begin(), own.links_->leads.end());
    for (const auto& [call, stream] : own.links_->recordedOn) links_.recordedOn.emplace_back(ids_[part](call), stream);
  }

  /// Ranges ascend from trace to trace, so what is ordered by range stays so.
  void addProjected() {
    if (projections_ == 0) return;
    auto projected = std::make_shared<Trace::Projected>();
    projected->first = static_cast<EventId>(trace_.eventCount_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const auto& own = parts_[i].trace->projected_;
      if (!own) continue;
      for (const EventId range : own->rangeOf) projected->rangeOf.push_back(ids_[i](range));
      for (const EventId projection : own->byRange) projected->byRange.push_back(ids_[i](projection));
    }
    trace_.projected_ = std::move(projected);
  }

  void addCounters(std::size_t part) {
    const Trace& own = *parts_[part].trace;
    counterBase_ = trace_.counters.size();
    for (std::size_t i = 0; i < own.counters.size(); ++i) {
      CounterInfo info = own.counterInfo[i];
      info.process = plus(info.process, bases_[part].processes);
      info.gpu = plus(info.gpu, bases_[part].gpus);
      trace_.counters.push_back(parts_[part].offset == 0
                                    ? own.counters[i]
                                    : std::make_shared<const Counter>(own.counters[i]->moved(parts_[part].offset)));
      trace_.counterInfo.push_back(std::move(info));
    }
  }

  void addRows(std::size_t part) {
    const Trace& own = *parts_[part].trace;
    const auto root = static_cast<std::uint32_t>(trace_.rows.size());
    Row report;
    report.kind = RowKind::kReport;
    report.key = parts_[part].key;
    report.label = parts_[part].label;
    report.summary = true;
    report.expanded = parts_.size() <= kMostOpen;
    trace_.rootRows.push_back(root);
    trace_.rows.push_back(std::move(report));
    // Threads are closed below what the GPU did, but are all there is of ranks without one.
    const bool hasGpu = std::ranges::any_of(own.rows, [](const Row& row) { return row.kind == RowKind::kGpu; });
    const Row* onlyGpu = nullptr;
    std::size_t gpus = 0;
    std::map<const BusyUnion*, std::shared_ptr<const BusyUnion>> moved;
    for (const Row& each : own.rows) {
      Row row = each;
      row.key = parts_[part].key + '/' + each.key;
      row.parent = each.parent == kNone ? root : plus(each.parent, root + 1);
      row.depth = static_cast<std::uint16_t>(each.depth + 1);
      row.expanded = each.expanded && each.kind != RowKind::kStream && (each.kind != RowKind::kThreads || !hasGpu);
      for (std::uint32_t& child : row.children) child = plus(child, root + 1);
      for (LaneId& lane : row.lanes) lane = laneOf_[part][lane];
      for (std::uint32_t& counter : row.counters) counter = plus(counter, counterBase_);
      if (each.busy && parts_[part].offset != 0) {
        auto& busy = moved[each.busy.get()];
        if (!busy) busy = std::make_shared<const BusyUnion>(*each.busy, each.busy->lanes(), parts_[part].offset);
        row.busy = busy;
      }
      trace_.rows.push_back(std::move(row));
    }
    for (const std::uint32_t index : own.rootRows) {
      const std::uint32_t child = plus(index, root + 1);
      trace_.rows[root].children.push_back(child);
      if (trace_.rows[child].kind == RowKind::kProcess)
        trace_.rows[root].lanes.insert(trace_.rows[root].lanes.end(), trace_.rows[child].lanes.begin(),
                                       trace_.rows[child].lanes.end());
    }
    for (std::size_t i = root + std::size_t{1}; i < trace_.rows.size(); ++i)
      if (trace_.rows[i].kind == RowKind::kGpu && trace_.rows[i].busy) ++gpus, onlyGpu = &trace_.rows[i];
    if (gpus == 1) trace_.rows[root].busy = onlyGpu->busy;
  }

  std::vector<TraceToJoin> parts_;
  std::vector<Bases> bases_;
  std::vector<IdMap> ids_;
  std::vector<std::vector<LaneId>> laneOf_;
  Pids pids_;
  Trace trace_;
  Trace::Links links_;
  std::vector<std::uint32_t> fans_;
  EventId nextEvent_ = 0;
  std::size_t projections_ = 0, counterBase_ = 0;
  bool anyTime_ = false;
};

JoinedTraces joinTraces(std::span<const TraceToJoin> traces, const Trace* earlier) {
  return TraceJoin(traces).join(earlier);
}

TracePtr renamed(const Trace& trace, std::shared_ptr<const NameTable> names, std::span<const NameId> to) {
  auto other = std::make_shared<Trace>(trace);
  other->names = std::move(names);
  std::unordered_map<const Lane*, LanePtr> laneFor;
  const auto renamedLane = [&](const LanePtr& lane) {
    LanePtr& made = laneFor[lane.get()];
    if (!made) made = std::make_shared<const Lane>(lane->renamed(to));
    return made;
  };
  for (LanePtr& lane : other->lanes) lane = renamedLane(lane);
  std::unordered_map<const BusyUnion*, std::shared_ptr<const BusyUnion>> busyFor;
  for (Row& row : other->rows) {
    if (!row.busy) continue;
    auto& made = busyFor[row.busy.get()];
    if (!made) {
      std::vector<KeptLane> lanes = row.busy->lanes();
      for (KeptLane& each : lanes) each.lane = renamedLane(each.lane);
      made = std::make_shared<const BusyUnion>(*row.busy, std::move(lanes), 0);
    }
    row.busy = made;
  }
  return other;
}

}  // namespace lanescope::trace
