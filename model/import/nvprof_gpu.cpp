// SPDX-License-Identifier: Apache-2.0
// What GPUs did, as nvprof's tables tell it: kernels, copies, memsets, moves of unified memory, waits, sensors.
#include <array>

#include "model/import/nvprof_reading.h"

namespace lanescope::imported::nvprof {

using report::TableRow;
using trace::Event;
using trace::EventKind;

namespace {

/// The first columns of every table of GPU work.
constexpr std::array<std::string_view, 6> kWorkColumns = {"start",     "end",      "deviceId",
                                                          "contextId", "streamId", "correlationId"};

report::Columns workColumns(std::initializer_list<std::string_view> more) {
  report::Columns columns(kWorkColumns.begin(), kWorkColumns.end());
  columns.insert(columns.end(), more);
  return columns;
}

/// Where the events of a row of GPU work go.
class WorkTracks {
 public:
  WorkTracks(Reading& reading, EventKind kind) : reading_(reading), kind_(kind) {}

  std::uint32_t operator()(const TableRow& row, std::uint8_t copyKind = 0) {
    const std::uint32_t process = reading_.processOf(row.integer(5));
    const std::array<std::int64_t, 5> owner = {process, row.integer(2), row.integer(3), row.integer(4), copyKind};
    return trackOf_(owner, [&] {
      const std::uint32_t gpu = reading_.roster.gpu(process, owner[1]);
      return reading_.roster.ofStream(kind_, reading_.roster.stream(gpu, owner[2], owner[3]), copyKind);
    });
  }

