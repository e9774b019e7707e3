// SPDX-License-Identifier: Apache-2.0
// How a .rep says what it is: two words in SQLite's file header, so that `file` and we can tell before any table is
// read. The version rises when an older Lanescope would read a file wrongly; added tables and columns do not raise it.
#pragma once

#include <cstdint>

namespace lanescope::report {

inline constexpr std::uint32_t kApplicationId = 0x4C534350;  // "LSCP"
inline constexpr std::uint32_t kFormatVersion = 1;           // SQLite's user_version

/// The export schema whose tables and columns a .rep carries, and the newest major one we know.
inline constexpr const char* kExportSchemaVersion = "3.20.3";
inline constexpr int kExportSchemaMajor = 3;

}  // namespace lanescope::report
