// SPDX-License-Identifier: GPL-3.0-or-later
// The one figure of a row header, and the sentence that says what it means. Pure. Busy shares cost O(log n); the mean
// of a counter costs O(samples in the range).
#pragma once

#include <QString>
#include <optional>

#include "model/trace/trace.h"

namespace lanescope::views {

struct RowFigure {
  QString text;     ///< "36.6 %"; empty where a row has none
  QString meaning;  ///< "Busy share of the visible range"
};

RowFigure busyFigure(const trace::Row& row, trace::TimeRange visible);
/// Of what passes a filter.
RowFigure filteredBusyFigure(trace::Ns busy, trace::TimeRange visible);

/// The value at `cursor`, else of memory the most, of others the mean over the visible range. Which it is, its text says.
RowFigure counterFigure(const trace::Trace& trace, std::uint32_t counter, trace::TimeRange visible,
                        std::optional<trace::Ns> cursor);

/// A value with its unit: "36 %", "1.98 GHz", "16.8 MB", "1 234".
QString counterValue(trace::Counter::Unit unit, double value);

}  // namespace lanescope::views
