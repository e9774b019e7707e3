// SPDX-License-Identifier: Apache-2.0
// What the libFuzzer targets have alike: how an input is read, what is demanded of the code, where files lie. A target is
// one function that is handed any bytes; it may refuse them, but never crash, hang, or contradict itself.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <source_location>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace lanescope::fuzz {

inline std::string_view textOf(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// The same without the newline that ends it, for seeds that are a line of a file.
inline std::string_view lineOf(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = textOf(bytes, size);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

/// What has to hold whatever the input is.
inline void demand(bool holds, std::source_location where = std::source_location::current()) {
  if (holds) return;
  std::fprintf(stderr, "%s:%u: this does not hold\n", where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

/// A folder for the whole run, in memory where there is such a file system, taken away at its end.
class Scratch {
 public:
  Scratch() {
    std::error_code none;
    const std::filesystem::path memory = "/dev/shm";
    const auto base = std::filesystem::is_directory(memory, none) ? memory : std::filesystem::temp_directory_path();
    path_ = base / ("lanescope-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directory(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// A file that holds this, in place of what it held.
  std::filesystem::path holding(std::string_view name, std::string_view content) const {
    std::filesystem::path file = path_ / name;
    const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    demand(fd >= 0 && write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
    close(fd);
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace lanescope::fuzz
