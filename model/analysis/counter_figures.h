// SPDX-License-Identifier: Apache-2.0
// What counters (GPU metrics, memory in use) were over a range: mean, least, most. Each sample holds until the next one,
// and the mean is weighted by that time; what a counter was before its first sample, and a GPU metric after its last, is
// not known and does not count. Memory in use holds on. Any thread; O(samples in the range), incomplete once cancelled.
#pragma once

#include <cstdint>
#include <vector>

#include "model/analysis/selection.h"

namespace lanescope::analysis {

struct CounterFigures {
  bool any = false;  ///< false where the range has no sample and none that holds
  double mean = 0, min = 0, max = 0;
};
CounterFigures counterFigures(const trace::Trace& trace, std::uint32_t counter, trace::TimeRange range);

struct CounterLine {
  std::uint32_t row = 0;
  std::uint32_t counter = 0;
  CounterFigures figures;
};
/// Of the counters of the selection's rows and of those below them, or of all rows, in their order; each once.
std::vector<CounterLine> counterLines(const trace::Trace& trace, const Selection& selection, const Job& job = {});

}  // namespace lanescope::analysis
