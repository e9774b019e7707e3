// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/column_glossary.h"

#include <algorithm>
#include <array>

#include "model/analysis/reports.h"

namespace lanescope::analysis {
namespace {

// clang-format off
constexpr auto kGlossary = std::to_array<ColumnMeaning>({
    // How much, and how it is spread.
    {"Time", "Share of the total time of all rows of the table. Times of rows may overlap: it is no share of the run"},
    {"Time", "Total time of the calls or works of the row", "nvprof_"},
    {"Time(%)", "Share of the total time of its type: GPU activities, or API calls", "nvprof_"},
    {"Total Time", "Sum of the durations"},
    {"Instances|Count|Num Calls|Calls", "How many there were"},
    {"Calls", "How many of its operations have known bytes: NCCL's NVTX range around the launch says them", "lanescope_collectives"},
    {"Avg", "Arithmetic mean of the durations"},
    {"Med", "Median of the durations: half were shorter. For an even number the mean of the two in the middle"},
    {"Min", "The shortest duration"},
    {"Max", "The longest duration"},
    {"StdDev", "Standard deviation of the durations, of a sample (divided by one less than their number)"},
    {"p50|p90|p95|p99|p99.9", "Percentile by nearest rank: the shortest duration that so many per cent do not exceed"},
    {"Rate (1/s)", "How many a second, from the first start to the last end of that name"},
    {"Rate (1/s)", "Iterations a second, from the first start to the last end", "lanescope_iterations"},
    {"Total", "Sum of the bytes", "cuda_gpu_mem_size_sum"},
    {"Avg", "Arithmetic mean of the bytes of one", "cuda_gpu_mem_size_sum"},
    {"Med", "Median of the bytes of one", "cuda_gpu_mem_size_sum"},
    {"Min", "The fewest bytes of one", "cuda_gpu_mem_size_sum"},
    {"Max", "The most bytes of one", "cuda_gpu_mem_size_sum"},
    {"StdDev", "Standard deviation of the bytes of one", "cuda_gpu_mem_size_sum"},

    {"Total Message Volume", "Sum of the bytes", "mpi_msg_size_sum"},
    {"Avg", "Arithmetic mean of the bytes of one", "mpi_msg_size_sum"},
    {"Med", "Median of the bytes of one", "mpi_msg_size_sum"},
    {"Min", "The fewest bytes of one", "mpi_msg_size_sum"},
    {"Max", "The most bytes of one", "mpi_msg_size_sum"},
    {"StdDev", "Standard deviation of the bytes of one", "mpi_msg_size_sum"},
    {"Self", "Share of the samples that were in the function itself, of those of its source", "lanescope_cpu_hot"},
    {"Total", "Share of the samples that were in the function or what it called, of those of its source whose stack was taken", "lanescope_cpu_hot"},
    {"Self Samples", "Samples in the function itself"},
    {"Total Samples", "Samples in the function or in what it called"},

    // Of what, and where.
    {"Name", "What it is: the kernel, copy, call or range"},
    {"Name", "The stream's name, as the program gave it", "lanescope_streams"},
    {"Range|NVTX Range", "The NVTX range: DOMAIN:TEXT; of the unnamed domain, :TEXT"},
    {"Style", "PushPop: a range that nests on its thread; StartEnd: one that may end on another"},
    {"Operation", "Copy by direction, memset, kernel or call"},
    {"Operation", "NCCL's operation, from the kernel's name", "lanescope_collectives"},
    {"Category", "CUDA_API: a call; CUDA_KERNEL: a kernel; MEMORY_OPER: a copy or memset", "cuda_"},
    {"Category", "Kernels, calls, or NVTX ranges", "lanescope_latency"},
    {"Category", "What kernels are for, by patterns in their names", "lanescope_kernel_categories"},
    {"Type", "GPU activities, or API calls", "nvprof_"},
    {"Kernel Name", "The kernel"},
    {"API Function|API Name", "The CUDA call that launched the kernel"},
    {"Pid|PID", "Number of the process"},
    {"Tid|TID", "Number of the thread"},
    {"T-Pri", "Priority of the thread, if it was recorded"},
    {"Thread Name", "Name of the thread"},
    {"Result", "What the call returned: 0 is success"},
    {"CorrID|CorrId|Correlation_ID", "The number that a call and the GPU work it launched have in common"},
    {"Device|DevId", "The GPU"},
    {"Ctx|Context", "Number of the CUDA context"},
    {"GreenCtx", "Number of the green context, if there is one"},
    {"Strm|Stream", "Number of the stream"},
    {"GridXYZ", "Size of the grid, in blocks"},
    {"BlockXYZ", "Size of a block, in threads"},
    {"GrdX|GrdY|GrdZ|Grid X|Grid Y|Grid Z", "Size of the grid, in blocks"},
    {"BlkX|BlkY|BlkZ|Block X|Block Y|Block Z", "Size of a block, in threads"},
    {"Reg/Trd|Registers Per Thread", "Registers of a thread"},
    {"StcSMem|Static SMem", "Shared memory of a block that the kernel declares"},
    {"DymSMem|Dynamic SMem", "Shared memory of a block that the launch asked for"},
    {"Bytes|Size", "Bytes that were moved or set"},
    {"Bytes", "Bytes of the whole operation, over all ranks where each has a part; of the calls whose bytes are known", "lanescope_collectives"},
    {"Throughput", "Bytes over the duration"},
    {"SrcMemKd|SrcMemType", "Kind of memory that was read, or set: pageable, pinned, device, managed"},
    {"DstMemKd|DstMemType", "Kind of memory that was written"},
    {"Start", "When it began, from the report's time 0"},
    {"End", "When it ended, from the report's time 0"},
    {"Duration", "From its start to its end"},

    // MPI, and functions of the CPU.
    {"Source", "p2p: between two ranks; coll: of all ranks of a communicator; start_wait: begins or waits for a request; other: the rest", "mpi_event_sum"},
    {"Source", "p2p: of the messages between two ranks; coll_send, coll_recv: what a collective sends and receives", "mpi_msg_size_sum"},
    {"Source", "CPU: samples of the CPU, in which a thread ran; Python: samples of Python alone, in which it ran or waited", "lanescope_cpu_hot"},
    {"Event", "The MPI call"},
    {"Tag", "Tag of the message"},
    {"Rank", "Rank of the process in MPI_COMM_WORLD"},
    {"PeerRank", "Rank on the other side, in the communicator"},
    {"RootRank", "Rank that the data come from or go to, in the communicator"},
    {"Size", "Bytes of the message", "mpi_event_trace"},
    {"CollSendSize", "Bytes that this rank sends in the collective"},
    {"CollRecvSize", "Bytes that this rank receives in the collective"},
    {"Function", "The function, or its address where it has no name"},
    {"Module", "Path of its library or program; of Python its source file"},

    // From the call to the end of the kernel.
    {"API Start", "When the launching call began"},
    {"API Dur", "How long the launching call took"},
    {"Queue Start", "When the call returned, if the kernel began after that"},
    {"Queue Dur", "From the call's return to the kernel's start: it waited for work before it, or for the GPU; empty if it began before"},
    {"Kernel Start", "When the kernel began"},
    {"Kernel Dur", "How long the kernel ran"},
    {"Total Dur", "From the call's start to the kernel's end"},
    {"QCount", "How many of them waited between the call's return and the kernel's start"},
    {"TAvg|TMed|TMin|TMax|TStdDev", "Mean, median, shortest, longest, standard deviation from the call's start to the kernel's end"},
    {"AAvg|AMed|AMin|AMax|AStdDev", "The same of the call"},
    {"QAvg|QMed|QMin|QMax|QStdDev", "The same of the wait between the call's return and the kernel's start, of those that waited"},
    {"KAvg|KMed|KMin|KMax|KStdDev", "The same of the kernel"},

    // NVTX ranges, nested and projected.
    {"DurChild", "Duration of the ranges right inside it"},
    {"DurNonChild", "Duration without the ranges right inside it"},
    {"Lvl", "How many ranges it lies in"},
    {"NumChild", "How many ranges lie right inside it"},
    {"RangeId", "Number of the range in this table"},
    {"ParentId", "RangeId of the range that it lies right in"},
    {"RangeStack", "RangeIds from the outermost range to this one"},
    {"NameTree", "Its text, indented by how deep it lies"},
    {"Projected Start", "When the first GPU work launched in the range began"},
    {"Projected Duration", "From then to when the last GPU work launched in the range ended"},
    {"Orig Start", "When the range began on the host"},
    {"Orig Duration", "How long the range took on the host"},
    {"NumGPUOps", "How many kernels, copies and memsets were launched in the range"},
    {"Total Proj Time", "Sum over its instances of the time from the first to the end of the last GPU work launched in it"},
    {"Total Range Time", "Sum over its instances of the time on the host"},
    {"Range Instances|NVTX Inst", "How many ranges of that name there were"},
    {"Proj Avg|Proj Med|Proj Min|Proj Max|Proj StdDev", "Mean, median, shortest, longest, standard deviation of the projected durations"},
    {"Total GPU Ops", "How many kernels, copies and memsets were launched in all of them"},
    {"Avg GPU Ops", "The same for one range, on average"},
    {"Avg Range Lvl", "How many ranges they lay in, on average"},
    {"Avg Num Child", "How many ranges lay right inside, on average"},
    {"Kern Inst", "How often the kernel was launched in ranges of that name"},

    // Unified memory.
    {"Virtual Address", "Address of the pages"},
    {"HtoD Migration size", "Bytes that moved to the GPU"},
    {"DtoH Migration size", "Bytes that moved to the host"},
    {"CPU Page Faults", "How often the CPU touched pages that were elsewhere"},
    {" GPU Page Faults", "How often a GPU touched pages that were elsewhere"},
    {"Migration Throughput", "Bytes that moved over the time it took"},
    {"Total HtoD Migration Size", "All bytes that moved to the GPU"},
    {"Total DtoH Migration Size", "All bytes that moved to the host"},
    {"Total CPU Page Faults", "How often CPUs touched pages that were elsewhere"},
    {"Total GPU PageFaults", "How often GPUs touched pages that were elsewhere"},
    {"Minimum Virtual Address", "The lowest address that moved or was touched"},
    {"Maximum Virtual Address", "The highest address that moved or was touched"},
    {"CPU Instruction Address", "The instruction that touched the page"},
    {"Source File|Source Line", "Where that instruction stands in the sources, if it is known"},

    // Reports of Lanescope's own, and nvprof's.
    {"Part", "The iterations on the host, from first to last GPU work of each, the ranges right inside them and what none of these took, and the slowest", "lanescope_iterations"},
    {"Share", "Share of the time of all iterations on the host", "lanescope_iterations"},
    {"Kernels", "How many kernels ran"},
    {"MemOps", "How many copies and memsets ran"},
    {"Busy", "Time in which a kernel, copy, memset or whole graph of the stream ran; of all streams: of any of them"},
    {"Idle", "The rest of the time from the first to the last work of the GPU"},
    {"Busy Share", "Busy over busy and idle"},
    {"Avg Concurrency", "How many streams of the GPU were busy while this one was, on average; it counts itself"},
    {"Max Concurrency", "The most streams that were busy at once while this one was"},
    {"Tensor Cores", "Share of the time in kernels whose names say that they are built for tensor cores"},
    {"Kernel Names", "How many different kernels"},
    {"Exposed Time", "Of their time, while no kernel that is no collective ran on the GPU: not hidden behind compute"},
    {"Exposed", "Exposed time over total time"},
    {"Ranks", "How many ranks took part, if it is known"},
    {"Algorithm Bandwidth", "Bytes over the time of the kernels whose bytes are known"},
    {"Bus Bandwidth", "What that means for a link: algorithm bandwidth times the factor of the operation and the ranks, as NCCL's tests define it"},
    {"Critical path(%)", "Share of the path that the run hung on"},
    {"Critical path", "Time on the path that the run hung on: making it shorter makes the run shorter"},
    {"Waiting time", "Time in which it waited for something else"},
    {"Caveat", "Why the figures of this row are not whole: what was lost, or not recorded"},
});
// clang-format on

bool isOneOf(std::string_view titles, std::string_view title) {
  for (std::size_t begin = 0; begin <= titles.size();) {
    const std::size_t end = std::min(titles.find('|', begin), titles.size());
    if (titles.substr(begin, end - begin) == title) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::span<const ColumnMeaning> columnGlossary() { return kGlossary; }

std::string_view meaningOf(std::string_view report, std::string_view title) {
  const auto& reports = statsReports();
  if (std::ranges::find(reports, report, &StatsReport::name) == reports.end()) return {};
  std::string_view general;
  for (const ColumnMeaning& each : kGlossary) {
    if (!isOneOf(each.title, title)) continue;
    if (each.report.empty()) general = each.meaning;
    else if (report.starts_with(each.report)) return each.meaning;
  }
  return general;
}

}  // namespace lanescope::analysis
