// SPDX-License-Identifier: Apache-2.0
#include "model/trace/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/trace/correlate.h"
#include "model/trace/ids.h"

namespace lanescope::trace {
namespace {

Order orderOf(EventKind kind) {
  switch (kind) {
    case EventKind::kCudaApi:
    case EventKind::kOsRuntime:
    case EventKind::kNvtxRange:
    case EventKind::kNvtxStartEnd:
    case EventKind::kLibraryCall:
    case EventKind::kOverhead:
    case EventKind::kSync:
    case EventKind::kNvtxProjection:
      return Order::kOuterFirst;
    default:
      return Order::kShortFirst;
  }
}

/// Start/end ranges may overlap as they like; where calls or push/pop ranges do, something is wrong.
bool shouldNest(EventKind kind) { return kind == EventKind::kNvtxRange || kind == EventKind::kCudaApi; }

/// A thread that still runs when the recording ends is no news; a range that nobody closed is.
bool isRange(EventKind kind) { return kind == EventKind::kNvtxRange || kind == EventKind::kNvtxStartEnd; }

bool hasAmounts(EventKind kind) { return kind == EventKind::kCopy || kind == EventKind::kMemset; }

/// The index kept for a key, made by `make` when it is new.
template <class Map, class Key, class Make>
std::uint32_t indexOf(Map& map, const Key& key, Make make) {
  const auto [found, isNew] = map.try_emplace(key, 0);
  if (isNew) found->second = make();
  return found->second;
}

template <class T>
std::uint32_t append(std::vector<T>& list, T item) {
  list.push_back(std::move(item));
  return static_cast<std::uint32_t>(list.size() - 1);
}

}  // namespace

void Sequence::add(EventList events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    first_ = std::min(first_, event.start);
    last_ = std::max(last_, event.unfinished ? event.start : event.end);
    anyUnfinished_ |= event.unfinished;
    if (!events_.empty()) events_.push_back(event);
  }
  if (events_.empty()) events_ = std::move(events);
}

TraceBuilder::TraceBuilder(const Job& job, std::shared_ptr<NameTable> names) : job_(job), names_(std::move(names)) {
  draft_.names = names_;
}

std::uint32_t TraceBuilder::process(std::int64_t globalPid) {
  globalPid &= ~kThreadBits;  // a thread's id serves too
  return indexOf(processOf_, globalPid,
                 [&] { return append(draft_.processes, {globalPid, pidOf(globalPid), {}, {}}); });
}

std::uint32_t TraceBuilder::thread(std::int64_t globalTid) {
  return indexOf(threadOf_, globalTid,
                 [&] { return append(draft_.threads, {process(globalTid), globalTid, tidOf(globalTid), {}}); });
}

std::uint32_t TraceBuilder::gpu(std::uint32_t process, std::int64_t device) {
  return indexOf(gpuOf_, std::tuple(process, device), [&] { return append(draft_.gpus, {process, device, {}, {}}); });
}

std::uint32_t TraceBuilder::stream(std::uint32_t gpu, std::int64_t context, std::int64_t stream) {
  return indexOf(streamOf_, std::tuple(gpu, context, stream), [&] {
    if (contextOf_.emplace(gpu, context).first->second != context) draft_.gpus[gpu].severalContexts = true;
    return append(draft_.streams, {gpu, context, stream, {}, false});
  });
}

std::uint32_t TraceBuilder::domain(std::uint32_t process, std::int64_t id) {
  return indexOf(domainOf_, std::tuple(process, id), [&] { return append(draft_.domains, {process, id, {}, {}}); });
}

void TraceBuilder::nameCategory(std::uint32_t domain, std::int64_t id, std::string name) {
  draft_.domains[domain].categories[id] = std::move(name);
}

std::uint16_t TraceBuilder::table(const std::string& name) {
  const auto found = std::find(draft_.tables.begin(), draft_.tables.end(), name);
  if (found != draft_.tables.end()) return static_cast<std::uint16_t>(found - draft_.tables.begin());
  return static_cast<std::uint16_t>(append(draft_.tables, name));
}

Sequence& TraceBuilder::sequence(const LaneInfo& identity) {
  const SequenceKey key{static_cast<std::uint32_t>(identity.kind),
                        identity.copyKind,
                        identity.table,
                        identity.process,
                        identity.thread,
                        identity.stream,
                        identity.gpu,
                        identity.domain,
                        identity.core};
  Sequence*& found = sequenceOf_[key];
  if (!found) {
    sequences_.push_back(std::make_unique<Sequence>());
    found = sequences_.back().get();
    found->info_ = identity;
  }
  return *found;
}

