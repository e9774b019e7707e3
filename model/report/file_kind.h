// SPDX-License-Identifier: Apache-2.0
// What a file is, told from its metadata and first bytes, before SQLite sees it. Reads 100 bytes; opens nothing that
// could block (pipes and devices are refused unopened).
#pragma once

#include <cstdint>
#include <filesystem>

#include "model/error.h"

namespace lanescope::report {

/// The words of SQLite's file header that matter to us.
struct Header {
  std::uint32_t applicationId = 0;
  std::uint32_t userVersion = 0;
};

/// The header of a sound SQLite file; otherwise the error that says what the file is instead, or what it lacks.
Result<Header> readHeader(const std::filesystem::path& path);

}  // namespace lanescope::report
