// SPDX-License-Identifier: Apache-2.0
// What the profiler that wrote a report had to say about its own recording: warnings, skipped metrics, lost buffers.
// Read when somebody looks; a report without the table has none. O(rows), a few dozen in real files; of a million the
// worst thousand are told, in bounded time and memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/report/database.h"
#include "model/trace/time.h"

namespace lanescope::report {

enum class Severity : std::uint8_t { kInfo, kWarning, kError };

struct Diagnostic {
  std::optional<trace::Ns> time;  ///< none: of the recording as a whole
  Severity severity = Severity::kInfo;
  std::string text;  ///< clean UTF-8, trimmed, cut to some kilobytes
};

/// True for a warning or error about records that are not in the report though they should be.
bool tellsOfLoss(const Diagnostic& diagnostic);

/// In order of time, ties in the order of the file. Of more than a thousand the worst, and one that says so. Before them,
/// where a report tells it, how far its clocks may be apart.
std::vector<Diagnostic> diagnostics(const Database& database);

/// All that tell of a loss, as one thing: how many, and the words of the first few.
struct LossesSaid {
  std::uint64_t count = 0;
  std::string text;  ///< “Lost 12 records” and 3 more messages
};
LossesSaid lossesSaid(const Database& database, const Job& job);

}  // namespace lanescope::report
