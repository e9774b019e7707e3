// SPDX-License-Identifier: Apache-2.0
// Two traces laid one above the other: how their times correspond, and which event of one is which of the other. Events
// are matched as twins.h says. By work, times correspond as the iterations that are matched begin; where there are none,
// as GPU work that is matched does, or what else is. A million events a side take a second or two. Any thread.
#pragma once

#include <array>
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
  std::string range;  ///< kRange: text of an NVTX range, with or without "domain:"; instances are counted by start
  std::uint32_t index =
      0;  ///< kRange: which instance, from 0; kIteration: which of iterationsOfA, over its twin if any
  std::optional<trace::EventRef> a, b;  ///< kEvent
  trace::Ns offset = 0;  ///< kOffset: b = a + offset
};

/// Of an event: what became of it in B against A, whichever side is asked.
enum class Change : std::uint8_t { kSame, kSlower, kFaster, kOnlyHere, kNotCompared };

inline constexpr trace::Ns kSameNs = 1000;  ///< less is no change, nor is less than 2 %
Change changeOf(trace::Ns a, trace::Ns b);

struct Alignment {
  AlignBy by =
      AlignBy::kWork;  ///< what was done: where what was asked cannot be, by first GPU work or start of capture
  TimeMap map;
  std::string method;  ///< a sentence for a person, that says so
  std::size_t matchedA = 0, matchedB = 0, ofA = 0, ofB = 0;  ///< events matched, of those that can be
  trace::Ns residual = 0;  ///< median of how far GPU work is from its twin: |toB(start in A) - start in B|

  /// The twin of every event, by EventId; trace::kNone where there is none. The same whatever was asked.
  std::vector<trace::EventId> twinOfA, twinOfB;
  std::array<bool, trace::kEventKinds> compared{};  ///< kinds that are matched and that both sides recorded

  /// Iterations that both have, of the thread with most of them, to choose from; by start.
  std::string iterationName;  ///< "domain:step *"; empty: none
  std::vector<trace::EventRef> iterationsOfA, iterationsOfB;
  std::uint64_t steps = 0;  ///< comparisons that matching took

  /// kNotCompared: of a kind that is not compared, or without an end. O(1), by id O(log lanes).
  Change changeOfA(const trace::Trace& a, const trace::Trace& b, trace::EventRef event) const;
  Change changeOfB(const trace::Trace& a, const trace::Trace& b, trace::EventRef event) const;
  Change changeOfA(const trace::Trace& a, const trace::Trace& b, trace::EventId event) const {
    return changeOfA(a, b, a.ref(event));
  }
  Change changeOfB(const trace::Trace& a, const trace::Trace& b, trace::EventId event) const {
    return changeOfB(a, b, b.ref(event));
  }
};

/// Nothing only if cancelled.
std::optional<Alignment> align(const trace::TracePtr& a, const trace::TracePtr& b, const AlignRequest& request,
                               const Job& job);

/// The same twins with their times laid otherwise. O(events).
void alignAgain(Alignment& alignment, const trace::Trace& a, const trace::Trace& b, const AlignRequest& request);

}  // namespace lanescope::compare
