// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/metric_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "collector/wire/checksum.h"

namespace lanescope::sample {

std::uint64_t readClock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool MetricFile::create(const std::string& path) {
  file_ = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  return file_ >= 0;
}

MetricFile::~MetricFile() {
  if (file_ >= 0) close(file_);
}

std::uint64_t MetricFile::text(std::string_view text) {
  constexpr std::size_t kLongest = 16u << 10;
  text = text.substr(0, kLongest);
  if (text.empty()) return 0;
  const std::uint64_t id = wire::hash64(text.data(), text.size());
  if (known_.insert(id).second) {
    record(wire::RecordType::kString, wire::String{{}, id}, static_cast<std::uint32_t>(text.size()), text);
  }
  return id;
}

void MetricFile::sample(std::uint64_t start, std::uint64_t end, std::span<const double> values) {
  record(wire::RecordType::kMetricSample, wire::MetricSample{{}, start, end}, static_cast<std::uint32_t>(values.size()),
         {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  constexpr std::size_t kChunk = 1u << 20;
  if (pending_.size() >= kChunk) flush();
}

void MetricFile::message(std::uint32_t severity, std::string_view words) {
  const std::uint64_t id = text(words);
  record(wire::RecordType::kMessage, wire::Message{{}, readClock(CLOCK_MONOTONIC), id}, severity);
}

void MetricFile::losses(wire::LossKind kind, std::uint64_t total) {
  record(wire::RecordType::kLoss, wire::Loss{{}, total}, static_cast<std::uint32_t>(kind));
}

void MetricFile::clocks(const wire::ClockPair& pair) {
  chunk(wire::ChunkType::kClock, {reinterpret_cast<const char*>(&pair), sizeof pair});
}

void MetricFile::facts(std::string_view lines) { chunk(wire::ChunkType::kFacts, lines); }

void MetricFile::flush() {
  if (pending_.empty()) return;
  chunk(wire::ChunkType::kMetrics, pending_);
  pending_.clear();
}

void MetricFile::end() {
  if (unwritten_ > 0) losses(wire::LossKind::kWriteFailed, unwritten_);
  flush();
  chunk(wire::ChunkType::kEnd, {});
}

void MetricFile::chunk(wire::ChunkType type, std::string_view records) {
  wire::ChunkHeader header;
  header.type = type;
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.time = readClock(CLOCK_MONOTONIC);
  header.crc = wire::crcOf(header, records.data());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += records;
  struct stat before{};
  const bool isKnown = fstat(file_, &before) == 0;
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (left.empty()) return;
  // A torn chunk is no use to anyone, and its room may take the next, smaller one.
  if (isKnown && ftruncate(file_, before.st_size) != 0) errno = 0;
  unwritten_ += records.size();
  known_.clear();  // texts may have been among them
}

}  // namespace lanescope::sample
