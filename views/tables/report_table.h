// SPDX-License-Identifier: GPL-3.0-or-later
// A stats report as a content for a FigureTable: its columns in its order, figures in the units that suit them. Pure; the
// content keeps alive what the table's texts lie in.
#pragma once

#include <memory>
#include <vector>

#include "model/analysis/table.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

/// A content of some rows of the table. `table` owns or keeps whatever its texts point into.
TableContent reportContent(std::shared_ptr<const analysis::Table> table,
                           std::shared_ptr<const std::vector<std::size_t>> rows);

/// The rows of which some cell of text holds this, whatever its case; all for an empty text. O(cells).
std::vector<std::size_t> rowsWith(const analysis::Table& table, const QString& text);

}  // namespace lanescope::views
