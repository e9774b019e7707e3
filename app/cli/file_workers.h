// SPDX-License-Identifier: Apache-2.0
// Several files at once: a process for each, as many as there are processors, of which each holds one file and leaves what
// it said and an answer in files that have no name. What one file does to its process leaves the others alone. To be
// called while there are no threads.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/unique_fd.h"

namespace lanescope::cli {

/// A file's bytes in memory, by the page as they are looked at.
class MappedFile {
 public:
  explicit MappedFile(int file = -1);  ///< that may be closed afterwards; empty if it cannot be mapped
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {static_cast<const char*>(pages_), size_}; }

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
};

/// What a worker left of one file.
struct Left {
  int status = 0;
  UniqueFd out, err, answer;

  /// Passes on what it said, to standard output and standard error.
  void say() const;
  void sayErrors() const;  ///< the latter alone
};

/// Runs `work` on each path in a process of its own, which may write to the descriptor it is given, and hands what it left
/// to `done`, in the order of paths. Returns the highest exit status.
int onEachFile(const std::vector<std::string>& paths,
               const std::function<int(const std::string& path, int answer)>& work,
               const std::function<void(std::size_t i, const Left& left)>& done);

/// False, with errno, if not all could be written.
bool writeAll(int file, std::string_view bytes);

}  // namespace lanescope::cli
