// SPDX-License-Identifier: Apache-2.0
// The command line of `lanescope profile`, read: the words up to the program, by the table of option_table.h, as typed
// values. What is wrong is one line for the user, who typed it; what was typed and has no effect yet is a warning each.
// Reads the --command-file and the variables of no program. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "collector/sample/cpu_settings.h"
#include "model/trace/time.h"

namespace lanescope::launch {

enum class GraphTrace { kGraph, kNode };
enum class CaptureRange { kNone, kCudaProfilerApi, kNvtx };
enum class CaptureEnd { kNone, kStop, kStopShutdown, kRepeat, kRepeatShutdown };
enum class WaitFor { kPrimary, kAll };

struct Options {
  // what
  bool cuda = true;
  bool nvtx = true;
  bool osRuntime = false, mpi = false;
  bool osFileAccess = false;
  std::uint32_t osThreshold = 1000, osStackThreshold = 80000;  ///< ns
  std::uint32_t osStackBytes = 6144, osStackDepth = 24;  ///< 0: no stacks
  GraphTrace graphTrace = GraphTrace::kGraph;
  bool allCudaApis = false;
  bool cudaEvents = false;  ///< when they complete on the GPU
  std::vector<std::pair<std::string, std::uint32_t>> cudaStacks;  ///< kinds of calls, and from which length on, ns
  bool pythonStacks = false;  ///< of CUDA calls
  std::uint32_t pythonHertz = 0;  ///< stacks of Python a second; 0: none
  bool pythonGil = false;  ///< waits for the interpreter lock
  bool gpuMemory = false;
  bool cpuPageFaults = false, gpuPageFaults = false;  ///< of unified memory
  std::uint32_t flushIntervalMs = 0;
  std::vector<std::string> nvtxInclude, nvtxExclude;  ///< one of them is empty
  std::vector<std::string> libraries;  ///< names of libraries.h

  std::vector<std::string> gpuMetrics;  ///< numbers of GPUs, or "all", or "cuda-visible"; empty: none
  std::vector<std::string> gpuMetricsHertz;  ///< one for all, or one each
  std::string gpuMetricsSet;

  sample::CpuSettings cpu;
  bool resolvesSymbols = true;
  std::string debugFolders;  ///< with colons between
  bool asksForCpu = false;  ///< somebody typed it, so that they are to hear what is not possible
  bool asksForNvtx = false;  ///< likewise, that there was none

  // when
  trace::Ns delay = 0;
  trace::Ns duration = 0;  ///< 0: to the end
  CaptureRange range = CaptureRange::kNone;
  std::string nvtxCapture;
  CaptureEnd rangeEnd = CaptureEnd::kStopShutdown;
  std::uint32_t repeat = 0;  ///< of kRepeat and kRepeatShutdown; 0: without end
  bool startLater = false;  ///< not before another command says so
  bool stopOnExit = true;
  WaitFor wait = WaitFor::kAll;
  std::uint64_t maxBytes = 0;  ///< of the recording on disk; 0: no limit
  bool keepsNewest = false;  ///< beyond maxBytes, instead of stopping
  int killSignal = 0;  ///< 0: the program goes on

  // the program and its report
  std::vector<std::string> program;  ///< with its arguments, never empty
  std::vector<std::pair<std::string, std::string>> environment;
  bool inheritEnvironment = true;
  bool showOutput = true;
  std::string session;  ///< its name; empty: one is made
  std::string output = "report#";
  bool overwrite = false;
  bool stats = false;
  std::vector<std::string> exports;

  std::vector<std::string> words;  ///< the options as they were typed, without the values of variables
};

struct CommandLine {
  Options options;
  std::vector<std::string> warnings;
  std::string answer;  ///< what --help or --trace=help asked for: print it instead of recording
};

/// `words`: what stands behind "profile". The error is a line without "lanescope: ".
tl::expected<CommandLine, std::string> readCommandLine(const std::vector<std::string>& words);

/// Words of a command file: separated by blanks, quoted with ' or ", # begins a comment.
std::vector<std::string> splitWords(std::string_view text);

/// "A=B,C=D": a comma only separates where a name and = follow, so that A=0,1 is one variable.
tl::expected<std::vector<std::pair<std::string, std::string>>, std::string> readAssignments(std::string_view text);

}  // namespace lanescope::launch
