// SPDX-License-Identifier: Apache-2.0
// Which part of a recording a command looks at: what --filter-time and --filter-nvtx say (Nsight Systems' syntax, facts
// 1.4 and 2.1) and which time that is in a given file. Parsing needs no file; resolve() costs O(events of the ranges'
// kind). Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/error.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// A part of the time axis, half open; an edge that is not given is where the axis ends.
struct TimeFilter {
  struct Edge {
    trace::Ns time = 0;
    bool fromStart = false;  ///< counted from where the recording begins: "+0.1s"
  };
  std::optional<Edge> begin, end;
};

/// [START]/[END]. Each is a number, which may have a point, an exponent and a sign, with ns (taken where none is
/// written), us, ms, s, min or h behind it; several that follow each other add up: 1s500ms. A plus sign before it counts
/// from the start of the recording.
Result<TimeFilter> parseTimeFilter(std::string_view text);

/// An NVTX range by what it says.
struct NvtxFilter {
  std::string range;
  std::optional<std::string> domain;  ///< none: the default domain; "*": any
  std::uint64_t index = 0;  ///< which of them in order of start, from 0
};

/// RANGE[@DOMAIN][/INDEX]; a backslash before @ or / makes it part of the name.
Result<NvtxFilter> parseNvtxFilter(std::string_view text);

/// The time on the axis of a file. `recorded` is the span_ns of `info`, from which times with a plus count (where there
/// is none, from `timeline`); `timeline` holds the samples and switches too. An error that tells the timeline where the
/// filter leaves nothing of it. `file` is for that error.
Result<trace::TimeRange> resolve(const TimeFilter& filter, std::optional<trace::TimeRange> recorded,
                                 std::optional<trace::TimeRange> timeline, const std::string& file);

/// That range. An error that tells where there is such a range, or how many there are, if this one is not.
Result<trace::EventRef> findRange(const NvtxFilter& filter, const trace::Trace& trace, const std::string& file);

/// Its time; one without an end reaches to the end of the axis. An error that tells where there is such a
/// range, or how many there are, if this one is not.
Result<trace::TimeRange> resolve(const NvtxFilter& filter, const trace::Trace& trace, const std::string& file);

}  // namespace lanescope::analysis
