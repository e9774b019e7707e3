// SPDX-License-Identifier: Apache-2.0
// What a file is, told from its metadata and first bytes, before SQLite or anything else sees it: the one place that
// knows files which are not for us by what they are, and what to do with them. Reads some kilobytes; opens nothing that
// could block (pipes and devices are refused unopened).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "model/error.h"

namespace lanescope::report {

enum class FileKind {
  kSqlite,
  kJson,  ///< text that begins like JSON, or a packed file, which may hold some
};

/// An error that says what the file is instead, and what to do.
Result<FileKind> fileKind(const std::filesystem::path& path);

/// The words of SQLite's file header that matter to us.
struct Header {
  std::uint32_t applicationId = 0;
  std::uint32_t userVersion = 0;
};

/// The header of a sound SQLite file; otherwise the error that says what the file is instead, or what it lacks.
Result<Header> readHeader(const std::filesystem::path& path);

/// Whether a file that begins so is packed: gzip, zstd, xz, bzip2, lz4, zip, tar, 7z. `head`: its first kPackedHead
/// bytes, or the whole file.
bool isPacked(std::string_view head);
inline constexpr std::size_t kPackedHead = 512;

/// Whether text that begins so may be JSON: behind a byte order mark, space and comments stands { or [.
bool beginsLikeJson(std::string_view head);

}  // namespace lanescope::report
