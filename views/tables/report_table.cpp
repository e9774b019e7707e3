// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/report_table.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>

#include "model/analysis/column_glossary.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

constexpr std::size_t kLookedAt = 50;  // rows, for how wide a column of text is
constexpr int kMostCharacters = 32;  // most causes of idle time

const analysis::Column* caveatColumn(const analysis::Table& table) {
  const bool last = !table.columns.empty() && table.columns.back().title == "Caveat";
  return last ? &table.columns.back() : nullptr;
}

/// Times on the axis are told apart by their last digits.
bool isPointInTime(const analysis::Column& column) {
  return column.kind == ColumnKind::kTime &&
         (column.title.starts_with("Start") || column.title.ends_with("Start") || column.title == "End");
}

/// The column that says what a row is of: the last of text, for Nsight Systems writes names there.
std::size_t nameColumn(const analysis::Table& table) {
  constexpr std::string_view kNames[] = {"Name", "Operation", "Range", "Kernel Name", "Category"};
  for (const std::string_view title : kNames)
    for (std::size_t i = table.columns.size(); i-- > 0;)
      if (table.columns[i].title == title) return i;
  for (std::size_t i = table.columns.size(); i-- > 0;)
    if (table.columns[i].kind == ColumnKind::kText) return i;
  return 0;
}

/// What the titles of the stats reports mean, and those of rules that are ours.
QString meaningOf(std::string_view table, std::string_view title) {
  constexpr std::pair<std::string_view, const char*> kMeanings[] = {
      {"Cause", QT_TRANSLATE_NOOP("ReportTable", "Why the GPU had nothing to do in the gap: each gap has one cause")},
      {"Culprit", QT_TRANSLATE_NOOP("ReportTable",
                                    "The very call, range or profiler event that the cause comes from; "
                                    "nothing where none filled more than half of the gap")},
      {"Of Gap", QT_TRANSLATE_NOOP("ReportTable",
                                   "Share of the gap that the culprit covers: little where it "
                                   "had only drained the queue, or launched what ended the gap")},
      {"Of Idle", QT_TRANSLATE_NOOP("ReportTable", "Share of all idle time of this GPU")},
      {"Of GPU Time", QT_TRANSLATE_NOOP("ReportTable", "Share of the time from this GPU's first to its last work")},
      {"Of", QT_TRANSLATE_NOOP("ReportTable",
                               "What the figure is a share of. GPU time: from the first to the last work "
                               "on the GPU")},
      {"Goal", QT_TRANSLATE_NOOP("ReportTable", "Beyond it there is something to improve")},
      {"Next work", QT_TRANSLATE_NOOP("ReportTable", "What ended the gap")},
  };
  if (const std::string_view known = analysis::meaningOf(table, title); !known.empty()) return toQt(known);
  for (const auto& [of, meaning] : kMeanings)
    if (of == title) return QCoreApplication::translate("ReportTable", meaning);
  return {};
}

int charactersOf(const analysis::Table& table, std::size_t column) {
  int most = 4;
  for (std::size_t row = 0; row < std::min(table.rows.size(), kLookedAt); ++row)
    if (const auto text = analysis::textOf(table.rows[row][column]))
      most = std::max(most, static_cast<int>(std::min<std::size_t>(text->size(), kMostCharacters)));
  return most;
}

}  // namespace

TableContent reportContent(std::shared_ptr<const analysis::Table> table,
                           std::shared_ptr<const std::vector<std::size_t>> rows) {
  TableContent content;
  content.name = QString::fromStdString(table->name);
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const analysis::Column& column = table->columns[i];
    TableColumn shown{.title = QString::fromStdString(column.title),
                      .meaning = meaningOf(table->name, column.title),
                      .kind = column.kind};
    shown.exact = isPointInTime(column);
    if (shown.exact) shown.characters = 20;
    if (column.kind == ColumnKind::kText) shown.characters = charactersOf(*table, i);
    shown.quiet = &column == caveatColumn(*table);
    content.columns.push_back(shown);
  }
  content.nameColumn = nameColumn(*table);
  content.rows = rows->size();
  content.cell = [table, rows](std::size_t row, std::size_t column) -> Cell {
    const Cell& cell = table->rows[(*rows)[row]][column];
    if (const auto text = analysis::textOf(cell)) return analysis::KeptText(*text);  // no copy
    return cell;
  };
  content.key = [rows](std::size_t row) { return (*rows)[row]; };
  if (caveatColumn(*table))
    content.warning = [table, rows](std::size_t row) {
      const auto text = analysis::textOf(table->rows[(*rows)[row]].back());
      return text ? toQt(*text) : QString();
    };
  return content;
}

std::vector<std::size_t> rowsWith(const analysis::Table& table, const QString& text) {
  std::vector<std::size_t> rows;
  if (text.isEmpty()) {
    rows.resize(table.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto holds = [&](const Cell& cell) {
      const auto words = analysis::textOf(cell);
      return words && toQt(*words).contains(text, Qt::CaseInsensitive);
    };
    if (std::ranges::any_of(table.rows[row], holds)) rows.push_back(row);
  }
  return rows;
}

}  // namespace lanescope::views
