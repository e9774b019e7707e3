// SPDX-License-Identifier: Apache-2.0
// A table of figures, before anybody decides how it looks: what the stats reports are, and what is copied or saved
// from the viewer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lanescope::analysis {

/// How the numbers of a column are to be written.
enum class ColumnKind : std::uint8_t {
  kText,
  kCount,  ///< integer
  kId,     ///< integer that names something, as a pid or a stream does: never in groups
  kTime,   ///< ns, integer or with one decimal when fractional (means)
  kShare,  ///< per cent, one decimal
  kSize,   ///< bytes, written in MB (10^6) with three decimals
  kBytes,  ///< bytes as they are
  kRate,   ///< bytes a second, written in MB/s (10^6) with three decimals
  kMean,   ///< of counts, one decimal
  kRatio,  ///< three decimals
  kProbability,  ///< two significant digits
};

struct Column {
  std::string title;  ///< without the unit, which the formatter adds: "Total Time"
  ColumnKind kind = ColumnKind::kText;
};

/// Text that somebody else keeps, longer than the table: a name of the trace, of which there may be as many as events.
struct KeptText {
  explicit KeptText(std::string_view of) : text(of) {}
  std::string_view text;
  bool operator==(const KeptText&) const = default;
};

/// Nothing, where a figure does not exist; whole numbers; measured numbers; text, valid UTF-8.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string, KeptText>;

/// The text of a cell that is text.
inline std::optional<std::string_view> textOf(const Cell& cell) {
  if (const auto* own = std::get_if<std::string>(&cell)) return *own;
  if (const auto* kept = std::get_if<KeptText>(&cell)) return kept->text;
  return std::nullopt;
}

struct Table {
  std::string name;   ///< "cuda_gpu_kern_sum"
  std::string title;  ///< "CUDA GPU Kernel Summary"
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> caveats = {};  ///< by row, while it is made: why its figures are not whole
  std::vector<std::vector<std::int64_t>> instances = {};  ///< by row, where asked for: what its figures are of
  enum class Look : std::uint8_t {
    kNsight,
    kNvprof,  ///< titles and units as nvprof has them, in csv and columns
  };
  Look look = Look::kNsight;
};

}  // namespace lanescope::analysis
