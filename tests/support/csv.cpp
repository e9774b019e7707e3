// SPDX-License-Identifier: Apache-2.0
#include "tests/support/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lanescope::test {

Cells parseCsv(std::string_view text) {
  Cells rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"') cell += c, ++i;
      else quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      row.push_back(std::exchange(cell, {}));
    } else if (c == '\n') {
      if (!row.empty() || !cell.empty()) row.push_back(std::exchange(cell, {}));
      if (!row.empty()) rows.push_back(std::exchange(row, {}));
    } else {
      cell += c;
    }
  }
  return rows;
}

std::string difference(const Cells& ours, const Cells& golden) {
  for (std::size_t row = 0; row < std::min(ours.size(), golden.size()); ++row) {
    if (ours[row].size() != golden[row].size())
      return fmt::format("row {}: {} cells, not {}", row, ours[row].size(), golden[row].size());
    for (std::size_t i = 0; i < ours[row].size(); ++i)
      if (ours[row][i] != golden[row][i])
        return fmt::format("{} of row {} (…, {}): \"{}\", not \"{}\"", golden[0][i], row, golden[row].back(),
                           ours[row][i], golden[row][i]);
  }
  return ours.size() == golden.size() ? "" : fmt::format("{} rows, not {}", ours.size(), golden.size());
}

}  // namespace lanescope::test
