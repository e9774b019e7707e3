// SPDX-License-Identifier: Apache-2.0
#include "model/report/slice.h"

#include "model/report/secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lanescope::report {

using trace::Ns;

namespace {

constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60;  // NVTX eventType
constexpr std::uint64_t kRowsPerReport = 1 << 15;

/// Of the recording as a whole, or, records of CUDA events, what a wait refers to.
constexpr std::array<std::string_view, 3> kUntimed = {"ANALYSIS_DETAILS", "DIAGNOSTIC_EVENT",
                                                      "CUPTI_ACTIVITY_KIND_CUDA_EVENT"};

struct StackTable {
  std::string_view table, key;
  std::string_view events, reference;  ///< empty: the rowid
  std::string_view shared = {};  ///< column of a stack that several share, where there is one
};
constexpr StackTable kStackTables[] = {
    {"CUDA_CALLCHAINS", "id", "CUPTI_ACTIVITY_KIND_RUNTIME", "callchainId"},
    {"OSRT_CALLCHAINS", "id", "OSRT_API", "callchainId"},
    {"SYSCALL_CALLCHAINS", "id", "SYSCALL", "callchainId"},
    {"SAMPLING_CALLCHAINS", "id", "COMPOSITE_EVENTS", "id"},
    {"LANESCOPE_PYTHON_CALLCHAINS", "id", "LANESCOPE_PYTHON_SAMPLES", "id", "callchainId"},
    {"LANESCOPE_OSRT_OBJECTS", "osrtRow", "OSRT_API", ""},
    {"GENERIC_EVENT_DATA", "genericEventId", "GENERIC_EVENTS", "genericEventId"},
};

const StackTable* findStackTable(std::string_view table) {
  const auto* found = std::ranges::find(kStackTables, table, &StackTable::table);
  return found == std::end(kStackTables) ? nullptr : found;
}

/// First and last column of a row's time; none for a table that has no times.
Columns timeColumns(const Database& database, std::string_view table) {
  if (std::ranges::find(kUntimed, table) != kUntimed.end()) return {};
  for (const auto& [start, end] : {std::pair("start", "end"), {"timestamp", "timestamp"}, {"startedAt", "endedAt"}})
    if (database.has(table, start)) return {start, database.has(table, end) ? end : start};
  return {};
}

}  // namespace

bool isNvtxName(std::int64_t eventType) {
  return eventType != kMark && eventType != kPushPop && eventType != kStartEnd;
}

std::optional<trace::TimeRange> partRange(const Database& database) {
  const auto bound = [&](std::string_view name) -> std::optional<Ns> {
    if (!database.has("LANESCOPE_META", "name") || !database.has("LANESCOPE_META", "value")) return {};
    const std::string text =
        database.text(fmt::format("SELECT value FROM LANESCOPE_META WHERE name = '{}' LIMIT 1", name));
    Ns time = 0;
    const auto [rest, wrong] = std::from_chars(text.data(), text.data() + text.size(), time);
    const bool isTime = wrong == std::errc() && rest == text.data() + text.size();
    return isTime && time >= trace::kMinTime && time <= trace::kMaxTime ? std::optional(time) : std::nullopt;
  };
  const auto begin = bound(kPartBegin), end = bound(kPartEnd);
  if (!begin || !end || *end < *begin) return {};
  return trace::TimeRange{*begin, *end};
}

std::optional<trace::TimeRange> Slice::part() const {
  const auto before = partRange(database_);
  if (!before || !range_) return before ? before : range_;
  const Ns begin = std::max(before->begin, range_->begin);
  return trace::TimeRange{begin, std::max(begin, std::min(before->end, range_->end))};
}

Slice::Slice(const Database& database, std::optional<trace::TimeRange> range, const Job& job)
    : database_(database), range_(range), job_(job), tables_(database.tables()) {
  for (const std::string& table : database.tables())
    rowsExpected_ += static_cast<std::uint64_t>(
        std::max<std::int64_t>(database.integer("SELECT max(rowid) FROM " + quotedName(table)), 0));
}

