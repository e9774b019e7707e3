// SPDX-License-Identifier: Apache-2.0
// Answers that took long, kept under the user's cache folder (XDG_CACHE_HOME, else ~/.cache) so that the same question
// about an unchanged file is answered at once. A file is the same if its place, size, times and samples of its content
// are; a question includes the program that asks, so that another build asks anew. At most 256 MiB, the oldest go first.
// What cannot be kept is not: nothing here fails. Any thread, any number of processes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope {

/// What tells a file's content from what it was before; empty if the file cannot be read. Reads 64 pages of it at most.
std::string fingerprint(const std::filesystem::path& file);

/// The same, whichever program asks.
std::string fileState(const std::filesystem::path& file);

/// What tells a file's content from another's, wherever it lies: its size and samples of it, as letters and digits;
/// empty if the file cannot be read. Reads 64 pages of it at most.
std::string contentKey(const std::filesystem::path& file);

/// For who reads a file in another way: the parts that are looked at, in order, and the key of those parts' bytes, one
/// behind the other. A file of at most 64 pages is looked at whole.
struct FilePart {
  std::uint64_t begin = 0, end = 0;
};
std::vector<FilePart> samplesOf(std::uint64_t size);
std::string contentKey(std::uint64_t size, std::string_view sampled);

/// A name for a file that stands for this text: 32 hexadecimal digits. Not proof against who wants two texts to have the
/// same: what lies there says which text it is of.
std::string nameFor(std::string_view text);

/// Several texts as one, and back; empty if it is not what `packed` made.
std::string packed(const std::vector<std::string>& texts);
std::optional<std::vector<std::string>> unpacked(std::string_view text);

class Answers {
 public:
  /// `folder` empty: the user's.
  explicit Answers(std::filesystem::path folder = {});

  std::optional<std::string> find(std::string_view question) const;
  void keep(std::string_view question, std::string_view answer) const;

 private:
  std::filesystem::path placeOf(std::string_view question) const;
  void makeRoom(std::uintmax_t bytes) const;

  std::filesystem::path folder_;  // empty: nowhere
};

}  // namespace lanescope
