// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_metrics.h"

#include <fmt/format.h>

#include <cmath>

#include "collector/launch/finish_target.h"
#include "model/report/rows_metrics.h"

namespace lanescope::launch {

using report::Id;
using wire::RecordType;

namespace {

/// Ids as Nsight Systems makes them: the low byte is the GPU.
constexpr Id kSource = kMachine | std::int64_t{1} << 32;
constexpr std::int64_t kSessionNs = 3, kUnsigned = 1;
/// More is damage.
constexpr std::uint32_t kMostMetrics = 1024;

class MetricRows {
 public:
  MetricRows(report::Writer& writer, Process& sampler, Id gpu)
      : writer_(writer), sampler_(sampler), gpu_(gpu), type_(kSource | (gpu & 0xFF)) {}

  void take(const Record& record) {
    switch (record.type) {
      case RecordType::kMetricSource:
        if (!hasSource_) source(record.as<wire::MetricSource>());
        break;
      case RecordType::kMetric:
        name(record);
        break;
      case RecordType::kMetricSample:
        sample(record);
        break;
      default:
        break;
    }
  }

 private:
  void source(const wire::MetricSource& source) {
    hasSource_ = true;
    writer_.add(report::EventTypeRow{.type = type_, .source = kSource, .name = writer_.string("")});
    const std::string prefix = fmt::format("GPU_METRICS_OPTIONS:GPU_{}:", gpu_);
    writer_.addCaptureFact(prefix + "ID", std::to_string(gpu_));
    writer_.addCaptureFact(prefix + "METRIC_SET", sampler_.text(source.name).value_or(""));
    if (source.interval > 0) {
      writer_.addCaptureFact(prefix + "SAMPLING_FREQUENCY", std::to_string(1'000'000'000 / source.interval));
    }
    writer_.addCaptureFact(prefix + "SOURCE", source.kind == wire::MetricSourceKind::kNvml ? "NVML" : "CUPTI");
    for (const auto& [fact, value] : sampler_.facts.all()) writer_.addCaptureFact(prefix + factName(fact), value);
  }

  void name(const Record& record) {
    const auto metric = record.as<wire::Metric>();
    if (record.aux >= kMostMetrics || !hasSource_) return;
    if (record.aux >= named_.size()) named_.resize(record.aux + 1);
    if (named_[record.aux]) return;
    named_[record.aux] = true;
    const std::string title(sampler_.text(metric.name).value_or(fmt::format("Metric {}", record.aux)));
    const Id id = record.aux;
    writer_.add(report::MetricNameRow{.type = type_, .source = kSource, .typeName = "", .metric = id, .name = title});
    writer_.add(report::EventFieldRow{
        .type = type_, .field = id, .name = writer_.string(title), .offset = id * 8, .size = 8, .kind = kUnsigned});
  }

  void sample(const Record& record) {
    const auto times = record.as<wire::MetricSample>();
    const trace::Ns offset = sampler_.clock.offsetAt(times.end);
    const auto ours = [&](std::uint64_t time) { return minus(minus(asTime(time), offset), sampler_.zero); };
    const trace::Ns start = ours(times.start), end = ours(times.end);
    if (!sampler_.windows.keeps(start, end)) return;
    const std::string_view values = record.bytes.substr(std::min(sizeof times, record.bytes.size()));
    const std::size_t count = std::min({values.size() / sizeof(double), named_.size(), std::size_t{record.aux}});
    for (std::size_t i = 0; i < count; ++i) {
      double value = 0;
      std::memcpy(&value, values.data() + i * sizeof value, sizeof value);
      constexpr double kMost = 9e18;  // of 64 bits
      if (!named_[i] || !(std::fabs(value) < kMost)) continue;
      writer_.add(report::MetricSampleRow{
          .rawTime = start, .time = start, .type = type_, .metric = static_cast<Id>(i), .value = std::llround(value)});
    }
    ++sampler_.events;
  }

  report::Writer& writer_;
  Process& sampler_;
  const Id gpu_, type_;
  bool hasSource_ = false;
  std::vector<bool> named_;
};

}  // namespace

void writeMetricsSource(report::Writer& writer) {
  writer.add(report::EventSourceRow{
      .source = kSource, .name = writer.string("GpuMetrics"), .timeSource = kSessionNs, .group = 0});
}

void writeMetricsTrouble(report::Writer& writer, Process& sampler, Losses& losses) {
  for (const wire::Message& message : sampler.messages) {
    const std::string text(sampler.text(message.text).value_or(""));
    if (text.empty()) continue;
    if (message.header.aux > 0) writeIssue(writer, "gpu-metrics", 1, text, losses);
    else
      writer.add(report::DiagnosticRow{
          .time = sampler.time(message.time), .clock = 1, .source = 3, .severity = 1, .text = text, .globalPid = {}});
  }
  writeLosses(writer, sampler, false, losses);
  if (sampler.ended) return;
  writeIssue(writer, "sampler-killed", 1,
             "The process that samples GPU metrics ended abruptly; its last tenth of a second is missing", losses);
}

bool writeMetrics(report::Writer& writer, Process& sampler, Id gpu, std::uint64_t most, std::uint64_t& cut,
                  const std::function<bool(std::uint64_t)>& progress) {
  MetricRows rows(writer, sampler, gpu);
  std::uint64_t read = 0;
  const auto take = [&](const Chunk& chunk) {
    if (chunk.header.type != wire::ChunkType::kMetrics) return;
    const bool fits = (read += chunk.records.size()) <= most;
    forEachRecord(chunk.records, [&](const Record& record) {
      if (fits) rows.take(record);
      else cut += record.type == RecordType::kMetricSample;
    });
  };
  return sampler.stream.walk({.chunk = take, .gap = {}, .progress = progress});
}

}  // namespace lanescope::launch
