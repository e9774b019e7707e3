// SPDX-License-Identifier: Apache-2.0
// An ELF file as elfutils sees it: where its parts are loaded, its build id. Mapped, not read: a file of gigabytes costs
// what is looked at. Private to this folder; elfutils is not asked about one file by two threads.
#pragma once

#include <gelf.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::unwind {

class ElfFile {
 public:
  /// Regular files of this class of machine only; null for all else.
  static std::unique_ptr<ElfFile> open(const std::filesystem::path& path);
  /// An image that lies in memory, and stays there if it is not `copied`.
  static std::unique_ptr<ElfFile> image(std::vector<char> bytes);
  /// What this process itself got from the kernel; null if nothing.
  static std::unique_ptr<ElfFile> vdso();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile();

  Elf* elf() const { return elf_; }
  const std::vector<std::uint8_t>& buildId() const { return buildId_; }

  /// Where what stands at this offset of the file is to be, as the file's own addresses go.
  std::optional<std::uint64_t> addressOf(std::uint64_t offset) const;
  /// The same for what lies so far behind where this offset was mapped, in a segment of variables: also those that the file
  /// has no bytes of.
  std::optional<std::uint64_t> variableAddress(std::uint64_t offset, std::uint64_t distance) const;
  /// Where the file wants its first page to be.
  std::uint64_t firstPage() const;
  /// A section of this name or type, if its header is sound. The bytes are those of the file; compressed ones are not.
  struct Section {
    Elf_Scn* at = nullptr;
    GElf_Shdr header{};
  };
  std::optional<Section> section(std::string_view name) const;
  std::optional<Section> section(std::uint32_t type) const;
  std::span<const char> bytes(const Section& section) const;

  /// The head of the search table of .eh_frame, which is told apart from sections; empty if there is none.
  struct Addressed {
    std::span<const char> bytes;
    std::uint64_t address = 0;
  };
  Addressed ehFrameHeader() const { return ehFrameHeader_; }
  /// What the file loads from this address of its own on, to the end of that segment.
  std::span<const char> bytesFrom(std::uint64_t address) const;

 private:
  explicit ElfFile(Elf* elf) : elf_(elf) {}
  static std::unique_ptr<ElfFile> checked(std::unique_ptr<ElfFile> file);
  std::span<const char> slice(std::uint64_t offset, std::uint64_t bytes) const;
  template <class Wanted>
  std::optional<Section> find(const Wanted& wanted) const;

  struct Segment {
    std::uint64_t offset = 0, bytes = 0, address = 0;
    std::uint64_t inMemory = 0;  // bytes
    bool isCode = false, isWritable = false;
  };
  std::vector<char> copy_;
  Elf* elf_ = nullptr;
  std::span<const char> raw_;
  std::vector<Segment> segments_;
  Addressed ehFrameHeader_;
  std::vector<std::uint8_t> buildId_;
};

}  // namespace lanescope::unwind
