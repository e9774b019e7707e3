// SPDX-License-Identifier: Apache-2.0
// Which metrics a set has: rows as Nsight Systems names them, each with the counters that give it, of which the first
// that a chip has and that still fits into one pass is taken (facts/collector.md, 6.2). Values in the unit that the name
// ends with, but for clocks, which are in Hz. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lanescope::sample {

struct MetricRow {
  std::string title;
  std::vector<std::string> counters;  ///< alternatives, best first
};

struct MetricSet {
  std::string name;
  std::vector<MetricRow> rows;  ///< never empty
};

/// A set by its name, which may be one that Nsight Systems has for a chip, or "file:FILE" of lines "COUNTER" or
/// "COUNTER = NAME". The error is for the user.
tl::expected<MetricSet, std::string> metricSet(std::string_view name);

/// The text of `--gpu-metrics-set=help`.
std::string metricSetHelp();

}  // namespace lanescope::sample
