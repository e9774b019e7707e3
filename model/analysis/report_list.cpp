// SPDX-License-Identifier: Apache-2.0
// All stats reports: what they are called, what they need, and the function that makes each.
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

std::vector<StatsReport> allReports() {
  using enum trace::EventKind;
  using R = StatsReport;
  constexpr std::uint8_t kNone = 0, kKernelNames = R::kKernelArguments, kRows = R::kRows,
                         kNames = R::kKernelArguments | R::kNvtxName;
  constexpr auto kUsual = R::When::kUsual, kAsked = R::When::kAsked, kPartners = R::When::kAskedWithPartners;
  const char *nvtx = "NV Tools Extension (NVTX) data", *osrt = "OS Runtime trace data", *api = "CUDA trace data",
             *kernel = "CUDA kernel data", *memory = "GPU memory data", *um = "CUDA Unified Memory data",
             *nccl = "NCCL kernels", *kernelOrCall = "CUDA or NVTX data", *mpi = "MPI event data",
             *samples = "CPU samples or samples of Python";
  using Kinds = std::vector<trace::EventKind>;
  const Kinds work{kKernel, kCopy, kMemset}, copies{kCopy, kMemset}, ranges{kNvtxRange, kNvtxStartEnd},
      launched{kNvtxRange, kNvtxStartEnd, kCudaApi, kKernel, kCopy, kMemset},
      faults{kCopy, kCpuPageFault, kGpuPageFault};
  // clang-format off
  return {
      {"nvtx_sum", {"nvtxsum"}, "NVTX Range Summary", nvtx,
       "NVTX ranges by domain and text", {kNvtxRange, kNvtxStartEnd, kNvtxMark}, {}, kNone, kUsual, nvtxSum},
      {"osrt_sum", {"osrtsum"}, "OS Runtime Summary", osrt,
       "calls into the OS runtime", {kOsRuntime}, {}, kNone, kUsual, osRuntimeSum},
      {"cuda_api_sum", {"cudaapisum"}, "CUDA API Summary", api,
       "calls of the CUDA runtime and driver", {kCudaApi}, {}, kNone, kUsual, apiSum},
      {"cuda_gpu_kern_sum", {"gpukernsum"}, "CUDA GPU Kernel Summary", kernel,
       "kernels by name", {kKernel}, {}, kNames, kUsual, kernelSum},
      {"cuda_gpu_mem_time_sum", {"gpumemtimesum"}, "CUDA GPU MemOps Summary (by Time)", memory,
       "durations of copies and memsets", copies, {}, kNone, kUsual, memoryTimeSum},
      {"cuda_gpu_mem_size_sum", {"gpumemsizesum"}, "CUDA GPU MemOps Summary (by Size)", memory,
       "bytes of copies and memsets", copies, {}, kNone, kUsual, memorySizeSum},
      {"cuda_api_trace", {"cudaapitrace"}, "CUDA API Trace", api,
       "every call of the CUDA runtime and driver", {kCudaApi}, {}, kNone, kAsked, apiTrace},
      {"cuda_gpu_kern_gb_sum", {}, "CUDA GPU Kernel/Grid/Block Summary", kernel,
       "kernels by name, grid and block", {kKernel}, {}, kNames, kAsked, kernelGridSum},
      {"cuda_gpu_sum", {"gpusum"}, "CUDA GPU Summary (Kernels/MemOps)", kernel,
       "kernels, copies and memsets", work, {}, kNames, kAsked, gpuSum},
      {"cuda_api_gpu_sum", {"apigpusum"}, "CUDA Summary (API/Kernels/MemOps)", api,
       "calls, kernels, copies and memsets", {kCudaApi, kKernel, kCopy, kMemset}, {}, kNames, kAsked, apiGpuSum},
      {"cuda_gpu_trace", {"gputrace"}, "CUDA GPU Trace", kernel,
       "every kernel, copy and memset", work, {}, kNames, kAsked, gpuTrace},
      {"cuda_kern_exec_sum", {"kernexecsum"}, "CUDA Kernel Launch & Exec Time Summary", kernel,
       "from the call to the end of the kernel, by call and kernel", {kCudaApi, kKernel}, {kKernel}, kNames, kPartners, kernelExecSum},
      {"cuda_kern_exec_trace", {"kernexectrace"}, "CUDA Kernel Launch & Exec Time Trace", kernel,
       "every kernel with its call", {kCudaApi, kKernel}, {kKernel}, kNames, kPartners, kernelExecTrace},
      {"nvtx_pushpop_sum", {"nvtxppsum"}, "NVTX Push/Pop Range Summary", nvtx,
       "push/pop ranges by domain and text", ranges, {kNvtxRange}, kNone, kAsked, nvtxPushPopSum},
      {"nvtx_pushpop_trace", {"nvtxpptrace"}, "NVTX Push/Pop Range Trace", nvtx,
       "every push/pop range, and where it nests", ranges, {kNvtxRange}, kNone, kAsked, nvtxPushPopTrace},
      {"nvtx_startend_sum", {"nvtxsesum", "nvtxsssum"}, "NVTX Start/End Range Summary", nvtx,
       "start/end ranges by domain and text", ranges, {kNvtxStartEnd}, kNone, kAsked, nvtxStartEndSum},
      {"nvtx_gpu_proj_sum", {}, "NVTX GPU Projection Summary", nvtx,
       "when the GPU work launched in ranges ran, by text", launched, ranges, kNone, kPartners, nvtxProjectionSum},
      {"nvtx_gpu_proj_trace", {"nvtxgpuproj"}, "NVTX GPU Projection Trace", nvtx,
       "when the GPU work launched in a range ran, of every range", launched, ranges, kNone, kPartners, nvtxProjectionTrace},
      {"nvtx_kern_sum", {"nvtxkernsum"}, "NVTX Range Kernel Summary", nvtx,
       "kernels by the ranges that they were launched in", launched, {kKernel}, kKernelNames, kPartners, nvtxKernelSum},
      {"um_sum", {"unifiedmemory"}, "Unified Memory Analysis Summary", um,
       "migrations and page faults by address, the first 10 or N", faults, {}, kRows, kAsked, unifiedMemorySum},
      {"um_total_sum", {"unifiedmemorytotals"}, "Unified Memory Totals Summary", um,
       "all migrations and page faults", faults, {}, kNone, kAsked, unifiedMemoryTotals},
      {"um_cpu_page_faults_sum", {"umcpupagefaults"}, "Unified Memory CPU Page Faults Summary", um,
       "CPU page faults by instruction", {kCpuPageFault}, {}, kNone, kAsked, cpuPageFaults},
      {"mpi_event_sum", {}, "MPI Event Summary", mpi,
       "MPI calls by name", {kLibraryCall}, {}, kNone, kAsked, mpiSum},
      {"mpi_event_trace", {}, "MPI Event Trace", mpi,
       "every MPI call", {kLibraryCall}, {}, kNone, kAsked, mpiTrace},
      {"mpi_msg_size_sum", {}, "MPI Message Size Summary", mpi,
       "bytes of MPI messages by call", {kLibraryCall}, {}, kNone, kAsked, mpiMessageSizes},
      {"lanescope_cpu_hot", {}, "CPU Functions", samples,
       "functions by the samples that were in them and below them, native and of Python, all or the first N", {kCpuSample, kPythonSample}, {}, kRows, kAsked, cpuHot},
      {"lanescope_latency", {}, "Latency Percentiles", kernelOrCall,
       "kernels, calls and NVTX ranges by name, with percentiles (p50, p90, p95, p99, p99.9) by nearest rank and how many a second from the first start to the last end of that name", {kKernel, kCudaApi, kNvtxRange, kNvtxStartEnd}, {}, kKernelNames, kAsked, latency},
      {"lanescope_iterations", {}, "Iterations", nvtx,
       "the NVTX range of --iteration, or the outermost that repeats: on the host, on the GPU, by the ranges in it, and the slowest 5 or N", launched, ranges, kRows, kPartners, iterations},
      {"lanescope_streams", {}, "Streams", kernel,
       "busy and idle time of streams from the first to the last work of their GPU, and how many were busy at once", {kKernel, kCopy, kMemset, kGraphLaunch}, {}, kNone, kAsked, streams},
      {"lanescope_kernel_categories", {}, "Kernel Categories", kernel,
       "what kernels are for by patterns in their names, and the share of time in kernels built for tensor cores", {kKernel}, {}, kNone, kAsked, kernelCategories},
      {"lanescope_collectives", {}, "Collectives", nccl,
       "NCCL's communication: time, bytes, bandwidths, and how much of it was exposed: not hidden by overlap with other kernels", launched, {kKernel}, kNone, kPartners, collectiveSum},
      {"nvprof_summary", {}, "Profiling result", api,
       "as nvprof prints it", {kCudaApi, kKernel, kCopy, kMemset}, {}, kKernelNames, kAsked, nvprofSummary},
      {"nvprof_gpu_trace", {}, "GPU trace", kernel,
       "as nvprof --print-gpu-trace", work, {}, kKernelNames, kAsked, nvprofGpuTrace},
      {"nvprof_api_trace", {}, "API trace", api,
       "as nvprof --print-api-trace", {kCudaApi}, {}, kNone, kAsked, nvprofApiTrace},
      {"nvprof_dependency", {}, "Dependency Analysis", api,
       "as nvprof --dependency-analysis: the path of calls and work that the run hung on, and where the host waited", {kCudaApi, kKernel, kCopy, kMemset, kGraphLaunch}, {}, kNone, kPartners, nvprofDependency},
  };
  // clang-format on
}

}  // namespace lanescope::analysis
