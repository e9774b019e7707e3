// SPDX-License-Identifier: Apache-2.0
// Two traces laid one above the other: how their times correspond, and which event of one is which of the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/compare/match_rows.h"
#include "model/compare/time_map.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::compare {

enum class AlignBy : std::uint8_t { kWork, kCaptureStart, kFirstGpuWork, kIteration, kRange, kEvent, kOffset };

struct AlignRequest {
  AlignBy by = AlignBy::kWork;
  std::string range;  ///< kRange: text of an NVTX range, of which the instances are counted by start on both sides
  std::uint32_t index = 0;  ///< kIteration, kRange: which one, from 0
  std::optional<trace::EventRef> a, b;  ///< kEvent
  trace::Ns offset = 0;  ///< kOffset: b = a + offset
};

/// Of an event: what became of it in B against A, whichever side is asked.
enum class Change : std::uint8_t { kSame, kSlower, kFaster, kOnlyHere, kNotCompared };

struct Alignment {
  AlignBy by =
      AlignBy::kWork;  ///< what was done: where what was asked cannot be, by first GPU work or start of capture
  TimeMap map;
  std::string method;  ///< a sentence for a person, that says so
  std::size_t matchedA = 0, matchedB = 0, ofA = 0, ofB = 0;  ///< events matched, of those that can be
  trace::Ns residual = 0;  ///< median of how far GPU work is from its twin: |toB(start in A) - start in B|
  /// The twin of every event, by EventId; trace::kNone where there is none. The same whatever was asked.
  std::vector<trace::EventId> twinOfA, twinOfB;

  /// The same within max(2 %, 1 µs). O(1).
  Change changeOfA(const trace::Trace& a, const trace::Trace& b, trace::EventId event) const;
  Change changeOfB(const trace::Trace& a, const trace::Trace& b, trace::EventId event) const;
};

/// Nothing only if cancelled.
std::optional<Alignment> align(const trace::TracePtr& a, const trace::TracePtr& b, const AlignRequest& request,
                               const Job& job);

}  // namespace lanescope::compare
