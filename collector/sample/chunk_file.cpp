// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/chunk_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "collector/wire/checksum.h"

namespace lanescope::sample {

std::uint64_t readClock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool ChunkFile::create(const std::string& path) {
  file_ = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  return file_ >= 0;
}

ChunkFile::~ChunkFile() {
  if (file_ >= 0) close(file_);
}

void ChunkFile::add(wire::ChunkType type, std::string_view records, std::uint32_t slot) {
  wire::ChunkHeader header;
  header.type = type;
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.slot = slot;
  header.time = readClock(CLOCK_MONOTONIC);
  header.crc = wire::crcOf(header, records.data());
  pending_.append(reinterpret_cast<const char*>(&header), sizeof header).append(records);
  pendingRecords_ += records.size();
}

bool ChunkFile::write() {
  struct stat before{};
  const bool isKnown = fstat(file_, &before) == 0;
  std::string_view left = pending_;
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  const bool isWhole = left.empty();
  // A torn chunk is no use to anyone, and its room may take the next, smaller one.
  if (!isWhole && isKnown && ftruncate(file_, before.st_size) != 0) errno = 0;
  if (!isWhole) unwritten_ += pendingRecords_;
  pending_.clear();
  pendingRecords_ = 0;
  return isWhole;
}

}  // namespace lanescope::sample
