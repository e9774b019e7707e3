// SPDX-License-Identifier: Apache-2.0
#include "collector/preload/os_descriptor.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "collector/preload/real.h"

namespace lanescope::preload {
namespace {

struct Kept {
  bool isTaken;  ///< by who reads or writes it; who finds that goes without
  std::int64_t descriptor;
  std::uint64_t device, file;
  char text[232];
};
constexpr const char* kShared = "anon_inode:";  // one file for things of many kinds
constexpr std::size_t kKept = 256;
Kept kept[kKept];  // zero: of no file, whose number is never 0

/// Not fstat(), which older C libraries have not.
bool isOf(std::int64_t descriptor, struct stat& found) {
  using Syscall = Word (*)(Word, Word, Word, Word, Word, Word, Word);
  const auto call = std::bit_cast<Syscall>(real(Os::kSyscall));
  return call(SYS_fstat, static_cast<Word>(descriptor), reinterpret_cast<Word>(&found), 0, 0, 0, 0) == 0;
}

}  // namespace

bool DescriptorText::read(std::int64_t descriptor) {
  char path[40] = "/proc/self/fd/";
  constexpr std::size_t kBefore = 14;
  char digits[20];
  std::size_t count = 0;
  auto rest = static_cast<std::uint64_t>(descriptor);
  do digits[count++] = static_cast<char>('0' + rest % 10);
  while ((rest /= 10) != 0);
  for (std::size_t i = 0; i < count; ++i) path[kBefore + i] = digits[count - 1 - i];
  path[kBefore + count] = 0;
  const ssize_t length = readlink(path, bytes_, sizeof bytes_ - 1);
  bytes_[length > 0 ? length : 0] = 0;
  return length > 0;
}

const char* DescriptorText::of(std::int64_t descriptor) {
  struct stat now{};
  if (!isOf(descriptor, now)) return nullptr;
  Kept& place = kept[static_cast<std::uint64_t>(descriptor) % kKept];
  if (__atomic_exchange_n(&place.isTaken, true, __ATOMIC_ACQUIRE)) return read(descriptor) ? bytes_ : nullptr;
  bool known = place.descriptor == descriptor && place.device == now.st_dev && place.file == now.st_ino;
  if (known) {
    std::memcpy(bytes_, place.text, sizeof place.text);
  } else {
    known = read(descriptor);
    if (known && std::strlen(bytes_) < sizeof place.text && std::strncmp(bytes_, kShared, std::strlen(kShared)) != 0) {
      place.descriptor = descriptor, place.device = now.st_dev, place.file = now.st_ino;
      std::memcpy(place.text, bytes_, sizeof place.text);
    }
  }
  __atomic_store_n(&place.isTaken, false, __ATOMIC_RELEASE);
  return known ? bytes_ : nullptr;
}

}  // namespace lanescope::preload
