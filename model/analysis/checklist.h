// SPDX-License-Identifier: Apache-2.0
// What an experienced person looks at first: whether the GPU is busy, copies and communication are hidden, the host waits,
// kernels are too small, … . Each line has a verdict, a figure and the goal it is held against, the evidence with where
// it is, and what to try. A figure over its goal that costs nothing is a note, not a finding. O(events · log). One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

/// Where in a trace something is to be seen.
struct Evidence {
  trace::TimeRange time;
  std::optional<trace::EventRef> event = {};
};

enum class Verdict : std::uint8_t {
  kGood,
  kNote,  ///< over its goal, but nothing is lost by it
  kImprove,
  kInfo,  ///< a figure without a goal
  kNone,  ///< there is nothing of the kind
  kNotRecorded,  ///< what it takes was not recorded
};
std::string_view nameOf(Verdict verdict);  ///< "improve"

struct CheckKind {
  std::string_view id;  ///< "gpu_busy"
  std::string_view title;  ///< "GPU busy"
  std::string_view about;  ///< how the figure is made
  std::string_view unit;  ///< "%", "GB/s"
  std::string_view base;  ///< what a share is of; "GPU time" is that of a DeviceWindow
  std::optional<double> goal = {};
  bool above = false;  ///< the figure should be above the goal, else below
  std::vector<trace::EventKind> kinds;  ///< that the figure is made of

  std::string goalText() const;  ///< "> 85"
};
/// In the order in which they are looked at.
const std::vector<CheckKind>& checkKinds();
const CheckKind* findCheck(std::string_view id);

struct Check {
  const CheckKind* kind = nullptr;
  std::string of;  ///< which GPU, thread or ranks
  Verdict verdict = Verdict::kNone;
  std::optional<double> figure = {};
  std::string evidence, advice;
  std::vector<Evidence> where = {};  ///< the most telling first
  std::string caveat = {};  ///< why the figure is not whole
};

/// Every kind at least once. `input` has to hold everything a trace can.
std::vector<Check> checklist(const ReportInput& input);

/// True if the figure misses the check's own goal, or another one; what was not recorded fails another one only.
bool fails(const Check& check, std::optional<double> goal = {});

/// How much one rank computed, a rank being a GPU of a file.
struct RankLoad {
  std::string label;
  trace::Ns compute = 0, communication = 0;
};
std::vector<RankLoad> rankLoads(const ReportInput& input);
Check loadImbalance(std::span<const RankLoad> ranks);

/// Of the checks of several files the worst of each kind: by its figure, else by its verdict.
std::vector<Check> worstOf(std::span<const Check> all);

}  // namespace lanescope::analysis
