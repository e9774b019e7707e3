// SPDX-License-Identifier: Apache-2.0
// Unpacks what texts come packed in: gzip (any number of members), zstd, xz, bzip2, lz4, and zip, tar and 7z with any
// number of files, also one in another. Told by content. Streams: memory does not grow with the file. gzip is done with
// zlib, because libarchive gives up the last 64 KiB of one that was cut off; the rest with libarchive.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "model/error.h"
#include "model/report/file_kind.h"

namespace lanescope::imported {

using report::isPacked;
using report::kPackedHead;

/// Both return false when that is enough.
struct UnpackTo {
  std::function<bool(std::string_view name)> document;  ///< one begins; its name in the archive, empty without one
  std::function<bool(std::string_view bytes)> bytes;  ///< more of it
};

/// What kept it from coming to the end: kDamaged where the file is to blame, and then what was handed out is sound.
/// `read` follows how much of the file has been used. Leaves out what file systems put beside files (__MACOSX, ._name).
std::optional<Error> unpack(const std::filesystem::path& path, const UnpackTo& to, std::atomic<std::uint64_t>& read);

}  // namespace lanescope::imported
