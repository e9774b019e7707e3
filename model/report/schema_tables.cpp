// SPDX-License-Identifier: Apache-2.0
#include "model/report/schema_text.h"

namespace lanescope::report::schema_text {
namespace {

// A column is NAME, then ":T" for text or ":R" for real instead of an integer, then "?" if it may be NULL or "*" if it
// belongs to the primary key.
constexpr TableText kTables[] = {
    {"StringIds", "Every string that other tables name by id", "id* value:T"},
    {"PROCESSES", "One row per process seen", "globalPid? pid? name:T?"},
    {"ThreadNames", "The name of a thread", "nameId priority? globalTid?"},
    {"ProcessStreams", "What a process wrote to standard output and error", "globalPid filenameId contentId"},
    {"ANALYSIS_FILE", "A file kept with the report", "id* filename:T? contentId? globalPid"},
    {"CUPTI_ACTIVITY_KIND_KERNEL", "One row per kernel executed",
     "start end deviceId contextId greenContextId? streamId correlationId? globalPid? demangledName shortName "
     "mangledName? launchType? cacheConfig? registersPerThread gridX gridY gridZ blockX blockY blockZ "
     "staticSharedMemory dynamicSharedMemory localMemoryPerThread localMemoryTotal gridId "
     "sharedMemoryExecuted? graphNodeId? sharedMemoryLimitConfig? qmdBulkReleaseDone? qmdPreexitDone? "
     "qmdLastCtaDone? graphId? clusterX? clusterY? clusterZ? clusterSchedulingPolicy? maxPotentialClusterSize? "
     "maxActiveClusters? sharedMemoryRequestedPercentage?"},
    {"CUPTI_ACTIVITY_KIND_MEMCPY", "One row per memory copy, page migrations included",
     "start end deviceId contextId greenContextId? streamId correlationId? globalPid? bytes copyKind "
     "deprecatedSrcId? srcKind? dstKind? srcDeviceId? srcContextId? dstDeviceId? dstContextId? migrationCause? "
     "graphNodeId? virtualAddress? copyCount?"},
    {"CUPTI_ACTIVITY_KIND_MEMSET", "One row per memset",
     "start end deviceId contextId greenContextId? streamId correlationId? globalPid? value bytes graphNodeId? "
     "memKind?"},
    {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "One row per launch of a CUDA graph that was recorded as a whole",
     "start end deviceId contextId greenContextId? streamId correlationId? globalPid? graphId graphExecId"},
    {"CUPTI_ACTIVITY_KIND_RUNTIME", "One row per call of the CUDA runtime or driver API",
     "start end eventClass globalTid? correlationId? nameId returnValue callchainId?"},
    {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "One row per wait for the GPU, in host time",
     "start end deviceId contextId greenContextId? streamId correlationId? globalPid? deprecatedSyncType? "
     "syncType eventId eventSyncId?"},
    {"CUPTI_ACTIVITY_KIND_CUDA_EVENT", "One row per CUDA event recorded",
     "timestamp? deviceId contextId greenContextId? streamId correlationId? globalPid? eventId eventSyncId?"},
    {"CUPTI_ACTIVITY_KIND_OVERHEAD", "Time that CUDA or the profiler took for itself",
     "start end eventClass globalTid? correlationId? nameId? overheadType"},
    {"CUPTI_ACTIVITY_KIND_JIT", "Code compiled or loaded for a GPU while the program ran",
     "start end eventClass globalTid? correlationId? nameId? overheadType jitEntryType jitOperationType deviceId? "
     "jitOperationCorrelationId? cacheSize? cachePath:T?"},
    {"PROFILER_OVERHEAD", "Time that the profiler took inside the program", "start end globalTid? nameId returnValue"},
    {"CUDA_GRAPH_EVENTS", "Creation and instantiation of CUDA graphs",
     "start end eventClass globalTid? nameId graphId? originalGraphId? graphExecId?"},
    {"CUDA_GRAPH_NODE_EVENTS", "Creation of CUDA graph nodes",
     "start end eventClass globalTid? nameId graphNodeId originalGraphNodeId?"},
    {"CUDA_GPU_MEMORY_USAGE_EVENTS", "One row per allocation or release of GPU memory",
     "start globalPid deviceId contextId address pc bytes memKind memoryOperationType name:T? correlationId? "
     "streamId? localMemoryPoolAddress? localMemoryPoolReleaseThreshold? localMemoryPoolSize? "
     "localMemoryPoolUtilizedSize? importedMemoryPoolAddress? importedMemoryPoolProcessId?"},
    {"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "One row per CPU page fault on managed memory",
     "start globalPid address originalFaultPc? CpuInstruction module unresolvedFaultPc? sourceFile? "
     "sourceLine?"},
    {"CUDA_UM_GPU_PAGE_FAULT_EVENTS", "One row per group of GPU page faults on managed memory",
     "start end globalPid deviceId address numberOfPageFaults faultAccessType"},
    {"CUDA_CALLCHAINS", "Call stacks of CUDA API calls, a frame a row",
     "id* symbol module kernelMode? thumbCode? unresolved? specialEntry? originalIP? unwindMethod? stackDepth*"},
    {"NVTX_EVENTS", "Ranges, marks, domains, categories and thread names from NVTX",
     "start end? eventType rangeId? category? color? text:T? globalTid? endGlobalTid? textId? domainId? "
     "uint64Value? int64Value? doubleValue:R? uint32Value? int32Value? floatValue:R? jsonTextId? jsonText:T? "
     "binaryData:T?"},
    {"NVTX_PAYLOAD_SCHEMAS", "Layouts of extended NVTX payloads",
     "domainId? schemaId? name:T? type? flags? numEntries? payloadSize? alignTo?"},
    {"NVTX_PAYLOAD_SCHEMA_ENTRIES", "Fields of those layouts",
     "domainId schemaId idx flags? type? name:T? description:T? arrayOrUnionDetail? offset?"},
    {"NVTX_PAYLOAD_ENUMS", "Enumerations that such fields use", "domainId? schemaId? name:T? numEntries? size?"},
    {"NVTX_PAYLOAD_ENUM_ENTRIES", "Values of those enumerations", "domainId schemaId idx name:T? value? isFlag?"},
    {"OSRT_API", "One row per call into the OS runtime",
     "start end eventClass globalTid? nameId returnValue nestingLevel? callchainId"},
    {"OSRT_CALLCHAINS", "Call stacks of OS runtime calls, a frame a row",
     "id* symbol module kernelMode? thumbCode? unresolved? specialEntry? originalIP? unwindMethod? stackDepth*"},
    {"OSRT_FILE_ACCESS_EVENTS", "A file was opened, read, written or closed",
     "fileAccessId threadId startedAt endedAt eventType apiCallId bytesProcessed context:T"},
    {"OSRT_FILE_ACCESS_DESCRIPTORS", "Those files, each from its open, or its first use, to its close, or its last use",
     "fileAccessId* processId openedAt closedAt filePath:T"},
    {"CUDNN_EVENTS", "One row per call of cuDNN", "start end eventClass globalTid? nameId"},
    {"CUBLAS_EVENTS", "One row per call of cuBLAS", "start end eventClass globalTid? nameId"},
    {"SCHED_EVENTS", "A thread got a CPU or lost it", "start cpu isSchedIn globalTid? threadState? threadBlock?"},
    {"COMPOSITE_EVENTS", "CPU samples", "id* start cpu? threadState? globalTid? cpuCycles"},
    {"SAMPLING_CALLCHAINS", "Call stacks of CPU samples, a frame a row",
     "id* symbol module kernelMode? thumbCode? unresolved? specialEntry? originalIP? unwindMethod? stackDepth*"},
    {"MPI_RANKS", "Which rank a process is in the whole job", "globalTid rank"},
    {"MPI_P2P_EVENTS", "MPI calls between two ranks",
     "start end? globalTid? textId? commHandle? tag? remoteRank? size? requestHandle?"},
    {"MPI_COLLECTIVES_EVENTS", "MPI calls of all ranks of a communicator",
     "start end? globalTid? textId? commHandle? rootRank? size? recvSize? requestHandle?"},
    {"MPI_START_WAIT_EVENTS", "MPI calls that begin or wait for a request",
     "start end? globalTid? textId? requestHandle?"},
    {"MPI_OTHER_EVENTS", "Other MPI calls", "start end? globalTid? textId? tag?"},
    {"GENERIC_EVENT_SOURCES", "Where generic events come from", "sourceId* nameId timeSourceId sourceGroupId data:T?"},
    {"GENERIC_EVENT_TYPES", "Kinds of generic events", "typeId* sourceId nameId data:T?"},
    {"GENERIC_EVENT_TYPE_FIELDS", "Fields of those kinds; for GPU metrics their names",
     "typeId fieldIdx fieldNameId offset size type"},
    {"GENERIC_EVENTS", "Events of those kinds", "genericEventId* rawTimestamp timestamp typeId globalTid? data:T?"},
    {"TARGET_INFO_GPU_METRICS", "Names of the GPU metrics sampled", "typeId sourceId typeName:T metricId metricName:T"},
    {"GPU_METRICS", "One row per sample of one GPU metric", "rawTimestamp timestamp typeId metricId value"},
    {"TARGET_INFO_SYSTEM_ENV", "Properties of the machine", "globalVid? devStateName:T name:T nameEnum value:T"},
    {"TARGET_INFO_SESSION_START_TIME", "The wall-clock time of time 0", "utcEpochNs? utcTime:T? localTime:T?"},
    {"TARGET_INFO_GPU", "One row per GPU of the machine",
     "vmId id name:T? busLocation:T? isDiscrete? l2CacheSize? totalMemory? memoryBandwidth? clockRate? "
     "smCount? uuid:T? chipName:T? cuDevice? constantMemory? maxIPC? maxRegistersPerBlock? maxShmemPerBlock? "
     "maxShmemPerBlockOptin? maxShmemPerSm? maxRegistersPerSm? threadsPerWarp? asyncEngines? maxWarpsPerSm? "
     "maxBlocksPerSm? maxThreadsPerBlock? maxBlockDimX? maxBlockDimY? maxBlockDimZ? maxGridDimX? maxGridDimY? "
     "maxGridDimZ? computeMajor? computeMinor? smMajor? smMinor?"},
    {"TARGET_INFO_CUDA_DEVICE", "Which GPU a process sees under which ordinal",
     "gpuId? cudaId pid uuid:T? numMultiprocessors?"},
    {"TARGET_INFO_CUDA_CONTEXT_INFO", "One row per CUDA context",
     "nullStreamId hwId vmId processId deviceId contextId parentContextId? isGreenContext?"},
    {"TARGET_INFO_CUDA_STREAM", "One row per CUDA stream", "streamId hwId vmId processId contextId priority flag"},
    {"TARGET_INFO_NVTX_CUDA_DEVICE", "Names that the program gave its GPUs", "name:T hwId vmId deviceId"},
    {"TARGET_INFO_NVTX_CUDA_STREAM", "Names that the program gave its streams",
     "name:T hwId vmId processId deviceId contextId streamId"},
    {"ANALYSIS_DETAILS", "The extent of the recording", "globalVid duration startTime stopTime"},
    {"DIAGNOSTIC_EVENT", "What the profiler said about its own recording",
     "timestamp timestampType source severity text:T globalPid?"},
    {"META_DATA_CAPTURE", "How the recording was made; a name may repeat", "name:T value:T?"},
    {"META_DATA_EXPORT", "Which schema this file follows", "name:T value:T?"},
    {"LANESCOPE_META", "Who wrote this file, and when", "name:T* value:T?"},
    {"LANESCOPE_ISSUES", "What was skipped, repaired or lost while recording", "kind:T count text:T about:T?"},
    {"LANESCOPE_SOURCE", "Of a report made of another tool's file: what that file is and what is written in it",
     "name:T* value:T?"},
    {"LANESCOPE_COPIES_WRITTEN", "Copies in that file, by the name that it gives them", "name:T* count bytes totalNs"},
    {"LANESCOPE_POSITIONS", "Where entries of that file stand, so that one can be read again", "entry* offset"},
    {"LANESCOPE_IDS", "What that file calls a process or a thread, where ids of 24 bits do not hold it, and its place",
     "globalTid isThread number? text:T? rank:T? sortIndex?"},
    {"LANESCOPE_DOMAINS", "Domains of NVTX_EVENTS that are not NVTX's but kinds of event in that file",
     "globalPid domainId"},
    {"LANESCOPE_CURVES", "Values over time of that file", "curveId* globalPid? deviceId? name:T unit"},
    {"LANESCOPE_CURVE_SAMPLES", "Samples of those values", "curveId timestamp value:R"},
    {"LANESCOPE_COLLECTIVES", "What that file says of collectives, beside the range of the call",
     "nvtxRow* bytes communicator ranks?"},
    {"LANESCOPE_OSRT_OBJECTS", "What an OS runtime call was about: the lock, the file, the socket",
     "osrtRow* object nameId?"},
    {"LANESCOPE_THREAD_ENDS", "When a thread ended that left ranges of NVTX_EVENTS open", "globalTid end"},
    {"LANESCOPE_GIL_WAITS", "A thread of Python waited for the global interpreter lock", "start end globalTid"},
    {"LANESCOPE_PYTHON_SAMPLES", "Python stacks taken from outside", "id* start globalTid holdsGil? callchainId?"},
    {"LANESCOPE_PYTHON_CALLCHAINS", "Frames of those stacks; unwindMethod 100, originalIP the line where it is known",
     "id* symbol module kernelMode? thumbCode? unresolved? specialEntry? originalIP? unwindMethod? stackDepth*"},
    {"LANESCOPE_MODULES", "Which file the frames of call stacks were in", "moduleId buildId:T"},
    {"LANESCOPE_LINKS", "Events that the file ties together, by table and rowid",
     "fromTable:T fromRow toTable:T toRow"},
};

}  // namespace

std::span<const TableText> tables() { return kTables; }

}  // namespace lanescope::report::schema_text
