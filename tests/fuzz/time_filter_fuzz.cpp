// SPDX-License-Identifier: Apache-2.0
// What --filter-time and --filter-nvtx say, and which time of a trace that is: a range that is not empty, or an error.
#include "model/analysis/time_filter.h"

#include <array>
#include <optional>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sample_trace.h"

namespace {

template <class T>
void demandSense(const lanescope::Result<T>& result) {
  if (!result) lanescope::fuzz::demand(!sentence(result.error()).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view text = fuzz::lineOf(bytes, size);
  const trace::Trace& trace = fuzz::sampleTrace();

  const auto time = analysis::parseTimeFilter(text);
  demandSense(time);
  if (time) {
    using Span = std::optional<trace::TimeRange>;
    const std::array<Span, 4> spans{std::nullopt, trace.range, {{-5, 7}}, {{trace::kMaxTime - 9, trace::kMaxTime}}};
    for (const Span& recorded : spans)
      for (const Span& timeline : spans) {
        const auto range = analysis::resolve(*time, recorded, timeline, "a.rep");
        demandSense(range);
        if (range) fuzz::demand(range->begin < range->end);
      }
  }
  const auto nvtx = analysis::parseNvtxFilter(text);
  demandSense(nvtx);
  if (nvtx) {
    const auto found = analysis::findRange(*nvtx, trace, "a.rep");
    demandSense(found);
    demandSense(analysis::resolve(*nvtx, trace, "a.rep"));
    if (found) fuzz::demand(trace.lanes.at(found->lane)->size() > found->index);
  }
  return 0;
}
