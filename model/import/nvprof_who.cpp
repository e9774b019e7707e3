// SPDX-License-Identifier: Apache-2.0
// Who is in a file of nvprof: names of threads and streams, GPUs and what connects them.
#include <fmt/format.h>

#include <algorithm>

#include "model/import/nvprof_reading.h"
#include "model/utf8.h"

namespace lanescope::imported::nvprof {

using report::TableRow;

void readNames(Reading& reading) {
  Recording& recording = reading.recording;
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
      case ObjectKind::kStream:
        for (Stream& stream : recording.streams)
          if (recording.gpus[stream.gpu].device == object.first && stream.context == object.second &&
              stream.stream == object.third)
            stream.name = name;
        break;
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
  report::Columns columns = {"id", "name", "uuid"};
  for (const Fact& fact : kFacts) columns.emplace_back(fact.stored);
  reading.rows.forEach(table("DEVICE"), columns, [&](const TableRow& row) {
    const std::int64_t device = row.integer(0);
    deviceOf.emplace(row.blob(2), device);
    reading.roster.gpu(reading.onlyProcess(), device);
    for (Gpu& gpu : reading.recording.gpus) {
      if (gpu.device != device) continue;
      gpu.name = repairUtf8(reading.strings.text(row.integer(1)));
      gpu.facts.clear();
      for (std::size_t i = 0; i < std::size(kFacts); ++i) {
        const int column = static_cast<int>(i) + 3;
        const std::int64_t value = row.integer(column);
        if (row.isInteger(column) && value >= 0 && value < std::int64_t{1} << 50)
          gpu.facts.emplace_back(kFacts[i].exported, value * kFacts[i].factor);
      }
    }
  });
  return deviceOf;
}

void readStreams(Reading& reading) {
  reading.rows.needNot(table("STREAM"));  // streams without work are not shown
  reading.rows.forEach(table("CONTEXT"), {"contextId", "nullStreamId"}, [&](const TableRow& row) {
    for (Stream& stream : reading.recording.streams)
      if (stream.context == row.integer(0) && stream.stream == row.integer(1)) stream.isDefault = true;
  });
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
