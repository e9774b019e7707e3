// SPDX-License-Identifier: Apache-2.0
// Reads the records of kPerf chunks, as the kernel or anybody else wrote them: sizes and counts are held against what is
// there, and what does not fit reads as empty. Views into the chunk; no allocation. Any thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "collector/wire/perf.h"

namespace lanescope::launch {

struct PerfRecord {
  std::uint32_t type = 0;
  std::uint16_t misc = 0;
  std::string_view body;  ///< behind the header
  std::string_view whole;
  wire::PerfId id = {};  ///< of samples as well
};

/// Calls visit(PerfRecord) for each; false if a size is impossible, which ends the walk.
template <class Visit>
bool forEachPerfRecord(std::string_view records, Visit&& visit) {
  while (records.size() >= sizeof(perf_event_header)) {
    perf_event_header header;
    std::memcpy(&header, records.data(), sizeof header);
    if (header.size < sizeof header || header.size > records.size()) return false;
    const std::string_view whole = records.substr(0, header.size);
    PerfRecord record{header.type, header.misc, whole.substr(sizeof header), whole};
    records.remove_prefix(header.size);
    constexpr std::size_t kAddress = sizeof(std::uint64_t);
    const bool isSample = header.type == PERF_RECORD_SAMPLE;
    if (record.body.size() < sizeof record.id + (isSample ? kAddress : 0)) return false;
    const std::size_t at = isSample ? kAddress : record.body.size() - sizeof record.id;
    std::memcpy(&record.id, record.body.data() + at, sizeof record.id);
    visit(record);
  }
  return records.empty();
}

/// Whether later records may refer to what this one tells: who there is, and what is mapped.
constexpr bool isPerfDefinition(std::uint32_t type) {
  return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_MMAP || type == PERF_RECORD_COMM ||
         type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT;
}
/// Whether it is an event of the report.
constexpr bool isPerfEvent(std::uint32_t type) {
  return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_SWITCH || type == PERF_RECORD_SWITCH_CPU_WIDE;
}

/// A number at a place of the body; 0 behind its end.
template <class T>
T numberAt(std::string_view body, std::size_t at) {
  T value{};
  if (body.size() >= sizeof value && at <= body.size() - sizeof value)
    std::memcpy(&value, body.data() + at, sizeof value);
  return value;
}

/// The text from there to the next zero, before the record's id.
std::string_view textAt(std::string_view body, std::size_t at);

/// Numbers of 64 bits, not aligned.
class PerfNumbers {
 public:
  PerfNumbers() = default;
  explicit PerfNumbers(std::string_view bytes) : bytes_(bytes) {}
  std::size_t size() const { return bytes_.size() / sizeof(std::uint64_t); }
  std::uint64_t operator[](std::size_t i) const { return numberAt<std::uint64_t>(bytes_, i * sizeof(std::uint64_t)); }

 private:
  std::string_view bytes_;
};

/// Which parts samples have.
struct PerfFormat {
  std::uint64_t type = 0;  ///< sample_type
  std::uint64_t registers = 0;  ///< sample_regs_user
};

struct PerfSample {
  std::uint64_t ip = 0;
  bool inKernel = false;
  PerfNumbers chain;  ///< addresses, and PERF_CONTEXT_… before those of another mode
  PerfNumbers branches;  ///< three numbers each: from, to, flags; the newest first
  PerfNumbers registers;  ///< as wire::kPerfRegisters has them; empty if there are none
  std::string_view stack;  ///< from sp on
};
PerfSample readSample(const PerfRecord& record, const PerfFormat& format);

}  // namespace lanescope::launch
