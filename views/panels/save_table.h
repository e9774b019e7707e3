// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where to and writes a table there as CSV, figures raw with their units in the header. GUI thread only.
#pragma once

#include <QString>

#include "model/analysis/table.h"

class QWidget;

namespace lanescope::views {

/// Empty if all of it was written, else why not.
QString writeCsv(const analysis::Table& table, const QString& file);

/// Asks, beside the report; says so in a box if it could not be written.
void saveCsv(QWidget* parent, const analysis::Table& table);

}  // namespace lanescope::views
