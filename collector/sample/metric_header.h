// SPDX-License-Identifier: Apache-2.0
// What stands in a file of metrics before the samples. Any thread.
#pragma once

#include <string>
#include <vector>

#include "collector/sample/metric_file.h"

namespace lanescope::sample {

struct MetricName {
  std::string title, counter;
};

inline void writeHeader(MetricFile& file, wire::MetricSourceKind kind, std::string_view set, std::uint64_t interval,
                        const std::vector<MetricName>& metrics) {
  const std::uint64_t name = file.text(set);
  file.record(wire::RecordType::kMetricSource,
              wire::MetricSource{{}, name, interval, kind, static_cast<std::uint32_t>(metrics.size())}, 0);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const std::uint64_t title = file.text(metrics[i].title), counter = file.text(metrics[i].counter);
    file.record(wire::RecordType::kMetric, wire::Metric{{}, title, counter}, static_cast<std::uint32_t>(i));
  }
}

}  // namespace lanescope::sample
