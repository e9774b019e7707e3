// SPDX-License-Identifier: Apache-2.0
// The texts of a packed file, unpacked by a thread of its own that is a few blocks ahead of who reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "model/error.h"
#include "model/import/json_text.h"
#include "model/job.h"

namespace lanescope::imported {

/// A file from its begin, plain or packed, whichever it is.
Result<std::unique_ptr<TextSource>> openText(const std::filesystem::path& path);

/// Whether the content of the file is packed; an error where it cannot be read or is empty.
Result<bool> isPackedFile(const std::filesystem::path& path);

/// Writes all texts one behind another, as a source of them counts its positions. Damage ends it and is no
/// error. Stops after `most` bytes.
Result<void> unpackInto(const std::filesystem::path& path, const std::filesystem::path& destination, std::uint64_t most,
                        const Job& job);

}  // namespace lanescope::imported
