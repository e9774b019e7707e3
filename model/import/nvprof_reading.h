// SPDX-License-Identifier: Apache-2.0
// What the parts of the nvprof importer share. Facts of the format: CUPTI's activity records (cupti_activity.h), of which
// each table mirrors one. Private to model/import.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/import/import.h"
#include "model/import/roster.h"
#include "model/import/table_reading.h"
#include "model/report/strings.h"

namespace lanescope::imported::nvprof {

inline constexpr std::string_view kPrefix = "CUPTI_ACTIVITY_KIND_";

inline std::string table(std::string_view name) { return std::string(kPrefix) + std::string(name); }

/// pthread_t is cut to 32 bits in some tables, and signed in some.
constexpr std::int64_t threadNumber(std::int64_t stored) { return stored & 0xFFFFFFFF; }

/// What a row is about: CUpti_ActivityObjectKindId, three 32-bit numbers.
enum class ObjectKind : std::int64_t { kProcess = 1, kThread = 2, kDevice = 3, kContext = 4, kStream = 5 };
struct Object {
  ObjectKind kind;
  std::uint32_t first = 0;  ///< process; of the others the device
  std::uint32_t second = 0;  ///< thread; context
  std::uint32_t third = 0;  ///< stream
};
Object objectOf(std::int64_t kind, std::string_view blob);

/// A little-endian number of a blob; 0 behind its end.
std::uint32_t word(std::string_view blob, std::size_t at);

struct Reading {
  Reading(const report::Database& file, const ImportOptions& wanted, Recording& made, const Job& job)
      : database(file), options(wanted), recording(made), rows(file, made, job), roster(made) {}

  trace::NameId kernel(std::int64_t string);
  trace::NameId name(std::string_view text) { return recording.names->intern(text); }

  /// That of the call with this correlation, or the only one there is.
  std::uint32_t processOf(std::int64_t correlation);
  std::uint32_t onlyProcess() { return recording.processes.empty() ? roster.process(0) : 0; }

  trace::EventList& events(std::uint32_t track) { return recording.tracks[track].events; }

  const report::Database& database;
  const ImportOptions& options;
  Recording& recording;
  TableReading rows;
  Roster roster;
  report::Strings strings{database, *recording.names, {"StringTable", "_id_", "value"}};
  std::vector<trace::NameId> kernels;  ///< by their string, 0 for those not met yet
  std::unordered_map<std::int64_t, trace::NameId> otherKernels;  ///< the same of strings with great numbers
  std::unordered_map<std::int64_t, std::uint32_t> processByCorrelation;  ///< where there are several
  std::map<std::int64_t, std::int64_t> deviceOfContext;
};

// In the order in which they are called.
void readCalls(Reading& reading);
void readMarkers(Reading& reading);
void readOverhead(Reading& reading);
void readOpenAcc(Reading& reading);
void readGpuWork(Reading& reading);
void readUnifiedMemory(Reading& reading);
void readSynchronization(Reading& reading);
void readEventUses(Reading& reading);
void readEnvironment(Reading& reading);
void readNames(Reading& reading);
void readDevices(Reading& reading);

}  // namespace lanescope::imported::nvprof
