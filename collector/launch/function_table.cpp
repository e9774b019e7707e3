// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/function_table.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace lanescope::launch {

FunctionTable::FunctionTable(const std::filesystem::path& file) {
  Result<InputFile> opened = InputFile::open(file);
  if (!opened) return;
  file_.emplace(std::move(*opened));
  readFunctions();
}

template <class T>
std::optional<T> FunctionTable::get(std::uint64_t at) const {
  T from{};
  if (file_->read(at, reinterpret_cast<char*>(&from), sizeof from) != sizeof from) return std::nullopt;
  return from;
}

void FunctionTable::readFunctions() {
  const auto header = get<Elf64_Ehdr>(0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB) {
    return;
  }
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto part = get<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!part) return;
    if (part->p_type != PT_LOAD) continue;
    constexpr std::uint64_t kPage = 4096;
    firstPage_ = part->p_vaddr / kPage * kPage;
    break;
  }
  const auto section = [&](std::uint64_t i) { return get<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr)); };
  std::optional<Elf64_Shdr> symbols;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    symbols = section(i);
    if (!symbols) return;
    if (symbols->sh_type == SHT_SYMTAB) break;
    symbols.reset();
  }
  const auto names = symbols ? section(symbols->sh_link) : std::nullopt;
  if (!names || names->sh_offset > file_->size()) return;

  std::vector<Elf64_Sym> block(2048);
  for (std::uint64_t done = 0; done < symbols->sh_size && functions_.size() < kMostFunctions;) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size() * sizeof(Elf64_Sym), symbols->sh_size - done);
    const std::size_t got = file_->read(symbols->sh_offset + done, reinterpret_cast<char*>(block.data()), wanted);
    for (const Elf64_Sym& symbol : std::span(block).first(got / sizeof(Elf64_Sym))) {
      const bool isFunction = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
      if (!isFunction || symbol.st_size == 0 || symbol.st_name >= names->sh_size) continue;
      functions_.push_back({symbol.st_value, symbol.st_size, names->sh_offset + symbol.st_name});
    }
    if (got < wanted) break;
    done += got;
  }
  std::ranges::sort(functions_, {}, &Function::begin);
}

std::string FunctionTable::at(std::uint64_t address, std::uint64_t base) const {
  const std::uint64_t place = address - base + firstPage_;
  const auto behind = std::ranges::upper_bound(functions_, place, {}, &Function::begin);
  if (behind == functions_.begin()) return {};
  const Function& function = *std::prev(behind);
  if (place - function.begin >= function.size) return {};
  std::array<char, 4096> name{};
  const std::size_t got = file_->read(function.name, name.data(), name.size());
  return {name.data(), strnlen(name.data(), got)};
}

}  // namespace lanescope::launch
