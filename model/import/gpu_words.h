// SPDX-License-Identifier: Apache-2.0
// What other tools' words for GPU work say.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::imported {

/// The export's copyKind (facts 4.5) of a copy that is called so: "Memcpy HtoD (Pageable -> Device)" is 1. 0: not told.
std::uint8_t copyKindOf(std::string_view name);

/// A kernel's name without what it returns, its scopes, template arguments and parameters.
std::string_view shortKernelName(std::string_view name);

}  // namespace lanescope::imported
