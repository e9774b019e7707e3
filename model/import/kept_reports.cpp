// SPDX-License-Identifier: Apache-2.0
#include "model/import/kept_reports.h"

#include "model/answers.h"
#include "model/import/json_reader.h"
#include "model/user_folders.h"

namespace lanescope::imported {

namespace fs = std::filesystem;

namespace {

/// Raised when other reports are made of the same files.
constexpr const char* kRevision = "3";

ReportOf reportIn(KeptFile place) {
  fs::path path = place.file;
  return {.path = std::move(path), .isImported = true, .kept = std::move(place)};
}

/// What its rows and indices take on the disk, about.
std::uintmax_t bytesOf(const Recording& recording) {
  constexpr std::uintmax_t kEvent = 96, kSample = 32, kLink = 80, kAtLeast = 1 << 20;
  std::uintmax_t bytes = kAtLeast + kLink * recording.links.size() + recording.names->textBytes();
  for (const Track& track : recording.tracks) bytes += kEvent * track.events.size();
  for (const Curve& curve : recording.curves) bytes += kSample * curve.times.size();
  return bytes;
}

}  // namespace

KeptReports::KeptReports(std::string version, fs::path folder)
    : version_(std::move(version)), files_(folder.empty() ? cacheFolder("imports") : std::move(folder)) {}

KeptAs KeptReports::asKept(const fs::path& file, const ImportOptions& options) const {
  return {.of = packed({"report", fileState(file), version_, kRevision, options.timesAreNanoseconds ? "ns" : "us"}),
          .name = file.filename().string() + ".rep"};
}

std::optional<ReportOf> KeptReports::find(const fs::path& file, const ImportOptions& options) const {
  auto kept = files_.find(asKept(file, options));
  return kept ? std::optional(reportIn(std::move(*kept))) : std::nullopt;
}

Result<ReportOf> KeptReports::reportOf(const fs::path& file, const ImportOptions& options, const Job& job) const {
  const Result<Format> format = formatOf(file);
  if (!format) return tl::unexpected(format.error());
  if (*format == Format::kReport) return ReportOf{.path = file};
  Result<KeptFile> place = files_.enter(asKept(file, options), file.string(), job);
  if (!place) return tl::unexpected(place.error());
  if (place->whole) return reportIn(std::move(*place));
  ImportOptions whole = options;
  whole.details = true;
  const Result<Recording> recording = read(file, whole, job);
  if (recording) return fill(std::move(*place), *recording, file, job);
  KeptFiles::leave(std::move(*place));
  return tl::unexpected(recording.error());
}

Result<ReportOf> KeptReports::keep(const Recording& recording, const fs::path& file, const ImportOptions& options,
                                   const Job& job) const {
  Result<KeptFile> place = files_.enter(asKept(file, options), file.string(), job);
  if (!place) return tl::unexpected(place.error());
  return place->whole ? reportIn(std::move(*place)) : fill(std::move(*place), recording, file, job);
}

Result<ReportOf> KeptReports::fill(KeptFile place, const Recording& recording, const fs::path& file,
                                   const Job& job) const {
  std::error_code unknown;
  place.clear();  // of an import that was killed
  Result<void> done = files_.makeRoom(place, bytesOf(recording));
  if (done) done = toReport(recording, fs::absolute(file, unknown), version_, place.part(), job);
  if (done) done = place.finish();
  if (done) return reportIn(std::move(place));
  KeptFiles::leave(std::move(place));
  return tl::unexpected(done.error());
}

Result<std::vector<std::pair<std::string, std::string>>> KeptReports::arguments(const fs::path& file,
                                                                                const Positions& positions,
                                                                                std::uint64_t ordinal,
                                                                                const Job& job) const {
  Result<KeptFile> place =
      files_.enter({.of = packed({"text", fileState(file)}), .name = file.filename().string()}, file.string(), job);
  if (!place) return tl::unexpected(place.error());
  auto arguments = argumentsOf(file, positions, ordinal, place->whole ? place->file : place->part(), job);
  if (place->whole) return arguments;
  std::error_code none;
  const bool isUnpacked = arguments && fs::exists(place->part(), none);
  if (!isUnpacked || !place->finish()) KeptFiles::leave(std::move(*place));
  return arguments;
}

}  // namespace lanescope::imported
