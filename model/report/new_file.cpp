// SPDX-License-Identifier: Apache-2.0
#include "model/report/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace lanescope::report {

namespace fs = std::filesystem;

namespace {

/// rename() that may refuse to overwrite; file systems that cannot do both at once get a check before.
int rename(const fs::path& from, const fs::path& to, IfExists ifExists) {
  if (ifExists == IfExists::kReplace) return std::rename(from.c_str(), to.c_str());
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  std::error_code ignored;
  if (fs::exists(to, ignored)) return errno = EEXIST, -1;
  return std::rename(from.c_str(), to.c_str());
}

/// Where links lead, one that leads nowhere yet too.
fs::path linkTarget(fs::path path) {
  constexpr int kMostLinks = 40;  // as Linux has it
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

}  // namespace

std::string_view streamKind(const fs::path& destination) {
  std::error_code ignored;
  switch (fs::status(destination, ignored).type()) {
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::character:
    case fs::file_type::block:
      return "a device";
    case fs::file_type::socket:
      return "a socket";
    default:
      return {};
  }
}

Result<void> checkPlace(const fs::path& destination) {
  std::error_code error;
  const fs::file_type type = fs::status(destination, error).type();
  if (type == fs::file_type::none) return tl::unexpected(writeError(destination, error.value()));  // links in a circle
  if (type == fs::file_type::directory) return tl::unexpected(Error{ErrorCode::kIsFolder, destination.string(), ""});
  const std::string_view kind = streamKind(destination);
  if (kind.empty()) return {};
  return tl::unexpected(
      Error{ErrorCode::kWriteFailed, destination.string(), fmt::format("{} where a file is wanted", kind)});
}

Result<fs::path> createBeside(const fs::path& destination, IfExists ifExists) {
  std::error_code ignored;
  if (const auto good = checkPlace(destination); !good) return tl::unexpected(good.error());
  if (ifExists == IfExists::kRefuse && fs::exists(fs::symlink_status(destination, ignored))) {
    return tl::unexpected(writeError(destination, EEXIST));
  }
  const std::string stem =
      fs::absolute(linkTarget(destination), ignored).string() + ".partial-" + std::to_string(getpid());
  for (int attempt = 0;; ++attempt) {
    const std::string name = stem + "-" + std::to_string(attempt);
    const int file = open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return fs::path(name);
    }
    if (errno != EEXIST) return tl::unexpected(writeError(destination, errno));
  }
}

Result<void> moveIntoPlace(const fs::path& temporary, const fs::path& destination, IfExists ifExists) {
  const int file = open(temporary.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = file >= 0 && fsync(file) == 0;
  const int flushError = errno;
  if (file >= 0) close(file);
  if (!flushed) return tl::unexpected(writeError(destination, flushError));
  if (const auto good = checkPlace(destination); !good) return good;
  if (rename(temporary, linkTarget(destination), ifExists) != 0) return tl::unexpected(writeError(destination, errno));
  return {};
}

}  // namespace lanescope::report
