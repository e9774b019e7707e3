// SPDX-License-Identifier: Apache-2.0
// The call frame information of a file: .eh_frame through the search table of .eh_frame_hdr, else a list of all its entries
// that is made once; .debug_frame the same. Read by us and not by libdw, in which one damaged register number costs
// gigabytes. What it costs is what is asked for: O(log n) and the instructions of one function. Private to this folder.
// Source: DWARF 5, 6.4; Linux Standard Base Core 5.0, 10.6.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collector/unwind/byte_reader.h"
#include "collector/unwind/elf_file.h"
#include "collector/unwind/frame_program.h"
#include "collector/unwind/frame_rule.h"

namespace lanescope::unwind {

class FrameTable {
 public:
  static FrameTable ehFrame(const ElfFile& file);  ///< which outlives it
  static FrameTable debugFrame(const ElfFile& file);

  /// What holds at this address of the file's; none if the table does not speak of it.
  std::optional<FrameRow> at(std::uint64_t address) const;

 private:
  /// What many functions have alike.
  struct Common {
    FrameProgram program;
    std::uint8_t encoding = 0;  // of addresses
    bool hasAugmentation = false, isSignal = false;
    Bytes instructions;
  };
  struct Entry {
    std::uint64_t start = 0, end = 0;
    Common common;
    Bytes instructions;
  };
  struct Listed {
    std::uint64_t start = 0, end = 0, at = 0;
  };

  std::optional<std::uint64_t> pointer(ByteReader& reader, std::uint8_t encoding, std::uint64_t base) const;
  std::optional<Common> commonAt(std::uint64_t at) const;
  std::optional<Entry> entryAt(std::uint64_t at) const;
  std::optional<std::uint64_t> search(std::uint64_t address) const;
  void list();

  Bytes bytes_;  // from the first entry on
  std::uint64_t address_ = 0;  // where they are to be
  bool isDebugFrame_ = false;
  Bytes searchTable_;  // pairs of 32-bit distances from searchBase_: function, entry
  std::uint64_t searchBase_ = 0;
  std::vector<Listed> listed_;  // by start; where there is no search table
};

}  // namespace lanescope::unwind
