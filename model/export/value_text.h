// SPDX-License-Identifier: Apache-2.0
// A value of a row as text: numbers with every digit, bytes as hexadecimal digits. Appends; any thread.
#pragma once

#include <string>

#include "model/report/table_scan.h"

namespace lanescope::exporting {

/// As JSON: a number that JSON cannot write (an infinity) is null, as nothing is.
void appendJson(std::string& out, const report::TableRow& row, int column);

/// As the field of a CSV table: nothing is empty, text is quoted where it has to be.
void appendField(std::string& out, const report::TableRow& row, int column);
void appendField(std::string& out, std::string_view text);

/// Nanoseconds as microseconds with three decimals, which is exact: -1.005.
void appendMicroseconds(std::string& out, std::int64_t ns);

}  // namespace lanescope::exporting