 private:
  Reading& reading_;
  EventKind kind_;
  TrackOf<5> trackOf_;
};

Event eventOf(const TableRow& row, std::uint64_t behind) {
  return {.start = row.integer(0),
          .end = row.integer(1),
          .sourceRow = behind + static_cast<std::uint64_t>(row.rowid()),
          .correlation = row.integer(5)};
}

/// Kernels of a table, behind those of another.
void readKernels(Reading& reading, const std::string& name, std::uint64_t behind) {
  WorkTracks trackOf(reading, EventKind::kKernel);
  report::Columns columns = workColumns({"name"});
  if (reading.options.details)
    columns.insert(columns.end(),
                   {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread", "staticSharedMemory",
                    "dynamicSharedMemory", "localMemoryPerThread", "localMemoryTotal", "graphNodeId", "graphId"});
  reading.rows.forEach(name, columns, [&](const TableRow& row) {
    if (!reading.rows.hasTimes(row, 0, 1)) return;
    const std::uint32_t track = trackOf(row);
    Event event = eventOf(row, behind);
    event.name = reading.kernel(row.integer(6));
    reading.events(track).push_back(event);
    if (!reading.options.details) return;
    const auto known = [&](int column) { return row.isNull(column) ? -1 : row.integer(column); };
    const auto notZero = [&](int column) { return row.integer(column) > 0 ? row.integer(column) : -1; };
    reading.recording.tracks[track].work.push_back({.gridX = known(7),
                                                    .gridY = known(8),
                                                    .gridZ = known(9),
                                                    .blockX = known(10),
                                                    .blockY = known(11),
                                                    .blockZ = known(12),
                                                    .registers = known(13),
                                                    .staticShared = known(14),
                                                    .dynamicShared = known(15),
                                                    .localPerThread = known(16),
                                                    .localTotal = known(17),
                                                    .graph = notZero(19),
                                                    .graphNode = notZero(18),
                                                    .mangled = reading.strings.name(row.integer(6))});
  });
}

/// The greatest copyKind that CUPTI and the export have in common.
constexpr std::int64_t kLastCopyKind = 10;

/// The export counts kinds of memory from 0 and has unknown last (facts 4.5); CUpti_ActivityMemoryKind begins with unknown.
std::int64_t memoryKind(const TableRow& row, int column) {
  constexpr std::int64_t kUnknown = 7;
  if (row.isNull(column)) return -1;
  const std::int64_t stored = row.integer(column);
  return stored >= 1 && stored <= kUnknown ? stored - 1 : kUnknown;
}

std::uint64_t bytesOf(std::int64_t stored) { return stored < 0 ? 0 : static_cast<std::uint64_t>(stored); }

void readCopies(Reading& reading, const std::string& name, std::uint64_t behind) {
  WorkTracks trackOf(reading, EventKind::kCopy);
  report::Columns columns = workColumns({"copyKind", "bytes"});
  if (reading.options.details)
    columns.insert(columns.end(), {"srcKind", "dstKind", "srcDeviceId", "dstDeviceId", "graphNodeId", "graphId"});
  reading.rows.forEach(name, columns, [&](const TableRow& row) {
    if (!reading.rows.hasTimes(row, 0, 1)) return;
    const std::int64_t stored = row.integer(6);
    const std::uint32_t track =
        trackOf(row, stored >= 0 && stored <= kLastCopyKind ? static_cast<std::uint8_t>(stored) : 0);
    Event event = eventOf(row, behind);
    event.amount = bytesOf(row.integer(7));
    reading.events(track).push_back(event);
    if (!reading.options.details) return;
    const auto known = [&](int column) { return row.isNull(column) ? -1 : row.integer(column); };
    const auto notZero = [&](int column) { return row.integer(column) > 0 ? row.integer(column) : -1; };
    reading.recording.tracks[track].work.push_back({.graph = notZero(13),
                                                    .graphNode = notZero(12),
                                                    .sourceKind = memoryKind(row, 8),
                                                    .destinationKind = memoryKind(row, 9),
                                                    .sourceDevice = known(10),
                                                    .destinationDevice = known(11)});
  });
}

void readMemsets(Reading& reading) {
  WorkTracks trackOf(reading, EventKind::kMemset);
  reading.rows.forEach(table("MEMSET"), workColumns({"bytes", "value"}), [&](const TableRow& row) {
    if (!reading.rows.hasTimes(row, 0, 1)) return;
    const std::uint32_t track = trackOf(row);
    Event event = eventOf(row, 0);
    event.amount = bytesOf(row.integer(6));
    reading.events(track).push_back(event);
    if (reading.options.details) reading.recording.tracks[track].work.push_back({.value = row.integer(7)});
  });
}

}  // namespace

void readGpuWork(Reading& reading) {
  readKernels(reading, table("CONCURRENT_KERNEL"), 0);
  std::uint64_t behind = reading.rows.lastRow(table("CONCURRENT_KERNEL"));
  readKernels(reading, table("KERNEL"), behind);
  readKernels(reading, table("CDP_KERNEL"), behind + reading.rows.lastRow(table("KERNEL")));
  readCopies(reading, table("MEMCPY"), 0);
  readCopies(reading, table("MEMCPY2"), reading.rows.lastRow(table("MEMCPY")));
  readMemsets(reading);
}

void readUnifiedMemory(Reading& reading) {
  // CUpti_ActivityUnifiedMemoryCounterKind, and the export's copyKind of moves
  constexpr std::int64_t kToDevice = 1, kToHost = 2, kCpuFault = 3, kGpuFault = 4, kBetweenDevices = 8;
  const std::uint64_t behind = reading.rows.lastRow(table("MEMCPY")) + reading.rows.lastRow(table("MEMCPY2"));
  std::uint64_t others = 0;
  TrackOf<4> trackOf;
  reading.rows.forEach(
      table("UNIFIED_MEMORY_COUNTER"),
      {"start", "end", "counterKind", "value", "srcId", "dstId", "streamId", "processId"}, [&](const TableRow& row) {
        const std::int64_t kind = row.integer(2);
        const bool isMove = kind == kToDevice || kind == kToHost || kind == kBetweenDevices;
        if (!isMove && kind != kCpuFault && kind != kGpuFault) {
          ++others;
          return;
        }
        if (!reading.rows.hasTimes(row, 0, kind == kCpuFault ? 0 : 1)) return;
        const std::int64_t device = kind == kToHost || kind == kGpuFault ? row.integer(4) : row.integer(5);
        const std::int64_t stream = isMove ? row.integer(6) : 0;
        const std::uint32_t track = trackOf({row.integer(7), kind, kind == kCpuFault ? 0 : device, stream}, [&] {
          const std::uint32_t process = reading.roster.process(row.integer(7));
          if (kind == kCpuFault) return reading.roster.ofProcess(EventKind::kCpuPageFault, process);
          const std::uint32_t gpu = reading.roster.gpu(process, device);
          if (kind == kGpuFault) return reading.roster.ofGpu(EventKind::kGpuPageFault, gpu);
          const std::uint8_t copyKind = kind == kToDevice ? 11 : kind == kToHost ? 12 : 13;
          return reading.roster.ofStream(EventKind::kCopy, reading.roster.stream(gpu, 0, stream), copyKind);
        });
        reading.events(track).push_back({.start = row.integer(0),
                                         .end = row.integer(kind == kCpuFault ? 0 : 1),
                                         .sourceRow = (isMove ? behind : 0) + static_cast<std::uint64_t>(row.rowid()),
                                         .amount = isMove ? bytesOf(row.integer(3)) : 0});
        if (isMove && reading.options.details) reading.recording.tracks[track].work.emplace_back();
      });
  reading.rows.leaveOut("UNIFIED_MEMORY_COUNTER", others);
}

void readSynchronization(Reading& reading) {
  constexpr std::string_view kNames[] = {"Unknown", "Event Synchronize", "Stream Wait Event", "Stream Synchronize",
                                         "Context Synchronize"};  // CUpti_ActivitySynchronizationType
  std::array<trace::NameId, std::size(kNames)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = reading.name(kNames[i]);
  reading.rows.forEach(table("CONTEXT"), {"contextId", "deviceId"},
                       [&](const TableRow& row) { reading.deviceOfContext.emplace(row.integer(0), row.integer(1)); });
  TrackOf<3> trackOf;
  reading.rows.forEach(
      table("SYNCHRONIZATION"), {"start", "end", "contextId", "streamId", "correlationId", "type"},
      [&](const TableRow& row) {
        if (!reading.rows.hasTimes(row, 0, 1)) return;
        const std::uint32_t process = reading.processOf(row.integer(4));
        const std::int64_t context = row.integer(2), stream = row.integer(3), type = row.integer(5);
        const std::uint32_t track = trackOf({process, context, stream}, [&] {
          const auto device = reading.deviceOfContext.find(context);
          const std::uint32_t gpu =
              reading.roster.gpu(process, device == reading.deviceOfContext.end() ? 0 : device->second);
          const bool ofStream = stream >= 0 && stream < 0xFFFFFFFF;
          return ofStream ? reading.roster.ofStream(EventKind::kSync, reading.roster.stream(gpu, context, stream))
                          : reading.roster.ofGpu(EventKind::kSync, gpu);
        });
        const bool isKnown = type >= 0 && type < static_cast<std::int64_t>(names.size());
        reading.events(track).push_back({.start = row.integer(0),
                                         .end = row.integer(1),
                                         .name = names[isKnown ? static_cast<std::size_t>(type) : 0],
                                         .sourceRow = static_cast<std::uint64_t>(row.rowid()),
                                         .correlation = row.integer(4)});
      });
}

namespace {

/// What a row of ENVIRONMENT holds by its kind: numbers of 32 bits, one behind the other.
struct Sensor {
  std::int64_t kind;
  std::size_t at;
  const char* name;
  trace::Counter::Unit unit;
  double factor;
};
constexpr Sensor kSensors[] = {
    {1, 0, "SM clock", trace::Counter::Unit::kHertz, 1e6},
    {1, 4, "Memory clock", trace::Counter::Unit::kHertz, 1e6},
    {2, 0, "Temperature [°C]", trace::Counter::Unit::kCount, 1},
    {3, 0, "Power [W]", trace::Counter::Unit::kCount, 1e-3},
    {4, 0, "Fan speed", trace::Counter::Unit::kPercent, 1},
};

}  // namespace

void readEnvironment(Reading& reading) {
  std::map<std::pair<std::int64_t, const Sensor*>, Curve> curves;
  std::uint64_t others = 0;
  reading.rows.forEach(table("ENVIRONMENT"), {"timestamp", "deviceId", "environmentKind", "data"},
                       [&](const TableRow& row) {
                         if (!reading.rows.hasTimes(row, 0, 0)) return;
                         bool any = false;
                         for (const Sensor& sensor : kSensors) {
                           if (sensor.kind != row.integer(2) || row.blob(3).size() < sensor.at + 4) continue;
                           any = true;
                           Curve& curve = curves[{row.integer(1), &sensor}];
                           curve.times.push_back(row.integer(0));
                           curve.values.push_back(word(row.blob(3), sensor.at) * sensor.factor);
                         }
                         others += !any;
                       });
  for (auto& [key, curve] : curves) {
    const auto& [device, sensor] = key;
    curve.gpu = reading.roster.gpu(reading.onlyProcess(), device);
    curve.process = reading.recording.gpus[curve.gpu].process;
    curve.name = sensor->name, curve.unit = sensor->unit;
    reading.recording.curves.push_back(std::move(curve));
  }
  reading.rows.leaveOut("ENVIRONMENT", others);
}

}  // namespace lanescope::imported::nvprof
