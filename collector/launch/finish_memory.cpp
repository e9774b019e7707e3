// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_memory.h"

#include <fmt/format.h>

#include "collector/launch/finish_gpu.h"
#include "model/demangle/demangle.h"

namespace lanescope::launch {

using report::OptionalId;
using wire::RecordType;
namespace fs = std::filesystem;

namespace {

// CUpti_ActivityUnifiedMemoryCounterKind
constexpr std::uint32_t kToDevice = 1, kToHost = 2, kCpuFault = 3, kGpuFault = 4, kBetweenDevices = 8;
constexpr std::uint32_t kCpu = 0xFFFFFFFFu;

OptionalId moveKind(std::uint32_t counter) {
  switch (counter) {
    case kToDevice:
      return 11;
    case kToHost:
      return 12;
    case kBetweenDevices:
      return 13;
    default:
      return std::nullopt;
  }
}

}  // namespace

bool MemoryRows::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kMemory:
      return usage(chunk, record), true;
    case RecordType::kUnifiedMemory:
      return unified(chunk, record), true;
    default:
      return false;
  }
}

void MemoryRows::usage(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Memory>();
  const trace::Ns time = process_.span(chunk, from.time, from.time).start;
  if (!process_.windows.keeps(time, time)) return;
  ++process_.events;
  const auto ofPool = [&](std::uint8_t type, std::uint64_t value) {
    return from.poolType == type ? OptionalId(static_cast<std::int64_t>(value)) : std::nullopt;
  };
  constexpr std::uint8_t kLocal = 1, kImported = 2;
  writer_.add(report::MemoryUsageRow{.start = time,
                                     .globalPid = process_.globalPid(),
                                     .device = from.device,
                                     .context = from.context,
                                     .address = static_cast<std::int64_t>(from.address),
                                     .pc = static_cast<std::int64_t>(from.pc),
                                     .bytes = static_cast<std::int64_t>(from.bytes),
                                     .memoryKind = memoryKind(from.memoryKind),
                                     .operation = from.operation == 2 ? 1 : 0,
                                     .correlation = process_.correlation(record.aux, time),
                                     .stream = from.isAsync != 0 ? OptionalId(from.stream) : std::nullopt,
                                     .localPool = ofPool(kLocal, from.poolAddress),
                                     .localPoolThreshold = ofPool(kLocal, from.poolReleaseThreshold),
                                     .localPoolSize = ofPool(kLocal, from.poolSize),
                                     .localPoolUtilized = ofPool(kLocal, from.poolUtilized),
                                     .importedPool = ofPool(kImported, from.poolAddress),
                                     .importedPoolProcess = ofPool(kImported, from.poolSize)});
}

std::string MemoryRows::functionOf(const wire::UnifiedMemory& fault) {
  if (const auto known = process_.text(fault.function)) return kernelName(*known).demangled;
  const auto module = process_.text(fault.module);
  if (!module || fault.moduleBase == 0) return {};
  fs::path path = *module;
  if (path.is_relative()) {  // the program, by the name that it was started with
    const fs::path program = process_.facts.text("exe");
    if (program.filename() != path.filename()) return {};
    path = program;
  }
  return isSame(path) ? symbols_.functionOf(path, fault.moduleBase, fault.value) : std::string();
}

bool MemoryRows::isSame(const fs::path& module) {
  constexpr std::size_t kMostModules = 8;
  if (const auto known = isSame_.find(module); known != isSame_.end()) return known->second;
  if (isSame_.size() == kMostModules) return false;
  std::error_code error;
  const auto recorded = fs::last_write_time(process_.stream.path(), error);
  const bool same = !error && fs::last_write_time(module, error) <= recorded && !error;
  return isSame_[module] = same;
}

void MemoryRows::unified(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::UnifiedMemory>();
  const bool isInstant = from.kind == kCpuFault;
  const Span span = process_.span(chunk, from.start, isInstant ? from.start : from.end);
  if (!process_.windows.keeps(span.start, span.end)) return;
  const auto address = static_cast<std::int64_t>(from.address), value = static_cast<std::int64_t>(from.value);
  if (from.kind == kCpuFault) {
    ++process_.events;
    const std::string function = functionOf(from);
    return writer_.add(report::CpuPageFaultRow{
        .start = span.start,
        .globalPid = process_.globalPid(),
        .address = address,
        .pc = value,
        .function = writer_.string(function.empty() ? fmt::format("{:#x}", from.value) : function),
        .module = from.module != 0 ? process_.string(from.module, writer_) : writer_.string("[Unknown]"),
        .unresolved = function.empty() ? OptionalId(1) : std::nullopt});
  }
  if (from.kind == kGpuFault) {
    ++process_.events;
    return writer_.add(report::GpuPageFaultRow{.start = span.start,
                                               .end = span.end,
                                               .globalPid = process_.globalPid(),
                                               .device = from.source,
                                               .address = address,
                                               .faults = value,
                                               .access = from.flags});
  }
  const OptionalId kind = moveKind(from.kind);
  if (!kind) {
    ++process_.unknownKinds;
    return;
  }
  ++process_.events;
  constexpr report::Id kUnknownMemory = 7;
  report::CopyRow row;
  row.at = {.start = span.start,
            .end = span.end,
            .device = from.target != kCpu ? from.target : from.source,
            .context = 0,
            .stream = 0,
            .greenContext = {},
            .correlation = {},
            .globalPid = process_.globalPid()};
  row.bytes = value;
  row.copyKind = *kind;
  row.sourceKind = row.destinationKind = kUnknownMemory;
  row.migrationCause = from.flags;
  row.virtualAddress = address;
  writer_.add(row);
}

}  // namespace lanescope::launch
