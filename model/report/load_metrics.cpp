// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model/report/loading.h"

namespace lanescope::report {

using trace::Counter;
using trace::Ns;

namespace {

using MetricKey = std::pair<std::int64_t, std::int64_t>;  // typeId, metricId

struct Samples {
  std::vector<std::pair<Ns, double>> values;
};

Counter::Unit unitOf(const std::string& name) {
  if (name.ends_with("[Throughput %]")) return Counter::Unit::kPercent;
  if (name.ends_with("[MHz]")) return Counter::Unit::kHertz;  // stored in Hz, facts 4.10
  if (name.ends_with("[bytes]")) return Counter::Unit::kBytes;
  return Counter::Unit::kCount;
}

/// "10 kHz", from the median distance of samples.
std::string rateOf(const std::vector<Ns>& times) {
  if (times.size() < 3) return {};
  std::vector<Ns> distances;
  for (std::size_t i = 1; i < times.size(); ++i) distances.push_back(times[i] - times[i - 1]);
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle <= 0) return {};
  const double hertz = 1e9 / static_cast<double>(*middle);
  return hertz >= 1000 ? fmt::format(" · {:.3g} kHz", hertz / 1000) : fmt::format(" · {:.3g} Hz", hertz);
}

}  // namespace

void loadMetrics(Loading& loading) {
  trace::TraceBuilder& builder = loading.builder;

  std::map<MetricKey, std::string> names;
  loading.forEach("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"},
                  [&](const TableRow& row) { names[{row.integer(0), row.integer(1)}] = repairUtf8(row.text(2)); });
  std::map<std::int64_t, std::string> gpus;
  loading.forEach("TARGET_INFO_GPU", {"id", "name"},
                  [&](const TableRow& row) { gpus[row.integer(0)] = repairUtf8(row.text(1)); });

  std::map<MetricKey, Samples> metrics;
  Samples* last = nullptr;
  MetricKey lastKey;
  loading.forEach("GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, [&](const TableRow& row) {
    if (!loading.hasTimes(row, 0, 0)) return;
    const Ns time = row.integer(0);
    const double value = row.real(3);
    if (!loading.isSampleTime(time)) return;
    if (!std::isfinite(value)) {
      ++loading.badSamples;
      return;
    }
    const MetricKey key{row.integer(1), row.integer(2)};
    if (!last || key != lastKey) last = &metrics[lastKey = key];
    last->values.emplace_back(time, value);
  });

  std::map<std::int64_t, Counter::Times> timesOf;  // metrics of one GPU are sampled together
  for (auto& [key, samples] : metrics) {
    auto& values = samples.values;
    const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(values.begin(), values.end(), earlier)) std::stable_sort(values.begin(), values.end(), earlier);

    const auto named = names.find(key);
    std::string name =
        named != names.end() && !named->second.empty() ? named->second : fmt::format("Metric {}", key.second);
    const Counter::Unit unit = unitOf(name);
    auto times = std::make_shared<std::vector<Ns>>();
    std::vector<double> column;
    times->reserve(values.size());
    column.reserve(values.size());
    for (const auto& [time, value] : values) {
      times->push_back(time);
      // Some exporters write a clock of more than 2^31 Hz as a negative 32-bit number (facts 4.10).
      column.push_back(unit == Counter::Unit::kHertz && value < 0 ? value + 4294967296.0 : value);
    }
    samples = {};
    Counter::Times& shared = timesOf[key.first];
    if (!shared || *shared != *times) shared = std::move(times);

    const std::int64_t gpu = key.first & 0xFF;
    const std::string gpuName = gpus.contains(gpu) ? gpus[gpu] : fmt::format("GPU {}", gpu);
    std::string group =
        "GPU metrics · " + gpuName + (gpus.size() > 1 ? fmt::format(" ({})", gpu) : "") + rateOf(*shared);
    builder.addCounter(Counter(std::move(name), unit, shared, std::move(column)),
                       {trace::kNone, trace::kNone, std::move(group)});
  }
}

}  // namespace lanescope::report
