// SPDX-License-Identifier: Apache-2.0
// GPU work of a process as rows: kernels, copies, memsets, graphs, CUDA events, waits. Numbers that CUPTI and the export
// give otherwise are turned here (facts: memory kinds minus one, launch types plus one). Private to finish*.cpp.
#pragma once

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

/// CUPTI: 0 unknown, 1 pageable, …; the export: 0 pageable, …, 7 unknown.
report::Id memoryKind(std::uint32_t cupti);

class GpuRows {
 public:
  GpuRows(Process& process, report::Writer& writer) : process_(process), writer_(writer) {}

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);

 private:
  std::optional<report::GpuSpan> at(const Chunk& chunk, std::uint32_t aux, std::uint64_t start, std::uint64_t end,
                                    std::uint32_t device, std::uint32_t context, std::uint32_t stream);
  report::Id deviceOf(std::uint32_t context) const;
  void kernel(const Chunk& chunk, const Record& record);
  void copy(const Chunk& chunk, const Record& record);
  void memset(const Chunk& chunk, const Record& record);
  void graph(const Chunk& chunk, const Record& record);
  void sync(const Chunk& chunk, const Record& record);
  void cudaEvent(const Chunk& chunk, const Record& record);

  Process& process_;
  report::Writer& writer_;
};

}  // namespace lanescope::launch
