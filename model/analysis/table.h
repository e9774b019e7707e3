// SPDX-License-Identifier: Apache-2.0
// A table of figures, before anybody decides how it looks: what the stats reports are, and what is copied or saved
// from the viewer.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lanescope::analysis {

/// How the numbers of a column are to be written.
enum class ColumnKind : std::uint8_t {
  kText,
  kCount,  ///< integer
  kTime,   ///< ns, integer or with one decimal when fractional (means)
  kShare,  ///< per cent, one decimal
  kSize,   ///< bytes, written in MB (10^6) with three decimals
  kBytes,  ///< bytes as they are
};

struct Column {
  std::string title;  ///< without the unit, which the formatter adds: "Total Time"
  ColumnKind kind = ColumnKind::kText;
};

/// Nothing, where a figure does not exist; whole numbers; measured numbers; text, valid UTF-8.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Table {
  std::string name;   ///< "cuda_gpu_kern_sum"
  std::string title;  ///< "CUDA GPU Kernel Summary"
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

}  // namespace lanescope::analysis
