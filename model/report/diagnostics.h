// SPDX-License-Identifier: Apache-2.0
// What the profiler that wrote a report had to say about its own recording: warnings, skipped metrics, lost buffers.
// Read when somebody looks; a report without the table has none. O(rows), a few dozen in real files.
#pragma once

#include <string>
#include <vector>

#include "model/report/database.h"
#include "model/trace/time.h"

namespace lanescope::report {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };

struct Diagnostic {
  trace::Ns time = 0;
  Severity severity = Severity::kInfo;
  std::string text;  ///< clean UTF-8, trimmed
};

/// True for a warning or error about records that are not in the report though they should be.
bool tellsOfLoss(const Diagnostic& diagnostic);

/// In order of time, ties in the order of the file.
std::vector<Diagnostic> diagnostics(const Database& database);

}  // namespace lanescope::report
