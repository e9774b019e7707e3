// SPDX-License-Identifier: Apache-2.0
// The rings of a process: a sparse file in a memory file system, one slot a thread. Threads claim and leave slots without
// a lock; the writer empties them one caller at a time. A slot is given to the next thread once it is empty.
// Memory: 1 MiB + 4 KiB a slot as it is used, 512 slots at most, and 30 KiB beside each. A forked child does not see it.
#pragma once

#include <atomic>
#include <cstdint>

#include "collector/inject/descriptor.h"
#include "collector/inject/futex.h"
#include "collector/inject/ring.h"

namespace lanescope::inject {

class RingFile {
 public:
  /// Makes the file; it must not exist. False, and nothing left behind, if the place has no room for it.
  bool create(const char* path, ThreadRing::Wake wake, ThreadRing::MakeRoom makeRoom = nullptr);
  /// The same without a file: what is in the rings dies with the process.
  bool createInMemory(ThreadRing::Wake wake, ThreadRing::MakeRoom makeRoom = nullptr);
  /// In a forked child, which has no mapping of it: lets go of the parent's file.
  void abandon();

  /// A ring for a thread; null when all slots are taken or memory is short.
  ThreadRing* claim(std::uint32_t tid);
  void leave(ThreadRing* ring);

  /// Takes what is there out of every ring: `take` gets contiguous bytes and says whether they are safe; what it refuses
  /// stays in the ring. One thread at a time.
  struct Piece {
    const char* bytes;
    std::uint32_t count;
    std::uint64_t offset;
    std::uint32_t tid, slot;
  };
  template <class Take>
  bool drain(Take&& take) {
    bool all = true;
    const std::uint32_t used = usedSlots();
    for (std::uint32_t slot = 0; slot < used; ++slot) all = drainSlot(slot, take) && all;
    return all;
  }

  template <class Take>
  bool drainOnly(std::uint32_t slot, Take&& take) {
    return drainSlot(slot, take);
  }

  /// Of threads that live: their slot and tid.
  template <class Visit>
  void forEachLive(Visit&& visit) const {
    const std::uint32_t used = usedSlots();
    for (std::uint32_t slot = 0; slot < used; ++slot) {
      if (states_[slot].load(std::memory_order_acquire) != kLive) continue;
      visit(slot, __atomic_load_n(&headerOf(slot)->tid, __ATOMIC_RELAXED));
    }
  }

  // Over all slots:
  std::uint64_t dropped() const;  ///< records that found no room
  std::uint64_t waiting() const;  ///< bytes that were not taken out yet

 private:
  enum State : std::uint32_t { kFree, kClaiming, kLive, kGone };

  std::uint32_t usedSlots() const {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    return used < wire::kRingSlots ? used : wire::kRingSlots;
  }
  wire::RingHeader* headerOf(std::uint32_t slot) const {
    return reinterpret_cast<wire::RingHeader*>(base_ + slot * wire::kRingStride);
  }
  /// For whoever reads the file; the slots themselves go by `states_`.
  static void mark(wire::RingHeader& header, wire::RingState state) {
    std::atomic_ref(header.state).store(state, std::memory_order_relaxed);
  }
  template <class Count>
  std::uint64_t sumOver(Count&& count) const {
    std::uint64_t sum = 0;
    const std::uint32_t used = usedSlots();
    for (std::uint32_t slot = 0; slot < used; ++slot) {
      if (rings_[slot].load(std::memory_order_acquire) != nullptr)
        sum += count(*headerOf(slot));  // else not backed yet
    }
    return sum;
  }
  static bool back(void* file, std::uint32_t slot, std::uint64_t bytes);
  bool allocate(std::uint64_t from, std::uint64_t bytes);
  std::uint32_t claimSlot();
  ThreadRing* prepare(std::uint32_t slot, std::uint32_t tid);

  template <class Take>
  bool drainSlot(std::uint32_t slot, Take&& take) {
    const std::uint32_t state = states_[slot].load(std::memory_order_acquire);  // before the head: a gone ring is still
    if (state != kLive && state != kGone) return true;
    wire::RingHeader* header = headerOf(slot);
    const std::uint64_t head = __atomic_load_n(&header->head, __ATOMIC_ACQUIRE);
    std::uint64_t tail = header->tail;
    while (tail < head) {
      const std::uint64_t at = tail % wire::kRingBytes;
      const std::uint64_t rest = wire::kRingBytes - at;
      const auto count = static_cast<std::uint32_t>(head - tail < rest ? head - tail : rest);
      const Piece piece{base_ + slot * wire::kRingStride + wire::kRingHeaderBytes + at, count, tail,
                        __atomic_load_n(&header->tid, __ATOMIC_RELAXED), slot};
      if (!take(piece)) return false;
      tail += count;
      __atomic_store_n(&header->tail, tail, __ATOMIC_RELEASE);
    }
    if (state == kGone) {
      mark(*header, wire::RingState::kFree);
      states_[slot].store(kFree, std::memory_order_release);
      freed_.fetch_add(1, std::memory_order_release);
    }
    return true;
  }

  int descriptor_ = -1;
  FileIdentity identity_;
  char path_[1024] = {};
  Lock reopening_;
  char* base_ = nullptr;
  ThreadRing::Wake wake_ = nullptr;
  ThreadRing::MakeRoom makeRoom_ = nullptr;
  std::atomic<std::uint32_t> used_{0};
  std::atomic<std::uint32_t> freed_{0};
  std::atomic<std::uint32_t> fullAt_{~0u};  ///< `freed_` when a search last found nothing
  std::atomic<std::uint32_t> states_[wire::kRingSlots] = {};
  std::atomic<ThreadRing*> rings_[wire::kRingSlots] = {};  ///< made once a slot
};

}  // namespace lanescope::inject
