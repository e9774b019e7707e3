// SPDX-License-Identifier: Apache-2.0
// The events that a row of a stats report tells of, found again by what the row says: the name of an event as the report
// writes it, and in reports of single events its start; the group of a row of streams, categories or collectives. Nothing for a row
// that names no events, such as one of an address. O(events of the report's kinds in scope). One thread a RowValues.
#pragma once

#include "model/analysis/find.h"
#include "model/analysis/reports.h"

namespace lanescope::analysis {

/// `row` is one of the table that makeReport() made of the same call, trace and scope.
Hits eventsOfRow(const ReportCall& call, const Table& table, std::size_t row, const trace::Trace& trace,
                 report::RowValues& file, const Scope& scope = {}, const Job& job = {});

/// The longest of these events, longest first, equals in order of time: at most so many. O(hits + most · log most).
std::vector<trace::EventRef> longestHits(const trace::Trace& trace, const Hits& hits, std::size_t most);

}  // namespace lanescope::analysis
