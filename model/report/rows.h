// SPDX-License-Identifier: Apache-2.0
// Rows as a recorder hands them to the Writer: plain structs, std::optional where the column may be NULL, strings
// already interned to ids. Units and numbering are those of the export (ns since the session began, memory kinds minus
// one, …: FORMAT.md). columns() names each member once; a test holds the names against the catalogue.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanescope::report {

using Id = std::int64_t;
using OptionalId = std::optional<std::int64_t>;

/// Written as a blob.
struct Bytes {
  std::string_view bytes;
};

struct ProcessRow {
  static constexpr const char* kTable = "PROCESSES";
  Id globalPid = 0, pid = 0;
  std::string_view name = {};
  void columns(auto&& column) const { column("globalPid", globalPid), column("pid", pid), column("name", name); }
};

struct ThreadNameRow {
  static constexpr const char* kTable = "ThreadNames";
  Id name = 0, globalTid = 0;
  OptionalId priority = {};
  void columns(auto&& column) const {
    column("nameId", name), column("priority", priority), column("globalTid", globalTid);
  }
};

/// Where and when GPU work ran; first member of each kind of it.
struct GpuSpan {
  std::int64_t start = 0, end = 0;
  Id device = 0, context = 0, stream = 0;
  OptionalId greenContext = {}, correlation = {}, globalPid = {};
  void columns(auto&& column) const {
    column("start", start), column("end", end), column("deviceId", device), column("contextId", context);
    column("greenContextId", greenContext), column("streamId", stream), column("correlationId", correlation);
    column("globalPid", globalPid);
  }
};

struct Size3 {
  std::int64_t x = 1, y = 1, z = 1;
};

struct KernelRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
  GpuSpan at = {};
  Id demangledName = 0, shortName = 0;
  OptionalId mangledName = {}, launchType = {}, cacheConfig = {};
  std::int64_t registersPerThread = 0;
  Size3 grid = {}, block = {};
  std::int64_t staticSharedMemory = 0, dynamicSharedMemory = 0, localMemoryPerThread = 0, localMemoryTotal = 0;
  Id gridId = 0;
  OptionalId sharedMemoryExecuted = {}, sharedMemoryLimit = {}, graphNode = {}, graph = {};
  std::optional<Size3> cluster = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("demangledName", demangledName), column("shortName", shortName), column("mangledName", mangledName);
    column("launchType", launchType), column("cacheConfig", cacheConfig);
    column("registersPerThread", registersPerThread);
    column("gridX", grid.x), column("gridY", grid.y), column("gridZ", grid.z);
    column("blockX", block.x), column("blockY", block.y), column("blockZ", block.z);
    column("staticSharedMemory", staticSharedMemory), column("dynamicSharedMemory", dynamicSharedMemory);
    column("localMemoryPerThread", localMemoryPerThread), column("localMemoryTotal", localMemoryTotal);
    column("gridId", gridId), column("sharedMemoryExecuted", sharedMemoryExecuted);
    column("sharedMemoryLimitConfig", sharedMemoryLimit), column("graphNodeId", graphNode), column("graphId", graph);
    column("clusterX", cluster ? OptionalId(cluster->x) : OptionalId());
    column("clusterY", cluster ? OptionalId(cluster->y) : OptionalId());
    column("clusterZ", cluster ? OptionalId(cluster->z) : OptionalId());
  }
};

struct CopyRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_MEMCPY";
  GpuSpan at = {};
  std::int64_t bytes = 0, copyKind = 0;
  OptionalId sourceKind = {}, destinationKind = {}, sourceDevice = {}, sourceContext = {}, destinationDevice = {},
             destinationContext = {};
  OptionalId migrationCause = {}, graphNode = {}, virtualAddress = {}, copyCount = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("bytes", bytes), column("copyKind", copyKind);
    column("srcKind", sourceKind), column("dstKind", destinationKind);
    column("srcDeviceId", sourceDevice), column("srcContextId", sourceContext);
    column("dstDeviceId", destinationDevice), column("dstContextId", destinationContext);
    column("migrationCause", migrationCause), column("graphNodeId", graphNode);
    column("virtualAddress", virtualAddress), column("copyCount", copyCount);
  }
};

