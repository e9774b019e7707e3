// SPDX-License-Identifier: Apache-2.0
// What a recording is to be, as somebody fills in a form, and the words of `lanescope profile` that say the same. A field
// that stands at its default adds no word. Whether what was typed makes sense is for the command line to say; that its
// words mean what the fields say is held against it by a test. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::record {

enum class Range { kNone, kCudaProfilerApi, kNvtx };

struct RecordSettings {
  std::vector<std::string> program;  ///< with its arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< beside that of the recorder

  std::vector<std::string> trace = {"cuda", "nvtx"};  ///< names of --trace; empty: none
  bool graphNodes = false;  ///< a row for each node of a CUDA graph, not for each launch
  bool cpuSamples = true;  ///< call stacks of what runs
  bool contextSwitches = true;
  bool systemWide = false;  ///< both of the whole machine, not of the program alone
  std::string cpuHertz = "1000";
  std::string backtrace = "auto";  ///< how stacks are walked, as --backtrace has it
  std::string osThreshold = "1000";  ///< ns; of the trace osrt
  bool pythonSamples = false, pythonOfCalls = false;  ///< its stacks, of time and of CUDA calls
  bool memoryUsage = false;
  std::string gpuMetrics;  ///< numbers of GPUs with commas, "all" or "cuda-visible"; empty: none
  std::string gpuMetricsHertz = "10000";

  std::string delay;  ///< seconds, as typed; empty: none
  std::string duration;  ///< likewise; empty: to the end
  Range range = Range::kNone;
  std::string nvtxRange;  ///< of Range::kNvtx: RANGE[@DOMAIN]
  bool endsProgram = false;  ///< when the recording ends first

  std::string output = "report#";
  bool overwrite = false;

  bool operator==(const RecordSettings&) const = default;
};

/// What stands behind "lanescope profile".
std::vector<std::string> profileWords(const RecordSettings& settings);

/// The line to type for the same recording: in that folder, on that host, each empty for where one is.
std::string commandLine(const RecordSettings& settings, std::string_view folder, std::string_view host);

/// What and when, for a usual purpose. The program and its report stay.
struct Preset {
  std::string_view name;
  std::string_view meaning;
  void (*apply)(RecordSettings&);
};
std::span<const Preset> presets();

}  // namespace lanescope::record
