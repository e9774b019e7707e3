// SPDX-License-Identifier: Apache-2.0
// The importers, a file each; read() in import.cpp calls the one for the format. Private to model/import.
#pragma once

#include "model/import/import.h"
#include "model/report/database.h"

namespace lanescope::imported {

Result<Recording> readChrome(const std::filesystem::path& path, const ImportOptions& options, const Job& job);
Result<Recording> readNvprof(const report::Database& database, const ImportOptions& options, const Job& job);
Result<Recording> readRocpd(const report::Database& database, const ImportOptions& options, const Job& job);
Result<Recording> readRpd(const report::Database& database, const ImportOptions& options, const Job& job);
Result<Recording> readHipprof(const report::Database& database, const ImportOptions& options, const Job& job);

}  // namespace lanescope::imported
