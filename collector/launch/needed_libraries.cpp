// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/needed_libraries.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>

namespace lanescope::launch {
namespace {

constexpr std::size_t kMostHeaders = 512, kMostEntries = 4096, kLongestName = 512;

template <class T>
bool readAt(std::ifstream& in, std::uint64_t offset, T& to) {
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset & ~(std::uint64_t{1} << 63)));
  return static_cast<bool>(in.read(reinterpret_cast<char*>(&to), sizeof to));
}

/// Where an address of memory stands in the file.
std::optional<std::uint64_t> offsetOf(const std::vector<Elf64_Phdr>& parts, std::uint64_t address) {
  for (const Elf64_Phdr& part : parts) {
    if (part.p_type == PT_LOAD && address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
      return part.p_offset + (address - part.p_vaddr);
  }
  return std::nullopt;
}

std::string textAt(std::ifstream& in, std::uint64_t offset) {
  char text[kLongestName] = {};
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset & ~(std::uint64_t{1} << 63)));
  in.read(text, sizeof text - 1);
  return text;
}

}  // namespace

std::vector<std::string> neededLibraries(const std::filesystem::path& executable) {
  std::ifstream in(executable, std::ios::binary);
  Elf64_Ehdr header{};
  if (!readAt(in, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64) {
    return {};
  }
  std::vector<Elf64_Phdr> parts;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, kMostHeaders); ++i) {
    if (!readAt(in, header.e_phoff + i * sizeof(Elf64_Phdr), parts.emplace_back())) return {};
  }
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> texts;
  for (const Elf64_Phdr& part : parts) {
    if (part.p_type != PT_DYNAMIC) continue;
    for (std::size_t i = 0; i < std::min<std::size_t>(part.p_filesz / sizeof(Elf64_Dyn), kMostEntries); ++i) {
      Elf64_Dyn entry{};
      if (!readAt(in, part.p_offset + i * sizeof entry, entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) texts = offsetOf(parts, entry.d_un.d_ptr);
    }
  }
  std::vector<std::string> libraries;
  for (const std::uint64_t name : names) {
    if (texts) libraries.push_back(textAt(in, *texts + name));
  }
  return libraries;
}

}  // namespace lanescope::launch
