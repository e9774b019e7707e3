// SPDX-License-Identifier: Apache-2.0
// What a stats report is made of, and what several of them need: the events in scope, how kernels are called. Private to
// model/analysis, model/compare and model/together. One thread an object.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/analysis/grouping.h"
#include "model/analysis/reports.h"
#include "model/report/row_values.h"

namespace lanescope::analysis {

using Lanes = std::span<const trace::LaneId>;

struct ReportInput {
  const trace::Trace& trace;
  report::RowValues& file;
  const Scope& scope;
  const ReportArguments& arguments;
  const Job& job;
  bool withInstances = false;  ///< Table::instances are wanted

  /// Lanes of these kinds in scope.
  std::vector<trace::LaneId> lanes(std::span<const trace::EventKind> kinds) const;

  /// Events of a lane that touch the scope, unfinished ones too.
  Touching events(trace::LaneId lane) const { return touching(*trace.lanes[lane], scope.range); }
  bool holds(trace::EventRef event) const;

  /// All of these lanes that have an end, by start.
  std::vector<trace::EventRef> byStart(Lanes lanes) const;

  std::string_view text(trace::EventRef event) const { return (*trace.names)[trace.name(event)].text; }
  std::int64_t pidOf(trace::EventRef event) const { return trace.processes[trace.info(event).process].pid; }
  std::int64_t tidOf(trace::EventRef event) const { return trace.threads[trace.info(event).thread].tid; }

  /// The call that launched this work; none if it is not known.
  std::optional<trace::EventRef> launchOf(trace::EventRef work) const;
};

/// An API call without what CUPTI puts behind its name: `_v` and exactly four digits. Others belong to the name.
std::string_view withoutApiVersion(const trace::Name& name);

/// "domain:text", as Nsight Systems writes a range.
std::string rangeName(const trace::Trace& trace, trace::EventRef range);
/// "PushPop" or "StartEnd".
std::string_view styleOf(trace::EventKind kind);

/// Values of one table by event; nothing for events of other tables.
class TableValues {
 public:
  TableValues(const ReportInput& input, const std::string& table, const std::vector<std::string_view>& columns);
  std::optional<std::int64_t> at(trace::EventRef event, std::size_t column) const;
  Cell cell(trace::EventRef event, std::size_t column) const;

 private:
  const trace::Trace& trace_;
  std::uint16_t table_ = 0xFFFF;
  std::vector<const report::RowValues::Column*> columns_;
};

/// What kernels are called: whole, by their base, mangled, and behind the innermost NVTX range of their launch.
class KernelNames {
 public:
  explicit KernelNames(const ReportInput& input);

  /// True if kernels of one NameId have one text.
  bool byName() const { return !mangled_ && ranges_.empty(); }
  std::string_view of(trace::NameId name) const;
  /// Valid as long as this object.
  std::string_view of(trace::EventRef kernel);

 private:
  const ReportInput& input_;
  std::optional<TableValues> mangled_;
  std::unordered_map<trace::EventId, std::uint32_t> ranges_;  // of kernels in a range, the index of its name
  std::vector<std::string> rangeNames_;
  std::unordered_map<std::string, std::unique_ptr<std::string>> texts_;
};

}  // namespace lanescope::analysis
