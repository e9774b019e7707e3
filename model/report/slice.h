// SPDX-License-Identifier: Apache-2.0
// What of a report is handed on: rows that touch a range of time, whole, with what says who and what they are; none that
// tell the program's environment, which may hold keys and passwords. One pass over a table at a time, in the file's
// order; what it keeps in memory are ids. One thread.
//
// A row without a time of its own belongs to every range; of call stacks, those of the events that are left.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/report/id_set.h"
#include "model/report/table_scan.h"
#include "model/trace/time.h"

namespace lanescope::report {

/// Names in LANESCOPE_META.
inline constexpr std::string_view kPartBegin = "part-begin", kPartEnd = "part-end";

/// What part of a recording this file is, in ns of the recording; nothing if it is all of it. O(1). From LANESCOPE_META
/// (part-begin, part-end), which copyReport() writes.
std::optional<trace::TimeRange> partRange(const Database& database);

class Slice {
 public:
  /// Without a range: all of it.
  Slice(const Database& database, std::optional<trace::TimeRange> range, const Job& job);

  const Database& database() const { return database_; }
  const std::optional<trace::TimeRange>& range() const { return range_; }
  /// What part of the recording is left: of a part, that of both.
  std::optional<trace::TimeRange> part() const;

  /// Those of the report, or those that were asked for and the strings that they refer to.
  const std::vector<std::string>& tables() const { return tables_; }
  template <class Keep>
  void keepTables(Keep keep) {
    std::erase_if(tables_, [&](const std::string& table) { return table != "StringIds" && !keep(table); });
  }

  /// True for tables of what happened at a time.
  bool isTimed(std::string_view table) const;

  /// visit(row) for the rows that belong, until it returns false if it returns anything; a damaged table ends where the damage begins, and is told of in damage().
  template <class Visit>
  void forEach(std::string_view table, const Columns& columns, Visit visit) {
    const auto call = [](void* context, const TableRow& row) {
      if constexpr (std::is_void_v<decltype(visit(row))>) return (*static_cast<Visit*>(context))(row), true;
      else return (*static_cast<Visit*>(context))(row);
    };
    scan(table, columns, {call, &visit});
  }

  const Job& job() const { return job_; }
  bool cancelled() const { return job_.cancelled(); }
  std::uint64_t rowsLeftOut() const { return rowsLeftOut_; }  ///< events that lie outside the range
  std::uint64_t rowsCrossing() const { return rowsCrossing_; }  ///< events that reach beyond it, kept whole
  const std::vector<std::string>& damage() const { return damage_; }  ///< tables

 private:
  enum class Rule : std::uint8_t { kAll, kTimed, kNvtx, kStacks, kPrivate };
  struct Plan {
    Rule rule = Rule::kAll;
    Columns own;  ///< columns that decide, read behind those that are asked for
    const IdSet* ids = nullptr;
  };
  Plan planOf(std::string_view table);
  const IdSet& stacksOf(std::string_view table);
  bool belongs(const Plan& plan, const TableRow& row, int first);
  bool touches(trace::Ns start, trace::Ns end);
  void scan(std::string_view table, const Columns& columns, RowVisitor visit);

  const Database& database_;
  const std::optional<trace::TimeRange> range_;
  const Job& job_;
  std::vector<std::string> tables_;
  std::map<std::string, IdSet, std::less<>> stacks_;
  std::vector<std::string> damage_;
  std::uint64_t rowsLeftOut_ = 0, rowsCrossing_ = 0, rowsRead_ = 0, rowsExpected_ = 0;
};

/// NVTX rows that name a domain, category or thread rather than tell what happened (eventType).
bool isNvtxName(std::int64_t eventType);

}  // namespace lanescope::report
