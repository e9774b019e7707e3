// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/option_table.h"

#include <array>

namespace lanescope::launch {
namespace {

using enum OptionKind;
using enum OptionState;
using enum OptionGroup;

constexpr auto kOptions = std::to_array<OptionRow>({
    // What to record of CUDA, NVTX and the libraries.
    {"trace", 't', kText, "NAME[,NAME...]", "cuda,nvtx", kWorks, kTrace,
     "what to record; --trace=help lists the names"},
    {"cuda-graph-trace", 0, kText, "graph|node", "graph", kWorks, kTrace,
     "a row for each graph launch, or for each node (costs more)"},
    {"cuda-trace-all-apis", 0, kSwitch, "", "false", kWorks, kTrace, "also the CUDA calls that hardly cost time"},
    {"cuda-flush-interval", 0, kNumber, "0..3600000", "0", kWorks, kTrace,
     "milliseconds between two looks for finished GPU work; 0: chosen for you"},
    {"cuda-trace-scope", 0, kChoice, "process-tree|system-wide", "process-tree", kLater, kTrace, "whose CUDA work",
     "process-tree"},
    {"cuda-event-trace", 0, kChoice, "auto|true|false", "false", kWorks, kTrace,
     "when events complete on the GPU; auto: not where CUDA_DEVICE_MAX_CONNECTIONS=1"},
    {"cuda-memory-usage", 0, kSwitch, "", "false", kWorks, kTrace, "GPU memory allocated and freed"},
    {"cuda-um-cpu-page-faults", 0, kSwitch, "", "false", kWorks, kTrace,
     "unified memory: page faults of the CPU and pages that move; costly"},
    {"cuda-um-gpu-page-faults", 0, kSwitch, "", "false", kWorks, kTrace,
     "unified memory: page faults of the GPU and pages that move; costly"},
    {"flush-on-cudaprofilerstop", 0, kSwitch, "", "true", kLater, kTrace, "empty the CUDA buffers at cudaProfilerStop",
     "true"},
    {"cudabacktrace", 0, kText, "none|all|kernel|memory|sync|other[:NS],...", "none", kWorks, kTrace,
     "call stacks of CUDA calls of so many ns, 1000 if not said"},
    {"nvtx-domain-include", 0, kText, "DOMAIN[,DOMAIN...]", "", kWorks, kTrace,
     "only these NVTX domains; default: the unnamed one"},
    {"nvtx-domain-exclude", 0, kText, "DOMAIN[,DOMAIN...]", "", kWorks, kTrace, "all NVTX domains but these"},
    {"nccl-trace", 0, kText, "NAME[,NAME...]", "default", kLater, kTrace, "which NCCL events", "none"},
    {"mpi-impl", 0, kChoice, "openmpi|mpich", "openmpi", kWorks, kTrace,
     "which MPI the program uses: taken, but seen by itself"},
    {"osrt-threshold", 0, kNumber, "0..4000000000", "1000", kWorks, kTrace, "shortest operating system call, in ns"},
    {"osrt-backtrace-threshold", 0, kNumber, "0..4000000000", "80000", kWorks, kTrace,
     "shortest call with a stack, in ns"},
    {"osrt-backtrace-depth", 0, kNumber, "0..256", "24", kWorks, kTrace, "frames of such a stack; 0: no stacks"},
    {"osrt-backtrace-stack-size", 0, kNumber, "0..61440", "6144", kWorks, kTrace,
     "bytes copied for such a stack; 0: no stacks"},
    {"osrt-file-access", 0, kSwitch, "", "false", kWorks, kTrace,
     "files opened, read, written and closed, however short the call; with -t osrt"},
    {"syscall", 0, kChoice, "process-tree|pid-namespace|none", "none", kLater, kTrace, "system calls", "none"},
    {"python-backtrace", 0, kChoice, "cuda|none|true|false", "none", kWorks, kTrace, "Python stacks of CUDA calls"},
    {"python-sampling", 0, kSwitch, "", "false", kWorks, kTrace, "sample the stacks of Python 3.9 to 3.13"},
    {"python-sampling-frequency", 0, kNumber, "1..2000", "1000", kWorks, kTrace, "samples a second"},
    {"python-functions-trace", 0, kText, "FILE", "", kLater, kTrace, "ranges around functions named in a file"},
    {"pytorch", 0, kChoices,
     "autograd-nvtx|autograd-shapes-nvtx|functions-trace|functions-trace-shapes|functions-trace-shapes-nvtx|none",
     "none", kLater, kTrace, "ranges made by PyTorch", "none"},
    {"dask", 0, kChoice, "functions-trace|none", "none", kLater, kTrace, "ranges around Dask functions", "none"},

    // Counters of the GPU and of the rest of the machine.
    {"gpu-metrics-devices", 0, kText, "ID[,ID...]|all|cuda-visible|none", "none", kWorks, kSystem,
     "GPUs to sample hardware counters of, experimental; =help lists them"},
    {"gpu-metrics-frequency", 0, kNumbers, "10..200000", "10000", kWorks, kSystem,
     "samples a second, one for all GPUs or one each"},
    {"gpu-metrics-set", 0, kText, "NAME|file:FILE", "general", kWorks, kSystem, "which counters; =help lists the sets"},
    {"gpuctxsw", 0, kSwitch, "", "false", kLater, kSystem, "context switches of the GPU", "false"},
    {"gpu-video-devices", 0, kText, "ID[,ID...]|all|none", "none", kLater, kSystem, "video engines", "none"},
    {"nic-metrics", 0, kChoice, "lf|hf|hf-via-dts|none|true|false", "none", kLater, kSystem, "network card counters",
     "none"},
    {"ib-switch-metrics-devices", 0, kText, "GUID[,GUID...]", "", kLater, kSystem, "InfiniBand switch counters"},
    {"ib-switch-congestion-devices", 0, kText, "GUID[,GUID...]", "", kLater, kSystem, "InfiniBand congestion"},
    {"ib-switch-congestion-nic-device", 0, kText, "NAME", "", kLater, kSystem, "the card to ask through"},
    {"ib-switch-congestion-percent", 0, kNumber, "1..100", "50", kLater, kSystem, "share of events kept"},
    {"ib-switch-congestion-threshold-high", 0, kNumber, "1..1023", "75", kLater, kSystem, "queue threshold"},
    {"ib-net-info-devices", 0, kText, "NAME[,NAME...]", "", kLater, kSystem, "InfiniBand network"},
    {"ib-net-info-files", 0, kText, "FILE[,FILE...]", "", kLater, kSystem, "InfiniBand network, from files"},
    {"ib-net-info-output", 0, kText, "FOLDER", "", kLater, kSystem, "where to keep it"},
    {"storage-metrics", 0, kText, "NAME", "none", kLater, kSystem, "storage counters", "none"},
    {"gds-metrics", 0, kText, "NAME", "none", kLater, kSystem, "GPUDirect Storage counters", "none"},
    {"enable", 0, kText, "PLUGIN[,ARGUMENT...]", "", kLater, kSystem, "collection plugins"},
    {"ftrace", 0, kText, "EVENT[,EVENT...]", "", kLater, kSystem, "kernel trace events"},
    {"ftrace-keep-user-config", 0, kSwitch, "", "false", kLater, kSystem, "leave the ftrace settings", "false"},

    // The CPU side.
    {"sample", 's', kChoice, "process-tree|system-wide|none|cpu|xhv|xhv-system-wide", "process-tree", kWorks, kCpu,
     "sample call stacks of the CPU, of the program or of all processes"},
    {"backtrace", 'b', kChoice, "auto|fp|lbr|dwarf|none", "auto", kWorks, kCpu,
     "how stacks are walked: by frame pointers, the processor's branch records, or unwind tables; auto: lbr where "
     "there "
     "is one, else dwarf"},
    {"cpuctxsw", 0, kChoice, "process-tree|system-wide|none", "process-tree", kWorks, kCpu,
     "context switches; with samples, of the same processes as those"},
    {"samples-per-backtrace", 0, kNumber, "1..32", "1", kWorks, kCpu,
     "samples for each stack; 4 with dwarf if not given"},
    {"sampling-period", 0, kNumber, "100000..", "", kWorks, kCpu,
     "cycles, or ns where they are not counted, between two samples"},
    {"sampling-frequency", 0, kNumber, "100..8000", "1000", kWorks, kCpu, "samples a second of each CPU"},
    {"sampling-trigger", 0, kText, "NAME[,NAME...]", "", kLater, kCpu, "what takes a sample"},
    {"event-sample", 0, kChoice, "system-wide|none", "none", kLater, kCpu, "sample counters of the CPU", "none"},
    {"event-sampling-interval", 0, kNumber, "1..1000", "10", kLater, kCpu, "milliseconds between two samples"},
    {"event-sampling-frequency", 0, kNumber, "1..", "", kLater, kCpu, "samples a second"},
    {"cpu-core-events", 0, kText, "EVENT[,EVENT...]", "none", kLater, kCpu, "counters of the cores", "none"},
    {"cpu-core-metrics", 0, kText, "NAME[,NAME...]", "none", kLater, kCpu, "figures of the cores", "none"},
    {"cpu-socket-events", 0, kText, "EVENT[,EVENT...]", "none", kLater, kCpu, "counters of the sockets", "none"},
    {"cpu-socket-metrics", 0, kText, "NAME[,NAME...]", "none", kLater, kCpu, "figures of the sockets", "none"},
    {"os-events", 0, kText, "EVENT[,EVENT...]", "none", kLater, kCpu, "events of the operating system", "none"},
    {"resolve-symbols", 0, kSwitch, "", "true", kWorks, kCpu, "names in call stacks; false: addresses"},
    {"debug-symbols", 0, kText, "FOLDER[:FOLDER...]", "", kWorks, kCpu,
     "where debug files are, besides /usr/lib/debug; nothing is downloaded"},
    {"show-source-info", 0, kSwitch, "", "true", kLater, kCpu, "lines in call stacks", "true"},

    // When to record.
    {"delay", 'y', kSeconds, "SECONDS", "0", kWorks, kWhen, "begin so long after the program"},
    {"duration", 'd', kSeconds, "SECONDS", "", kWorks, kWhen, "record so long"},
    {"capture-range", 'c', kChoice, "none|cudaProfilerApi|nvtx|hotkey", "none", kWorks, kWhen,
     "record only between cudaProfilerStart and Stop, or inside an NVTX range"},
    {"capture-range-end", 0, kText, "none|stop|stop-shutdown|repeat[:N]|repeat-shutdown:N", "stop-shutdown", kWorks,
     kWhen, "what its end does"},
    {"nvtx-capture", 'p', kText, "RANGE[@DOMAIN|@*]", "", kWorks, kWhen, "the NVTX range of -c nvtx"},
    {"hotkey-capture", 0, kText, "F1..F12", "F12", kLater, kWhen, "the key of -c hotkey"},
    {"start-later", 'Y', kSwitch, "", "false", kWorks, kWhen, "begin when `lanescope start` says so"},
    {"stop-on-exit", 'x', kSwitch, "", "true", kWorks, kWhen,
     "end with the program; false needs --duration and records on until that is over"},
    {"max-size", 0, kText, "SIZE[,stop|ring]", "", kWorks, kWhen,
     "bytes of recording on the disk, as 500M or 20G; then stop recording, or ring: keep the newest"},
    {"wait", 0, kChoice, "primary|all", "all", kWorks, kWhen, "wait for the program alone, or for all it left behind"},
    {"kill", 0, kText, "none|sigterm|sigkill|N", "none", kWorks, kWhen,
     "the signal for a program that still runs when the recording ends"},

    // The program, the report, and this command.
    {"output", 'o', kText, "NAME", "report#", kWorks, kRun,
     "the report; %p process, %h host, %n and # next free number, %q{VARIABLE}, %% percent"},
    {"force-overwrite", 'f', kSwitch, "", "false", kWorks, kRun, "overwrite a report of that name"},
    {"stats", 0, kSwitch, "", "false", kWorks, kRun, "print the usual statistics afterwards"},
    {"export", 0, kChoices, "sqlite|json|chrome|jsonlines|csv|text|arrow|arrowdir|parquetdir|hdf|none", "none", kWorks,
     kRun, "also write the report in another format; the last four before none are not written yet"},
    {"show-output", 'w', kSwitch, "", "true", kWorks, kRun, "let the program's output through"},
    {"env-var", 'e', kText, "A=B[,C=D...]", "", kWorks, kRun, "environment variables for the program"},
    {"inherit-environment", 'n', kSwitch, "", "true", kWorks, kRun, "give it the rest of the environment too"},
    {"discard-environment", 0, kSwitch, "", "true", kLater, kRun,
     "leave the environment out of the report, as is always done but for a few names", "true"},
    {"command-file", 0, kText, "FILE", "", kWorks, kRun, "read options from a file first"},
    {"run-as", 0, kText, "USER", "", kLater, kRun, "run the program as somebody else"},
    {"session-new", 0, kText, "NAME", "", kWorks, kRun, "name of the session, for start, stop, cancel and shutdown"},
    {"trace-fork-before-exec", 0, kSwitch, "", "false", kLater, kRun, "record children between fork and exec", "false"},
    {"after-collection-start", 0, kText, "COMMAND", "", kLater, kRun, "run this when the recording begins"},
    {"after-report-ready", 0, kText, "COMMAND", "", kLater, kRun, "run this when the report is written"},
    {"isr", 0, kSwitch, "", "false", kLater, kSystem, "interrupts", "false"},
    {"xhv-trace", 0, kText, "FILE", "", kLater, kSystem, "hypervisor events"},
    {"vsync", 0, kSwitch, "", "false", kLater, kSystem, "vertical blanks of the screen", "false"},
    {"opengl-gpu-workload", 0, kSwitch, "", "true", kLater, kTrace, "OpenGL work on the GPU", "true"},
    {"vulkan-gpu-workload", 0, kChoice, "true|false|individual|batch|none", "individual", kLater, kTrace,
     "Vulkan work on the GPU", "none"},
    {"dx12-gpu-workload", 0, kChoice, "true|false|individual|batch|none", "individual", kLater, kTrace,
     "Direct3D 12 work on the GPU", "none"},
});

constexpr auto kTraces = std::to_array<TraceRow>({
    {"cuda", kWorks, true, "CUDA calls, kernels, copies, synchronization"},
    {"cuda-sw", kWorks, true, "the same, never by hardware events"},
    {"nvtx", kWorks, false, "ranges and marks of the program"},
    {"none", kWorks, false, "nothing but the facts of the run"},
    {"osrt", kWorks, false, "calls of the operating system's run time: locks, waits, files, sockets"},
    {"cudnn", kWorks, true, "cuDNN"},
    {"cublas", kWorks, true, "cuBLAS"},
    {"cublas-verbose", kWorks, true, "cuBLAS with its inner calls"},
    {"cusolver", kWorks, true, "cuSOLVER"},
    {"cusolver-verbose", kWorks, true, "cuSOLVER with its inner calls"},
    {"cusparse", kWorks, true, "cuSPARSE"},
    {"cusparse-verbose", kWorks, true, "cuSPARSE with its inner calls"},
    {"cudla", kLater, true, "cuDLA"},
    {"cudla-verbose", kLater, true, "cuDLA with its inner calls"},
    {"nccl", kWorks, true, "NCCL (its ranges are recorded with nvtx, too)"},
    {"mpi", kWorks, false, "MPI: messages, collectives, waits, the rank of each process"},
    {"ucx", kLater, false, "UCX"},
    {"oshmem", kLater, false, "OpenSHMEM"},
    {"openacc", kLater, true, "OpenACC"},
    {"openmp", kLater, false, "OpenMP"},
    {"python-gil", kWorks, false, "waits for Python's interpreter lock"},
    {"gds", kLater, false, "GPUDirect Storage"},
    {"s3", kLater, false, "S3 requests"},
    {"s3-verbose", kLater, false, "S3 requests with their inner calls"},
    {"nvvideo", kLater, false, "video coding"},
    {"opengl", kLater, false, "OpenGL"},
    {"opengl-annotations", kLater, false, "OpenGL debug groups"},
    {"vulkan", kLater, false, "Vulkan"},
    {"vulkan-annotations", kLater, false, "Vulkan debug groups"},
    {"dx11", kLater, false, "Direct3D 11"},
    {"dx11-annotations", kLater, false, "Direct3D 11 debug groups"},
    {"dx12", kLater, false, "Direct3D 12"},
    {"dx12-annotations", kLater, false, "Direct3D 12 debug groups"},
    {"openxr", kLater, false, "OpenXR"},
    {"openxr-annotations", kLater, false, "OpenXR debug groups"},
    {"wddm", kLater, false, "the Windows display driver"},
    {"tegra-accelerators", kLater, false, "accelerators of Tegra"},
});

/// Older names of the same option.
constexpr std::pair<std::string_view, std::string_view> kOldNames[] = {
    {"gpu-metrics-device", "gpu-metrics-devices"},
    {"session", "session-new"},
};

}  // namespace

std::span<const OptionRow> optionTable() { return kOptions; }
std::span<const TraceRow> traceTable() { return kTraces; }

const OptionRow* findOption(std::string_view name) {
  for (const auto& [old, now] : kOldNames) {
    if (name == old) name = now;
  }
  for (const OptionRow& row : kOptions) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const OptionRow* findOption(char letter) {
  for (const OptionRow& row : kOptions) {
    if (row.letter == letter && letter != 0) return &row;
  }
  return nullptr;
}

const TraceRow* findTrace(std::string_view name) {
  for (const TraceRow& row : kTraces) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace lanescope::launch