bool TraceBuilder::accept(Ns start, Ns end, EventKind kind) {
  if (start == 0 && end == 0 && !zeroIsTime_) return reject(BadTime::kNotRecorded, kind);
  if (start < kMinTime || start > kMaxTime || end < kMinTime || end > kMaxTime)
    return reject(BadTime::kOutOfRange, kind);
  if (end < start) return reject(BadTime::kEndBeforeStart, kind);
  return true;
}

bool TraceBuilder::acceptInstant(Ns time, EventKind kind) {
  return time >= kMinTime && time <= kMaxTime ? true : reject(BadTime::kOutOfRange, kind);
}

bool TraceBuilder::reject(BadTime why, EventKind kind) {
  ++badTimes_[{why, kind}];
  return false;
}

void TraceBuilder::addCounter(Counter counter, CounterInfo info) {
  if (counter.size() > 0) widenRange(counter.span());
  draft_.counters.push_back(std::make_shared<const Counter>(std::move(counter)));
  draft_.counterInfo.push_back(std::move(info));
}

void TraceBuilder::addIssue(std::string kind, std::uint64_t count, std::string text, std::optional<EventKind> about) {
  draft_.issues.push_back({std::move(kind), count, std::move(text), about});
}

void TraceBuilder::finish() {
  // By identity, not by which row happened to come first; marks last, as they stand below the ranges of their thread.
  const auto identity = [this](const LaneInfo& info) {
    const auto tid = info.thread == kNone ? 0 : draft_.threads[info.thread].globalTid;
    const auto pid = info.process == kNone ? 0 : draft_.processes[info.process].globalPid;
    const auto device = info.gpu == kNone ? 0 : draft_.gpus[info.gpu].device;
    const auto stream = info.stream == kNone ? Stream{} : draft_.streams[info.stream];
    const auto domain = info.domain == kNone ? 0 : draft_.domains[info.domain].id;
    return std::tuple(info.kind == EventKind::kNvtxMark, info.kind, info.copyKind, pid, device, stream.context,
                      stream.stream, tid, domain, info.core, info.table);
  };
  std::stable_sort(sequences_.begin(), sequences_.end(),
                   [&](const auto& a, const auto& b) { return identity(a->info_) < identity(b->info_); });
  for (const auto& sequence : sequences_)
    if (!sequence->events_.empty()) widenRange({sequence->first_, sequence->last_});
  for (const auto& sequence : sequences_)
    if (!job_.cancelled()) finish(*sequence);
  sequences_.clear();
  sequenceOf_.clear();
}

void TraceBuilder::widenRange(TimeRange event) {
  Trace& t = draft_;
  if (!anyEvent_) t.range = event;
  else t.range = {std::min(t.range.begin, event.begin), std::max(t.range.end, event.end)};
  anyEvent_ = true;
}

void TraceBuilder::finish(Sequence& sequence) {
  if (sequence.events_.empty()) return;
  LaneInfo info = sequence.info_;
  for (std::size_t i = 0; sequence.anyUnfinished_ && i < sequence.events_.size(); ++i)
    if (Event& event = sequence.events_[i]; event.unfinished) {
      // Of a range, the end is that of its thread where it is known.
      const bool isOfThread = info.kind == EventKind::kNvtxRange && event.end > event.start;
      const Ns end = isOfThread ? std::min(event.end, draft_.range.end) : draft_.range.end;
      event.end = std::max(event.start, end);
      (isOfThread ? leftOpen_ : unfinished_) += isRange(info.kind);
    }

  constexpr std::size_t kMostEvents = 0x7FFFFFFF;  // ids share their word with a flag, see Trace::kMany
  if (draft_.eventCount_ + sequence.events_.size() > kMostEvents) {
    tooMany_ += sequence.events_.size();
    return;
  }

  const auto rangesOf = std::pair(info.thread, info.domain);
  const std::uint32_t firstDepth = info.kind == EventKind::kNvtxMark ? rangeDepth_[rangesOf] : 0;
  SplitLanes split = splitIntoLanes(sequence.events_, orderOf(info.kind), hasAmounts(info.kind));
  sequence.events_ = {};
  if (info.kind == EventKind::kNvtxRange) {
    std::uint32_t& depth = rangeDepth_[rangesOf];
    depth = std::max(depth, static_cast<std::uint32_t>(split.lanes.size()));
  }
  if (shouldNest(info.kind)) partialOverlaps_ += split.partialOverlaps;
  for (std::size_t i = 0; i < split.lanes.size(); ++i) {
    info.depth = firstDepth + static_cast<std::uint32_t>(i);
    info.firstEvent = static_cast<EventId>(draft_.eventCount_);
    draft_.eventCount_ += split.lanes[i]->size();
    draft_.laneInfo.push_back(info);
    draft_.lanes.push_back(std::move(split.lanes[i]));
    correlation_.resize(draft_.lanes.size());
    if (!split.correlations.empty()) correlation_.back() = std::move(split.correlations[i]);
  }
}

