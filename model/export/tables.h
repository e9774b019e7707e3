// SPDX-License-Identifier: Apache-2.0
// The tables of a report as text, column by column under their own names, with the strings that they refer to by id put
// in their place (nameId becomes name). What is NULL is left out, or empty in CSV. O(rows); one row at a time in memory.
#pragma once

#include "model/export/export.h"

namespace lanescope::exporting {

/// JSON, lines of JSON or plain text, into one file or standard output.
Result<void> writeTables(report::Slice& slice, const Order& order);

/// A file a table, in a folder that appears whole; with kReplace, files of a folder that is there are replaced.
Result<void> writeCsvFolder(report::Slice& slice, const Order& order);

}  // namespace lanescope::exporting
