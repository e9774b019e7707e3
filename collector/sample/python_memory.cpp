// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_memory.h"

#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace lanescope::sample {

bool ProcessMemory::readDirect(void* self, python::Address from, void* to, std::size_t bytes) {
  auto& memory = *static_cast<ProcessMemory*>(self);
  const iovec local{to, bytes};
  const iovec remote{reinterpret_cast<void*>(from), bytes};  // NOLINT(performance-no-int-to-ptr): not ours
  const ssize_t count = process_vm_readv(memory.process_, &local, 1, &remote, 1, 0);
  if (count < 0 && errno != EFAULT) memory.refusal_ = errno;
  return count == static_cast<ssize_t>(bytes);
}

bool ProcessMemory::readRepeated(void* self, python::Address from, void* to, std::size_t bytes) {
  auto& memory = *static_cast<ProcessMemory*>(self);
  if (memory.asked_.size() < kMostBlocks) memory.asked_.push_back({from, static_cast<std::uint32_t>(bytes)});
  const auto after = std::upper_bound(memory.blocks_.begin(), memory.blocks_.end(), from,
                                      [](python::Address at, const Block& block) { return at < block.from; });
  if (after != memory.blocks_.begin() && from + bytes <= after[-1].end()) {
    std::memcpy(to, memory.held_.data() + after[-1].at + (from - after[-1].from), bytes);
    return true;
  }
  return readDirect(self, from, to, bytes);
}

void ProcessMemory::beginRound() {
  refusal_ = 0;
  blocks_.clear();
  std::sort(asked_.begin(), asked_.end(), [](const Block& a, const Block& b) { return a.from < b.from; });
  // Each piece costs as much as some hundred bytes: what lies near each other becomes one.
  constexpr std::uint32_t kNear = 256, kMostAtOnce = 16u << 10;
  for (const Block& block : asked_) {
    if (blocks_.empty() || block.from > blocks_.back().end() + kNear || blocks_.back().bytes > kMostAtOnce) {
      blocks_.push_back(block);
    } else if (block.end() > blocks_.back().end()) {
      blocks_.back().bytes = static_cast<std::uint32_t>(block.end() - blocks_.back().from);
    }
  }
  std::uint32_t at = 0;
  for (Block& block : blocks_) {
    block.at = at;
    at += block.bytes;
  }
  asked_.clear();
  if (held_.size() < at) held_.resize(at);
  readAgain();
}

void ProcessMemory::readAgain() {
  constexpr std::size_t kAtOnce = 1024;  // IOV_MAX
  iovec remote[kAtOnce];
  for (std::size_t i = 0; i < blocks_.size();) {
    const std::size_t count = std::min(kAtOnce, blocks_.size() - i);
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const Block& block = blocks_[i + k];
      remote[k] = {reinterpret_cast<void*>(block.from), block.bytes};  // NOLINT(performance-no-int-to-ptr): not ours
      bytes += block.bytes;
    }
    const iovec local{held_.data() + blocks_[i].at, bytes};
    const ssize_t read = process_vm_readv(process_, &local, 1, remote, count, 0);
    if (read != static_cast<ssize_t>(bytes)) {
      // It stops at the first that is gone. From there on they are read when they are asked for.
      const std::size_t good = blocks_[i].at + static_cast<std::size_t>(std::max<ssize_t>(read, 0));
      while (!blocks_.empty() && blocks_.back().at + blocks_.back().bytes > good) blocks_.pop_back();
      return;
    }
    i += count;
  }
}

}  // namespace lanescope::sample
