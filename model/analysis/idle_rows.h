// SPDX-License-Identifier: Apache-2.0
// Why GPUs were idle, as a row of the timeline below each GPU: an event a gap, called by its cause, whose partner is what
// is to blame. O(events · log). One thread.
#pragma once

#include "model/job.h"
#include "model/report/row_values.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// The trace itself where no GPU was idle, or the job was cancelled. `file` is the one that the trace is of; nobody adds
/// names to the trace meanwhile.
trace::TracePtr withIdleRows(const trace::TracePtr& trace, report::RowValues& file, const Job& job = {});

}  // namespace lanescope::analysis
