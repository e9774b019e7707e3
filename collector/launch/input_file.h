// SPDX-License-Identifier: Apache-2.0
// A file that others wrote, read by position: never mapped, so that one that shrinks meanwhile does no harm. Any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "model/error.h"

namespace lanescope::launch {

/// An open file that is closed with the object; an empty one if it could not be opened.
class InputFile {
 public:
  /// Regular files only: never waits for a pipe, never follows a device.
  static Result<InputFile> open(const std::filesystem::path& path);
  InputFile(InputFile&& other) noexcept : descriptor_(other.descriptor_), size_(other.size_) { other.descriptor_ = -1; }
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  std::uint64_t size() const { return size_; }  ///< when it was opened, or where it was cut
  /// From now on the file ends there, if it is that long: what others add meanwhile may be half there.
  void endAt(std::uint64_t size) { size_ = std::min(size, size_); }
  /// As many bytes from there as the file has, at most `count`.
  std::size_t read(std::uint64_t at, char* into, std::size_t count) const;

 private:
  InputFile(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace lanescope::launch
