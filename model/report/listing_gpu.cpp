// SPDX-License-Identifier: Apache-2.0
// What Details lists of work on a GPU: kernels, copies, memsets, whole graphs, and how each came to be launched.
#include <fmt/format.h>

#include "model/format.h"
#include "model/report/listing.h"
#include "model/report/occupancy.h"
#include "model/trace/ids.h"

namespace lanescope::report {
namespace {

/// Of TARGET_INFO_GPU, for the GPU that the process sees under this ordinal.
SmLimits limitsOf(const Listing& listing) {
  constexpr const char* kGpus = "TARGET_INFO_GPU";
  constexpr const char* kOrdinals = "TARGET_INFO_CUDA_DEVICE";
  const Database& database = listing.database;
  if (listing.info.gpu == trace::kNone || !database.has(kGpus, "id")) return {};
  const trace::Gpu& gpu = listing.trace.gpus[listing.info.gpu];
  std::int64_t id = gpu.device;
  if (database.has(kOrdinals, "gpuId") && database.has(kOrdinals, "cudaId") && database.has(kOrdinals, "pid")) {
    const std::int64_t pid = trace::pidOf(listing.trace.processes[gpu.process].globalPid);
    id = database.integer(
        fmt::format("SELECT gpuId FROM {} WHERE cudaId = {} AND pid = {}", kOrdinals, gpu.device, pid), id);
  }
  const auto fact = [&](const char* column) {
    return database.has(kGpus, column)
               ? database.integer(fmt::format("SELECT {} FROM {} WHERE id = {}", column, kGpus, id))
               : 0;
  };
  SmLimits limits{.warps = fact("maxWarpsPerSm"),
                  .blocks = fact("maxBlocksPerSm"),
                  .registers = fact("maxRegistersPerSm"),
                  .sharedMemory = fact("maxShmemPerSm"),
                  .threadsPerWarp = fact("threadsPerWarp"),
                  .computeMajor = fact("computeMajor"),
                  .computeMinor = fact("computeMinor")};
  if (limits.threadsPerWarp == 0) limits.threadsPerWarp = 32;
  return limits;
}

std::optional<KernelShape> shapeOf(const Record& record) {
  const auto x = record.integer("blockX"), y = record.integer("blockY"), z = record.integer("blockZ");
  const auto registers = record.integer("registersPerThread");
  if (!x || !y || !z || !registers) return std::nullopt;
  KernelShape shape;
  shape.registersPerThread = *registers;
  const std::int64_t fixed = record.integer("staticSharedMemory").value_or(0);
  const std::int64_t dynamic = record.integer("dynamicSharedMemory").value_or(0);
  if (__builtin_mul_overflow(*x, *y, &shape.threadsPerBlock) ||
      __builtin_mul_overflow(shape.threadsPerBlock, *z, &shape.threadsPerBlock) ||
      __builtin_add_overflow(fixed, dynamic, &shape.sharedMemoryPerBlock))
    return std::nullopt;
  return shape;
}

void listGraph(Listing& listing) {
  listing.addIfAny("Graph", "graphId");
  listing.addIfAny("Graph node", "graphNodeId");
  listing.addNumber("Instantiated graph", "graphExecId");
}

/// The call that started this GPU work, and how long the work waited.
void listLaunch(Listing& listing) {
  listing.group = FieldGroup::kLaunch;
  const trace::Trace& trace = listing.trace;
  const auto partners = trace.partners(listing.event);
  if (!partners.empty()) {
    const trace::EventRef launch = trace.ref(partners.front());
    const trace::TimeRange call = trace.time(launch), work = trace.time(listing.event);
    listing.addEvent("Launched by", launch, listing.eventText(launch));
    listing.add("Launch latency", formatExact(work.begin - call.begin), true);
    // From the end of the call. GPU work may begin before its launch has returned: then it did not wait in a queue.
    if (work.begin > call.end) listing.add("Queue time", formatExact(work.begin - call.end));
  }
  listing.addNumber("Correlation id", "correlationId");
  listGraph(listing);
}

}  // namespace

void listKernel(Listing& listing) {
  listing.addSize("Grid", "gridX", "gridY", "gridZ");
  listing.addSize("Block", "blockX", "blockY", "blockZ");
  if (listing.record.integer("clusterX").value_or(0) != 0) {
    listing.addSize("Cluster", "clusterX", "clusterY", "clusterZ");
    listing.addNumber("Cluster scheduling policy", "clusterSchedulingPolicy");
  } else {
    for (const char* column : {"clusterY", "clusterZ", "clusterSchedulingPolicy"}) listing.record.skip(column);
  }
  listing.addIfAny("Largest possible cluster", "maxPotentialClusterSize");
  listing.addIfAny("Most clusters at once", "maxActiveClusters");
  listing.addNumber("Registers per thread", "registersPerThread");
  if (const auto shape = shapeOf(listing.record)) {
    if (const auto found = occupancy(limitsOf(listing), *shape))
      listing.add("Theoretical occupancy", occupancyText(*found), true);
  }
  listing.addLabel("Launch type", "launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE");
  listing.addNumber("Grid id", "gridId");
  listing.group = FieldGroup::kOther;
  listing.addString("Mangled name", "mangledName");

  listing.group = FieldGroup::kMemory;
  listing.addBytes("Static shared memory", "staticSharedMemory");
  listing.addBytes("Dynamic shared memory", "dynamicSharedMemory");
  listing.addBytes("SM shared memory", "sharedMemoryExecuted");
  if (const auto share = listing.record.integer("sharedMemoryRequestedPercentage"); share && *share >= 0)
    listing.add("Shared memory asked for", fmt::format("{} % of the SM's", *share));
  listing.addLabel("Shared memory limit", "sharedMemoryLimitConfig", "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG");
  listing.addLabel("Cache preference", "cacheConfig", "ENUM_CUDA_FUNC_CACHE_CONFIG");
  listing.addBytes("Local memory per thread", "localMemoryPerThread");
  listing.addBytes("Local memory in total", "localMemoryTotal");
  listLaunch(listing);
}

void listCopy(Listing& listing) {
  if (const auto bytes = listing.record.integer("bytes"); bytes && *bytes >= 0) {
    const auto size = static_cast<std::uint64_t>(*bytes);
    listing.add("Size", formatBytes(size), true);
    listing.add("Throughput", formatRate(size, listing.trace.time(listing.event).length()), true);
  }
  listing.addLabel("Direction", "copyKind", "ENUM_CUDA_MEMCPY_OPER", true);
  listing.addLabel("From", "srcKind", "ENUM_CUDA_MEM_KIND", true);
  listing.addLabel("To", "dstKind", "ENUM_CUDA_MEM_KIND", true);
  listing.addNumber("From GPU", "srcDeviceId");
  listing.addNumber("From context", "srcContextId");
  listing.addNumber("To GPU", "dstDeviceId");
  listing.addNumber("To context", "dstContextId");
  listing.addLabel("Migration cause", "migrationCause", "ENUM_CUDA_UNIF_MEM_MIGRATION");
  listing.addAddress("Virtual address", "virtualAddress");
  if (listing.record.integer("copyCount").value_or(0) > 1) listing.addNumber("Copies in one", "copyCount");
  listLaunch(listing);
}

void listMemset(Listing& listing) {
  listing.addBytes("Size", "bytes", true);
  listing.addNumber("Value", "value");
  listing.addLabel("Memory", "memKind", "ENUM_CUDA_MEM_KIND");
  listLaunch(listing);
}

void listGraphLaunch(Listing& listing) { listLaunch(listing); }

}  // namespace lanescope::report
