// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "model/import/import.h"
#include "model/report/database.h"
#include "model/report/file_kind.h"
#include "model/report/format_version.h"

namespace lanescope::imported {

namespace {

bool hasAll(const report::Database& database, std::initializer_list<std::string_view> tables) {
  return std::ranges::all_of(tables, [&](std::string_view table) { return database.has(table); });
}

bool hasAnyThatBegins(const report::Database& database, std::string_view prefix) {
  return std::ranges::any_of(database.tables(), [&](const std::string& table) { return table.starts_with(prefix); });
}

Error notOurs(const report::Database& database) {
  const std::string path = database.path().string();
  if (hasAll(database, {"read_only_kernels", "read_only_model_info"}))
    return {ErrorCode::kNotAReport, path, "is a database of DLProf: sums, without times",
            "open the SQLite export of Nsight Systems that DLProf made it from"};
  if (hasAll(database, {"profCall", "profStringTable"}))
    return {ErrorCode::kNotAReport, path, "is a profile of the CPU by the PGI profiler, without GPU work or times",
            "record with a GPU trace: nvprof -o another.nvvp PROGRAM, or lanescope profile"};
  return {ErrorCode::kNotAReport, path, "is an SQLite database, but not a report"};
}

}  // namespace

Result<Format> formatOf(const std::filesystem::path& path) {
  const Result<report::FileKind> kind = report::fileKind(path);
  if (!kind) return tl::unexpected(kind.error());
  if (*kind == report::FileKind::kJson) return Format::kChrome;
  const Result<report::Database> database = report::Database::openForeign(path);
  if (!database) return tl::unexpected(database.error());
  if (database->formatVersion() > 0 || (database->has("StringIds", "id") && database->has("StringIds", "value")))
    return Format::kReport;
  if (database->has("StringTable", "_id_")) return Format::kNvprof;
  if (hasAnyThatBegins(*database, "rocpd_info_node_") || hasAnyThatBegins(*database, "rocpd_kernel_dispatch_"))
    return Format::kRocpd;
  if (hasAll(*database, {"rocpd_string", "rocpd_api", "rocpd_op"})) return Format::kRpd;
  if (database->has("HIP", "BeginNs") || database->has("OPS", "BeginNs") || database->has("COPY", "BeginNs"))
    return Format::kHipprof;
  return tl::unexpected(notOurs(*database));
}

}  // namespace lanescope::imported
