// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace lanescope::launch {
namespace {

Error cannotRead(const std::filesystem::path& path, int systemError) {
  if (systemError == ENOENT) return {ErrorCode::kNotFound, path.string(), {}};
  if (systemError == EACCES || systemError == EPERM) return {ErrorCode::kNoPermission, path.string(), {}};
  return {ErrorCode::kUnreadable, path.string(), std::strerror(systemError)};
}

}  // namespace

Result<InputFile> InputFile::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return tl::unexpected(cannotRead(path, errno));
  struct stat found{};
  InputFile file(descriptor, 0);
  if (fstat(descriptor, &found) != 0) return tl::unexpected(cannotRead(path, errno));
  if (!S_ISREG(found.st_mode)) return tl::unexpected(Error{ErrorCode::kUnreadable, path.string(), "not a file"});
  file.size_ = static_cast<std::uint64_t>(found.st_size);
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::size_t InputFile::read(std::uint64_t at, char* into, std::size_t count) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = pread(descriptor_, into + done, count - done, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace lanescope::launch
