// SPDX-License-Identifier: Apache-2.0
// The command line that profiles one kernel instance of a report with Nsight Compute: the kernel by the exact name of
// its function (ncu's default base for names), the instance by how many launches of that function to skip, the program
// as it was recorded. Launches are counted per process in the order of their calls, as ncu sees them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/report/database.h"
#include "model/trace/trace.h"

namespace lanescope::report {

/// The bare function of a kernel's name: "gemm" of "void ns::gemm<(int)4>(float*)".
std::string_view functionName(std::string_view kernel);

/// How many launches of this kernel's function in its process came before. Scans the name columns of the process's
/// kernels: O(kernels + names), 2 ms a million.
std::uint64_t earlierLaunches(const trace::Trace& trace, trace::EventRef kernel);

std::string ncuCommand(std::string_view function, std::uint64_t earlier, std::span<const std::string> program);

/// Whether a kernel ran on a GPU of AMD, which ncu knows nothing of: it was launched by HIP, or the GPU is called so.
bool isOfAmd(const trace::Trace& trace, trace::EventRef kernel);

/// The command line as it was recorded, with its first arguments (kMostArguments in ncu_command.cpp); empty where there
/// is none that could have run. One scan of META_DATA_CAPTURE, which has no index.
std::vector<std::string> recordedProgram(const Database& database);

/// What stands for it where none was recorded: the name of the event's process, else "<program>".
std::string programName(const trace::Trace& trace, trace::EventRef event);

}  // namespace lanescope::report
