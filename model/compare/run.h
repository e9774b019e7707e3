// SPDX-License-Identifier: Apache-2.0
// What of one recording is compared: for every name the durations of its instances, each with the iteration that it is
// of, and figures of the whole. GPU work is of the iteration that launched it. Twelve bytes an event; O(events · log).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/analysis/report_input.h"
#include "model/analysis/table.h"

namespace lanescope::compare {

/// What kind of thing is compared under a name.
enum class Subject : std::uint8_t {
  kIteration,  ///< the iterations themselves, on the host
  kKernel,
  kGraph,  ///< CUDA graphs recorded as a whole
  kCopy,   ///< by direction
  kMemset,
  kRange,  ///< NVTX, as "domain:text"
  kCall,   ///< of the CUDA API
  kIdle,   ///< gaps of GPUs, by their cause
};
inline constexpr std::size_t kSubjects = static_cast<std::size_t>(Subject::kIdle) + 1;

/// "kernel", "NVTX range", …; and in one word, for filters and CSV: "kernel", "nvtx".
std::string_view nameOf(Subject subject);
std::string_view wordOf(Subject subject);

/// The instances of one name that have an end, in no particular order.
struct Series {
  Subject subject = Subject::kKernel;
  std::string name;
  std::string label;  ///< of a kernel its name without parameters and templates, else the name
  std::vector<trace::Ns> time;
  std::vector<std::uint32_t> iteration;  ///< of each; trace::kNone outside
  trace::NameId event =
      trace::kNone;  ///< what its events are called in the trace (Name::same); kNone: several, or no events
};

/// A figure of the whole recording, or of one GPU or thread of it.
struct Figure {
  std::string id;  ///< "gpu_busy": a check of the checklist, or "gpu_time", "gpu_idle", "recorded_time"
  std::string of;  ///< of what; empty: of all
  std::string title, unit;
  std::variant<trace::Ns, double> value;  ///< a time, or a number in that unit
};

struct Run {
  std::string file;  ///< as the user calls it
  std::vector<Series> series;
  std::string iterationName;     ///< empty: none were found
  std::uint32_t iterations = 0;  ///< how many
  std::vector<std::uint32_t> process;  ///< of each, by number: of those that have iterations, by rank, GPU and pid
  std::vector<Figure> figures;

  // What makes two recordings hard to compare.
  std::vector<std::string> gpus;  ///< models, one a physical GPU that worked
  bool wholeGraphs = false;       ///< graphs recorded as a whole
  bool hasCalls = false, hasRanges = false;
  std::vector<std::string> losses;  ///< what is missing of it, each a sentence
};

/// What an iteration is.
struct IterationChoice {
  std::string asked;   ///< as analysis::findIterations() takes it
  std::string rather;  ///< Run::iterationName of the other side: where nothing is asked for and there are such
};

/// `input` has to hold everything a trace can.
Run runOf(const analysis::ReportInput& input, std::string file, const IterationChoice& choice = {});

/// Of a trace that is there; of a part of it the events that touch that, whole.
Run runOf(const trace::Trace& trace, report::RowValues& values, std::string file, const IterationChoice& choice,
          const analysis::Scope& scope, const Job& job);

/// Loads it for that.
Result<Run> readRun(const std::filesystem::path& path, std::string file, const IterationChoice& choice, bool strict,
                    const Job& job = {});

}  // namespace lanescope::compare
