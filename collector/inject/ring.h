// SPDX-License-Identifier: Apache-2.0
// One thread's ring: bytes in shared memory that the thread appends records to and the writer takes out. One producer,
// one consumer, no lock; a record never wraps; a record that finds no room is counted and left out.
// What stands between tail and head survives the process, however it ends. About 10 ns a record.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "collector/wire/records.h"

namespace lanescope::inject {

/// The producer's side. Memory of the ring is asked for in pieces before it is touched, because a touch that the file
/// system cannot back is a SIGBUS in the program.
struct ThreadRing {
  static constexpr std::uint32_t kSeen = 1024;     ///< texts that the thread is known to have defined
  static constexpr std::uint32_t kDepths = 1024;   ///< NVTX domains whose nesting is followed
  static constexpr std::uint32_t kScratch = 16400;  ///< of text under conversion

  using Back = bool (*)(void* file, std::uint32_t slot, std::uint64_t bytes);
  using Wake = void (*)();
  using MakeRoom = bool (*)(ThreadRing& ring);

  wire::RingHeader* header;
  char* bytes;
  Back back;  ///< asks for memory below the first `bytes` of the ring
  void* file;
  Wake wake;          ///< called when the ring is half full
  MakeRoom makeRoom;  ///< called when it is full: may empty it, or wait a moment for the writer; null does neither
  std::uint64_t backed;
  std::uint64_t knownTail, lastWake;
  std::uint64_t gaveUpAt;  ///< where the tail stood when waiting for it was in vain, so that one waits once
  std::uint32_t slot;
  std::uint32_t writing;  ///< a signal handler that interrupts a write finds it and stays out
  std::uint64_t seen[kSeen];
  std::uint32_t depth[kDepths];
  char scratch[kScratch];

  /// Room for a record of so many bytes (a multiple of 8), or null; counted then. Followed by commit of the same.
  char* reserve(std::uint32_t size) {
    if (writing != 0) return lose();
    writing = 1;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    std::uint64_t head = header->head;  // written by this thread only
    std::uint64_t at = head % wire::kRingBytes;
    const std::uint64_t rest = wire::kRingBytes - at;
    const std::uint64_t need = size <= rest ? size : rest + size;
    if (head + need - knownTail > wire::kRingBytes && !findRoom(head + need)) return fail();
    if (backed < wire::kRingBytes && !ensureBacked(size <= rest ? at + size : std::uint64_t{wire::kRingBytes})) {
      return fail();
    }
    if (size > rest) {
      const wire::RecordHeader pad{wire::RecordType::kPad, 0, static_cast<std::uint32_t>(rest)};
      std::memcpy(bytes + at, &pad, sizeof pad);
      __atomic_store_n(&header->head, head + rest, __ATOMIC_RELEASE);
      at = 0;
    }
    return bytes + at;
  }

  void commit(std::uint32_t size) {
    const std::uint64_t head = header->head + size;
    __atomic_store_n(&header->head, head, __ATOMIC_RELEASE);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    writing = 0;
    if (head - knownTail > wire::kRingBytes / 2) wakeIfHalfFull(head);
  }

  /// A record of fixed size.
  template <class Record>
  bool append(Record record, wire::RecordType type, std::uint32_t aux) {
    static_assert(sizeof(Record) % 8 == 0);
    record.header = {type, sizeof(Record), aux};
    char* at = reserve(sizeof(Record));
    if (at == nullptr) return false;
    std::memcpy(at, &record, sizeof record);
    commit(sizeof(Record));
    return true;
  }

  /// A record of fixed size and bytes behind it.
  template <class Record>
  bool append(Record record, wire::RecordType type, const void* tail, std::uint32_t tailBytes) {
    const std::uint32_t size = sizeof(Record) + ((tailBytes + 7) & ~7u);
    record.header = {type, static_cast<std::uint16_t>(size), tailBytes};
    char* at = reserve(size);
    if (at == nullptr) return false;
    std::memcpy(at, &record, sizeof record);
    if (tailBytes > 0) {
      std::memset(at + size - 8, 0, 8);
      std::memcpy(at + sizeof record, tail, tailBytes);
    }
    commit(size);
    return true;
  }

 private:
  char* lose() {
    __atomic_fetch_add(&header->dropped, 1, __ATOMIC_RELAXED);
    return nullptr;
  }
  char* fail() {
    writing = 0;
    return lose();
  }
  bool findRoom(std::uint64_t end) {
    knownTail = __atomic_load_n(&header->tail, __ATOMIC_ACQUIRE);
    if (end - knownTail <= wire::kRingBytes) return true;
    wake();
    if (makeRoom == nullptr || !makeRoom(*this)) return false;
    knownTail = __atomic_load_n(&header->tail, __ATOMIC_ACQUIRE);
    return end - knownTail <= wire::kRingBytes;
  }
  bool ensureBacked(std::uint64_t end) {
    if (end <= backed) return true;
    constexpr std::uint64_t kPiece = 64u << 10;
    const std::uint64_t wanted = (end + kPiece - 1) / kPiece * kPiece;
    if (!back(file, slot, wanted)) return false;
    backed = wanted;
    return true;
  }
  void wakeIfHalfFull(std::uint64_t head) {
    knownTail = __atomic_load_n(&header->tail, __ATOMIC_ACQUIRE);
    if (head - knownTail <= wire::kRingBytes / 2 || head - lastWake <= wire::kRingBytes / 4) return;
    lastWake = head;
    wake();
  }
};

}  // namespace lanescope::inject
