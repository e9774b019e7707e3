// SPDX-License-Identifier: Apache-2.0
// What goes onto the page about a report, in which order: the run, the timeline, what to look at first, iterations,
// kernels, copies, collectives, ranges, and what was lost. The one place that says so. Parts without data stay out.
// Cost: that of the tables (model/analysis). One thread.
#pragma once

#include <string>

#include "model/job.h"
#include "model/page/page.h"
#include "model/report/info.h"
#include "model/report/row_values.h"
#include "model/trace/trace.h"

namespace lanescope::page {

struct PageInput {
  std::string file;  ///< as the user named it
  trace::TracePtr trace;
  const report::Info& info;
  report::RowValues& values;
};

Page reportPage(const PageInput& input, const Job& job = {});

}  // namespace lanescope::page
