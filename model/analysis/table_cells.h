// SPDX-License-Identifier: Apache-2.0
// A table's titles and cells as text, the same digits for every format. Private to model/analysis.
#pragma once

#include <string>

#include "model/analysis/table.h"
#include "model/analysis/table_text.h"

namespace lanescope::analysis {

/// With the unit: "Total Time (ns)".
std::string titleOf(const Column& column, TimeUnit unit);

bool isNumber(const Cell& cell);

/// Appends the cell; of nothing, nothing.
void append(std::string& text, const Cell& cell, ColumnKind kind, TimeUnit unit);

/// The formats of other files.
std::string columnText(const Table& table, const TableStyle& style, TimeUnit unit);  // column, table
std::string htmlText(const Table& table, const TableStyle& style, TimeUnit unit);    // htable, hdoc
std::string nvprofText(const Table& table, const TableStyle& style, TimeUnit unit);  // csv, column, table of that look

}  // namespace lanescope::analysis
