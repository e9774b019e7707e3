// SPDX-License-Identifier: Apache-2.0
// Stacks of CUDA calls as rows of CUDA_CALLCHAINS, each different one once: the native one from a copy, Python's frames
// in it or alone. Private to finish*.cpp.
#pragma once

#include <unordered_map>
#include <vector>

#include "collector/launch/finish_stacks.h"

namespace lanescope::launch {

class CudaStacks {
 public:
  /// `count`: those written of all processes.
  CudaStacks(Process& process, report::Writer& writer, StackNames& names, report::Id& count);

  /// Its id; none if there was nothing in it. `copy`: a StackCopy record, may be null.
  report::OptionalId write(const std::vector<wire::PythonFrame>& python, const Record* copy, trace::Ns time);

 private:
  void unwind(const Record& copy, trace::Ns time);

  StackNames& names_;
  PythonCodes codes_;
  report::Id& count_;
  unwind::AddressSpace space_;
  std::vector<unwind::Frame> frames_;
  bool isComplete_ = false;
  std::unordered_map<std::uint64_t, report::Id> known_;  ///< by a hash of all that is in it
};

}  // namespace lanescope::launch
