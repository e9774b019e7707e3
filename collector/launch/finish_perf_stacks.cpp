// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_perf_stacks.h"

#include <array>
#include <cstring>

namespace lanescope::launch {

using unwind::Frame;
using unwind::Method;

namespace {

constexpr std::size_t kMostFrames = 1024;
// ENUM_STACK_UNWIND_METHOD, of what the unwinder knows nothing about.
constexpr auto kKernel = static_cast<Method>(5), kBranches = static_cast<Method>(8);

constexpr std::size_t kMarks = 2;  ///< of the kernel's part of a chain and of the program's

/// Marks in a chain that tell whose addresses follow, as PERF_CONTEXT_MAX and above are.
bool isMark(std::uint64_t address) { return address >= static_cast<std::uint64_t>(PERF_CONTEXT_MAX); }

}  // namespace

void PerfStacks::addChain(const PerfSample& sample, bool ofKernel) {
  std::uint64_t whose = 0;
  bool isFirst = true;
  for (std::size_t i = 0; i < sample.chain.size() && frames_.size() < kMostFrames; ++i) {
    const std::uint64_t address = sample.chain[i];
    if (isMark(address)) {
      whose = address;
      isFirst = true;
      continue;
    }
    const bool isWanted =
        whose == static_cast<std::uint64_t>(ofKernel ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER) && address != 0;
    if (isWanted) frames_.push_back({address, isFirst, ofKernel ? kKernel : Method::kFramePointer});
    isFirst = false;
  }
}

void PerfStacks::addBranches(const PerfSample& sample) {
  constexpr std::size_t kEach = 3;
  for (std::size_t i = 0; i + kEach <= sample.branches.size() && frames_.size() < kMostFrames; i += kEach) {
    if (const std::uint64_t from = sample.branches[i]; from != 0) frames_.push_back({from, true, kBranches});
  }
}

std::size_t PerfStacks::addUnwound(const PerfSample& sample, const unwind::AddressSpace& space, trace::Ns time) {
  enum { kBx, kBp, kSp, kIp, kR12, kR13, kR14, kR15 };  // wire::kPerfRegisters
  const PerfNumbers& from = sample.registers;
  const unwind::Registers registers{.ip = from[kIp],
                                    .sp = from[kSp],
                                    .bp = from[kBp],
                                    .bx = from[kBx],
                                    .r12 = from[kR12],
                                    .r13 = from[kR13],
                                    .r14 = from[kR14],
                                    .r15 = from[kR15]};
  stack_.resize(sample.stack.size());  // aligned, which the record is not
  if (!stack_.empty()) std::memcpy(stack_.data(), sample.stack.data(), stack_.size());
  const std::size_t before = frames_.size();
  frames_.resize(kMostFrames);
  const unwind::Walk walk =
      names_.unwinder().unwind(space, registers, stack_, time, std::span(frames_).subspan(before));
  frames_.resize(before + walk.frames);
  isComplete_ = walk.end == unwind::End::kComplete;
  return walk.frames;
}

std::span<const Frame> PerfStacks::framesOf(const PerfSample& sample, const unwind::AddressSpace& space,
                                            trace::Ns time) {
  frames_.clear();
  isComplete_ = false;
  if (sample.inKernel) addChain(sample, true);
  const std::size_t ofKernel = frames_.size();
  if (sample.registers.size() > 0) {
    // Frame pointers that are none lead to nonsense: they are taken only where nothing else finds a caller.
    if (addUnwound(sample, space, time) > 1 || isComplete_ || sample.chain.size() <= ofKernel + kMarks) return frames_;
    frames_.resize(ofKernel);
  }
  if (sample.branches.size() > 0) {
    if (!sample.inKernel) frames_.push_back({sample.ip, true, kBranches});
    addBranches(sample);
  } else {
    addChain(sample, false);
  }
  if (frames_.empty()) frames_.push_back({sample.ip, true, Method::kNone});
  return frames_;
}

void PerfStacks::write(report::Id id, const PerfSample& sample, const unwind::AddressSpace& space, std::uint32_t thread,
                       trace::Ns time) {
  const std::span<const Frame> frames = framesOf(sample, space, time);
  const auto python = python_ ? python_->near(thread, time) : std::span<const wire::PythonFrame>();
  if (python.empty()) return names_.write<report::SampleFrameRow>(id, space, frames, time);
  names_.writeJoined<report::SampleFrameRow>(id, space, frames, isComplete_, time, python, python_->codes());
}

}  // namespace lanescope::launch
