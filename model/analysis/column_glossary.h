// SPDX-License-Identifier: Apache-2.0
// What the columns of the stats reports mean, in words for the user: what the Statistics panel says of a title and what
// the help lists. Each title has one meaning, but where a report gives it its own. Constant data; any thread.
#pragma once

#include <span>
#include <string_view>

namespace lanescope::analysis {

struct ColumnMeaning {
  std::string_view title;  ///< "Med"; several with | between
  std::string_view meaning;
  std::string_view report = {};  ///< the only one that it is of, or the beginning of the names of several
};

std::span<const ColumnMeaning> columnGlossary();

/// Empty if there is none, and for what is no stats report.
std::string_view meaningOf(std::string_view report, std::string_view title);

}  // namespace lanescope::analysis
