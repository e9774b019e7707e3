// SPDX-License-Identifier: Apache-2.0
// Who is in a file of nvprof: names of threads and streams, GPUs and what connects them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "model/import/nvprof_reading.h"
#include "model/utf8.h"

namespace lanescope::imported::nvprof {

using report::TableRow;

void readNames(Reading& reading) {
  Recording& recording = reading.recording;
  std::multimap<std::array<std::int64_t, 3>, Stream*> streams;
  for (Stream& stream : recording.streams)
    streams.emplace(std::array{recording.gpus[stream.gpu].device, stream.context, stream.stream}, &stream);
  reading.rows.forEach(table("NAME"), {"objectKind", "objectId", "name"}, [&](const TableRow& row) {
    const Object object = objectOf(row.integer(0), row.blob(1));
    std::string name = repairUtf8(reading.strings.text(row.integer(2)));
    switch (object.kind) {
      case ObjectKind::kProcess:
        recording.processes[reading.roster.process(object.first)].name = std::move(name);
        break;
      case ObjectKind::kThread:
        recording.threads[reading.roster.thread(reading.roster.process(object.first), object.second)].name =
            std::move(name);
        break;
      case ObjectKind::kStream: {
        const auto [first, last] =
            streams.equal_range({std::int64_t{object.first}, std::int64_t{object.second}, std::int64_t{object.third}});
        for (auto at = first; at != last; ++at) at->second->name = name;
        break;
      }
      default:  // of devices and contexts, which have names of their own
        break;
    }
  });
}

namespace {

/// Columns of DEVICE, and of TARGET_INFO_GPU with what turns the one into the other.
struct Fact {
  const char* stored;
  const char* exported;
  std::int64_t factor = 1;
};
constexpr Fact kFacts[] = {
    {"globalMemoryBandwidth", "memoryBandwidth", 1000},
    {"globalMemorySize", "totalMemory"},
    {"constantMemorySize", "constantMemory"},
    {"l2CacheSize", "l2CacheSize"},
    {"numThreadsPerWarp", "threadsPerWarp"},
    {"coreClockRate", "clockRate", 1000},
    {"numMultiprocessors", "smCount"},
    {"maxWarpsPerMultiprocessor", "maxWarpsPerSm"},
    {"maxBlocksPerMultiprocessor", "maxBlocksPerSm"},
    {"maxSharedMemoryPerMultiprocessor", "maxShmemPerSm"},
    {"maxRegistersPerMultiprocessor", "maxRegistersPerSm"},
    {"maxRegistersPerBlock", "maxRegistersPerBlock"},
    {"maxSharedMemoryPerBlock", "maxShmemPerBlock"},
    {"maxThreadsPerBlock", "maxThreadsPerBlock"},
    {"maxBlockDimX", "maxBlockDimX"},
    {"maxBlockDimY", "maxBlockDimY"},
    {"maxBlockDimZ", "maxBlockDimZ"},
    {"maxGridDimX", "maxGridDimX"},
    {"maxGridDimY", "maxGridDimY"},
    {"maxGridDimZ", "maxGridDimZ"},
    {"computeCapabilityMajor", "computeMajor"},
    {"computeCapabilityMinor", "computeMinor"},
};

/// A fact about the hardware; those of hostile files end somewhere.
void addFact(Recording& recording, std::string name, std::string value) {
  constexpr std::size_t kMost = 1000;
  if (recording.facts.size() < kMost) recording.facts.emplace_back(std::move(name), std::move(value));
}

/// GPUs by their UUID.
using DeviceOf = std::map<std::string, std::int64_t, std::less<>>;

DeviceOf readGpus(Reading& reading) {
  DeviceOf deviceOf;
  std::map<std::int64_t, Gpu> told;
  report::Columns columns = {"id", "name", "uuid"};
  for (const Fact& fact : kFacts) columns.emplace_back(fact.stored);
  reading.rows.forEach(table("DEVICE"), columns, [&](const TableRow& row) {
    const std::int64_t device = row.integer(0);
    deviceOf.emplace(row.blob(2), device);
    reading.roster.gpu(reading.onlyProcess(), device);
    Gpu& known = told[device];
    known = {};
    known.name = repairUtf8(reading.strings.text(row.integer(1)));
    for (std::size_t i = 0; i < std::size(kFacts); ++i) {
      const int column = static_cast<int>(i) + 3;
      const std::int64_t value = row.integer(column);
      if (row.isInteger(column) && value >= 0 && value < std::int64_t{1} << 50)
        known.facts.emplace_back(kFacts[i].exported, value * kFacts[i].factor);
    }
  });
  for (Gpu& gpu : reading.recording.gpus) {  // one in each process
    const auto known = told.find(gpu.device);
    if (known == told.end()) continue;
    gpu.name = known->second.name;
    gpu.facts = known->second.facts;
  }
  return deviceOf;
}

void readStreams(Reading& reading) {
  reading.rows.needNot(table("STREAM"));  // streams without work are not shown
  std::set<std::pair<std::int64_t, std::int64_t>> defaults;  // context and stream
  reading.rows.forEach(table("CONTEXT"), {"contextId", "nullStreamId"},
                       [&](const TableRow& row) { defaults.emplace(row.integer(0), row.integer(1)); });
  for (Stream& stream : reading.recording.streams)
    if (defaults.contains({stream.context, stream.stream})) stream.isDefault = true;
}

void readLinks(Reading& reading, const DeviceOf& deviceOf) {
  const auto end = [&](std::string_view uuid) {
    const auto found = deviceOf.find(uuid);
    return found == deviceOf.end() ? std::string("another device") : fmt::format("GPU {}", found->second);
  };
  reading.rows.forEach(
      table("NVLINK"), {"idDev0", "idDev1", "physicalNvLinkCount", "bandwidth"}, [&](const TableRow& row) {
        addFact(reading.recording,
                fmt::format("NVLink of {} and {}", end(row.blob(0).substr(0, 16)), end(row.blob(1).substr(0, 16))),
                fmt::format("{} links of {} kB/s together", row.integer(2), row.integer(3)));
      });
  constexpr std::int64_t kGpu = 0;
  reading.rows.forEach(
      table("PCIE"), {"type", "id", "pcieGeneration", "linkRate", "linkWidth"}, [&](const TableRow& row) {
        if (row.integer(0) == kGpu)
          addFact(reading.recording, fmt::format("PCIe of GPU {}", word(row.blob(1), 0)),
                  fmt::format("generation {}, {} lanes of {} MT/s", row.integer(2), row.integer(4), row.integer(3)));
      });
}

}  // namespace

void readDevices(Reading& reading) {
  const DeviceOf deviceOf = readGpus(reading);
  readStreams(reading);
  readLinks(reading, deviceOf);
}

}  // namespace lanescope::imported::nvprof
