// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/report_times.h"

#include <fmt/format.h>

#include "model/analysis/device_window.h"
#include "model/format.h"

namespace lanescope::analysis {

std::string NamedTime::text() const {
  return fmt::format("{}, from {} to {}: {}", formatDuration(range.length()), formatExact(range.begin),
                     formatExact(range.end), what);
}

std::vector<NamedTime> reportTimes(const trace::Trace& trace) {
  std::vector<NamedTime> times;
  const auto add = [&](std::string name, trace::TimeRange range, std::string what) {
    if (!range.empty()) times.push_back({std::move(name), range, std::move(what)});
  };
  add("Timeline", trace.range, "all that is drawn, with samples, counters and the profiler's own work");
  for (const DeviceWindow& device : deviceWindows(trace, {}))
    add("GPU time, " + device.label, device.window,
        "from the first to the last work of this GPU; shares in Analysis are of it");
  return times;
}

NamedTime recordedTime(trace::TimeRange span) {
  return {"Recorded time", span,
          "CUDA calls, GPU work, OS runtime and NVTX; the Time of info, and times with a plus count from its begin"};
}

}  // namespace lanescope::analysis
