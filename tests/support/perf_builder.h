// SPDX-License-Identifier: Apache-2.0
// What the kernel would have told of the CPU (cpu.perf in a session folder), made by hand: records in chunks, in the order
// they are given. Times are of CLOCK_MONOTONIC.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "collector/wire/perf.h"
#include "collector/wire/records.h"

namespace lanescope::test {

struct PerfSampleRecord {
  std::uint64_t time = 0, ip = 0x1000;
  std::uint32_t process = 100, thread = 100, cpu = 0;
  bool inKernel = false;
  std::vector<std::uint64_t> chain = {};
  std::vector<std::uint64_t> registers = {};  ///< as wire::kPerfRegisters
  std::string stack = {};
};

class PerfBuilder {
 public:
  /// Samples have those parts; switches are recorded.
  explicit PerfBuilder(std::filesystem::path session, std::uint64_t sampleType = kChains);

  static constexpr std::uint64_t kChains = wire::kPerfSampleId | PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
  static constexpr std::uint64_t kStacks = kChains | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

  PerfBuilder& facts(std::string_view lines);
  PerfBuilder& writtenAt(std::uint64_t time);  ///< the chunks from here on
  PerfBuilder& comm(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::string_view name,
                    bool exec = false);
  PerfBuilder& fork(std::uint64_t time, std::uint32_t parent, std::uint32_t parentThread, std::uint32_t process,
                    std::uint32_t thread);
  PerfBuilder& exit(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu = 0);
  PerfBuilder& map(std::uint64_t time, std::uint32_t process, std::uint64_t start, std::uint64_t bytes,
                   std::string_view path, std::uint64_t offset = 0);
  PerfBuilder& in(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu = 0);
  PerfBuilder& out(std::uint64_t time, std::uint32_t process, std::uint32_t thread, std::uint32_t cpu = 0,
                   bool preempted = false);
  PerfBuilder& sample(const PerfSampleRecord& sample);
  PerfBuilder& lost(std::uint64_t time, std::uint64_t count);
  PerfBuilder& throttled(std::uint64_t time);
  /// Any record: header and id are added.
  PerfBuilder& record(std::uint32_t type, std::uint16_t misc, std::string_view body, const wire::PerfId& id);
  PerfBuilder& raw(std::string_view bytes);
  PerfBuilder& ended();

  std::string& stream();
  void write();

 private:
  void chunk(wire::ChunkType type, std::string_view records);
  void close();

  std::filesystem::path session_;
  std::uint64_t type_, writtenAt_ = 0;
  std::string stream_, records_;
};

}  // namespace lanescope::test
