// SPDX-License-Identifier: Apache-2.0
// Which events of a trace are looked at and which are left out. A Filter is a value that means the same in every snapshot
// and every report of one program: it names things by text, key and number, never by index. Passing is a filter held
// against a trace: names are matched once, events become one bit each, so that passes() is O(1) and pictures, searches
// and figures of what is left are as quick as of the whole. Nothing of an event is copied.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "model/analysis/find.h"
#include "model/job.h"
#include "model/trace/lane_part.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// One thing that events have to be, or may not be.
struct Condition {
  /// What the find understands: text or an expression, kind:, dur>, stream: … Smart case: see Query::Case.
  struct Words {
    std::string text;
    bool regex = false;
    Query query;
    bool operator==(const Words& other) const { return text == other.text && regex == other.regex; }
  };
  struct Name {
    std::string text;  ///< whole
    bool operator==(const Name&) const = default;
  };
  struct Row {
    std::string key;  ///< that row and what stands below it
    bool operator==(const Row&) const = default;
  };
  struct Stream {
    std::int64_t globalPid = 0, device = 0, context = 0, stream = 0;
    bool operator==(const Stream&) const = default;
  };
  struct Thread {
    std::int64_t globalTid = 0;
    bool operator==(const Thread&) const = default;
  };
  struct Process {
    std::int64_t globalPid = 0;
    bool operator==(const Process&) const = default;
  };
  struct Device {
    std::string bus;  ///< tells a GPU of several processes; empty where the report has none
    std::int64_t device = 0;
    bool operator==(const Device&) const = default;
  };
  /// Events that touch it.
  struct Time {
    trace::TimeRange range;
    bool operator==(const Time& other) const { return range == other.range; }
  };

  std::variant<Words, Name, Row, Stream, Thread, Process, Device, Time> what;
  bool hide = false;  ///< these are left out; else all others are
  std::string label;  ///< for a person: "sgemm", "Stream 7"

  bool operator==(const Condition& other) const { return what == other.what && hide == other.hide; }

  /// Refuses what Query::parse refuses, and what asks for nothing.
  static tl::expected<Condition, Query::Mistake> words(std::string_view text, bool regex, bool hide = false);
  static Condition time(trace::TimeRange range, bool hide = false);
};

/// An event passes where all conditions hold; without one every event does.
using Filter = std::vector<Condition>;

/// What of an event, and of a row, can be asked for: its name, row, stream, GPU, thread, process, as far as it has them.
std::vector<Condition> conditionsOf(const trace::Trace& trace, trace::EventRef event);
std::vector<Condition> conditionsOf(const trace::Trace& trace, std::uint32_t row);

class Passing {
 public:
  /// O(names + events of the lanes that conditions on names, lengths or times leave), on a few threads. Of no use once
  /// the job was cancelled.
  Passing(trace::TracePtr trace, Filter filter, const Job& job = {});

  const trace::TracePtr& trace() const { return trace_; }
  const Filter& filter() const { return filter_; }

  /// Lanes of a later snapshot that this one has not seen pass as a whole.
  trace::LaneView of(const trace::Trace& trace, trace::LaneId lane) const {
    return {*trace.lanes[lane], lane < parts_.size() ? parts_[lane].get() : nullptr};
  }
  trace::KeptLane keep(const trace::Trace& trace, trace::LaneId lane) const {
    return {trace.lanes[lane], lane < parts_.size() ? parts_[lane] : nullptr};
  }
  bool passes(trace::EventRef event) const {
    return event.lane >= parts_.size() || !parts_[event.lane] || parts_[event.lane]->has(event.index);
  }
  /// Whether anything of a row of trace(), or of a row below it, is left.
  bool shows(std::uint32_t row) const { return row >= isShown_.size() || isShown_[row]; }

  std::uint64_t events() const { return events_; }  ///< that pass, projections apart
  std::uint64_t looked() const { return looked_; }  ///< events that were tested one by one: the cost

 private:
  trace::TracePtr trace_;
  Filter filter_;
  std::vector<std::shared_ptr<const trace::LanePart>> parts_;  // by lane; null: all of it
  std::vector<bool> isShown_;  // by row
  std::uint64_t events_ = 0, looked_ = 0;
};

using PassingPtr = std::shared_ptr<const Passing>;

/// A lane as a filter leaves it; null: whole.
inline trace::LaneView laneOf(const trace::Trace& trace, trace::LaneId lane, const Passing* passing) {
  return passing ? passing->of(trace, lane) : trace::LaneView(*trace.lanes[lane]);
}
inline trace::KeptLane keptLane(const trace::Trace& trace, trace::LaneId lane, const Passing* passing) {
  return passing ? passing->keep(trace, lane) : trace::KeptLane{trace.lanes[lane]};
}

}  // namespace lanescope::analysis
