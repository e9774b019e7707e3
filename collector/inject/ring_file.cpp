// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/ring_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "collector/inject/file_limit.h"
#include "collector/inject/memory.h"

namespace lanescope::inject {
namespace {

constexpr std::size_t kFileBytes = wire::kRingStride * wire::kRingSlots;
constexpr std::uint64_t kFirstPiece = 64u << 10;

}  // namespace

bool RingFile::create(const char* path, ThreadRing::Wake wake, ThreadRing::MakeRoom makeRoom) {
  if (std::strlen(path) >= sizeof path_) return false;
  descriptor_ = moveUp(open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (descriptor_ < 0) return false;
  wake_ = wake;
  makeRoom_ = makeRoom;
  void* pages = MAP_FAILED;
  FileLimitKept limit;
  if (ftruncate(descriptor_, kFileBytes) != 0) {
    limit.sawError(errno);
  } else {
    pages = mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor_, 0);
  }
  if (pages == MAP_FAILED) {
    close(descriptor_);
    unlink(path);
    descriptor_ = -1;
    return false;
  }
  std::memcpy(path_, path, std::strlen(path) + 1);
  identity_ = FileIdentity::of(descriptor_);
  madvise(pages, kFileBytes, MADV_DONTFORK);
  madvise(pages, kFileBytes, MADV_NOHUGEPAGE);
  base_ = static_cast<char*>(pages);
  return true;
}

bool RingFile::createInMemory(ThreadRing::Wake wake, ThreadRing::MakeRoom makeRoom) {
  wake_ = wake;
  makeRoom_ = makeRoom;
  void* pages = mmap(nullptr, kFileBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return false;
  madvise(pages, kFileBytes, MADV_DONTFORK);
  madvise(pages, kFileBytes, MADV_NOHUGEPAGE);
  base_ = static_cast<char*>(pages);
  return true;
}

void RingFile::abandon() {
  if (descriptor_ >= 0 && FileIdentity::of(descriptor_) == identity_) close(descriptor_);
  descriptor_ = -1;
  base_ = nullptr;
}

bool RingFile::allocate(std::uint64_t from, std::uint64_t bytes) {
  if (path_[0] == 0) return true;
  const Hold hold(reopening_);
  if (!(FileIdentity::of(descriptor_) == identity_)) {  // the program closed it, and may use the number for its own
    descriptor_ = moveUp(open(path_, O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!(FileIdentity::of(descriptor_) == identity_)) {
      if (descriptor_ >= 0) close(descriptor_);
      descriptor_ = -1;
      return false;
    }
  }
  FileLimitKept limit;
  int result;
  do {
    result = fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  limit.sawError(result != 0 ? errno : 0);
  // A file system that cannot promise room (NFS) gets pages on first touch, as any mapping does.
  return result == 0 || errno == EOPNOTSUPP;
}

bool RingFile::back(void* file, std::uint32_t slot, std::uint64_t bytes) {
  const int before = errno;
  const bool backed = static_cast<RingFile*>(file)->allocate(slot * wire::kRingStride + wire::kRingHeaderBytes, bytes);
  errno = before;
  return backed;
}

std::uint32_t RingFile::claimSlot() {
  const std::uint32_t used = usedSlots();
  const std::uint32_t freed = freed_.load(std::memory_order_acquire);
  if (used == wire::kRingSlots && fullAt_.load(std::memory_order_relaxed) == freed) return wire::kRingSlots;
  for (std::uint32_t slot = 0; slot < used; ++slot) {
    std::uint32_t expected = kFree;
    if (states_[slot].compare_exchange_strong(expected, kClaiming, std::memory_order_acq_rel)) return slot;
  }
  for (;;) {  // claimed by exchange as well: another thread may find the fresh slot in its search
    if (usedSlots() == wire::kRingSlots) break;
    const std::uint32_t slot = used_.fetch_add(1, std::memory_order_acq_rel);
    if (slot >= wire::kRingSlots) break;
    std::uint32_t expected = kFree;
    if (states_[slot].compare_exchange_strong(expected, kClaiming, std::memory_order_acq_rel)) return slot;
  }
  fullAt_.store(freed, std::memory_order_relaxed);
  return wire::kRingSlots;
}

ThreadRing* RingFile::prepare(std::uint32_t slot, std::uint32_t tid) {
  ThreadRing* ring = rings_[slot].load(std::memory_order_acquire);
  if (ring == nullptr) {
    if (!allocate(slot * wire::kRingStride, wire::kRingHeaderBytes + kFirstPiece)) return nullptr;
    ring = static_cast<ThreadRing*>(mapPages(sizeof(ThreadRing)));
    if (ring == nullptr) return nullptr;
    ring->backed = kFirstPiece;
    rings_[slot].store(ring, std::memory_order_release);
  } else {
    std::memset(ring->seen, 0, sizeof ring->seen);
    std::memset(ring->depth, 0, sizeof ring->depth);
  }
  wire::RingHeader* header = headerOf(slot);
  ring->header = header;
  ring->bytes = reinterpret_cast<char*>(header) + wire::kRingHeaderBytes;
  ring->back = back;
  ring->file = this;
  ring->wake = wake_;
  ring->makeRoom = makeRoom_;
  ring->slot = slot;
  ring->writing = 0;
  ring->knownTail = __atomic_load_n(&header->tail, __ATOMIC_ACQUIRE);
  ring->lastWake = header->head;
  ring->gaveUpAt = ~0ull;
  __atomic_store_n(&header->tid, tid, __ATOMIC_RELAXED);
  mark(*header, wire::RingState::kLive);
  __atomic_store_n(&header->magic, wire::kRingMagic, __ATOMIC_RELEASE);
  return ring;
}

ThreadRing* RingFile::claim(std::uint32_t tid) {
  if (base_ == nullptr) return nullptr;
  const std::uint32_t slot = claimSlot();
  if (slot == wire::kRingSlots) return nullptr;
  ThreadRing* ring = prepare(slot, tid);
  states_[slot].store(ring != nullptr ? kLive : kFree, std::memory_order_release);
  return ring;
}

void RingFile::leave(ThreadRing* ring) {
  mark(*ring->header, wire::RingState::kThreadGone);
  states_[ring->slot].store(kGone, std::memory_order_release);
}

std::uint64_t RingFile::dropped() const {
  return sumOver([](const wire::RingHeader& ring) { return __atomic_load_n(&ring.dropped, __ATOMIC_RELAXED); });
}

std::uint64_t RingFile::waiting() const {
  return sumOver([](const wire::RingHeader& ring) {
    const std::uint64_t tail = __atomic_load_n(&ring.tail, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&ring.head, __ATOMIC_ACQUIRE) - tail;
  });
}

}  // namespace lanescope::inject
