// SPDX-License-Identifier: Apache-2.0
// What `stats` was asked for, once it is known to make sense: which reports, how they are written and where to. Needs no
// file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cli/table_request.h"
#include "model/analysis/reports.h"
#include "model/report/load.h"
#include "model/together/collectives_across.h"

namespace lanescope::cli {

struct StatsOptions : TableOptions {
  std::vector<std::string> reports, helpReports, helpFormats;  // of these; empty but asked for: all
  std::string sqlite;  // Nsight Systems' way to name the export that it makes first
  bool anew = false;
};

/// One report to make: which, how it is written, and where to.
struct StatsOrder {
  analysis::ReportCall call;
  const together::AcrossReport* across = nullptr;  ///< made of all ranks of a job; else it is the call
  std::string format;  ///< as it was asked for
  analysis::TableStyle style;
  Destination destination;

  std::string name() const { return across != nullptr ? std::string(across->name) : call.name(); }
};

struct StatsRequest : TableRequest {
  std::vector<StatsOrder> orders;
  std::vector<StatsOrder> across;  ///< those of all ranks
};

/// The error is what is wrong, in one line.
tl::expected<StatsRequest, std::string> requestOf(const StatsOptions& options);

/// The report of all ranks of that name, or null.
const together::AcrossReport* findAcross(std::string_view name);

/// What is said of a report that there is not.
std::string refusedReport(const std::string& name);

/// What has to be read of a file.
report::LoadOptions loadOptions(const StatsOptions& options, const StatsRequest& request);

}  // namespace lanescope::cli
