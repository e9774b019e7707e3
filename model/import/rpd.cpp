// SPDX-License-Identifier: Apache-2.0
#include "model/import/importers.h"

namespace lanescope::imported {

Result<Recording> readRpd(const report::Database& database, const ImportOptions&, const Job&) {
  return tl::unexpected(Error{ErrorCode::kNotAReport, database.path().string(), "is of a tool that is not read yet"});
}

}  // namespace lanescope::imported
