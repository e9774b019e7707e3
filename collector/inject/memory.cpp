// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/memory.h"

#include <sys/mman.h>

#include <atomic>

namespace lanescope::inject {
namespace {

std::atomic<char*> kept{nullptr};
std::atomic<std::size_t> keptUsed{0};

char* keptBase() {
  char* base = kept.load(std::memory_order_acquire);
  if (base != nullptr) return base;
  void* fresh = mmap(nullptr, kKeptBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED) return nullptr;
  if (kept.compare_exchange_strong(base, static_cast<char*>(fresh), std::memory_order_acq_rel)) {
    return static_cast<char*>(fresh);
  }
  munmap(fresh, kKeptBytes);
  return base;
}

}  // namespace

void* mapPages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

void unmapPages(void* pages, std::size_t bytes) { munmap(pages, bytes); }

void* keep(std::size_t bytes) {
  if (bytes > kKeptBytes) return nullptr;
  bytes = (bytes + 15) & ~std::size_t{15};
  char* base = keptBase();
  if (base == nullptr) return nullptr;
  std::size_t used = keptUsed.load(std::memory_order_relaxed);
  do {
    if (bytes > kKeptBytes - used) return nullptr;
  } while (!keptUsed.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  return base + used;
}

}  // namespace lanescope::inject
