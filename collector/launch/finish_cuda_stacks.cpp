// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_cuda_stacks.h"

#include <algorithm>
#include <cstring>

#include "collector/wire/checksum.h"

namespace lanescope::launch {
namespace {

constexpr std::size_t kMostFrames = 256;

/// Of the recorder, and of CUPTI, which called it.
bool isRecorder(const unwind::Mapping* mapping) {
  if (isOurs(mapping)) return true;
  return mapping != nullptr && mapping->path.find("/libcupti.so") != std::string::npos;
}

}  // namespace

CudaStacks::CudaStacks(Process& process, report::Writer& writer, StackNames& names, report::Id& count)
    : names_(names), codes_(process, writer), count_(count), space_(loadedInto(process)) {}

void CudaStacks::unwind(const Record& copy, trace::Ns time) {
  const auto from = copy.as<wire::StackCopy>();
  const std::string_view bytes = copy.behind<wire::StackCopy>();
  const unwind::Registers registers{from.ip, from.sp, from.bp, from.bx, from.r12, from.r13, from.r14, from.r15};
  frames_.resize(kMostFrames);
  const auto [count, end] = names_.unwinder().unwind(space_, registers, std::as_bytes(std::span(bytes)), time, frames_);
  frames_.resize(count);
  isComplete_ = end == unwind::End::kComplete;
  const auto first = std::find_if(frames_.begin(), frames_.end(), [&](const unwind::Frame& frame) {
    return !isRecorder(space_.at(frame.lookup(), time));
  });
  frames_.erase(frames_.begin(), first);
}

report::OptionalId CudaStacks::write(const std::vector<wire::PythonFrame>& python, const Record* copy, trace::Ns time) {
  frames_.clear();
  isComplete_ = false;
  if (copy != nullptr) unwind(*copy, time);
  if (frames_.empty() && python.empty()) return std::nullopt;
  std::vector<std::uint64_t> all{isComplete_};
  for (const unwind::Frame& frame : frames_) all.push_back(frame.address);
  for (const wire::PythonFrame& frame : python) {
    all.push_back(frame.code);
    all.push_back(std::uint64_t{frame.entry} << 32 | frame.line);
  }
  const std::uint64_t hash =
      wire::hash64(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(std::uint64_t));
  const auto [known, isNew] = known_.try_emplace(hash, count_ + 1);
  if (!isNew) return known->second;
  ++count_;
  names_.writeJoined<report::CudaFrameRow>(count_, space_, frames_, isComplete_, time, python, codes_);
  return count_;
}

}  // namespace lanescope::launch
