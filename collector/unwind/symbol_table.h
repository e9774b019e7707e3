// SPDX-License-Identifier: Apache-2.0
// The functions of one ELF file, or its variables, by address: .symtab, else .dynsym and what .gnu_debugdata adds; or those of its debug file.
// Of several names for one place the one that perf would show. Names stay in the files. Private to this folder.
//
// Making it is O(n log n) in the symbols of the file, asking O(log n); 24 bytes a function.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/unwind/elf_file.h"

namespace lanescope::unwind {

enum class SymbolKind : std::uint8_t { kFunction, kVariable };

/// In the file's own addresses.
struct Function {
  std::uint64_t start = 0, end = 0;
  std::string_view name;  ///< as the linker knows it, good as long as the table
};

class SymbolTable {
 public:
  static constexpr std::size_t kMost = 1u << 23;  ///< functions

  /// `debug` may be null: a file with the same build id that has the symbols that `file` was stripped of. `file` outlives it.
  SymbolTable(const ElfFile& file, std::unique_ptr<ElfFile> debug, SymbolKind kind = SymbolKind::kFunction);

  std::size_t size() const { return entries_.size(); }
  std::optional<Function> at(std::uint64_t address) const;

 private:
  struct Entry {
    std::uint64_t start = 0;
    const char* name = nullptr;
    std::uint32_t size = 0;
    std::uint16_t length = 0;  // of the name
    std::uint8_t isWeak : 1 = 0, isLocal : 1 = 0, isUntyped : 1 = 0, isSizeless : 1 = 0;
  };

  std::size_t take(const ElfFile& from, std::uint32_t type);
  void settle();
  static bool isBetter(const Entry& a, const Entry& b);

  SymbolKind kind_;
  std::vector<std::unique_ptr<ElfFile>> others_;  // whose names are used
  std::vector<Entry> entries_;
};

/// Where a variable or function of this name is, in the file's own addresses: the first that has it, of .dynsym, then .symtab.
std::optional<Function> findSymbol(const ElfFile& file, std::string_view name);

/// The function that an entry of the procedure linkage table at this address leads to.
std::optional<Function> pltEntry(const ElfFile& file, std::uint64_t address);

/// What .gnu_debugdata holds; null if there is none, or no sound one.
std::unique_ptr<ElfFile> miniDebugInfo(const ElfFile& file);

}  // namespace lanescope::unwind
