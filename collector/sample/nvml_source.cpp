// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/nvml_source.h"

#include <algorithm>

#include "collector/sample/metric_header.h"

namespace lanescope::sample {

tl::expected<std::unique_ptr<NvmlSource>, std::string> NvmlSource::open(const std::string& uuid, std::uint64_t hertz,
                                                                        MetricFile& file) {
  auto nvml = Nvml::open(uuid);
  if (!nvml) return tl::unexpected(nvml.error());
  constexpr std::uint64_t kMost = 20, kSecond = 1'000'000'000;
  const std::uint64_t interval = kSecond / std::min(hertz, kMost);
  std::vector<MetricName> names;
  names.reserve(nvml->values().size());
  for (const Nvml::Value& value : nvml->values()) names.push_back({value.title, value.call});
  writeHeader(file, wire::MetricSourceKind::kNvml, "NVML", interval, names);
  return std::unique_ptr<NvmlSource>(new NvmlSource(std::move(*nvml), interval));
}

bool NvmlSource::drain(MetricFile& file) {
  const std::span<const double> values = nvml_.sample();
  const std::uint64_t now = readClock(CLOCK_REALTIME);
  clock_.see(now);
  file.sample(now, now, values);
  return false;
}

}  // namespace lanescope::sample
