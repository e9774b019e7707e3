// SPDX-License-Identifier: GPL-3.0-or-later
// Several reports on their way onto one timeline: each is identified and loaded, on a few threads at once, then all are
// ordered, placed in time and joined, and the collectives that they have in common are found. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "model/import/kept_reports.h"
#include "model/report/load.h"
#include "model/together/collectives_across.h"
#include "model/together/joined.h"
#include "model/together/report_calls.h"

namespace lanescope::ui {

using Loader = std::function<Result<trace::TracePtr>(const std::filesystem::path&, const report::LoadOptions&,
                                                     const report::Publish&, const Job&)>;
/// A report that was made of another tool's file, and stays while this lives.
using ReportPtr = std::shared_ptr<const imported::ReportOf>;
using JoinedPtr = std::shared_ptr<const together::Joined>;

/// Several reports on one timeline, with what they have in common. A value; what it points to is shared and never null.
struct OneTimeline {
  JoinedPtr joined;  ///< its trace ties one collective on several ranks (Trace::links)
  std::shared_ptr<const std::vector<together::ReportCalls>> calls;
  std::shared_ptr<const together::Across> across;
};

/// The kernel of one rank's part in a collective, by its id in the joined trace.
trace::EventId eventOf(const together::Joined& joined, const together::Across& across,
                       const together::AcrossPart& part);

/// The same reports at other times.
OneTimeline placed(const OneTimeline& timeline, std::span<const together::Placement> placements, const Job& job);

struct LoadedTogether {
  OneTimeline timeline;
  std::map<std::filesystem::path, std::pair<std::filesystem::path, ReportPtr>>
      imported;  ///< by report: the file opened
  std::vector<Error> leftOut;  ///< of reports that could not be loaded, in the order in which they were named
};

/// Fails where none can be loaded, with why the first could not. The loader is called on several threads.
Result<LoadedTogether> loadTogether(const std::vector<std::filesystem::path>& paths, const Loader& loader,
                                    const Job& job);

/// Folders replaced by the reports in them and in the folders in them, by name; files as they are.
std::vector<std::filesystem::path> reportsIn(const std::vector<std::filesystem::path>& places);

}  // namespace lanescope::ui
