// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/metric_file.h"

namespace lanescope::sample {

void MetricFile::sample(std::uint64_t start, std::uint64_t end, std::span<const double> values) {
  record(wire::RecordType::kMetricSample, wire::MetricSample{{}, start, end}, static_cast<std::uint32_t>(values.size()),
         {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  constexpr std::size_t kChunk = 1u << 20;
  if (pending_.bytes().size() >= kChunk) flush();
}

void MetricFile::losses(wire::LossKind kind, std::uint64_t total) {
  record(wire::RecordType::kLoss, wire::Loss{{}, total}, static_cast<std::uint32_t>(kind));
}

void MetricFile::clocks(const wire::ClockPair& pair) {
  chunk(wire::ChunkType::kClock, {reinterpret_cast<const char*>(&pair), sizeof pair});
}

void MetricFile::facts(std::string_view lines) { chunk(wire::ChunkType::kFacts, lines); }

void MetricFile::flush() {
  if (pending_.bytes().empty()) return;
  chunk(wire::ChunkType::kMetrics, pending_.bytes());
  pending_.clear();
}

void MetricFile::end() {
  if (file_.unwritten() > 0) losses(wire::LossKind::kWriteFailed, file_.unwritten());
  flush();
  chunk(wire::ChunkType::kEnd, {});
}

void MetricFile::chunk(wire::ChunkType type, std::string_view records) {
  if (!file_.write(type, records)) pending_.forgetTexts();  // texts may have been among them
}

}  // namespace lanescope::sample
