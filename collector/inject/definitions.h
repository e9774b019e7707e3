// SPDX-License-Identifier: Apache-2.0
// What gives names to what events refer to: domains, categories, schemas. Recorded whether or not a capture is on, and
// kept (256 KiB at most), because a forked child that has inherited the handles must name them in its own stream.
#pragma once

#include <cstdint>

#include "collector/inject/text.h"

namespace lanescope::inject {

/// A definition under construction: texts before the records that name them. For one thread, on its stack.
class Definition {
 public:
  std::uint64_t text(const Text& text);
  template <class Record>
  void record(Record record, wire::RecordType type, std::uint32_t aux) {
    record.header = {type, sizeof(Record), aux};
    add(&record, sizeof record);
  }
  /// To the ring of this thread, and kept for children.
  void finish();

 private:
  void add(const void* bytes, std::uint32_t count);

  static constexpr std::uint32_t kMost = 12u << 10;
  std::uint32_t used_ = 0;
  alignas(8) char bytes_[kMost];
};

void defineName(wire::RecordType type, std::uint32_t aux, std::uint64_t key, const Text& text);

/// All definitions so far, into the ring of this thread.
void repeatDefinitions();

}  // namespace lanescope::inject