struct MemsetRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_MEMSET";
  GpuSpan at = {};
  std::int64_t value = 0, bytes = 0;
  OptionalId graphNode = {}, memoryKind = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("value", value), column("bytes", bytes), column("graphNodeId", graphNode), column("memKind", memoryKind);
  }
};

struct GraphTraceRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
  GpuSpan at = {};
  Id graph = 0, exec = 0;
  void columns(auto&& column) const {
    at.columns(column);
    column("graphId", graph), column("graphExecId", exec);
  }
};

struct SynchronizationRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
  GpuSpan at = {};
  std::int64_t type = 0;
  Id event = 0;
  OptionalId eventSync = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("syncType", type), column("eventId", event), column("eventSyncId", eventSync);
  }
};

struct CudaEventRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
  OptionalId time = {};
  Id device = 0, context = 0, stream = 0;
  OptionalId correlation = {}, globalPid = {};
  Id event = 0;
  OptionalId eventSync = {};
  void columns(auto&& column) const {
    column("timestamp", time), column("deviceId", device), column("contextId", context), column("streamId", stream);
    column("correlationId", correlation), column("globalPid", globalPid), column("eventId", event);
    column("eventSyncId", eventSync);
  }
};

/// Where and when a call was made on the host.
struct CallSpan {
  std::int64_t start = 0, end = 0;
  std::int64_t eventClass = 0;
  OptionalId globalTid = {};
  void columns(auto&& column) const {
    column("start", start), column("end", end), column("eventClass", eventClass), column("globalTid", globalTid);
  }
};

struct ApiCallRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_RUNTIME";
  CallSpan at = {};
  OptionalId correlation = {};
  Id name = 0;
  std::int64_t returnValue = 0;
  OptionalId callchain = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("correlationId", correlation), column("nameId", name), column("returnValue", returnValue);
    column("callchainId", callchain);
  }
};

struct OsCallRow {
  static constexpr const char* kTable = "OSRT_API";
  CallSpan at{.eventClass = 27, .globalTid = {}};
  Id name = 0;
  std::int64_t returnValue = 0;
  OptionalId nestingLevel = {};
  Id callchain = 0;
  void columns(auto&& column) const {
    at.columns(column);
    column("nameId", name), column("returnValue", returnValue), column("nestingLevel", nestingLevel);
    column("callchainId", callchain);
  }
};

struct OverheadRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_OVERHEAD";
  CallSpan at{.eventClass = 103, .globalTid = {}};
  OptionalId correlation = {}, name = {};
  std::int64_t type = 0;
  void columns(auto&& column) const {
    at.columns(column);
    column("correlationId", correlation), column("nameId", name), column("overheadType", type);
  }
};

struct JitRow {
  static constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_JIT";
  CallSpan at{.eventClass = 102, .globalTid = {}};
  OptionalId correlation = {};
  Id name = 0;
  std::int64_t type = 2, entry = 0, operation = 0;
  void columns(auto&& column) const {
    at.columns(column);
    column("correlationId", correlation), column("nameId", name), column("overheadType", type);
    column("jitEntryType", entry), column("jitOperationType", operation);
  }
};

struct NvtxRow {
  static constexpr const char* kTable = "NVTX_EVENTS";
  std::int64_t start = 0;
  OptionalId end = {};
  std::int64_t type = 59;
  OptionalId range = {}, category = {}, color = {};
  std::optional<std::string_view> text = {};
  OptionalId globalTid = {}, endGlobalTid = {}, textId = {}, domain = {};
  OptionalId unsigned64 = {}, signed64 = {}, unsigned32 = {}, signed32 = {};
  std::optional<double> real64 = {}, real32 = {};
  std::optional<Bytes> extended = {};
  void columns(auto&& column) const {
    column("start", start), column("end", end), column("eventType", type), column("rangeId", range);
    column("category", category), column("color", color), column("text", text), column("globalTid", globalTid);
    column("endGlobalTid", endGlobalTid), column("textId", textId), column("domainId", domain);
    column("uint64Value", unsigned64), column("int64Value", signed64), column("doubleValue", real64);
    column("uint32Value", unsigned32), column("int32Value", signed32), column("floatValue", real32);
    column("binaryData", extended);
  }
};