bool Slice::isTimed(std::string_view table) const { return !timeColumns(database_, table).empty(); }

Slice::Plan Slice::planOf(std::string_view table) {
  if (table == "META_DATA_CAPTURE" || table == "TARGET_INFO_SYSTEM_ENV")
    return {Rule::kPrivate, {"name", "value", "devStateName"}};
  if (!range_) return {};
  if (const StackTable* stacks = findStackTable(table)) return {Rule::kStacks, {stacks->key}, &stacksOf(table)};
  Columns times = timeColumns(database_, table);
  if (times.empty()) return {};
  if (table != "NVTX_EVENTS") return {Rule::kTimed, std::move(times)};
  times.emplace_back("eventType");
  return {Rule::kNvtx, std::move(times)};
}

const IdSet& Slice::stacksOf(std::string_view table) {
  const auto [entry, isNew] = stacks_.try_emplace(std::string(table));
  if (!isNew) return entry->second;
  const StackTable& stacks = *findStackTable(table);
  const std::uint64_t left = rowsLeftOut_, crossing = rowsCrossing_;  // counted when the events themselves are read
  const std::string_view shared = stacks.shared.empty() ? stacks.reference : stacks.shared;
  forEach(stacks.events, {stacks.reference, shared}, [&](const TableRow& row) {
    if (!row.isNull(1)) entry->second.insert(row.integer(1));
    else if (stacks.reference.empty()) entry->second.insert(row.rowid());
    else if (!row.isNull(0)) entry->second.insert(row.integer(0));
  });
  rowsLeftOut_ = left, rowsCrossing_ = crossing;
  return entry->second;
}

bool Slice::touches(Ns start, Ns end) {
  if (!range_->touches(start, end)) return ++rowsLeftOut_, false;
  rowsCrossing_ += start < range_->begin || end > range_->end;
  return true;
}

bool Slice::belongs(const Plan& plan, const TableRow& row, int first) {
  switch (plan.rule) {
    case Rule::kAll:
      return true;
    case Rule::kPrivate:
      return !tellsEnvironment(row.text(first)) && !tellsEnvironment(row.text(first + 1)) &&
             !tellsEnvironment(row.text(first + 2));
    case Rule::kStacks:
      return plan.ids->contains(row.integer(first));
    case Rule::kNvtx: {
      const std::int64_t type = row.isNull(first + 2) ? kPushPop : row.integer(first + 2);
      if (isNvtxName(type)) return true;
      const Ns start = row.integer(first);
      return touches(start, type == kMark ? start : row.isNull(first + 1) ? trace::kMaxTime : row.integer(first + 1));
    }
    case Rule::kTimed:
      if (row.isNull(first)) return true;
      if (!row.isInteger(first)) return ++rowsLeftOut_, false;
      return touches(row.integer(first), row.isInteger(first + 1) ? row.integer(first + 1) : row.integer(first));
  }
  return true;
}

void Slice::scan(std::string_view table, const Columns& columns, RowVisitor visit) {
  const Plan plan = planOf(table);
  Columns all = columns;
  all.insert(all.end(), plan.own.begin(), plan.own.end());
  const auto first = static_cast<int>(columns.size());
  const ScanEnd end = scanTable(database_, table, all, [&](const TableRow& row) {
    if (++rowsRead_ % kRowsPerReport == 0) {
      if (job_.cancelled()) return false;
      job_.progress(std::min(1.0, static_cast<double>(rowsRead_) /
                                      static_cast<double>(std::max<std::uint64_t>(rowsExpected_, 1))),
                    table);
    }
    return !belongs(plan, row, first) || visit(row);
  });
  if (end == ScanEnd::kDamaged && std::ranges::find(damage_, table) == damage_.end()) damage_.emplace_back(table);
}

}  // namespace lanescope::report
