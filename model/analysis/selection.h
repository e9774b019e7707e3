// SPDX-License-Identifier: Apache-2.0
// What is in a selection: per row, per direction of copies, per name. Events count where they touch the range [begin,
// end) (a zero-length event at begin does, one at end does not); their times are clipped at its edges, unless whole
// events are asked for. Unfinished events count, but have no duration to be figured. Any thread; stops when the job is
// cancelled, leaving what it returns incomplete.
#pragma once

#include <cstdint>
#include <vector>

#include "model/analysis/filter.h"
#include "model/analysis/statistics.h"
#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

enum class Clip : std::uint8_t { kAtEdges, kWholeEvents };

struct Selection {
  trace::TimeRange range;
  std::vector<std::uint32_t> rows;  ///< indices into Trace::rows, each with the rows below it; empty means every row
  Clip clip = Clip::kAtEdges;
  PassingPtr passing = {};  ///< only these events; null: all
};

/// The lanes that a selection covers, each once; none of which its filter leaves nothing. Without rows: all but thread states, CPU cores and samples, which are
/// the machine's, not the program's, and projections, which show a range again.
std::vector<trace::LaneId> lanesOf(const trace::Trace& trace, const Selection& selection);

struct RowFigures {
  std::uint32_t row = 0;
  trace::Ns busy = 0;  ///< union of its lanes in the range
  std::uint64_t count = 0;  ///< events that touch the range
};
/// Of one row; of a heading, which has no lanes, what stands below it. O(lanes · log n) where the row has a BusyUnion or
/// one lane, else O(events in the range).
RowFigures rowFigures(const trace::Trace& trace, std::uint32_t row, trace::TimeRange range, const Job& job = {},
                      const Passing* passing = nullptr);

struct CopyFigures {
  std::uint8_t copyKind = 0;  ///< of the export, see trace::copyKindName
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;  ///< of a copy cut by an edge the part in the range, as if it moved evenly
  trace::Ns time = 0;  ///< sum of durations; throughput is bytes / time
};
/// By direction, most bytes first. O(copies in the range).
std::vector<CopyFigures> copyFigures(const trace::Trace& trace, const Selection& selection, const Job& job = {});

/// A line of the table by name: all events of one kind with one text.
struct NameFigures {
  trace::NameId name = 0;  ///< Name::same
  trace::EventKind kind = trace::EventKind::kKernel;
  std::uint8_t copyKind = 0;  ///< copies
  std::string_view kindWord = trace::kindName(kind);  ///< what a person calls the kind
  Statistics time;
  trace::Ns self = 0;  ///< total without what nests inside, of the same thread, kind and domain
  std::uint64_t unfinished = 0;  ///< of the events, left out of `time`
  std::uint64_t bytes = 0;  ///< copies and memsets; of one cut by an edge the part in the range
};

struct NameTable {
  std::vector<NameFigures> names;  ///< by kind, then most total time first
  std::uint64_t events = 0;  ///< looked at: the cost
};
/// O(events in the range), about 15 ms a million.
NameTable nameFigures(const trace::Trace& trace, const Selection& selection, const Job& job = {});

/// Durations of one line, for its histogram, in no order; each with the event it belongs to.
struct Durations {
  std::vector<trace::Ns> time;
  std::vector<trace::EventId> event;
};
Durations durationsOf(const trace::Trace& trace, const Selection& selection, trace::NameId name, trace::EventKind kind,
                      const Job& job = {});

}  // namespace lanescope::analysis
