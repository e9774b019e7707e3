// SPDX-License-Identifier: Apache-2.0
// The file of one GPU's metrics in the session folder: chunks of collector/wire/records.h. What flush() wrote survives
// everybody's end. Nothing throws; what could not be written is counted. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collector/sample/chunk_file.h"
#include "collector/sample/pending_records.h"

namespace lanescope::sample {

class MetricFile {
 public:
  MetricFile() = default;
  /// False with errno if it cannot be made.
  bool create(const std::string& path) { return file_.create(path); }

  /// A record in the next chunk.
  template <class T>
  void record(wire::RecordType type, T fields, std::uint32_t aux, std::string_view behind = {}) {
    pending_.add(type, fields, aux, behind);
  }
  /// The id of a text, which is written where it is new; at most 16 KiB of it.
  std::uint64_t text(std::string_view text) { return pending_.text(text); }
  void sample(std::uint64_t start, std::uint64_t end, std::span<const double> values);
  /// For the user; severity 0 information, 1 warning, 2 error.
  void message(std::uint32_t severity, std::string_view text) { pending_.message(severity, text); }
  /// What was lost, in total so far.
  void losses(wire::LossKind kind, std::uint64_t total);
  /// The same moment on CLOCK_MONOTONIC and on the clock of the samples.
  void clocks(const wire::ClockPair& pair);
  void facts(std::string_view lines);

  /// Writes the records so far as a chunk. Also by itself when they get many.
  void flush();
  /// Ends the file in order.
  void end();

 private:
  void chunk(wire::ChunkType type, std::string_view records);

  ChunkFile file_;
  PendingRecords pending_;
};

}  // namespace lanescope::sample
