// SPDX-License-Identifier: Apache-2.0
// A report, or a part of its time, in another format. Rows stream from the file to the output: O(rows), and memory does
// not grow with them, but for the call stacks of the Chrome format (chrome.h). What a format has no place for is named,
// not dropped in silence. One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/report/new_file.h"
#include "model/report/slice.h"

namespace lanescope::exporting {

enum class Format {
  kSqlite,  ///< Nsight Systems' tables; named .rep, a report of ours
  kJson,  ///< one object: a list of rows a table
  kJsonLines,  ///< a row a line
  kCsv,  ///< a folder with a file a table
  kText,
  kChrome,  ///< Trace Event Format with Kineto's names, for Perfetto and chrome://tracing
};

/// By the names of -t.
std::optional<Format> findFormat(std::string_view name);
std::string formatNames();  ///< "sqlite, json, …"

/// Where it goes if nobody says: the input's name with this format's ending.
std::filesystem::path defaultDestination(const std::filesystem::path& input, Format format);

struct Order {
  Format format = Format::kSqlite;
  std::filesystem::path destination;  ///< "-" is standard output, where the format is one text
  report::IfExists ifExists = report::IfExists::kRefuse;
  std::string version;  ///< of the program, kept in the output
};

/// What is not in the output though it is in the report, in one clause each: "table X is damaged: …".
using Missing = std::vector<std::string>;

Result<Missing> exportReport(report::Slice& slice, const Order& order);

}  // namespace lanescope::exporting
