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
  const auto known = memory.byAddress_.find(from);
  if (known != memory.byAddress_.end() && memory.blocks_[known->second].bytes >= bytes) {
    std::memcpy(to, memory.held_.data() + memory.blocks_[known->second].at, bytes);
    return true;
  }
  return readDirect(self, from, to, bytes);
}

void ProcessMemory::beginRound() {
  refusal_ = 0;
  blocks_.clear();
  byAddress_.clear();
  std::uint32_t at = 0;
  for (Block block : asked_) {
    const auto [place, isNew] = byAddress_.try_emplace(block.from, static_cast<std::uint32_t>(blocks_.size()));
    if (!isNew) continue;
    block.at = at;
    at += block.bytes;
    blocks_.push_back(block);
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
      while (!blocks_.empty() && blocks_.back().at + blocks_.back().bytes > good) {
        byAddress_.erase(blocks_.back().from);
        blocks_.pop_back();
      }
      return;
    }
    i += count;
  }
}

}  // namespace lanescope::sample
