// SPDX-License-Identifier: Apache-2.0
// Rows about the machine and the recording itself, as a recorder hands them to the Writer; see rows.h.
#pragma once

#include "model/report/rows.h"

namespace lanescope::report {

struct SessionStartRow {
  static constexpr const char* kTable = "TARGET_INFO_SESSION_START_TIME";
  std::int64_t utcEpochNs = 0;
  std::string_view utcTime = {}, localTime = {};
  void columns(auto&& column) const {
    column("utcEpochNs", utcEpochNs), column("utcTime", utcTime), column("localTime", localTime);
  }
};

struct ExtentRow {
  static constexpr const char* kTable = "ANALYSIS_DETAILS";
  Id globalVid = 0;
  std::int64_t duration = 0, startTime = 0, stopTime = 0;
  void columns(auto&& column) const {
    column("globalVid", globalVid), column("duration", duration), column("startTime", startTime);
    column("stopTime", stopTime);
  }
};

struct DiagnosticRow {
  static constexpr const char* kTable = "DIAGNOSTIC_EVENT";
  std::int64_t time = 0, clock = 1, source = 0, severity = 1;
  std::string_view text = {};
  OptionalId globalPid = {};
  void columns(auto&& column) const {
    column("timestamp", time), column("timestampType", clock), column("source", source);
    column("severity", severity), column("text", text), column("globalPid", globalPid);
  }
};

struct MachineRow {
  static constexpr const char* kTable = "TARGET_INFO_SYSTEM_ENV";
  OptionalId globalVid = {};
  std::string_view source = {}, name = {};
  std::int64_t number = 0;
  std::string_view value = {};
  void columns(auto&& column) const {
    column("globalVid", globalVid), column("devStateName", source), column("name", name);
    column("nameEnum", number), column("value", value);
  }
};

struct GpuRow {
  static constexpr const char* kTable = "TARGET_INFO_GPU";
  Id vm = 0, id = 0;
  std::string_view name = {}, busLocation = {}, uuid = {};
  std::int64_t l2Bytes = 0, memoryBytes = 0, memoryBandwidth = 0, clockHz = 0, multiprocessors = 0, cudaDevice = 0;
  std::int64_t constantMemory = 0, maxRegistersPerBlock = 0, maxSharedPerBlock = 0, maxSharedPerSm = 0;
  std::int64_t maxRegistersPerSm = 0, threadsPerWarp = 0, maxWarpsPerSm = 0, maxBlocksPerSm = 0, maxThreadsPerBlock = 0;
  Size3 maxBlock = {}, maxGrid = {};
  std::int64_t computeMajor = 0, computeMinor = 0;
  void columns(auto&& column) const {
    column("vmId", vm), column("id", id), column("name", name), column("busLocation", busLocation);
    column("l2CacheSize", l2Bytes), column("totalMemory", memoryBytes), column("memoryBandwidth", memoryBandwidth);
    column("clockRate", clockHz), column("smCount", multiprocessors), column("uuid", uuid);
    column("cuDevice", cudaDevice), column("constantMemory", constantMemory);
    column("maxRegistersPerBlock", maxRegistersPerBlock), column("maxShmemPerBlock", maxSharedPerBlock);
    column("maxShmemPerSm", maxSharedPerSm), column("maxRegistersPerSm", maxRegistersPerSm);
    column("threadsPerWarp", threadsPerWarp), column("maxWarpsPerSm", maxWarpsPerSm);
    column("maxBlocksPerSm", maxBlocksPerSm), column("maxThreadsPerBlock", maxThreadsPerBlock);
    column("maxBlockDimX", maxBlock.x), column("maxBlockDimY", maxBlock.y), column("maxBlockDimZ", maxBlock.z);
    column("maxGridDimX", maxGrid.x), column("maxGridDimY", maxGrid.y), column("maxGridDimZ", maxGrid.z);
    column("computeMajor", computeMajor), column("computeMinor", computeMinor);
    column("smMajor", computeMajor), column("smMinor", computeMinor);
  }
};

/// Which GPU a process sees under which ordinal.
struct CudaDeviceRow {
  static constexpr const char* kTable = "TARGET_INFO_CUDA_DEVICE";
  OptionalId gpu = {};
  Id ordinal = 0, pid = 0;
  std::string_view uuid = {};
  OptionalId multiprocessors = {};
  void columns(auto&& column) const {
    column("gpuId", gpu), column("cudaId", ordinal), column("pid", pid), column("uuid", uuid);
    column("numMultiprocessors", multiprocessors);
  }
};

struct NvtxSchemaRow {
  static constexpr const char* kTable = "NVTX_PAYLOAD_SCHEMAS";
  Id domain = 0, schema = 0;
  std::optional<std::string_view> name = {};
  std::int64_t type = 0, flags = 0, entries = 0;
  OptionalId payloadBytes = {};
  void columns(auto&& column) const {
    column("domainId", domain), column("schemaId", schema), column("name", name), column("type", type);
    column("flags", flags), column("numEntries", entries), column("payloadSize", payloadBytes);
  }
};

struct NvtxSchemaEntryRow {
  static constexpr const char* kTable = "NVTX_PAYLOAD_SCHEMA_ENTRIES";
  Id domain = 0, schema = 0, index = 0;
  std::int64_t flags = 0, type = 0;
  std::optional<std::string_view> name = {}, description = {};
  OptionalId arrayOrUnionDetail = {}, offset = {};
  void columns(auto&& column) const {
    column("domainId", domain), column("schemaId", schema), column("idx", index), column("flags", flags);
    column("type", type), column("name", name), column("description", description);
    column("arrayOrUnionDetail", arrayOrUnionDetail), column("offset", offset);
  }
};

struct NvtxEnumRow {
  static constexpr const char* kTable = "NVTX_PAYLOAD_ENUMS";
  Id domain = 0, schema = 0;
  std::optional<std::string_view> name = {};
  std::int64_t entries = 0;
  OptionalId bytes = {};
  void columns(auto&& column) const {
    column("domainId", domain), column("schemaId", schema), column("name", name), column("numEntries", entries);
    column("size", bytes);
  }
};

struct NvtxEnumEntryRow {
  static constexpr const char* kTable = "NVTX_PAYLOAD_ENUM_ENTRIES";
  Id domain = 0, schema = 0, index = 0;
  std::optional<std::string_view> name = {};
  std::int64_t value = 0, isFlag = 0;
  void columns(auto&& column) const {
    column("domainId", domain), column("schemaId", schema), column("idx", index), column("name", name);
    column("value", value), column("isFlag", isFlag);
  }
};

}  // namespace lanescope::report
