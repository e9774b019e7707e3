// SPDX-License-Identifier: Apache-2.0
// What the file knows about one event, fetched by its source row when somebody looks: nothing of this is kept in
// memory. Used by the tooltip, the details panel and the command line, so that all three say the same. The row itself is
// found in O(log n), strings too where StringIds has its key; labels, streams and payloads are searched row by row, in
// tables that are small in real files. StepLimit bounds all of it, whatever the file. One thread at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/report/call_stack.h"
#include "model/report/database.h"
#include "model/trace/trace.h"

namespace lanescope::report {

/// What a field is about; in this order they are listed.
enum class FieldGroup : std::uint8_t {
  kEvent,
  kRanks,  ///< one collective on several ranks
  kMemory,  ///< what a kernel asks of the multiprocessor's memory
  kLaunch,
  kWhere,
  kOther,  ///< columns that Lanescope has no words for, by their names
  kArguments,  ///< what another tool's file says besides, in its words
};

struct Field {
  std::string label;  ///< "Grid"
  std::string value;  ///< "16384 × 1 × 1", with its unit
  bool main = false;  ///< belongs in a tooltip
  FieldGroup group = FieldGroup::kEvent;
  std::optional<trace::EventId> event = {};  ///< that the value names
};

class Details {
 public:
  static Result<Details> open(const std::filesystem::path& path);

  /// Fields in reading order, group by group; the first are always Name, Start, Duration. Everything that the event's
  /// row holds is there but for keys. Never fails: what the file does not have is left out, and so is what it takes too
  /// long to find, of which a last field then tells.
  std::vector<Field> of(const trace::Trace& trace, trace::EventRef event, const Job& job = {});

  CallStack callStack(const trace::Trace& trace, trace::EventRef event, const Job& job = {});

  /// The innermost frames of a sample, or of a thread that waits, as fields for its tooltip: there is nothing else to see
  /// of it. None for other events.
  std::vector<Field> stackFields(const trace::Trace& trace, trace::EventRef event, const Job& job = {});

  /// The command line that profiles this kernel with Nsight Compute; empty for other events. The program is looked up
  /// once.
  std::string ncuCommand(const trace::Trace& trace, trace::EventRef event, const Job& job = {});

 private:
  explicit Details(Database database) : database_(std::move(database)) {}
  Database database_;
  std::optional<std::vector<std::string>> program_;  // as recorded; empty: it was not
};

}  // namespace lanescope::report
