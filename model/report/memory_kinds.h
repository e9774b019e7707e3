// SPDX-License-Identifier: Apache-2.0
// Curves of memory in use, by what kind of memory it is.
#pragma once

#include <cstdint>

namespace lanescope::report {

/// The curves of facts 5.2, by memKind of the export (facts 4.5); pageable and pinned memory have none.
constexpr const char* memoryCurve(std::int64_t memKind) {
  switch (memKind) {
    case 2:
    case 3:
      return "Memory usage";
    case 4:
      return "Managed memory usage";
    case 5:
    case 6:
      return "Static memory usage";
    default:
      return nullptr;
  }
}

}  // namespace lanescope::report
