// SPDX-License-Identifier: Apache-2.0
// What `stats` and `analyze` have in common: which part of a file, in which unit, and where tables go in which format.
// Options as they are typed, and what they mean once they are known to make sense. Needs no file.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/stats_output.h"
#include "model/analysis/scope.h"
#include "model/analysis/table_text.h"

namespace lanescope::cli {

struct TableOptions {
  std::vector<std::string> files, formats, outputs;
  std::string timeUnit = "nsec", filterTime, filterNvtx, iteration;
  std::uint64_t skipWarmup = 0;
  bool quiet = false, strict = false, overwrite = false;
  bool perRank = false;  ///< one table of all files, rows behind a column that says of which
};

/// What it means, but for the tables themselves.
struct TableRequest {
  analysis::TimeUnit unit{};
  analysis::ScopeRequest scope;
  std::string suffix;  ///< of file names
};

/// Adds what chooses the part and the unit: --timeunit as below, --filter-time, --filter-nvtx, --iteration, --skip-warmup; in the
/// command's own words what stays of that part.
void addPartOptions(CLI::App& command, TableOptions& options, const char* aboutTime, const char* aboutNvtx);

/// Adds --timeunit; and what was typed there.
void addTimeUnit(CLI::App& command, std::string& unit);
tl::expected<analysis::TimeUnit, std::string> timeUnitOf(const std::string& typed);

void addPerRank(CLI::App& command, TableOptions& options, const char* about);

/// Whether several files make one table: not those that are to lie beside each of them.
bool isOneTable(const TableOptions& options);

/// A list with commas between, which takes one word and not all that follow.
void addList(CLI::App& command, const char* names, std::vector<std::string>& words, const char* about);

/// The error is what is wrong, in one line; as of the following.
tl::expected<TableRequest, std::string> tableRequestOf(const TableOptions& options);

/// Refuses more formats or outputs than tables; `what` these are called.
tl::expected<void, std::string> checkLists(const TableOptions& options, std::size_t tables, const char* what);

/// Where the table asked for as number i goes: lists pair up, and the last of a shorter one serves the rest. `oneTable`
/// says whether all files make one.
tl::expected<Destination, std::string> destinationOf(const TableOptions& options, std::size_t i, bool oneTable);

/// The format that was asked for it, as it was typed; null if none was.
const std::string* formatOf(const TableOptions& options, std::size_t i);

/// That format; of none, csv in files and nothing on the console.
tl::expected<std::optional<analysis::TableStyle>, std::string> styleOf(const std::string* format,
                                                                       const Destination& to);

}  // namespace lanescope::cli