void TraceBuilder::correlate() {
  const std::uint64_t reused = correlateEvents(draft_, correlation_, eventUses_, job_);
  linkEventUses();
  for (LaneId lane = 0; lane < correlation_.size(); ++lane)
    if (draft_.laneInfo[lane].kind != EventKind::kNvtxStartEnd) correlation_[lane] = {};
  if (reused > 0)
    addIssue(
        "correlation-reused", reused,
        fmt::format("{} correlation ids were used again by a later call; GPU work is tied to the latest call before it",
                    reused));
}

void TraceBuilder::linkEventUses() {
  struct Link {
    EventId from;
    Ns start;  // of `to`
    EventId to;
    bool leads;
    auto key() const { return std::tuple(from, start, to); }
  };
  std::vector<Link> all;
  auto links = std::make_shared<Trace::Links>();
  for (const auto& [record, wait] : pairUses(draft_, eventUses_)) {
    const EventId a = eventUses_[record].call, b = eventUses_[wait].call;
    all.push_back({a, draft_.time(draft_.ref(b)).begin, b, true});
    all.push_back({b, draft_.time(draft_.ref(a)).begin, a, false});
    links->recordedOn.emplace_back(a, eventUses_[record].stream);
  }
  eventUses_ = {};
  if (all.empty()) return;
  std::sort(all.begin(), all.end(), [](const Link& a, const Link& b) { return a.key() < b.key(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].key() == all[i - 1].key()) continue;
    links->from.push_back(all[i].from);
    links->to.push_back(all[i].to);
    links->leads.push_back(all[i].leads);
  }
  std::sort(links->recordedOn.begin(), links->recordedOn.end());
  const auto sameCall = [](const auto& a, const auto& b) { return a.first == b.first; };
  links->recordedOn.erase(std::unique(links->recordedOn.begin(), links->recordedOn.end(), sameCall),
                          links->recordedOn.end());
  draft_.links_ = std::move(links);
}

void TraceBuilder::projectRanges() {
  std::vector<RangesAndCalls> ofThread(draft_.threads.size());
  for (LaneId lane = 0; lane < draft_.lanes.size(); ++lane) {
    const LaneInfo& info = draft_.laneInfo[lane];
    if (info.kind == EventKind::kNvtxRange) ofThread[info.thread].ranges.push_back(lane);
    if (info.kind == EventKind::kCudaApi) ofThread[info.thread].calls.push_back(lane);
    if (info.kind == EventKind::kNvtxStartEnd)
      for (std::uint32_t i = 0; i < correlation_[lane].size(); ++i)
        if (const std::int64_t thread = correlation_[lane][i]; thread > 0)
          ofThread[static_cast<std::size_t>(thread - 1)].otherRanges.push_back({lane, i});
  }

  std::vector<std::vector<std::uint32_t>> threadsOf(draft_.processes.size());
  for (std::uint32_t thread = 0; thread < ofThread.size(); ++thread)
    threadsOf[draft_.threads[thread].process].push_back(thread);

  const auto firstLane = static_cast<LaneId>(draft_.lanes.size());
  std::size_t most = 65'536 + 2 * draft_.eventCount_;
  std::uint64_t left = 0;
  struct Target {
    std::uint32_t domain = kNone;
    Sequence* sequence = nullptr;
  };
  std::vector<Target> ofStream(draft_.streams.size());  // the last met; a stream is of one process
  for (const std::vector<std::uint32_t>& threads : threadsOf) {
    std::vector<std::vector<Projection>> lists;
    for (const std::uint32_t thread : threads) {
      Projections projections = project(draft_, ofThread[thread], most, job_);
      most -= projections.list.size();
      left += projections.rangesLeft;
      if (!projections.list.empty()) lists.push_back(std::move(projections.list));
    }
    for (const Projection& each : merged(std::move(lists))) {
      const EventRef range = draft_.ref(each.range);
      const LaneInfo& of = draft_.info(range);
      Target& target = ofStream[each.stream];
      if (!target.sequence || target.domain != of.domain) {
        LaneInfo info;
        info.kind = EventKind::kNvtxProjection;
        info.table = of.table;
        info.process = of.process;
        info.stream = each.stream;
        info.gpu = draft_.streams[each.stream].gpu;
        info.domain = of.domain;
        target = {of.domain, &sequence(info)};
      }
      target.sequence->add({.start = each.span.begin,
                            .end = each.span.end,
                            .name = draft_.name(range),
                            .sourceRow = draft_.lanes[range.lane]->sourceRow(range.index),
                            .correlation = std::int64_t{each.range} + 1});
    }
    if (job_.cancelled()) return;
    finish();  // a process at a time, for the memory
  }
  linkProjections(firstLane);
  correlation_.clear();
  if (left > 0)
    addIssue("projection-cut", left,
             fmt::format("{} NVTX range{} not shown where the GPU work ran: too many overlap, or there are too many",
                         left, left == 1 ? " is" : "s are"));
}

