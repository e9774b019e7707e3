// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/definitions.h"

#include <atomic>
#include <cstring>

#include "collector/inject/memory.h"
#include "collector/inject/process.h"

namespace lanescope::inject {
namespace {

struct Kept {
  Kept* older;
  std::uint32_t bytes;
  std::uint32_t reserved;
};
constexpr std::uint32_t kMostKept = 256u << 10;
std::atomic<Kept*> newest{nullptr};
std::atomic<std::uint32_t> keptBytes{0};

const char* recordsOf(const Kept* kept) { return reinterpret_cast<const char*>(kept + 1); }

void copyToRing(ThreadRing& ring, const char* records, std::uint32_t bytes) {
  for (std::uint32_t at = 0; at < bytes;) {
    wire::RecordHeader header;
    std::memcpy(&header, records + at, sizeof header);
    if (char* to = ring.reserve(header.size)) {
      std::memcpy(to, records + at, header.size);
      ring.commit(header.size);
    }
    at += header.size;
  }
}

void keepRecords(const char* records, std::uint32_t bytes) {
  if (keptBytes.fetch_add(bytes, std::memory_order_relaxed) > kMostKept) return;
  auto* kept = static_cast<Kept*>(keep(sizeof(Kept) + bytes));
  if (kept == nullptr) return;
  kept->bytes = bytes;
  std::memcpy(kept + 1, records, bytes);
  kept->older = newest.load(std::memory_order_relaxed);
  while (!newest.compare_exchange_weak(kept->older, kept, std::memory_order_release)) {
  }
}

}  // namespace

void Definition::add(const void* bytes, std::uint32_t count) {
  if (count > kMost - used_) return;
  std::memcpy(bytes_ + used_, bytes, count);
  used_ += count;
}

std::uint64_t Definition::text(const Text& text) {
  if (text.id == 0) return 0;
  const std::uint32_t length = text.length < 4096 ? text.length : 4096;
  const Text shorter = length == text.length ? text : textOf(text.bytes, length);
  const std::uint32_t padded = (length + 7) & ~7u;
  if (sizeof(wire::String) + padded > kMost - used_) return 0;
  wire::String record;
  record.header = {wire::RecordType::kString, static_cast<std::uint16_t>(sizeof record + padded), length};
  record.id = shorter.id;
  add(&record, sizeof record);
  std::memset(bytes_ + used_, 0, padded);
  std::memcpy(bytes_ + used_, shorter.bytes, length);
  used_ += padded;
  return shorter.id;
}

void Definition::finish() {
  if (ThreadRing* ring = threadRing()) copyToRing(*ring, bytes_, used_);
  keepRecords(bytes_, used_);
}

void defineName(wire::RecordType type, std::uint32_t aux, std::uint64_t key, const Text& text) {
  Definition definition;
  wire::Named named;
  named.key = key;
  named.text = definition.text(text);
  definition.record(named, type, aux);
  definition.finish();
}

void repeatDefinitions() {
  Kept* first = newest.load(std::memory_order_acquire);
  std::size_t count = 0;
  for (Kept* kept = first; kept != nullptr; kept = kept->older) ++count;
  if (count == 0) return;
  ThreadRing* ring = hostRing();
  auto** oldestLast = static_cast<Kept**>(mapPages(count * sizeof(Kept*)));
  if (ring == nullptr || oldestLast == nullptr) return;
  std::size_t i = 0;
  for (Kept* kept = first; kept != nullptr; kept = kept->older) oldestLast[i++] = kept;
  while (i-- > 0) copyToRing(*ring, recordsOf(oldestLast[i]), oldestLast[i]->bytes);
  unmapPages(static_cast<void*>(oldestLast), count * sizeof(Kept*));
}

}  // namespace lanescope::inject
