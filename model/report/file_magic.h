// SPDX-License-Identifier: Apache-2.0
// Files that are not for us, told by how they begin. Private to file_kind.cpp.
#pragma once

#include <optional>
#include <string_view>

namespace lanescope::report {

struct OtherFile {
  std::string_view what;    ///< "is a Perfetto trace"
  std::string_view remedy;  ///< FILE stands for its path
};

/// Nothing for a file that is not known. `head`: its first kilobytes.
std::optional<OtherFile> otherFile(std::string_view head);

}  // namespace lanescope::report