struct MemoryUsageRow {
  static constexpr const char* kTable = "CUDA_GPU_MEMORY_USAGE_EVENTS";
  std::int64_t start = 0;
  Id globalPid = 0, device = 0, context = 0;
  std::int64_t address = 0, pc = 0, bytes = 0, memoryKind = 0, operation = 0;
  OptionalId correlation = {}, stream = {};
  OptionalId localPool = {}, localPoolThreshold = {}, localPoolSize = {}, localPoolUtilized = {};
  OptionalId importedPool = {}, importedPoolProcess = {};
  void columns(auto&& column) const {
    column("start", start), column("globalPid", globalPid), column("deviceId", device), column("contextId", context);
    column("address", address), column("pc", pc), column("bytes", bytes), column("memKind", memoryKind);
    column("memoryOperationType", operation), column("correlationId", correlation), column("streamId", stream);
    column("localMemoryPoolAddress", localPool), column("localMemoryPoolReleaseThreshold", localPoolThreshold);
    column("localMemoryPoolSize", localPoolSize), column("localMemoryPoolUtilizedSize", localPoolUtilized);
    column("importedMemoryPoolAddress", importedPool), column("importedMemoryPoolProcessId", importedPoolProcess);
  }
};

struct CpuPageFaultRow {
  static constexpr const char* kTable = "CUDA_UM_CPU_PAGE_FAULT_EVENTS";
  std::int64_t start = 0;
  Id globalPid = 0;
  std::int64_t address = 0, pc = 0;
  Id function = 0, module = 0;  ///< StringIds
  OptionalId unresolved = {};
  void columns(auto&& column) const {
    column("start", start), column("globalPid", globalPid), column("address", address);
    column("originalFaultPc", pc), column("CpuInstruction", function), column("module", module);
    column("unresolvedFaultPc", unresolved);
  }
};

struct GpuPageFaultRow {
  static constexpr const char* kTable = "CUDA_UM_GPU_PAGE_FAULT_EVENTS";
  std::int64_t start = 0, end = 0;
  Id globalPid = 0, device = 0;
  std::int64_t address = 0, faults = 0, access = 0;
  void columns(auto&& column) const {
    column("start", start), column("end", end), column("globalPid", globalPid), column("deviceId", device);
    column("address", address), column("numberOfPageFaults", faults), column("faultAccessType", access);
  }
};

struct ContextRow {
  static constexpr const char* kTable = "TARGET_INFO_CUDA_CONTEXT_INFO";
  Id nullStream = 0, hardware = 0, vm = 0, pid = 0, device = 0, context = 0;
  OptionalId parent = {}, isGreen = {};
  void columns(auto&& column) const {
    column("nullStreamId", nullStream), column("hwId", hardware), column("vmId", vm), column("processId", pid);
    column("deviceId", device), column("contextId", context), column("parentContextId", parent);
    column("isGreenContext", isGreen);
  }
};

struct StreamRow {
  static constexpr const char* kTable = "TARGET_INFO_CUDA_STREAM";
  Id stream = 0, hardware = 0, vm = 0, pid = 0, context = 0;
  std::int64_t priority = 0, flag = 0;
  void columns(auto&& column) const {
    column("streamId", stream), column("hwId", hardware), column("vmId", vm), column("processId", pid);
    column("contextId", context), column("priority", priority), column("flag", flag);
  }
};

struct DeviceNameRow {
  static constexpr const char* kTable = "TARGET_INFO_NVTX_CUDA_DEVICE";
  std::string_view name = {};
  Id hardware = 0, vm = 0, device = 0;
  void columns(auto&& column) const {
    column("name", name), column("hwId", hardware), column("vmId", vm), column("deviceId", device);
  }
};

struct StreamNameRow {
  static constexpr const char* kTable = "TARGET_INFO_NVTX_CUDA_STREAM";
  std::string_view name = {};
  Id hardware = 0, vm = 0, pid = 0, device = 0, context = 0, stream = 0;
  void columns(auto&& column) const {
    column("name", name), column("hwId", hardware), column("vmId", vm), column("processId", pid);
    column("deviceId", device), column("contextId", context), column("streamId", stream);
  }
};

struct IssueRow {
  static constexpr const char* kTable = "LANESCOPE_ISSUES";
  std::string_view kind = {};
  std::int64_t count = 0;
  std::string_view text = {};
  void columns(auto&& column) const { column("kind", kind), column("count", count), column("text", text); }
};

}  // namespace lanescope::report
