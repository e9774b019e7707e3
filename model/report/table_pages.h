// SPDX-License-Identifier: Apache-2.0
// Reads a table's rows straight from the pages of its b-tree, as the SQLite file format (sections 1.6 and 2) lays them
// out: several times quicker than asking SQLite for value after value. Read-only, in the file's own order, with every
// offset checked: a damaged page ends the scan as damaged. Holds a few pages; one thread.
#pragma once

#include "model/report/table_scan.h"

namespace lanescope::report {

/// True if this table can be read so: UTF-8, no generated columns, no defaults for columns added later.
bool canReadPages(const Database& database, std::string_view table);

ScanEnd scanPages(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit);

}  // namespace lanescope::report
