// SPDX-License-Identifier: Apache-2.0
// CPU samples that timers in the program took, where the kernel gave none away: rows as those of finish_perf.h has them.
// Private to finish*.cpp.
#pragma once

#include <cstddef>
#include <vector>

#include "collector/launch/finish_process.h"
#include "collector/launch/finish_stacks.h"

namespace lanescope::launch {

class CpuTimerRows {
 public:
  /// `samples`: of all processes so far.
  CpuTimerRows(Process& process, report::Writer& writer, StackNames& names, report::Id& samples);

  /// False if the record is none of these.
  bool take(const Record& record);

 private:
  Process& process_;
  report::Writer& writer_;
  StackNames& names_;
  report::Id& samples_;
  unwind::AddressSpace space_;
  std::vector<unwind::Frame> frames_;
  std::vector<std::byte> stack_;
};

}  // namespace lanescope::launch
