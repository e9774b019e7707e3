// SPDX-License-Identifier: Apache-2.0
// In place of pm_*.cpp where there is no toolkit to build them with: NVML alone.
#include "collector/sample/pm_source.h"

namespace lanescope::sample {

struct PmLibrary {};
class PmSession {};

PmAccess::PmAccess(const std::vector<std::string>&)
    : why_("this lanescope was built without the CUDA toolkit, so it cannot sample counters") {}
PmAccess::~PmAccess() = default;

PmSource::~PmSource() = default;
tl::expected<std::unique_ptr<PmSource>, std::string> PmSource::open(const PmAccess& access, std::size_t,
                                                                    const MetricSet&, std::uint64_t, MetricFile&) {
  return tl::unexpected(access.why());
}
void PmSource::start(MetricFile&) {}
void PmSource::stop(MetricFile&) {}
void PmSource::drain(MetricFile&) {}
std::uint64_t PmSource::between() const { return interval_; }

}  // namespace lanescope::sample
