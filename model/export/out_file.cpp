// SPDX-License-Identifier: Apache-2.0
#include "model/export/out_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lanescope::exporting {

namespace fs = std::filesystem;

Result<OutFile> OutFile::create(const fs::path& destination, report::IfExists ifExists) {
  OutFile out;
  out.ifExists_ = ifExists;
  if (destination == "-") {
    out.destination_ = "standard output";
    out.file_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  } else {
    out.destination_ = destination;
    if (report::streamKind(destination).empty()) {
      Result<fs::path> temporary = report::createBeside(destination, ifExists);
      if (!temporary) return tl::unexpected(temporary.error());
      out.temporary_ = std::move(*temporary);
    }
    out.file_ = open((out.temporary_.empty() ? destination : out.temporary_).c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  }
  if (out.file_ < 0) return tl::unexpected(writeError(out.destination_, errno));
  return out;
}

OutFile::OutFile(OutFile&& other) noexcept
    : destination_(std::move(other.destination_)),
      temporary_(std::exchange(other.temporary_, {})),
      ifExists_(other.ifExists_),
      text_(std::move(other.text_)),
      file_(std::exchange(other.file_, -1)),
      error_(other.error_) {}

OutFile::~OutFile() {
  if (file_ >= 0) close(file_);
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove(temporary_, ignored);
}

void OutFile::flush() {
  for (std::string_view rest = text_; !rest.empty() && error_ == 0;) {
    const ssize_t written = write(file_, rest.data(), rest.size());
    if (written >= 0) rest.remove_prefix(static_cast<std::size_t>(written));
    else error_ = errno;
  }
  text_.clear();
}

Result<void> OutFile::finish() {
  flush();
  if (error_ == 0 && close(std::exchange(file_, -1)) != 0) error_ = errno;
  if (error_ != 0) return tl::unexpected(writeError(destination_, error_));
  if (temporary_.empty()) return {};
  Result<void> moved = report::moveIntoPlace(temporary_, destination_, ifExists_);
  if (moved) temporary_.clear();
  return moved;
}

}  // namespace lanescope::exporting
