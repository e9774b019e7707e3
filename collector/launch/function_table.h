// SPDX-License-Identifier: Apache-2.0
// The functions that an ELF file keeps in .symtab, which dladdr() in the program does not look at: static ones, and all of
// a program that was not linked with -rdynamic. Of a file without it, or one that is damaged, none. One thread.
//
// Reading it is O(symbols of the file), asking O(log functions) and one read of the file; 24 bytes a function.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/input_file.h"

namespace lanescope::launch {

class FunctionTable {
 public:
  static constexpr std::size_t kMostFunctions = 1u << 20;  ///< of a file; those behind are not known

  FunctionTable() = default;  ///< of nothing
  explicit FunctionTable(const std::filesystem::path& file);

  std::size_t size() const { return functions_.size(); }

  /// The mangled name of the function at this address, of a file whose first page was loaded at `base`. Empty if there is none.
  std::string at(std::uint64_t address, std::uint64_t base) const;

 private:
  struct Function {
    std::uint64_t begin = 0, size = 0;  ///< as the file has them
    std::uint64_t name = 0;  ///< where in the file
  };

  void readFunctions();
  template <class T>
  std::optional<T> get(std::uint64_t at) const;

  std::optional<InputFile> file_;
  std::uint64_t firstPage_ = 0;  ///< where the file wants it to be
  std::vector<Function> functions_;  ///< by begin
};

}  // namespace lanescope::launch
