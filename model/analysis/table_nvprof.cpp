// SPDX-License-Identifier: Apache-2.0
// Tables as nvprof prints them (facts 6): in csv the units stand in a row below the titles, one a column; for a person
// each figure carries its own. Sizes are in powers of 1024.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "model/analysis/table_cells.h"

namespace lanescope::analysis {
namespace {

struct Scale {
  const char* name;
  double unit;
};
constexpr Scale kTimes[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr Scale kSizes[] = {{"B", 1}, {"KB", 1024.0}, {"MB", 1048576.0}, {"GB", 1073741824.0}};
constexpr Scale kRates[] = {{"B/s", 1}, {"KB/s", 1024.0}, {"MB/s", 1048576.0}, {"GB/s", 1073741824.0}};

std::span<const Scale> scalesOf(ColumnKind kind) {
  if (kind == ColumnKind::kTime) return kTimes;
  if (kind == ColumnKind::kSize || kind == ColumnKind::kBytes) return kSizes;
  if (kind == ColumnKind::kRate) return kRates;
  return {};
}

double valueOf(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return std::get<double>(cell);
}

/// The largest in which the value is at least one.
const Scale& scaleFor(std::span<const Scale> scales, double value) {
  for (auto scale = scales.rbegin(); scale != scales.rend(); ++scale)
    if (std::abs(value) >= scale->unit) return *scale;
  return scales.front();
}

/// Five digits that say something, as nvprof has them: "1.2345ms", "203.49ms", "0ns".
std::string withUnit(double value, std::span<const Scale> scales) {
  const Scale& scale = scaleFor(scales, value);
  const double scaled = value / scale.unit;
  if (&scale == scales.data()) return fmt::format("{:.0f}{}", scaled, scale.name);
  const int before = scaled == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(scaled)))) + 1;
  return fmt::format("{:.{}f}{}", scaled, std::max(0, 5 - std::max(1, before)), scale.name);
}

bool isEmpty(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return std::holds_alternative<std::monostate>(row[column]); });
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out += '"';
}

std::string csv(const Table& table, const TableStyle& style, TimeUnit unit) {
  std::vector<std::size_t> shown;
  std::vector<const Scale*> scales;
  std::string titles, units;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    double most = 0;
    for (const auto& row : table.rows)
      if (isNumber(row[i])) most = std::max(most, std::abs(valueOf(row[i])));
    const auto all = scalesOf(column.kind);
    const bool asked = column.kind == ColumnKind::kTime && unit != TimeUnit::kNanoseconds;
    scales.push_back(all.empty() ? nullptr : asked ? &all[static_cast<std::size_t>(unit)] : &scaleFor(all, most));
    if (!shown.empty()) titles += ',', units += ',';
    shown.push_back(i);
    titles += quoted(column.title);
    if (scales.back()) units += scales.back()->name;
    else if (column.kind == ColumnKind::kShare) units += '%';
  }
  std::string text = style.header ? titles + '\n' + units + '\n' : std::string();
  for (const auto& row : table.rows) {
    for (const std::size_t i : shown) {
      if (i > 0) text += ',';
      if (const auto words = textOf(row[i])) text += quoted(*words);
      else if (isNumber(row[i]) && (scales[i] || table.columns[i].kind == ColumnKind::kShare))
        fmt::format_to(std::back_inserter(text), "{:.6f}", valueOf(row[i]) / (scales[i] ? scales[i]->unit : 1));
      else append(text, row[i], table.columns[i].kind, unit);
    }
    text += '\n';
  }
  return text;
}

std::string textCell(const Cell& cell, ColumnKind kind) {
  if (const auto words = textOf(cell)) return std::string(*words);
  if (!isNumber(cell)) return "-";
  if (const auto scales = scalesOf(kind); !scales.empty()) return withUnit(valueOf(cell), scales);
  if (kind == ColumnKind::kShare) return fmt::format("{:.2f}%", valueOf(cell));
  std::string text;
  append(text, cell, kind, TimeUnit::kNanoseconds);
  return text;
}

/// The same figures with nvprof's titles for a person: three sizes as one, without columns that are empty, names with
/// their correlation.
Table forPersons(const Table& table) {
  const auto columnOf = [&](std::string_view title) {
    const auto found = std::ranges::find(table.columns, title, &Column::title);
    return static_cast<std::size_t>(found - table.columns.begin());
  };
  const std::size_t none = table.columns.size(), correlation = columnOf("Correlation_ID"), name = columnOf("Name"),
                    registers = columnOf("Registers Per Thread"), type = columnOf("Type");
  Table shown;
  shown.rows.resize(table.rows.size());
  for (std::size_t i = 0; i < none; ++i) {
    const Column& column = table.columns[i];
    if (i == correlation || isEmpty(table, i)) continue;
    const bool three = column.title.ends_with(" X") && i + 2 < none;
    std::string title = three ? column.title.substr(0, column.title.size() - 1) + "Size" : column.title;
    if (title == "Registers Per Thread") title = "Regs*";
    if (title == "Static SMem") title = "SSMem*";
    if (title == "Dynamic SMem") title = "DSMem*";
    shown.columns.push_back(
        {std::move(title), column.kind == ColumnKind::kText && i != type ? ColumnKind::kText : ColumnKind::kCount});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto& cells = table.rows[row];
      std::string text = textCell(cells[i], column.kind);
      if (three && text != "-")
        text =
            fmt::format("({} {} {})", text, textCell(cells[i + 1], column.kind), textCell(cells[i + 2], column.kind));
      if (i == name && correlation < none && registers < none && isNumber(cells[registers]) &&
          isNumber(cells[correlation]))
        text += fmt::format(" [{}]", textCell(cells[correlation], ColumnKind::kCount));
      if (i == type) {
        if (row > 0 && textOf(table.rows[row - 1][i]) == textOf(cells[i])) text.clear();
        else text += ':';
      }
      shown.rows[row].emplace_back(std::move(text));
    }
    if (three) i += 2;
  }
  return shown;
}

}  // namespace

std::string nvprofText(const Table& table, const TableStyle& style, TimeUnit unit) {
  if (style.format == TableFormat::kCsv) return csv(table, style, unit);
  const Table shown = forPersons(table);
  std::string text = columnText(shown, style, unit);
  const auto has = [&](std::string_view title) {
    return std::ranges::find(shown.columns, title, &Column::title) != shown.columns.end();
  };
  if (has("Regs*")) text += "\nRegs: registers of each thread.\n";
  if (has("SSMem*")) text += "SSMem: static shared memory of each block.\n";
  if (has("DSMem*")) text += "DSMem: dynamic shared memory of each block.\n";
  if (has("SrcMemType")) text += "SrcMemType, DstMemType: the memory that a copy reads and writes.\n";
  return text;
}

}  // namespace lanescope::analysis
