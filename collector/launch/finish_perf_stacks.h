// SPDX-License-Identifier: Apache-2.0
// The frames of a sample: the kernel's as it walked them, then those of the program by its registers and a copy of its
// stack, by branch records or by frame pointers, whichever the sample has. Private to finish*.cpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collector/launch/finish_python.h"
#include "collector/launch/finish_stacks.h"
#include "collector/launch/perf_records.h"

namespace lanescope::launch {

class PerfStacks {
 public:
  /// `python`: whose frames join them; may be null.
  PerfStacks(StackNames& names, PythonRecording* python) : names_(names), python_(python) {}

  void write(report::Id id, const PerfSample& sample, const unwind::AddressSpace& space, std::uint32_t thread,
             trace::Ns time);

 private:
  std::span<const unwind::Frame> framesOf(const PerfSample& sample, const unwind::AddressSpace& space, trace::Ns time);
  void addChain(const PerfSample& sample, bool ofKernel);
  void addBranches(const PerfSample& sample);
  std::size_t addUnwound(const PerfSample& sample, const unwind::AddressSpace& space, trace::Ns time);

  StackNames& names_;
  PythonRecording* python_;
  bool isComplete_ = false;  ///< the frames of the last one
  std::vector<unwind::Frame> frames_;
  std::vector<std::byte> stack_;
};

}  // namespace lanescope::launch
