// SPDX-License-Identifier: Apache-2.0
#include "model/import/import.h"

#include <algorithm>

#include "model/import/clocks_apart.h"
#include "model/import/importers.h"

namespace lanescope::imported {

namespace {

constexpr std::string_view kEndings[] = {".rep",      ".sqlite",  ".sqlite3",  ".json",     ".json.gz",
                                         ".json.zst", ".json.xz", ".json.bz2", ".json.lz4", ".nvvp",
                                         ".nvprof",   ".rpd",     ".db"};

}  // namespace

bool hasKnownEnding(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::vector<std::string> knownPatterns() {
  std::vector<std::string> patterns;
  for (const std::string_view ending : kEndings) patterns.push_back("*" + std::string(ending));
  return patterns;
}

namespace {

Result<Recording> readAny(const std::filesystem::path& path, const ImportOptions& options, const Job& job) {
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

}  // namespace

Result<Recording> read(const std::filesystem::path& path, const ImportOptions& options, const Job& job) {
  Result<Recording> recording = readAny(path, options, job);
  if (recording) tellClocksApart(*recording);
  return recording;
}

}  // namespace lanescope::imported
