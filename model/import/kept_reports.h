// SPDX-License-Identifier: Apache-2.0
// Reports that were made of other tools' files, kept under the user's cache folder, so that a file is imported once: per
// state of the file, options and version of the program. Any thread, any number of processes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/error.h"
#include "model/import/import.h"
#include "model/job.h"
#include "model/kept_files.h"

namespace lanescope::imported {

/// A report to work on in place of a file. What is kept stays while this lives.
struct ReportOf {
  std::filesystem::path path;
  bool isImported = false;  ///< else it is the file itself
  KeptFile kept = {};
};

class KeptReports {
 public:
  /// `version` is that of the program; `folder` empty: the user's.
  explicit KeptReports(std::string version, std::filesystem::path folder = {});

  /// The file itself if it is a report; else the one made of it, which is made now unless it is kept. An import that
  /// fails or is stopped leaves nothing. Damage is among the report's issues.
  Result<ReportOf> reportOf(const std::filesystem::path& file, const ImportOptions& options, const Job& job) const;

  /// The report made of `file`, if it is kept. Reads 64 pages of the file.
  std::optional<ReportOf> find(const std::filesystem::path& file, const ImportOptions& options) const;

  /// Keeps the report of a recording that was read of `file` with these options and all details.
  Result<ReportOf> keep(const Recording& recording, const std::filesystem::path& file, const ImportOptions& options,
                        const Job& job) const;

  /// argumentsOf() (json_reader.h), with the text of a packed file unpacked in the same place.
  Result<std::vector<std::pair<std::string, std::string>>> arguments(const std::filesystem::path& file,
                                                                     const Positions& positions, std::uint64_t ordinal,
                                                                     const Job& job) const;

 private:
  KeptAs asKept(const std::filesystem::path& file, const ImportOptions& options) const;
  Result<ReportOf> fill(KeptFile place, const Recording& recording, const std::filesystem::path& file,
                        const Job& job) const;

  std::string version_;
  KeptFiles files_;
};

}  // namespace lanescope::imported
