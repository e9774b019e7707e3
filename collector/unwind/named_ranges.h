// SPDX-License-Identifier: Apache-2.0
// Functions that no ELF file tells of: code made at run time, of which a /tmp/perf-PID.map speaks, and the kernel's, of
// which /proc/kallsyms does. Later lines replace what they overlap. Hostile text gives what is sound in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::unwind {

class NamedRanges {
 public:
  static constexpr std::size_t kMost = 1u << 20;
  static constexpr std::size_t kMostBytes = 256u << 20;  ///< of a file; what is behind is not known

  struct Range {
    std::uint64_t start = 0, end = 0;
    std::uint32_t name = 0, length = 0;  // in text_
  };
  struct Found {
    std::uint64_t start = 0;
    std::string_view name;
  };

  NamedRanges() = default;
  /// "START SIZE NAME" a line, hexadecimal.
  static NamedRanges perfMapOf(std::string text);
  /// Empty if the file cannot be read.
  static NamedRanges perfMap(const std::filesystem::path& file);
  /// "START TYPE NAME" a line, in order or not; all zero where the kernel does not tell: then none.
  static NamedRanges kernelOf(std::string text);
  static NamedRanges kernel(const std::filesystem::path& kallsyms);

  bool empty() const { return ranges_.empty(); }
  std::optional<Found> at(std::uint64_t address) const;

 private:
  void settle();

  std::string text_;
  std::vector<Range> ranges_;  // by start
};

}  // namespace lanescope::unwind
