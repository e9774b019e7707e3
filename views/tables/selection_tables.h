// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of a selection, by name, by row and of its counters, as contents for a FigureTable. Pure; the
// contents keep the trace alive.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "model/analysis/counter_figures.h"
#include "model/analysis/selection.h"
#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

/// What a line of the table by name is told by.
struct NameKey {
  trace::NameId name = 0;
  trace::EventKind kind = trace::EventKind::kKernel;
  std::uint8_t copyKind = 0;

  static NameKey of(const analysis::NameFigures& figures) { return {figures.name, figures.kind, figures.copyKind}; }
  std::uint64_t number() const {
    return std::uint64_t{name} << 16 | std::uint64_t{static_cast<std::uint8_t>(kind)} << 8 | copyKind;
  }
  bool operator==(const NameKey&) const = default;
};

/// The colours of lines: of a name that has several (NVTX authors choose), the first one chosen. O(names) to make,
/// cheap to copy.
class LineColours {
 public:
  LineColours() = default;
  LineColours(Palette palette, const trace::Trace& trace);  ///< `palette` has not learned its names yet

  QRgb of(const NameKey& line) const;
  const Palette& palette() const { return own_->palette; }

 private:
  struct Own {
    Palette palette;
    std::unordered_map<trace::NameId, trace::NameId> chosen;  // by Name::same
  };
  std::shared_ptr<const Own> own_ = std::make_shared<const Own>();
};

enum class NameColumn { kName, kKind, kCount, kTotal, kShare, kMean, kMedian, kMin, kMax, kDeviation, kSelf, kSize };

/// What the lines are called in a cell: labels, but whole texts where two names of one kind have the same. O(lines).
std::vector<QString> nameLabels(const trace::Trace& trace, const analysis::NameTable& table);

/// `length` is what shares are of.
TableContent nameContent(const trace::TracePtr& trace, std::shared_ptr<const analysis::NameTable> table,
                         std::shared_ptr<const std::vector<QString>> labels, trace::Ns length,
                         const LineColours& colours);

enum class RowColumn { kRow, kBusy, kShare, kCount };

TableContent rowContent(const trace::TracePtr& trace, std::vector<analysis::RowFigures> rows, trace::Ns length);

enum class MetricColumn { kMetric, kMean, kMin, kMax, kUnit, kRow };

TableContent metricContent(const trace::TracePtr& trace, std::vector<analysis::CounterLine> lines);

}  // namespace lanescope::views
