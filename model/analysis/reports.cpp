// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/reports.h"

#include <algorithm>
#include <charconv>

#include "model/analysis/report_list.h"

namespace lanescope::analysis {

namespace {

using trace::EventKind;

std::vector<StatsReport> allReports() {
  using enum EventKind;
  using R = StatsReport;
  constexpr std::uint8_t kNames = R::kKernelArguments | R::kNvtxName;
  const char *nvtx = "NV Tools Extension (NVTX) data", *api = "CUDA trace data", *kernel = "CUDA kernel data",
             *memory = "GPU memory data", *um = "CUDA Unified Memory data";
  const std::vector<EventKind> work{kKernel, kCopy, kMemset}, copies{kCopy, kMemset}, ranges{kNvtxRange, kNvtxStartEnd},
      launched{kNvtxRange, kNvtxStartEnd, kCudaApi, kKernel, kCopy, kMemset},
      faults{kCopy, kCpuPageFault, kGpuPageFault};
  return {
      {.name = "nvtx_sum",
       .aliases = {"nvtxsum"},
       .title = "NVTX Range Summary",
       .data = nvtx,
       .about = "NVTX ranges by domain and text",
       .kinds = {kNvtxRange, kNvtxStartEnd, kNvtxMark},
       .usual = true,
       .make = nvtxSum},
      {.name = "osrt_sum",
       .aliases = {"osrtsum"},
       .title = "OS Runtime Summary",
       .data = "OS Runtime trace data",
       .about = "calls into the OS runtime",
       .kinds = {kOsRuntime},
       .usual = true,
       .make = osRuntimeSum},
      {.name = "cuda_api_sum",
       .aliases = {"cudaapisum"},
       .title = "CUDA API Summary",
       .data = api,
       .about = "calls of the CUDA runtime and driver",
       .kinds = {kCudaApi},
       .usual = true,
       .make = apiSum},
      {.name = "cuda_gpu_kern_sum",
       .aliases = {"gpukernsum"},
       .title = "CUDA GPU Kernel Summary",
       .data = kernel,
       .about = "kernels by name",
       .kinds = {kKernel},
       .arguments = kNames,
       .usual = true,
       .make = kernelSum},
      {.name = "cuda_gpu_mem_time_sum",
       .aliases = {"gpumemtimesum"},
       .title = "CUDA GPU MemOps Summary (by Time)",
       .data = memory,
       .about = "durations of copies and memsets",
       .kinds = copies,
       .usual = true,
       .make = memoryTimeSum},
      {.name = "cuda_gpu_mem_size_sum",
       .aliases = {"gpumemsizesum"},
       .title = "CUDA GPU MemOps Summary (by Size)",
       .data = memory,
       .about = "bytes of copies and memsets",
       .kinds = copies,
       .usual = true,
       .make = memorySizeSum},
      {.name = "cuda_api_trace",
       .aliases = {"cudaapitrace"},
       .title = "CUDA API Trace",
       .data = api,
       .about = "every call of the CUDA runtime and driver",
       .kinds = {kCudaApi},
       .make = apiTrace},
      {.name = "cuda_gpu_kern_gb_sum",
       .aliases = {},
       .title = "CUDA GPU Kernel/Grid/Block Summary",
       .data = kernel,
       .about = "kernels by name, grid and block",
       .kinds = {kKernel},
       .arguments = kNames,
       .make = kernelGridSum},
      {.name = "cuda_gpu_sum",
       .aliases = {"gpusum"},
       .title = "CUDA GPU Summary (Kernels/MemOps)",
       .data = kernel,
       .about = "kernels, copies and memsets",
       .kinds = work,
       .arguments = kNames,
       .make = gpuSum},
      {.name = "cuda_api_gpu_sum",
       .aliases = {"apigpusum"},
       .title = "CUDA Summary (API/Kernels/MemOps)",
       .data = api,
       .about = "calls, kernels, copies and memsets",
       .kinds = {kCudaApi, kKernel, kCopy, kMemset},
       .arguments = kNames,
       .make = apiGpuSum},
      {.name = "cuda_gpu_trace",
       .aliases = {"gputrace"},
       .title = "CUDA GPU Trace",
       .data = kernel,
       .about = "every kernel, copy and memset",
       .kinds = work,
       .arguments = kNames,
       .make = gpuTrace},
      {.name = "cuda_kern_exec_sum",
       .aliases = {"kernexecsum"},
       .title = "CUDA Kernel Launch & Exec Time Summary",
       .data = kernel,
       .about = "from the call to the end of the kernel, by call and kernel",
       .kinds = {kCudaApi, kKernel},
       .needs = {kKernel},
       .arguments = kNames,
       .partners = true,
       .make = kernelExecSum},
      {.name = "cuda_kern_exec_trace",
       .aliases = {"kernexectrace"},
       .title = "CUDA Kernel Launch & Exec Time Trace",
       .data = kernel,
       .about = "every kernel with its call",
       .kinds = {kCudaApi, kKernel},
       .needs = {kKernel},
       .arguments = kNames,
       .partners = true,
       .make = kernelExecTrace},
      {.name = "nvtx_pushpop_sum",
       .aliases = {"nvtxppsum"},
       .title = "NVTX Push/Pop Range Summary",
       .data = nvtx,
       .about = "push/pop ranges by domain and text",
       .kinds = ranges,
       .needs = {kNvtxRange},
       .make = nvtxPushPopSum},
      {.name = "nvtx_pushpop_trace",
       .aliases = {"nvtxpptrace"},
       .title = "NVTX Push/Pop Range Trace",
       .data = nvtx,
       .about = "every push/pop range, where it nests",
       .kinds = ranges,
       .needs = {kNvtxRange},
       .make = nvtxPushPopTrace},
      {.name = "nvtx_startend_sum",
       .aliases = {"nvtxsesum", "nvtxsssum"},
       .title = "NVTX Start/End Range Summary",
       .data = nvtx,
       .about = "start/end ranges by domain and text",
       .kinds = ranges,
       .needs = {kNvtxStartEnd},
       .make = nvtxStartEndSum},
      {.name = "nvtx_gpu_proj_sum",
       .aliases = {},
       .title = "NVTX GPU Projection Summary",
       .data = nvtx,
       .about = "when the GPU work launched in ranges ran, by text",
       .kinds = launched,
       .needs = ranges,
       .partners = true,
       .make = nvtxProjectionSum},
      {.name = "nvtx_gpu_proj_trace",
       .aliases = {"nvtxgpuproj"},
       .title = "NVTX GPU Projection Trace",
       .data = nvtx,
       .about = "when the GPU work launched in a range ran, every range",
       .kinds = launched,
       .needs = ranges,
       .partners = true,
       .make = nvtxProjectionTrace},
      {.name = "nvtx_kern_sum",
       .aliases = {"nvtxkernsum"},
       .title = "NVTX Range Kernel Summary",
       .data = nvtx,
       .about = "kernels by the ranges that they were launched in",
       .kinds = launched,
       .needs = {kKernel},
       .arguments = R::kKernelArguments,
       .partners = true,
       .make = nvtxKernelSum},
      {.name = "um_sum",
       .aliases = {"unifiedmemory"},
       .title = "Unified Memory Analysis Summary",
       .data = um,
       .about = "migrations and page faults by address; the first 10, or rows=N",
       .kinds = faults,
       .arguments = R::kRows,
       .make = unifiedMemorySum},
      {.name = "um_total_sum",
       .aliases = {"unifiedmemorytotals"},
       .title = "Unified Memory Totals Summary",
       .data = um,
       .about = "all migrations and page faults",
       .kinds = faults,
       .make = unifiedMemoryTotals},
      {.name = "um_cpu_page_faults_sum",
       .aliases = {"umcpupagefaults"},
       .title = "Unified Memory CPU Page Faults Summary",
       .data = um,
       .about = "CPU page faults by instruction",
       .kinds = {kCpuPageFault},
       .make = cpuPageFaults},
  };
}

/// Friendly names that stand for several reports (facts 1.5).
std::vector<std::string_view> reportsBehind(std::string_view name) {
  if (name == "memop") return {"cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum"};
  std::vector<std::string_view> usual;
  if (name == "summary")
    for (const StatsReport& report : statsReports())
      if (report.usual) usual.push_back(report.name);
  return usual;
}

const StatsReport* findReport(std::string_view name) {
  for (const StatsReport& report : statsReports())
    if (report.name == name || std::find(report.aliases.begin(), report.aliases.end(), name) != report.aliases.end())
      return &report;
  return nullptr;
}

/// False for what this report does not take.
bool take(std::string_view argument, ReportCall& call) {
  const auto takes = [&](std::uint8_t what) { return (call.report->arguments & what) != 0; };
  constexpr std::string_view kRowsIs = "rows=";
  if (argument == "base" && takes(StatsReport::kKernelArguments)) {
    call.arguments.kernels = KernelNaming::kBase;
  } else if (argument == "mangled" && takes(StatsReport::kKernelArguments)) {
    call.arguments.kernels = KernelNaming::kMangled;
  } else if (argument == "nvtx-name" && takes(StatsReport::kNvtxName)) {
    call.arguments.nvtxName = true;
  } else if (argument.starts_with(kRowsIs) && takes(StatsReport::kRows)) {
    std::size_t rows = 0;
    const char* const end = argument.data() + argument.size();
    const auto [stop, error] = std::from_chars(argument.data() + kRowsIs.size(), end, rows);
    if (error != std::errc() || stop != end) return false;
    call.arguments.rows = rows;
  } else {
    return false;
  }
  return true;
}

}  // namespace

const std::vector<StatsReport>& statsReports() {
  static const std::vector<StatsReport> kReports = allReports();
  return kReports;
}

std::string ReportCall::name() const {
  std::string text(report->name);
  if (arguments.nvtxName) text += ":nvtx-name";
  if (arguments.kernels == KernelNaming::kBase) text += ":base";
  if (arguments.kernels == KernelNaming::kMangled) text += ":mangled";
  if (arguments.rows) text += ":rows=" + std::to_string(*arguments.rows);
  return text;
}

std::vector<ReportCall> findReports(std::string_view asked) {
  const std::string_view name = asked.substr(0, asked.find(':'));
  if (name == asked) {
    std::vector<ReportCall> several;
    for (const std::string_view each : reportsBehind(name)) several.push_back({findReport(each)});
    if (!several.empty()) return several;
  }
  ReportCall call{findReport(name)};
  if (!call.report) return {};
  for (std::size_t at = name.size(); at < asked.size();) {
    const std::size_t end = std::min(asked.find(':', at + 1), asked.size());
    if (!take(asked.substr(at + 1, end - at - 1), call)) return {};
    at = end;
  }
  return {call};
}

std::optional<Table> makeReport(const ReportCall& call, const trace::Trace& trace, report::RowValues& file,
                                const Scope& scope, const Job& job) {
  const StatsReport& report = *call.report;
  const ReportInput input{trace, file, scope, call.arguments, job};
  if (input.lanes(report.needs.empty() ? report.kinds : report.needs).empty()) return std::nullopt;
  std::optional<Table> table = report.make(input);
  if (!table) return std::nullopt;
  table->name = report.name;
  table->title = report.title;
  return table;
}

}  // namespace lanescope::analysis
