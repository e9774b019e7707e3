// SPDX-License-Identifier: Apache-2.0
// Tables as Nsight Systems prints them, cell by cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::test {

using Cells = std::vector<std::vector<std::string>>;

/// RFC 4180, as far as golden files need it; without empty lines.
Cells parseCsv(std::string_view text);

/// Where two tables differ first; empty if nowhere.
std::string difference(const Cells& ours, const Cells& golden);

}  // namespace lanescope::test
