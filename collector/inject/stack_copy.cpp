// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/stack_copy.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace lanescope::inject {
namespace {

constexpr std::uint32_t kMostBytes = 60u << 10;  // of a record

}  // namespace

std::uint32_t readMemory(std::uint64_t from, char* to, std::uint32_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  iovec pages[kMostBytes / kPage + 2];
  std::uint32_t count = 0;
  for (std::uint64_t at = from; at < from + bytes; ++count) {
    const std::uint64_t next = std::min(from + bytes, (at / kPage + 1) * kPage);
    pages[count] = {reinterpret_cast<void*>(at), next - at};
    at = next;
  }
  const iovec target{to, bytes};
  const long got = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &target, 1, pages, count, 0);
  return got > 0 ? static_cast<std::uint32_t>(got) : 0;
}

void appendStack(ThreadRing& ring, const wire::StackCopy& here, std::uint32_t bytes) {
  if (here.sp == 0) return;
  bytes = std::min(bytes, kMostBytes) & ~7u;
  char* at = ring.reserve(sizeof(wire::StackCopy) + bytes);
  if (at == nullptr) return;
  const std::uint32_t got = readMemory(here.sp, at + sizeof(wire::StackCopy), bytes) & ~7u;
  const auto size = static_cast<std::uint32_t>(sizeof(wire::StackCopy)) + got;
  wire::StackCopy record = here;
  record.header = {wire::RecordType::kStackCopy, static_cast<std::uint16_t>(size), got};
  std::memcpy(at, &record, sizeof record);
  ring.commit(size);
}

}  // namespace lanescope::inject
