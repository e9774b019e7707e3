// SPDX-License-Identifier: Apache-2.0
// The functions behind the table of reports.cpp, a file a family. Nothing where there is no data after all. Private to
// model/analysis.
#pragma once

#include <array>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

/// The table of report_list.cpp.
std::vector<StatsReport> allReports();

using MadeTable = std::optional<Table>;

// reports_api.cpp
MadeTable apiSum(const ReportInput& input);
MadeTable apiTrace(const ReportInput& input);
MadeTable osRuntimeSum(const ReportInput& input);

// reports_mpi.cpp
MadeTable mpiSum(const ReportInput& input);
MadeTable mpiTrace(const ReportInput& input);
MadeTable mpiMessageSizes(const ReportInput& input);

// reports_cpu.cpp
MadeTable cpuHot(const ReportInput& input);

// reports_gpu.cpp
MadeTable kernelSum(const ReportInput& input);
MadeTable kernelGridSum(const ReportInput& input);
MadeTable memoryTimeSum(const ReportInput& input);
MadeTable memorySizeSum(const ReportInput& input);
MadeTable gpuSum(const ReportInput& input);
MadeTable apiGpuSum(const ReportInput& input);

// reports_launch.cpp
MadeTable gpuTrace(const ReportInput& input);
MadeTable kernelExecSum(const ReportInput& input);
MadeTable kernelExecTrace(const ReportInput& input);

// reports_nvtx.cpp
MadeTable nvtxSum(const ReportInput& input);
MadeTable nvtxPushPopSum(const ReportInput& input);
MadeTable nvtxStartEndSum(const ReportInput& input);
MadeTable nvtxPushPopTrace(const ReportInput& input);

// reports_projection.cpp
MadeTable nvtxProjectionSum(const ReportInput& input);
MadeTable nvtxProjectionTrace(const ReportInput& input);
MadeTable nvtxKernelSum(const ReportInput& input);

// reports_um.cpp
MadeTable unifiedMemorySum(const ReportInput& input);
MadeTable unifiedMemoryTotals(const ReportInput& input);
MadeTable cpuPageFaults(const ReportInput& input);

// reports_own.cpp
MadeTable latency(const ReportInput& input);
MadeTable streams(const ReportInput& input);
MadeTable kernelCategories(const ReportInput& input);
MadeTable collectiveSum(const ReportInput& input);

// reports_iterations.cpp
MadeTable iterations(const ReportInput& input);

// reports_nvprof.cpp
MadeTable nvprofSummary(const ReportInput& input);
MadeTable nvprofGpuTrace(const ReportInput& input);
MadeTable nvprofApiTrace(const ReportInput& input);
MadeTable nvprofDependency(const ReportInput& input);

/// nvprof's name of a copy or memset by the label of its name: "[CUDA memcpy HtoD]".
std::string nvprofCopyName(std::string_view label);

/// "  64    1    1", as Nsight Systems writes a grid; nothing where one of the three is missing.
std::optional<std::string> threeSizes(const TableValues& values, trace::EventRef kernel, std::size_t firstColumn);

}  // namespace lanescope::analysis
