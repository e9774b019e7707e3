// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "model/unique_fd.h"

namespace lanescope::imported {

namespace {

class PlainText : public TextSource {
 public:
  PlainText(std::string subject, UniqueFd file, std::uint64_t size, std::uint64_t from)
      : subject_(std::move(subject)), file_(std::move(file)), size_(size), at_(from) {}

  bool nextDocument(std::string& name) override {
    name.clear();
    return !std::exchange(begun_, true);
  }

  std::size_t read(char* to, std::size_t size) override {
    ssize_t got = 0;
    do got = pread(file_.get(), to, size, static_cast<off_t>(at_));
    while (got < 0 && errno == EINTR);
    if (got < 0) {
      failure_ = Error{ErrorCode::kUnreadable, subject_, std::strerror(errno)};
      return 0;
    }
    at_ += static_cast<std::uint64_t>(got);
    return static_cast<std::size_t>(got);
  }

  const std::optional<Error>& failure() const override { return failure_; }

  double fraction() const override {
    return std::min(1.0, static_cast<double>(at_) / static_cast<double>(std::max<std::uint64_t>(size_, 1)));
  }

 private:
  std::string subject_;
  UniqueFd file_;
  std::uint64_t size_, at_;
  bool begun_ = false;
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<TextSource>> openPlainText(const std::filesystem::path& path, std::uint64_t from) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about = {};
  if (!file || fstat(file.get(), &about) != 0) {
    const ErrorCode code = errno == ENOENT   ? ErrorCode::kNotFound
                           : errno == EACCES ? ErrorCode::kNoPermission
                                             : ErrorCode::kUnreadable;
    return tl::unexpected(
        Error{code, path.string(), code == ErrorCode::kUnreadable ? std::strerror(errno) : std::string()});
  }
  if (S_ISDIR(about.st_mode)) return tl::unexpected(Error{ErrorCode::kIsFolder, path.string(), {}});
  return std::make_unique<PlainText>(path.string(), std::move(file), static_cast<std::uint64_t>(about.st_size), from);
}

TextWindow::More TextWindow::more(std::size_t& at) {
  if (ended_ && at == 0) return More::kEnd;
  const std::size_t rest = size_ - at;
  if (rest >= kMostWindow) return More::kFull;
  // At least half of it is new, so that what is looked at again and again stays in bounds.
  const std::size_t wanted = std::clamp(rest * 2, least_, kMostWindow);
  if (wanted > capacity_) {
    auto larger = std::make_unique_for_overwrite<char[]>(wanted + kSlack);
    if (rest > 0) std::memcpy(larger.get(), buffer_.get() + at, rest);
    buffer_ = std::move(larger);
    capacity_ = wanted;
  } else if (rest > 0) {
    std::memmove(buffer_.get(), buffer_.get() + at, rest);
  }
  base_ += std::exchange(at, 0);
  size_ = rest;
  while (!ended_ && size_ < wanted) {
    const std::size_t got = source_.read(buffer_.get() + size_, wanted - size_);
    ended_ = got == 0;
    size_ += got;
  }
  std::memset(buffer_.get() + size_, ' ', kSlack);
  return size_ > rest ? More::kText : More::kEnd;
}

}  // namespace lanescope::imported
