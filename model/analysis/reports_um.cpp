// SPDX-License-Identifier: Apache-2.0
// Unified memory: what migrated where, and the page faults behind it. Titles as Nsight Systems has them, spaces and all.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

namespace {

constexpr std::uint8_t kUnifiedToDevice = 11, kUnifiedToHost = 12;  // copyKind, facts 4.5
constexpr std::size_t kUsualRows = 10;

/// What happened at one address, of however many processes.
struct Migration {
  std::int64_t toDevice = 0, toHost = 0;  // bytes
  Ns time = 0;
  std::int64_t cpuFaults = 0, gpuFaults = 0;

  /// Bytes a second, divided as of a single copy (facts 2.5); none where nothing migrated.
  std::optional<std::int64_t> throughput() const {
    std::int64_t rate = 0, bytes = 0;
    if (time <= 0 || __builtin_add_overflow(toDevice, toHost, &bytes) ||
        __builtin_mul_overflow(bytes, 1'000'000'000 / time, &rate))
      return std::nullopt;
    return rate;
  }
};

/// visit(event) for the events of these lanes in scope.
template <class Visit>
void forEachEvent(const ReportInput& input, Lanes lanes, Visit visit) {
  for (const LaneId lane : lanes) {
    const auto [first, last] = input.events(lane);
    for (std::size_t i = first; i < last; ++i) visit(EventRef{lane, static_cast<std::uint32_t>(i)});
  }
}

void add(std::int64_t& sum, std::int64_t more) {
  if (__builtin_add_overflow(sum, more, &sum)) sum = std::numeric_limits<std::int64_t>::max();
}

using Migrations = std::unordered_map<std::uint64_t, Migration>;

Migrations migrations(const ReportInput& input) {
  Migrations found;
  const auto at = [&](const TableValues& values, EventRef event) -> Migration& {
    return found[static_cast<std::uint64_t>(values.at(event, 0).value_or(0))];
  };
  std::vector<LaneId> copies = input.lanes(std::array{EventKind::kCopy});
  std::erase_if(copies, [&](LaneId lane) {
    const std::uint8_t kind = input.trace.laneInfo[lane].copyKind;
    return kind != kUnifiedToDevice && kind != kUnifiedToHost;
  });
  if (!copies.empty()) {
    const TableValues addresses(input, "CUPTI_ACTIVITY_KIND_MEMCPY", {"virtualAddress"});
    forEachEvent(input, copies, [&](EventRef copy) {
      Migration& migration = at(addresses, copy);
      const bool toDevice = input.trace.info(copy).copyKind == kUnifiedToDevice;
      const trace::Lane& lane = *input.trace.lanes[copy.lane];
      add(toDevice ? migration.toDevice : migration.toHost, static_cast<std::int64_t>(lane.amount(copy.index)));
      add(migration.time, lane.duration(copy.index));
    });
  }
  if (const auto faults = input.lanes(std::array{EventKind::kCpuPageFault}); !faults.empty()) {
    const TableValues values(input, "CUDA_UM_CPU_PAGE_FAULT_EVENTS", {"address"});
    forEachEvent(input, faults, [&](EventRef fault) { ++at(values, fault).cpuFaults; });
  }
  if (const auto faults = input.lanes(std::array{EventKind::kGpuPageFault}); !faults.empty()) {
    const TableValues values(input, "CUDA_UM_GPU_PAGE_FAULT_EVENTS", {"address", "numberOfPageFaults"});
    forEachEvent(input, faults,
                 [&](EventRef fault) { add(at(values, fault).gpuFaults, values.at(fault, 1).value_or(0)); });
  }
  return found;
}

std::string address(std::uint64_t value) { return fmt::format("{:#X}", value).replace(1, 1, "x"); }

Cell unlessZero(std::int64_t value) { return value == 0 ? Cell() : Cell(value); }

}  // namespace

MadeTable unifiedMemorySum(const ReportInput& input) {
  const Migrations found = migrations(input);
  if (found.empty()) return std::nullopt;
  std::vector<std::pair<std::uint64_t, Migration>> rows(found.begin(), found.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    const auto rateA = a.second.throughput(), rateB = b.second.throughput();
    return rateA != rateB ? rateA > rateB : a.first < b.first;
  });
  rows.resize(std::min(rows.size(), input.arguments.rows.value_or(kUsualRows)));

