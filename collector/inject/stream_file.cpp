// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/stream_file.h"

#include <sys/uio.h>
#include <sys/vfs.h>

#include <cerrno>
#include <cstring>

#include "collector/inject/clock.h"
#include "collector/inject/file_limit.h"
#include "collector/wire/checksum.h"
#include "collector/wire/session.h"

namespace lanescope::inject {
namespace {

/// errno, 0 when all was written.
int writeAll(int descriptor, iovec* parts, int count) {
  FileLimitKept limit;
  while (count > 0) {
    const ssize_t written = writev(descriptor, parts, count);
    if (written < 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      limit.sawError(error);
      return error;
    }
    auto left = static_cast<std::size_t>(written);
    while (count > 0 && left >= parts->iov_len) {
      left -= parts->iov_len;
      ++parts;
      --count;
    }
    if (count > 0) {
      parts->iov_base = static_cast<char*>(parts->iov_base) + left;
      parts->iov_len -= left;
    }
  }
  return 0;
}

}  // namespace

bool StreamFile::create(const char* path) {
  if (std::strlen(path) >= sizeof path_) return false;
  descriptor_ = moveUp(open(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (descriptor_ < 0) return false;
  identity_ = FileIdentity::of(descriptor_);
  std::memcpy(path_, path, std::strlen(path) + 1);
  return true;
}

void StreamFile::abandon() {
  if (descriptor_ >= 0 && FileIdentity::of(descriptor_) == identity_) close(descriptor_);
  descriptor_ = -1;
}

bool StreamFile::ensureOurs() {
  if (descriptor_ >= 0 && FileIdentity::of(descriptor_) == identity_) return true;
  descriptor_ = moveUp(open(path_, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
  if (descriptor_ >= 0 && FileIdentity::of(descriptor_) == identity_) return true;
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
  lastError_ = ENOENT;
  return false;
}

bool StreamFile::leavesRoom(std::uint32_t bytes) {
  const std::uint64_t size = size_ + bytes;
  if (size < nextLook_) return true;
  // The launcher may have given the beginning of the file back to the disk.
  struct stat file{};
  const bool known = statOf(descriptor_, file) == 0;
  const std::uint64_t onDisk = known ? static_cast<std::uint64_t>(file.st_blocks) * 512 + bytes : size;
  struct statfs found{};
  const bool leaves = fstatfs(descriptor_, &found) != 0 ||
                      static_cast<std::uint64_t>(found.f_bavail) * static_cast<std::uint64_t>(found.f_bsize) >=
                          bytes + wire::roomForReport(onDisk < size ? onDisk : size);
  nextLook_ = leaves ? size + (1u << 20) : 0;
  return leaves;
}

bool StreamFile::append(wire::ChunkHeader header, const void* records, std::uint32_t bytes) {
  const int before = errno;
  header.bytes = bytes;
  header.time = now();
  header.crc = wire::crcOf(header, records);
  iovec parts[2] = {{&header, sizeof header}, {const_cast<void*>(records), bytes}};
  const Hold hold(lock_);
  bool done = false;
  if (path_[0] != 0 && ensureOurs()) {
    const bool isEvents = header.type == wire::ChunkType::kRing || header.type == wire::ChunkType::kCupti;
    const int error = isEvents && !leavesRoom(bytes) ? ENOSPC : writeAll(descriptor_, parts, bytes > 0 ? 2 : 1);
    if (error == 0) {
      size_ += sizeof header + bytes;
      done = true;
    } else {
      lastError_ = error;
      // A torn chunk is no use to anyone, and its room may take the next, smaller one.
      if (ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) {
        struct stat found{};
        if (statOf(descriptor_, found) == 0) size_ = static_cast<std::uint64_t>(found.st_size);
      }
    }
  }
  failing_.store(!done, std::memory_order_relaxed);
  errno = before;
  return done;
}

}  // namespace lanescope::inject
