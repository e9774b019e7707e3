// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/row_path.h"

namespace lanescope::views {

std::string rowPath(const trace::Trace& trace, std::uint32_t row) {
  std::string path = trace.rows[row].label;
  while ((row = trace.rows[row].parent) != trace::kNone) path = trace.rows[row].label + " › " + path;
  return path;
}

}  // namespace lanescope::views