void TraceBuilder::linkProjections(LaneId first) {
  if (first == draft_.lanes.size()) return;
  auto projected = std::make_shared<Trace::Projected>();
  projected->first = draft_.laneInfo[first].firstEvent;
  std::vector<EventId>& rangeOf = projected->rangeOf;
  rangeOf.reserve(draft_.eventCount_ - projected->first);
  for (LaneId lane = first; lane < draft_.lanes.size(); ++lane) {
    for (const std::int64_t range : correlation_[lane]) rangeOf.push_back(static_cast<EventId>(range - 1));
    correlation_[lane] = {};
  }

  const auto [low, high] = std::minmax_element(rangeOf.begin(), rangeOf.end());
  const EventId least = *low;
  std::vector<std::uint32_t> next(std::size_t{*high} - least + 2);
  for (const EventId range : rangeOf) ++next[range - least + 1];
  for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  projected->byRange.resize(rangeOf.size());
  for (std::uint32_t i = 0; i < rangeOf.size(); ++i)
    projected->byRange[next[rangeOf[i] - least]++] = projected->first + i;
  const auto before = [this](EventId a, EventId b) {
    return std::pair(draft_.time(draft_.ref(a)).begin, a) < std::pair(draft_.time(draft_.ref(b)).begin, b);
  };
  const auto sameRange = [&](EventId a, EventId b) {
    return rangeOf[a - projected->first] == rangeOf[b - projected->first];
  };
  for (auto begin = projected->byRange.begin(); begin != projected->byRange.end();) {
    const auto end = std::find_if(begin, projected->byRange.end(), [&](EventId e) { return !sameRange(e, *begin); });
    if (end - begin > 1) std::sort(begin, end, before);
    begin = end;
  }
  draft_.projected_ = std::move(projected);
}

TracePtr TraceBuilder::snapshot(bool complete) {
  auto trace = std::make_shared<Trace>(draft_);
  trace->complete = complete;
  if (complete) appendCounts(*trace);
  buildRows(*trace, busyCache_);
  return trace;
}

void TraceBuilder::appendCounts(Trace& trace) const {
  for (const auto& [what, count] : badTimes_) {
    const auto& [why, kind] = what;
    const std::string events = fmt::format("{} {} event{}", count, kindName(kind), count == 1 ? "" : "s");
    switch (why) {
      case BadTime::kNotRecorded:
        trace.issues.push_back(
            {"time-not-recorded", count, events + " without a recorded time (start and end are 0)", kind});
        break;
      case BadTime::kEndBeforeStart:
        trace.issues.push_back({"end-before-start", count,
                                events + (count == 1 ? " that ends before it starts" : " that end before they start"),
                                kind});
        break;
      case BadTime::kOutOfRange:
        trace.issues.push_back({"time-out-of-range", count, events + " with a time that no clock can show", kind});
        break;
    }
  }
  if (tooMany_ > 0)
    trace.issues.push_back(
        {"too-many-events", tooMany_,
         fmt::format("{} events beyond the two thousand million that one trace can hold", tooMany_)});
  if (partialOverlaps_ > 0)
    trace.issues.push_back({"partial-overlap", partialOverlaps_,
                            fmt::format("{} nested event{} after the event around; both are shown whole",
                                        partialOverlaps_, partialOverlaps_ == 1 ? " ends" : "s end")});
  const auto addOpen = [&](std::uint64_t count, const char* whenOne, const char* whenMany) {
    if (count == 0) return;
    trace.issues.push_back({"unfinished", count,
                            count == 1 ? fmt::format("1 range was still open when {} ended", whenOne)
                                       : fmt::format("{} ranges were still open when {} ended", count, whenMany),
                            EventKind::kNvtxRange});
  };
  addOpen(unfinished_, "the recording", "the recording");
  addOpen(leftOpen_, "its thread", "their thread");
}

}  // namespace lanescope::trace
