// SPDX-License-Identifier: Apache-2.0
// Builds a Trace from events in any order: where every reader and importer ends. Add processes, threads and streams,
// add events to sequences (all events of one kind on one thread, stream, …), finish() what is whole, take snapshots.
// One thread. Invalid times are counted as issues, never silently dropped.
#pragma once

#include <array>
#include <map>
#include <unordered_map>

#include "model/job.h"
#include "model/trace/event_uses.h"
#include "model/trace/projection.h"
#include "model/trace/rows.h"
#include "model/trace/split.h"
#include "model/trace/trace.h"

namespace lanescope::trace {

/// All events of one kind on one owner, before they are split into lanes.
class Sequence {
 public:
  /// An event whose times are known to be valid (TraceBuilder::accept).
  void add(const Event& event) {
    events_.push_back(event);
    first_ = std::min(first_, event.start);
    last_ = std::max(last_, event.unfinished ? event.start : event.end);
    anyUnfinished_ |= event.unfinished;
  }

  /// The same for many; a list that stands for the whole sequence is not copied.
  void add(EventList events);

 private:
  friend class TraceBuilder;
  LaneInfo info_;  // depth and firstEvent are filled in lane by lane
  EventList events_;
  Ns first_ = kMaxTime, last_ = kMinTime;
  bool anyUnfinished_ = false;
};

class TraceBuilder {
 public:
  /// finish() and correlate() end early, leaving the trace without what was to come, once the job is cancelled.
  /// `names` are those that events go by, where there are some already.
  explicit TraceBuilder(const Job& job = {}, std::shared_ptr<NameTable> names = std::make_shared<NameTable>());

  NameTable& names() { return *names_; }

  // Indices of what is there already or is made now. Global ids are packed as facts 4.2 tells.
  std::uint32_t process(std::int64_t globalPid);
  std::uint32_t thread(std::int64_t globalTid);
  std::uint32_t gpu(std::uint32_t process, std::int64_t device);
  std::uint32_t stream(std::uint32_t gpu, std::int64_t context, std::int64_t stream);
  std::uint32_t domain(std::uint32_t process, std::int64_t id);
  void nameCategory(std::uint32_t domain, std::int64_t id, std::string name);
  std::uint16_t table(const std::string& name);

  /// The trace being built, for names and other facts about its processes, threads, GPUs, streams and domains.
  Trace& draft() { return draft_; }

  /// The sequence with this identity (everything in LaneInfo but depth and firstEvent). Stays valid until finish().
  Sequence& sequence(const LaneInfo& identity);

  /// True for valid times; else counts why not, for this kind of event, and returns false.
  bool accept(Ns start, Ns end, EventKind kind);
  bool acceptInstant(Ns time, EventKind kind);  ///< 0 is as good as any other

  /// Start and end at 0 are a time, too: of files that write no times which they do not know.
  void takeZeroTimes() { zeroIsTime_ = true; }

  void addCounter(Counter counter, CounterInfo info);
  void addIssue(std::string kind, std::uint64_t count, std::string text, std::optional<EventKind> about = {});

  void addEventUse(const EventUse& use) { eventUses_.push_back(use); }

  /// Turns all sequences into lanes. Call when a table has been read whole.
  void finish();

  /// Ties launches to the GPU work they started, and waits to the records they wait for. Call once, after the last finish() of API and GPU tables.
  void correlate();

  /// Adds the spans of NVTX ranges on the streams where their work ran. Call once, after correlate(); nothing else is
  /// added afterwards. At most two for each event, and a few more.
  void projectRanges();

  /// What is built so far, with its rows.
  TracePtr snapshot(bool complete);

 private:
  enum class BadTime { kNotRecorded, kEndBeforeStart, kOutOfRange };

  using SequenceKey = std::array<std::uint32_t, 9>;
  struct SequenceKeyHash {
    std::size_t operator()(const SequenceKey& key) const {
      std::size_t hash = 0;
      for (std::uint32_t part : key) hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
      return hash ^ hash >> 32;
    }
  };

  void finish(Sequence& sequence);
  void linkEventUses();
  void linkProjections(LaneId first);
  void widenRange(TimeRange event);
  void appendCounts(Trace& trace) const;
  bool reject(BadTime why, EventKind kind);

  const Job job_;
  std::shared_ptr<NameTable> names_;
  Trace draft_;
  std::vector<std::unique_ptr<Sequence>> sequences_;
  std::unordered_map<SequenceKey, Sequence*, SequenceKeyHash> sequenceOf_;
  std::unordered_map<std::int64_t, std::uint32_t> processOf_, threadOf_;
  std::map<std::tuple<std::uint32_t, std::int64_t>, std::uint32_t> gpuOf_, domainOf_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> streamOf_;
  std::vector<std::vector<std::int64_t>> correlation_;  // per lane, until it has served
  std::vector<EventUse> eventUses_;  // until correlate()
  std::map<std::pair<BadTime, EventKind>, std::uint64_t> badTimes_;
  std::unordered_map<std::uint32_t, std::int64_t> contextOf_;  // per GPU, the first context met
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> rangeDepth_;  // by thread and domain
  std::uint64_t tooMany_ = 0;
  BusyCache busyCache_;
  std::uint64_t partialOverlaps_ = 0;
  std::uint64_t unfinished_ = 0, leftOpen_ = 0;  ///< ranges that end with the trace, and with their thread
  bool anyEvent_ = false;
  bool zeroIsTime_ = false;
};

}  // namespace lanescope::trace
