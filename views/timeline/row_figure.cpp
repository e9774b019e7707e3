// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_figure.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/counter_figures.h"
#include "model/format.h"

namespace lanescope::views {

QString counterValue(trace::Counter::Unit unit, double value) {
  using Unit = trace::Counter::Unit;
  const auto whole = static_cast<std::uint64_t>(std::llround(std::clamp(value, 0.0, 9e18)));
  switch (unit) {
    case Unit::kPercent:
      return QString::number(value, 'f', value < 9.95 ? 1 : 0) + QStringLiteral(" %");
    case Unit::kHertz:
      if (value >= 1e9) return QString::number(value / 1e9, 'f', 2) + QStringLiteral(" GHz");
      if (value >= 1e6) return QString::number(value / 1e6, 'f', 0) + QStringLiteral(" MHz");
      return QString::fromStdString(formatCount(whole)) + QStringLiteral(" Hz");
    case Unit::kBytes:
      return QString::fromStdString(formatBytes(whole));
    case Unit::kCount:
      break;
  }
  if (value < 100 && value != std::floor(value)) return QString::number(value, 'f', 2);
  return QString::fromStdString(formatCount(whole));
}

RowFigure busyFigure(const trace::Row& row, trace::TimeRange visible) {
  if (!row.busy || visible.empty()) return {};
  return {QString::fromStdString(formatShare(row.busy->busy(visible), visible.length())),
          row.kind == trace::RowKind::kIdle
              ? QStringLiteral(
                    "Share of the visible range in gaps longer than 1 µs, between the first and the last GPU work")
              : QStringLiteral("Busy share of the visible range")};
}

RowFigure filteredBusyFigure(trace::Ns busy, trace::TimeRange visible) {
  if (visible.empty()) return {};
  return {QString::fromStdString(formatShare(busy, visible.length())),
          QStringLiteral("Busy share of the visible range, of the events that pass the filter")};
}

RowFigure counterFigure(const trace::Trace& trace, std::uint32_t index, trace::TimeRange visible,
                        std::optional<trace::Ns> cursor) {
  const trace::Counter& counter = *trace.counters[index];
  if (counter.size() == 0) return {};
  const auto figure = [&](const char* what, double value, const char* meaning) {
    return RowFigure{QString::fromLatin1(what) + QChar(' ') + counterValue(counter.unit(), value),
                     QString::fromLatin1(meaning)};
  };
  if (cursor) {
    const auto at = counter.over({*cursor, *cursor + 1});
    if (!at.any) return {QStringLiteral("here –"), QStringLiteral("No sample yet at the pointer")};
    return figure("here", at.last, "Value at the pointer");
  }
  const analysis::CounterFigures over = analysis::counterFigures(trace, index, visible);
  if (!over.any) return {QStringLiteral("–"), QStringLiteral("No sample in the visible range")};
  // Of memory the most is what matters: it has to fit.
  if (counter.unit() == trace::Counter::Unit::kBytes) return figure("max", over.max, "Most in the visible range");
  return figure("mean", over.mean, "Mean over the visible range");
}

}  // namespace lanescope::views
