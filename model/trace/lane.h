// SPDX-License-Identifier: Apache-2.0
// Events of one row that do not overlap each other, as columns sorted by start, with the index and the pyramid that
// make them quick to search and to draw.
//
// Invariants: starts ascend; each event ends before or when the next begins (so ends ascend too); every time lies in
// [kMinTime, kMaxTime]. Immutable once built, so any thread may read it. About 24 bytes an event with index and
// pyramid: 64-event blocks hold one 64-bit base, events a 32-bit offset and duration, and the few that do not fit
// stand in escape tables. Lanes that differ in when they begin, or in what names are called, share all other columns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/trace/names.h"
#include "model/trace/pyramid.h"
#include "model/trace/time.h"

namespace lanescope::trace {

/// One event on its way into a lane.
struct Event {
  Ns start = 0;
  Ns end = 0;
  NameId name = 0;
  bool unfinished = false;  ///< had no end: drawn to the trace's or its thread's, left out of duration statistics
  std::uint64_t sourceRow = 0;  ///< rowid in the table it came from
  std::uint64_t amount = 0;  ///< bytes of a copy or memset, 0 elsewhere
  /// Ties a call and the work it started; of a start/end range 1 + the index of the one thread it is of; of a projection
  /// 1 + the id of its range. 0 for none. Not kept in the lane
  std::int64_t correlation = 0;
};

class Lane {
 public:
  static constexpr std::size_t kBlock = 64;

  Lane() = default;

  /// Takes events that keep the invariants. `withAmounts` keeps the amount column.
  Lane(std::span<const Event> events, bool withAmounts);

  std::size_t size() const { return offset_.size(); }
  bool empty() const { return offset_.empty(); }

  Ns start(std::size_t i) const {
    const std::uint32_t offset = offset_[i];
    return base_[i / kBlock] + (offset != kEscaped ? Ns{offset} : longOffset(i));
  }
  Ns duration(std::size_t i) const {
    const std::uint32_t duration = duration_[i];
    return duration != kEscaped ? Ns{duration} : longDuration(i);
  }
  Ns end(std::size_t i) const { return start(i) + duration(i); }
  NameId name(std::size_t i) const { return name_[i]; }
  std::span<const NameId> names() const { return name_; }
  std::uint64_t sourceRow(std::size_t i) const { return row_[i] != kEscaped ? row_[i] : longRow(i); }
  std::uint64_t amount(std::size_t i) const { return amount_.empty() ? 0 : amount_[i]; }
  bool unfinished(std::size_t i) const;
  std::span<const std::uint32_t> unfinishedEvents() const { return unfinished_; }  ///< indices, ascending

  /// The same events, `by` later, which must leave them valid times. O(blocks), about a quarter of a byte an event.
  Lane moved(Ns by) const;
  /// The same events by other names: `to` holds one for each id. 4 bytes an event, and the pyramid's names.
  Lane renamed(std::span<const NameId> to) const;

  /// Durations as they are kept, for sums over many: kLong stands for one that 32 bits do not hold.
  std::span<const std::uint32_t> shortDurations() const { return duration_; }
  static constexpr std::uint32_t kLong = 0xFFFFFFFF;

  /// First start to last end; empty range at 0 for an empty lane.
  TimeRange span() const { return empty() ? TimeRange{} : TimeRange{start(0), end(size() - 1)}; }

  /// Index of the first event that starts at or after t; size() if none. O(log n).
  std::size_t lowerBound(Ns t) const;

  /// Index of the first event that touches [t, ∞): that ends after t, or starts at or after t. O(log n).
  std::size_t firstTouching(Ns t) const;

  /// The event that covers t; of a zero-length event at t and one that starts there, the longer. O(log n).
  std::optional<std::size_t> at(Ns t) const;

  /// Time covered by events before t. O(log n); the difference of two calls is the busy time of a range.
  Ns busyBefore(Ns t) const;
  Ns busy(TimeRange range) const { return busyBefore(range.end) - busyBefore(range.begin); }
  Ns totalBusy() const { return empty() ? 0 : busyBefore(kMaxTime); }

  const Pyramid& pyramid() const { return pyramid_; }
  std::size_t bytes() const;

 private:
  friend class LaneBuilder;
  static constexpr std::uint32_t kEscaped = kLong;

  struct Escape {
    std::uint32_t index;
    std::uint64_t value;
  };
  struct Columns {
    std::vector<std::uint32_t> offset, duration, row;
    std::vector<std::uint64_t> amount;
    std::vector<Escape> longOffsets, longDurations, longRows;
    std::vector<std::uint32_t> unfinished;
    std::vector<Ns> busyBeforeBlock;  // prefix sums of busy time
  };
  static std::uint64_t escaped(const std::vector<Escape>& table, std::size_t i);
  Ns longOffset(std::size_t i) const { return static_cast<Ns>(escaped(columns_->longOffsets, i)); }
  Ns longDuration(std::size_t i) const { return static_cast<Ns>(escaped(columns_->longDurations, i)); }
  std::uint64_t longRow(std::size_t i) const { return escaped(columns_->longRows, i); }
  std::size_t blockOf(Ns t) const;

  // The interval tree: starts of the 64-event blocks, and over them every 64th start of the level below, until one
  // node remains. Ends ascend with starts here, so a node needs no maximum end of its own; count is 64^level.
  std::vector<Ns> base_;  // level 0
  std::vector<std::vector<Ns>> upper_;  // level 1 and on

  std::shared_ptr<const Columns> columns_;
  std::shared_ptr<const std::vector<NameId>> names_;
  // What these hold, at hand.
  std::span<const std::uint32_t> offset_, duration_, row_, unfinished_;
  std::span<const std::uint64_t> amount_;
  std::span<const NameId> name_;
  Pyramid pyramid_;
};

/// Builds a lane event by event. finish() once, after as many events as announced.
class LaneBuilder {
 public:
  LaneBuilder(std::size_t count, bool withAmounts);
  void add(const Event& event);
  Lane finish();

 private:
  void store(std::uint64_t value, std::uint32_t& slot, std::vector<Lane::Escape>& table) const;

  Lane lane_;
  Lane::Columns columns_;
  std::vector<NameId> names_;
  std::size_t next_ = 0;
  Ns busy_ = 0, end_ = 0;  // of those before
};

}  // namespace lanescope::trace
