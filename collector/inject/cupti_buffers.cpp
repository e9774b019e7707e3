// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cupti_buffers.h"

#include "collector/inject/memory.h"

namespace lanescope::inject {

void CuptiBuffers::begin(std::size_t bytes, int prepared) {
  bytes_ = bytes;
  const std::size_t most = kMostBytes / bytes;
  most_ = most < kSlots ? static_cast<int>(most) : kSlots;
  for (int i = 0; i < prepared; ++i) {
    std::uint8_t* buffer = make();
    if (buffer == nullptr) return;
    for (std::size_t page = 0; page < bytes; page += 4096) buffer[page] = 0;  // not inside the program's calls later
    giveBack(buffer);
  }
}

std::uint8_t* CuptiBuffers::make() {
  if (made_.fetch_add(1, std::memory_order_relaxed) < most_) {
    if (void* pages = mapPages(bytes_)) return static_cast<std::uint8_t*>(pages);
  }
  made_.fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

std::uint8_t* CuptiBuffers::take() {
  for (int i = 0; i < kSlots; ++i) {
    if (free_[i].load(std::memory_order_relaxed) == nullptr) continue;
    if (std::uint8_t* buffer = free_[i].exchange(nullptr, std::memory_order_acquire)) return buffer;
  }
  return make();
}

void CuptiBuffers::giveBack(std::uint8_t* buffer) {
  for (int i = 0; i < kSlots; ++i) {
    std::uint8_t* none = nullptr;
    if (free_[i].load(std::memory_order_relaxed) != nullptr) continue;
    if (free_[i].compare_exchange_strong(none, buffer, std::memory_order_release)) return;
  }
}

}  // namespace lanescope::inject
