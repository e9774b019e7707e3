// SPDX-License-Identifier: Apache-2.0
#include "model/report/schema.h"

namespace lanescope::report {
namespace {

constexpr Label kCudaMemcpyOper[] = {
    {0, "CUDA_MEMCPY_KIND_UNKNOWN", "Unknown"},
    {1, "CUDA_MEMCPY_KIND_HTOD", "Host-to-Device"},
    {2, "CUDA_MEMCPY_KIND_DTOH", "Device-to-Host"},
    {3, "CUDA_MEMCPY_KIND_HTOA", "Host-to-Array"},
    {4, "CUDA_MEMCPY_KIND_ATOH", "Array-to-Host"},
    {5, "CUDA_MEMCPY_KIND_ATOA", "Array-to-Array"},
    {6, "CUDA_MEMCPY_KIND_ATOD", "Array-to-Device"},
    {7, "CUDA_MEMCPY_KIND_DTOA", "Device-to-Array"},
    {8, "CUDA_MEMCPY_KIND_DTOD", "Device-to-Device"},
    {9, "CUDA_MEMCPY_KIND_HTOH", "Host-to-Host"},
    {10, "CUDA_MEMCPY_KIND_PTOP", "Peer-to-Peer"},
    {11, "CUDA_MEMCPY_KIND_UVM_HTOD", "Unified Host-to-Device"},
    {12, "CUDA_MEMCPY_KIND_UVM_DTOH", "Unified Device-to-Host"},
    {13, "CUDA_MEMCPY_KIND_UVM_DTOD", "Unified Device-to-Device"},
};

constexpr Label kCudaMemKind[] = {
    {0, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE", "Pageable"},
    {1, "CUDA_MEMOPR_MEMORY_KIND_PINNED", "Pinned"},
    {2, "CUDA_MEMOPR_MEMORY_KIND_DEVICE", "Device"},
    {3, "CUDA_MEMOPR_MEMORY_KIND_ARRAY", "Array"},
    {4, "CUDA_MEMOPR_MEMORY_KIND_MANAGED", "Managed"},
    {5, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC", "Device Static"},
    {6, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC", "Managed Static"},
    {7, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN", "Unknown"},
};

constexpr Label kCudaDevMemEventOper[] = {
    {0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION", "Allocation"},
    {1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION", "Deallocation"},
};

constexpr Label kCudaMempoolOper[] = {
    {0, "CUDA_MEMPOOL_OPERATION_TYPE_INVALID", "Invalid"},
    {1, "CUDA_MEMPOOL_OPERATION_TYPE_CREATED", "Created"},
    {2, "CUDA_MEMPOOL_OPERATION_TYPE_DESTROYED", "Destroyed"},
    {3, "CUDA_MEMPOOL_OPERATION_TYPE_TRIMMED", "Trimmed"},
};

constexpr Label kCudaMempoolType[] = {
    {0, "CUDA_MEMPOOL_TYPE_INVALID", "Invalid"},
    {1, "CUDA_MEMPOOL_TYPE_LOCAL", "Local"},
    {2, "CUDA_MEMPOOL_TYPE_IMPORTED", "Imported"},
};

constexpr Label kCudaKernelLaunchType[] = {
    {0, "CUDA_KERNEL_LAUNCH_TYPE_UNKNOWN", "Unknown"},
    {1, "CUDA_KERNEL_LAUNCH_TYPE_REGULAR", "Regular"},
    {2, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE", "Coop Single Device"},
    {3, "CUDA_KERNEL_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE", "Coop Multi Device"},
};

constexpr Label kCudaFuncCacheConfig[] = {
    {0, "CU_FUNC_CACHE_PREFER_NONE", "None"},
    {1, "CU_FUNC_CACHE_PREFER_SHARED", "Shared"},
    {2, "CU_FUNC_CACHE_PREFER_L1", "L1"},
    {3, "CU_FUNC_CACHE_PREFER_EQUAL", "Equal"},
};

constexpr Label kCudaSharedMemLimitConfig[] = {
    {0, "CUDA_SHARED_MEM_LIMIT_DEFAULT", "Default"},
    {1, "CUDA_SHARED_MEM_LIMIT_OPTIN", "Opt in"},
};

constexpr Label kCudaUnifMemMigration[] = {
    {0, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_UNKNOWN", "Unknown"},
    {1, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_USER", "User prefetch"},
    {2, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE", "Page fault"},
    {3, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH", "Speculative prefetch"},
    {4, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION", "Eviction"},
    {5, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_ACCESS_COUNTERS", "Access counters"},
};

constexpr Label kCudaUnifMemAccessType[] = {
    {0, "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_UNKNOWN", "Unknown"},
    {1, "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_READ", "Read"},
    {2, "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_WRITE", "Write"},
    {3, "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_ATOMIC", "Atomic"},
    {4, "CUDA_UNIFIED_MEMORY_ACCESS_TYPE_PREFETCH", "Prefetch"},
};

constexpr Label kCuptiStreamType[] = {
    {0, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_UNKNOWN", "Unknown stream type"},
    {1, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT", "Default stream"},
    {2, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING", "Non-blocking stream"},
    {3, "CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL", "Null stream"},
};

constexpr Label kCuptiSyncType[] = {
    {0, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN", "Unknown"},
    {1, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", "Event sync"},
    {2, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", "Stream wait sync"},
    {3, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", "Stream sync"},
    {4, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", "Context sync"},
};

constexpr Label kDiagnosticSeverityLevel[] = {
    {0, "UnknownLevel", "Unknown"}, {1, "Info", "Info"},       {2, "Warning", "Warning"},
    {3, "Error", "Error"},          {4, "Verbose", "Verbose"},
};

constexpr Label kDiagnosticSourceType[] = {
    {0, "UnknownSource", "Unknown source"},
    {1, "Injection", "Injection"},
    {2, "Daemon", "Daemon"},
    {3, "Analysis", "Analysis"},
};

constexpr Label kDiagnosticTimestampSource[] = {
    {0, "UnknownTimestamp", "Unknown timestamp"},
    {1, "TargetTimestamp", "Target timestamp"},
    {2, "HostTimestamp", "Host timestamp"},
};

constexpr Label kSamplingThreadState[] = {
    {0, "Unknown", "Unknown"},
    {1, "Running", "Running"},
    {2, "Interruptible", "Interruptible"},
    {3, "Uninterruptible", "Uninterruptible"},
    {4, "Stopped", "Stopped"},
    {5, "Terminated", "Terminated"},
    {6, "Unscheduled", "Unscheduled"},
    {7, "Waiting", "Waiting"},
    {8, "OSRuntime", "OS runtime"},
    {9, "Initialized", "Initialized"},
    {10, "Transition", "Transition"},
};

constexpr Label kSchedulingThreadBlock[] = {
    {0, "NonBlocked", "NonBlocked"},
    {1, "Unknown", "Unknown"},
    {2, "SigSuspend", "SigSuspend"},
    {3, "Stopped", "Stopped"},
    {4, "Nanosleep", "Nanosleep"},
    {5, "Intr", "Intr"},
    {6, "Mutex", "Mutex"},
    {7, "CondVar", "CondVar"},
    {8, "Sem", "Sem"},
    {9, "Join", "Join"},
    {10, "SigWaitInfo", "SigWaitInfo"},
    {11, "WaitCtx", "WaitCtx"},
    {12, "Send", "Send"},
    {13, "Receive", "Receive"},
    {14, "Reply", "Reply"},
    {15, "Stack", "Stack"},
    {16, "WaitThread", "WaitThread"},
    {17, "WaitPage", "WaitPage"},
    {18, "NetSend", "NetSend"},
    {19, "NetReply", "NetReply"},
    {20, "FreePage", "FreePage"},
    {21, "PageIn", "PageIn"},
    {22, "PoolAllocation", "PoolAllocation"},
    {23, "DelayExecution", "DelayExecution"},
    {24, "Suspended", "Suspended"},
    {25, "UserRequest", "UserRequest"},
    {26, "EventPair", "EventPair"},
    {27, "Queue", "Queue"},
    {28, "LPCReceive", "LPCReceive"},
    {29, "LPCReply", "LPCReply"},
    {30, "VirtualMemory", "VirtualMemory"},
    {31, "PageOut", "PageOut"},
    {32, "Rendezvous", "Rendezvous"},
    {33, "KeyedEvent", "KeyedEvent"},
    {34, "Terminated", "Terminated"},
    {35, "ProcessInSwap", "ProcessInSwap"},
    {36, "CPURateControl", "CPURateControl"},
    {37, "WrCalloutStack", "WrCalloutStack"},
    {38, "Kernel", "Kernel"},
    {39, "Resource", "Resource"},
    {40, "PushLock", "PushLock"},
    {41, "WindowsMutex", "WindowsMutex"},
    {42, "QuantumEnd", "QuantumEnd"},
    {43, "DispatchInt", "DispatchInt"},
    {44, "Preempted", "Preempted"},
    {45, "YieldExecution", "YieldExecution"},
    {46, "FastMutex", "FastMutex"},
    {47, "GuardedMutex", "GuardedMutex"},
    {48, "Rundown", "Rundown"},
    {49, "ReadyToRun", "ReadyToRun"},
    {50, "AlertByThreadId", "AlertByThreadId"},
    {51, "DeferredPreempt", "DeferredPreempt"},
    {52, "PhysicalFault", "PhysicalFault"},
};

constexpr Label kStackUnwindMethod[] = {
    {0, "Unknown", "Unknown"},
    {1, "FramePointer", "Frame pointer"},
    {2, "UnwindTable", "Unwind table"},
    {3, "LR_FramePointer", "LR frame pointer"},
    {4, "LR_UnwindTable", "LR unwind table"},
    {5, "KernelContext", "Kernel context"},
    {6, "DWARF_EH", "DWARF EH"},
    {7, "DWARF_DF", "DWARF DF"},
    {8, "LBR", "LBR"},
    {100, "Python", "Python"},  // ours: a frame of the interpreter
    {1000, "Undefined", "Undefined"},
};

constexpr Label kCuptiOverheadType[] = {
    {0, "OVERHEAD_UNDEFINED", "Undefined"},
    {1, "OVERHEAD_UNKNOWN", "Unknown"},
    {2, "OVERHEAD_DRIVER_COMPILER", "Driver JIT compiler (CUDA)"},
    {3, "OVERHEAD_CUPTI_BUFFER_FLUSH", "Buffer flush (Profiler)"},
    {4, "OVERHEAD_CUPTI_INSTRUMENTATION", "Instrumentation (Profiler)"},
    {5, "OVERHEAD_CUPTI_RESOURCE", "Resource creation/destruction (Profiler)"},
    {6, "OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING", "Runtime module loading (CUDA)"},
    {7, "OVERHEAD_LAZY_FUNCTION_LOADING", "Lazy function loading (CUDA)"},
    {8, "OVERHEAD_COMMAND_BUFFER_FULL", "Command buffer full (CUDA)"},
};

constexpr Label kNsysEventType[] = {
    {33, "NvtxCategory", "NvtxCategory"},
    {34, "NvtxMark", "NvtxMark"},
    {39, "NvtxThread", "NvtxThread"},
    {59, "NvtxPushPopRange", "NvtxPushPopRange"},
    {60, "NvtxStartEndRange", "NvtxStartEndRange"},
    {75, "NvtxDomainCreate", "NvtxDomainCreate"},
    {76, "NvtxDomainDestroy", "NvtxDomainDestroy"},
    {97, "NvtxNameCudaDevice", "NvtxNameCudaDevice"},
    {98, "NvtxNameCudaContext", "NvtxNameCudaContext"},
    {99, "NvtxNameCudaStream", "NvtxNameCudaStream"},
};

constexpr Label kNsysEventClass[] = {
    {0, "TRACE_PROCESS_EVENT_CUDA_RUNTIME", "CUDA runtime"},
    {1, "TRACE_PROCESS_EVENT_CUDA_DRIVER", "CUDA driver"},
    {13, "TRACE_PROCESS_EVENT_CUDA_EGL_DRIVER", "CUDA EGL driver"},
    {27, "TRACE_PROCESS_EVENT_OS_RUNTIME", "OSRT runtime"},
    {28, "TRACE_PROCESS_EVENT_CUDNN", "cuDNN"},
    {29, "TRACE_PROCESS_EVENT_CUBLAS", "cuBLAS"},
    {67, "TRACE_PROCESS_EVENT_CUDABACKTRACE", "CUDA backtrace"},
    {77, "TRACE_PROCESS_EVENT_CUDA_GRAPH_NODE_CREATION", "CUDA graph node creation"},
    {78, "TRACE_PROCESS_EVENT_OPENMP", "OpenMP"},
    {94, "TRACE_PROCESS_EVENT_CUDA_GRAPHEXEC_CREATION", "CUDA graph exec creation"},
    {95, "TRACE_PROCESS_EVENT_CUDA_GRAPH_CREATION", "CUDA graph creation"},
    {96, "TRACE_PROCESS_EVENT_CUDA_GRAPH_CLONE", "CUDA graph clone"},
    {107, "TRACE_PROCESS_EVENT_SYSCALL", "Syscall"},
};

/// Numbers of our own: facts say what the table is called, not what is in it.
constexpr Label kFileAccessType[] = {
    {1, "OSRT_FILE_ACCESS_OPEN", "Open"},
    {2, "OSRT_FILE_ACCESS_READ", "Read"},
    {3, "OSRT_FILE_ACCESS_WRITE", "Write"},
    {4, "OSRT_FILE_ACCESS_CLOSE", "Close"},
};

constexpr Enumeration kEnumerations[] = {
    {"ENUM_CUDA_MEMCPY_OPER", kCudaMemcpyOper},
    {"ENUM_CUDA_MEM_KIND", kCudaMemKind},
    {"ENUM_CUDA_DEV_MEM_EVENT_OPER", kCudaDevMemEventOper},
    {"ENUM_CUDA_MEMPOOL_OPER", kCudaMempoolOper},
    {"ENUM_CUDA_MEMPOOL_TYPE", kCudaMempoolType},
    {"ENUM_CUDA_KERNEL_LAUNCH_TYPE", kCudaKernelLaunchType},
    {"ENUM_CUDA_FUNC_CACHE_CONFIG", kCudaFuncCacheConfig},
    {"ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG", kCudaSharedMemLimitConfig},
    {"ENUM_CUDA_UNIF_MEM_MIGRATION", kCudaUnifMemMigration},
    {"ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", kCudaUnifMemAccessType},
    {"ENUM_CUPTI_STREAM_TYPE", kCuptiStreamType},
    {"ENUM_CUPTI_SYNC_TYPE", kCuptiSyncType},
    {"ENUM_DIAGNOSTIC_SEVERITY_LEVEL", kDiagnosticSeverityLevel},
    {"ENUM_DIAGNOSTIC_SOURCE_TYPE", kDiagnosticSourceType},
    {"ENUM_DIAGNOSTIC_TIMESTAMP_SOURCE", kDiagnosticTimestampSource},
    {"ENUM_SAMPLING_THREAD_STATE", kSamplingThreadState},
    {"ENUM_SCHEDULING_THREAD_BLOCK", kSchedulingThreadBlock},
    {"ENUM_STACK_UNWIND_METHOD", kStackUnwindMethod},
    {"ENUM_CUPTI_OVERHEAD_TYPE", kCuptiOverheadType},
    {"ENUM_NSYS_EVENT_TYPE", kNsysEventType},
    {"ENUM_NSYS_EVENT_CLASS", kNsysEventClass},
    {"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE", kFileAccessType},
};

}  // namespace

std::span<const Enumeration> enumerations() { return kEnumerations; }

}  // namespace lanescope::report
