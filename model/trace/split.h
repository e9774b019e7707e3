// SPDX-License-Identifier: Apache-2.0
// Lanes from events that may nest or overlap: each event goes to the first lane that is free when it starts. For events
// that nest that is their depth; for events that overlap in part it keeps both whole. Nothing is dropped or clipped.
// Cost: a sort where the events are not in order already, then O(log lanes) an event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/trace/busy.h"
#include "model/trace/lane.h"

namespace lanescope::trace {

/// Events in the order they were read. Grows by chunks, since tables have millions of rows; only the first is moved while
/// it grows, since files have very many short lists too.
class EventList {
 public:
  void push_back(const Event& event) {
    if (size_ % kChunk == 0) chunks_.emplace_back().reserve(size_ == 0 ? 1 : kChunk);
    chunks_.back().push_back(event);
    ++size_;
    anyCorrelation_ |= event.correlation != 0;
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool anyCorrelation() const { return anyCorrelation_; }
  void setCorrelation(std::size_t i, std::int64_t correlation) {
    (*this)[i].correlation = correlation;
    anyCorrelation_ |= correlation != 0;
  }
  void clear() { *this = {}; }
  /// Keeps the first so many.
  void shrink(std::size_t size) {
    size_ = std::min(size, size_);
    chunks_.resize((size_ + kChunk - 1) / kChunk);
    if (size_ % kChunk != 0) chunks_.back().resize(size_ % kChunk);
  }
  Event& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const Event& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

 private:
  static constexpr std::size_t kChunk = 4096;
  std::vector<std::vector<Event>> chunks_;
  std::size_t size_ = 0;
  bool anyCorrelation_ = false;
};

/// How events that start together are ordered.
enum class Order {
  kOuterFirst,  ///< calls and ranges of a thread: the longer is the parent; equal length: file order
  kShortFirst,  ///< work of a stream: a zero-length event goes before the one that starts with it, in one lane
};

struct SplitLanes {
  std::vector<LanePtr> lanes;
  std::vector<std::vector<std::int64_t>> correlations;  ///< per lane, in its order; empty if no event has one
  std::uint64_t partialOverlaps = 0;  ///< kOuterFirst: events that end after the one around them
};

SplitLanes splitIntoLanes(const EventList& events, Order order, bool withAmounts);

}  // namespace lanescope::trace
