// SPDX-License-Identifier: GPL-3.0-or-later
// The two tables of a selection, by name and by row, as contents for a FigureTable. Pure; the contents keep the trace
// alive.
#pragma once

#include <vector>

#include "model/analysis/selection.h"
#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

enum class NameColumn { kName, kKind, kCount, kTotal, kShare, kMean, kMedian, kMin, kMax, kDeviation, kSelf, kSize };

/// `length` is what shares are of; `palette` has learned the names of the trace.
TableContent nameContent(const trace::TracePtr& trace, std::shared_ptr<const analysis::NameTable> table,
                         trace::Ns length, Palette palette);

enum class RowColumn { kRow, kBusy, kShare, kCount };

TableContent rowContent(const trace::TracePtr& trace, std::vector<analysis::RowFigures> rows, trace::Ns length);

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

}  // namespace lanescope::views
