// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/pm_source.h"

#include "collector/sample/metric_header.h"

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

/// What the user can do about it.
std::string remedy(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the driver reserves the counters for administrators: record as root, or with CAP_PERFMON (driver 565 or "
             "later; CAP_SYS_ADMIN before), which a container needs too (--cap-add), or load the driver with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_DEVICE:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "this GPU, or what is between it and us, does not offer the counters";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      return "this libcupti does not know the GPU; install a newer CUDA toolkit";
    case CUPTI_ERROR_INVALID_METRIC_NAME:
      return "the chip has none of these counters";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "there is not enough memory for the samples";
    default:
      return "another profiler may hold the counters: end it, or let DCGM go with dcgmi profile --pause";
  }
}

std::uint64_t timeBetweenDrains(std::uint64_t interval) {
  return interval <= kMillisecond ? 40 * kMillisecond : 100 * kMillisecond;
}

}  // namespace

PmAccess::PmAccess(const std::vector<std::string>& libraries) {
  why_ = "no libcupti is found; install the CUDA toolkit 12.6 or later, or its nvidia-cuda-cupti wheel";
  for (const std::string& path : libraries) {
    auto library = PmLibrary::load(path);
    if (!library) {
      why_ = library.error();
      continue;
    }
    LANESCOPE_PM_PARAMS(CUpti_Profiler_Initialize_Params, params);
    if (const CUptiResult result = library->cuptiProfilerInitialize(&params); result != CUPTI_SUCCESS) {
      why_ = troubleOf(*library, "cuptiProfilerInitialize", result).text;
      continue;
    }
    library_ = std::make_unique<PmLibrary>(*library);
    path_ = path;
    return;
  }
}

// Never cuptiProfilerDeInitialize: it is not counted, and the process ends anyway.
PmAccess::~PmAccess() = default;

PmSource::PmSource(std::unique_ptr<PmSession> session, std::size_t device, std::uint64_t interval)
    : session_(std::move(session)), device_(device), interval_(interval) {}
PmSource::~PmSource() = default;

tl::expected<std::unique_ptr<PmSource>, std::string> PmSource::open(const PmAccess& access, std::size_t device,
                                                                    const MetricSet& set, std::uint64_t interval,
                                                                    MetricFile& file) {
  if (!access.library()) return tl::unexpected(access.why());
  auto session = PmSession::open(*access.library(), device, set, interval, timeBetweenDrains(interval));
  if (!session) return tl::unexpected(session.error().text + "; " + remedy(session.error().result));
  const PmConfig& config = (*session)->config();
  std::vector<MetricName> names;
  names.reserve(config.count());
  for (std::size_t i = 0; i < config.count(); ++i) names.push_back({config.titles()[i], config.counters()[i]});
  writeHeader(file, wire::MetricSourceKind::kCupti, set.name, interval, names);
  std::string missing;
  for (const std::string& title : config.missing()) missing += (missing.empty() ? "" : ", ") + title;
  if (!missing.empty()) file.message(0, (*session)->chip() + " does not give at the same time: " + missing);
  file.facts("chip=" + (*session)->chip() + "\nlibcupti=" + access.path() + "\n");
  return std::unique_ptr<PmSource>(new PmSource(std::move(*session), device, interval));
}

std::uint64_t PmSource::between() const { return timeBetweenDrains(interval_); }

void PmSource::gaveUp(MetricFile& file, const std::string& what) {
  session_.reset();
  file.message(2, "GPU " + std::to_string(device_) + ": sampling of metrics ended: " + what +
                      "; a lower --gpu-metrics-frequency may do");
}

void PmSource::start(MetricFile& file) {
  if (!session_) return;
  gaps_.restart();
  if (const auto done = session_->start(); !done) gaveUp(file, done.error().text + "; " + remedy(done.error().result));
}

void PmSource::stop(MetricFile& file) {
  if (!session_) return;
  if (const auto done = session_->stop(); !done) return gaveUp(file, done.error().text);
  while (drain(file)) {
  }
  if (!session_) return;
  take(file, [&](const PmSession::Take& see) { return session_->rest(see); });
  if (!session_) return;
  const PmSession::Cost& cost = session_->cost();
  file.facts("decode-ms=" + std::to_string(cost.decode / kMillisecond) +
             "\nevaluate-ms=" + std::to_string(cost.evaluate / kMillisecond) + "\n");
}

bool PmSource::drain(MetricFile& file) {
  bool more = false;
  if (!session_) return more;
  take(file, [&](const PmSession::Take& see) -> PmResult<void> {
    const PmResult<bool> read = session_->drain(see);
    if (!read) return tl::unexpected(read.error());
    more = *read;
    return {};
  });
  return more && session_;
}

void PmSource::take(MetricFile& file, const std::function<PmResult<void>(const PmSession::Take&)>& from) {
  const bool wasKnown = clock_.isKnown();
  std::uint64_t last = 0;
  const auto see = [&](std::uint64_t start, std::uint64_t end, std::span<const double> values) {
    gaps_.see(start, end);
    file.sample(start, end, values);
    last = end;
  };
  const PmResult<void> done = from(see);
  if (last != 0) clock_.see(last);
  if (clock_.isKnown() && !wasKnown) file.facts(std::string("clock=") + clock_.name() + "\n");
  if (session_->overflows() > 0 && !saidFull_) {
    saidFull_ = true;
    file.message(1, "GPU " + std::to_string(device_) + ": its buffer for samples was full; a lower " +
                        "--gpu-metrics-frequency may do");
  }
  if (gaps_.missing() > lost_) file.losses(wire::LossKind::kMetricSamples, lost_ = gaps_.missing());
  if (done) return;
  constexpr int kMostRestarts = 10;
  if (!session_->isOn() || ++restarts_ > kMostRestarts) return gaveUp(file, done.error().text);
  if (restarts_ == 1) {
    file.message(1, "GPU " + std::to_string(device_) + ": " + done.error().text +
                        "; sampling began anew; a lower --gpu-metrics-frequency may do");
  }
  [[maybe_unused]] const auto stopped = session_->stop(), handed = session_->rest(see);
  if (const auto again = session_->start(); !again) gaveUp(file, again.error().text);
}

}  // namespace lanescope::sample