  Table table;
  table.columns = {{"Virtual Address", ColumnKind::kText},     {"HtoD Migration size", ColumnKind::kSize},
                   {"DtoH Migration size", ColumnKind::kSize}, {"CPU Page Faults", ColumnKind::kCount},
                   {" GPU Page Faults", ColumnKind::kCount},   {"Migration Throughput", ColumnKind::kRate}};
  for (const auto& [where, migration] : rows) {
    const auto rate = migration.throughput();
    table.rows.push_back({address(where), unlessZero(migration.toDevice), unlessZero(migration.toHost),
                          unlessZero(migration.cpuFaults), unlessZero(migration.gpuFaults),
                          rate ? Cell(*rate) : Cell()});
  }
  return table;
}

MadeTable unifiedMemoryTotals(const ReportInput& input) {
  const Migrations found = migrations(input);
  if (found.empty()) return std::nullopt;
  Migration all;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  for (const auto& [where, migration] : found) {
    add(all.toDevice, migration.toDevice);
    add(all.toHost, migration.toHost);
    add(all.cpuFaults, migration.cpuFaults);
    add(all.gpuFaults, migration.gpuFaults);
    least = std::min(least, where);
    most = std::max(most, where);
  }
  Table table;
  table.columns = {{"Total HtoD Migration Size", ColumnKind::kSize}, {"Total DtoH Migration Size", ColumnKind::kSize},
                   {"Total CPU Page Faults", ColumnKind::kCount},    {"Total GPU PageFaults", ColumnKind::kCount},
                   {"Minimum Virtual Address", ColumnKind::kText},   {"Maximum Virtual Address", ColumnKind::kText}};
  table.rows.push_back({all.toDevice, all.toHost, all.cpuFaults, all.gpuFaults, address(least), address(most)});
  return table;
}

MadeTable cpuPageFaults(const ReportInput& input) {
  const TableValues values(input, "CUDA_UM_CPU_PAGE_FAULT_EVENTS",
                           {"CpuInstruction", "originalFaultPc", "sourceFile", "sourceLine"});
  enum { kInstruction, kPc, kFile, kLine };
  std::map<std::tuple<std::string, std::string, std::optional<std::int64_t>>, std::int64_t> counts;
  forEachEvent(input, input.lanes(std::array{EventKind::kCpuPageFault}), [&](EventRef fault) {
    const auto textAt = [&](std::size_t column) {
      const auto id = values.at(fault, column);
      return id ? std::string(input.file.text(*id)) : std::string();
    };
    std::string instruction = textAt(kInstruction);
    if (instruction.empty())
      if (const auto pc = values.at(fault, kPc)) instruction = address(static_cast<std::uint64_t>(*pc));
    ++counts[{std::move(instruction), textAt(kFile), values.at(fault, kLine)}];
  });
  if (counts.empty()) return std::nullopt;
  Table table;
  table.columns = {{"CPU Page Faults", ColumnKind::kCount},
                   {"CPU Instruction Address", ColumnKind::kText},
                   {"Source File", ColumnKind::kText},
                   {"Source Line", ColumnKind::kId}};
  for (const auto& [where, count] : counts) {
    const auto& [instruction, file, line] = where;
    table.rows.push_back({count, instruction, file, line ? Cell(*line) : Cell()});
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return std::get<std::int64_t>(a[0]) > std::get<std::int64_t>(b[0]);
  });
  return table;
}

}  // namespace lanescope::analysis
