// SPDX-License-Identifier: Apache-2.0
// From when to when a report tells of, whatever part of it is loaded: the first and last valid time of CUDA calls, GPU
// work, synchronization, OS runtime and NVTX, which is the span_ns of `info` (design.md, section 7) and where times that
// begin with a plus are counted from. recordedSpan() is one pass over two columns of each of these tables.
#pragma once

#include <optional>

#include "model/report/database.h"
#include "model/report/table_scan.h"
#include "model/trace/time.h"

namespace lanescope::report {

/// Counts too where a report was made of another tool's file, which tells of it among its events.
inline constexpr const char* kOverheadTable = "CUPTI_ACTIVITY_KIND_OVERHEAD";

/// CUPTI writes 0/0 for a time it could not collect, and the smallest integer for others.
bool isRecorded(trace::Ns start, trace::Ns end);

/// What has been seen so far.
class Span {
 public:
  /// True if the row's time is valid; a row without an end is an instant.
  bool take(const TableRow& row, int start, int end);
  const std::optional<trace::TimeRange>& range() const { return range_; }

 private:
  std::optional<trace::TimeRange> range_;
};

/// Nothing if no event has a valid time.
std::optional<trace::TimeRange> recordedSpan(const Database& database);

struct Spans {
  std::optional<trace::TimeRange> recorded;  ///< recordedSpan()
  /// With samples, switches, metrics, calls of libraries and waits for Python's lock: all that a part of it may be of.
  std::optional<trace::TimeRange> timeline;
};
/// Both by one walk.
Spans spansOf(const Database& database);

}  // namespace lanescope::report
