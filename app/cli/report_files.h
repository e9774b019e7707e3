// SPDX-License-Identifier: Apache-2.0
// What FILE… of the command line stands for where folders may be among them, and what tells several files apart: the
// ranks of a job, or else their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/scope.h"
#include "model/report/load.h"
#include "model/report/row_values.h"

namespace lanescope::cli {

/// What --help says of FILE where folders are taken too.
inline constexpr const char* kReportsOrFolders =
    "Reports: .rep, or SQLite exports of Nsight Systems; or traces of nvprof, PyTorch, Chrome or ROCm; or folders of "
    "them; also ssh://[user@]host[:port]/path";

/// Folders become the reports and traces in them, told by the endings of their names, "rank9" before "rank10"; an export
/// beside the report that it was made of is left out. An error for a folder without any.
Result<std::vector<std::string>> reportFiles(const std::vector<std::string>& typed);

/// A file as tables are made of it.
struct OpenReport {
  trace::TracePtr trace;
  report::RowValues values;
  analysis::Scope scope;
};
Result<OpenReport> openReport(const std::string& path, const report::LoadOptions& load,
                              const analysis::ScopeRequest& scope);

/// Which rank a file is of: as it was recorded, else as its path says, last ("job/rank3.rep", "ddp_rank3/nsys.sqlite").
/// Empty if it is of several or of none.
std::string rankOf(const trace::Trace& trace, std::string_view path);

/// What a column that tells files apart is called, and what it says of each.
struct FileLabels {
  std::string title;  ///< "Rank", if every file is of another; else "File"
  std::vector<std::string> labels;
  std::vector<std::size_t> order;  ///< of files: by rank, or as they are given
};
FileLabels labelsOf(const std::vector<std::string>& paths, const std::vector<std::string>& ranks);

}  // namespace lanescope::cli
