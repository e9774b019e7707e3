// SPDX-License-Identifier: Apache-2.0
#include "model/import/import.h"

#include "model/import/importers.h"

namespace lanescope::imported {

Result<Recording> read(const std::filesystem::path& path, const ImportOptions& options, const Job& job) {
  const Result<Format> format = formatOf(path);
  if (!format) return tl::unexpected(format.error());
  if (*format == Format::kChrome) return readChrome(path, options, job);
  const Result<report::Database> database = report::Database::openForeign(path);
  if (!database) return tl::unexpected(database.error());
  switch (*format) {
    case Format::kNvprof:
      return readNvprof(*database, options, job);
    case Format::kRocpd:
      return readRocpd(*database, options, job);
    case Format::kRpd:
      return readRpd(*database, options, job);
    case Format::kHipprof:
      return readHipprof(*database, options, job);
    default:
      return tl::unexpected(Error{ErrorCode::kNotAReport, path.string(), "is a report, which needs no import"});
  }
}

}  // namespace lanescope::imported
