// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/symbol_table.h"

#include <lzma.h>

#include <algorithm>
#include <cstring>

namespace lanescope::unwind {

namespace {

constexpr std::size_t kLongestName = 4096;
constexpr std::uint64_t kLongestSizeless = 1u << 20;
constexpr int kMostEnclosing = 16;  // functions that may lie within one that began before

/// A NUL-terminated text in a string table; empty if it does not end.
std::string_view textAt(std::span<const char> strings, std::uint64_t at) {
  if (at >= strings.size()) return {};
  const std::size_t most = std::min(kLongestName, strings.size() - at);
  const std::size_t length = strnlen(strings.data() + at, most);
  return length == most ? std::string_view() : std::string_view(strings.data() + at, length);
}

/// Calls each(symbol, name) until it says that it has enough.
template <class Each>
void eachSymbol(const ElfFile& file, std::uint32_t type, const Each& each) {
  const auto table = file.section(type);
  Elf_Scn* at = table ? elf_getscn(file.elf(), table->header.sh_link) : nullptr;
  ElfFile::Section names{.at = at};
  if (at == nullptr || gelf_getshdr(at, &names.header) == nullptr || names.header.sh_type != SHT_STRTAB) return;
  const std::span<const char> symbols = file.bytes(*table), strings = file.bytes(names);
  for (std::size_t i = 0; i + sizeof(Elf64_Sym) <= symbols.size(); i += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, symbols.data() + i, sizeof symbol);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
    if (!each(symbol, [&] { return textAt(strings, symbol.st_name); })) return;
  }
}

/// Where the code of each section ends; 0 of those without.
std::vector<std::uint64_t> codeEnds(const ElfFile& file) {
  std::vector<std::uint64_t> ends;
  Elf_Scn* at = nullptr;
  while (ends.size() < SHN_LORESERVE && (at = elf_nextscn(file.elf(), at)) != nullptr) {
    GElf_Shdr header;
    ends.resize(elf_ndxscn(at) + 1);
    if (gelf_getshdr(at, &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0)
      ends.back() = header.sh_addr + header.sh_size;
  }
  return ends;
}

std::size_t underscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }

}  // namespace

SymbolTable::SymbolTable(const ElfFile& file, std::unique_ptr<ElfFile> debug, SymbolKind wanted) : kind_(wanted) {
  if (take(file, SHT_SYMTAB) == 0) {
    const bool hasDebug = debug != nullptr && take(*debug, SHT_SYMTAB) != 0;
    if (hasDebug) {
      others_.push_back(std::move(debug));
    } else {
      take(file, SHT_DYNSYM);
      if (auto mini = miniDebugInfo(file); mini != nullptr && take(*mini, SHT_SYMTAB) != 0)
        others_.push_back(std::move(mini));
    }
  }
  settle();
}

std::size_t SymbolTable::take(const ElfFile& from, std::uint32_t type) {
  const std::size_t before = entries_.size();
  const std::vector<std::uint64_t> ends = codeEnds(from);
  eachSymbol(from, type, [&](const Elf64_Sym& symbol, const auto& name) {
    const unsigned kind = ELF64_ST_TYPE(symbol.st_info), binding = ELF64_ST_BIND(symbol.st_info);
    const std::uint64_t end = symbol.st_shndx < ends.size() ? ends[symbol.st_shndx] : 0;
    const bool isUntyped = kind == STT_NOTYPE && end != 0;
    const bool isFunction = kind == STT_FUNC || kind == STT_GNU_IFUNC || isUntyped;
    if (kind_ == SymbolKind::kFunction ? !isFunction : kind != STT_OBJECT) return true;
    const std::string_view text = name();
    if (text.empty() || text.starts_with(".L") || text[0] == '$') return true;
    const bool isSizeless = symbol.st_size == 0;
    const std::uint64_t most = isSizeless ? kLongestSizeless : UINT32_MAX;
    const std::uint64_t size = !isSizeless ? symbol.st_size : end > symbol.st_value ? end - symbol.st_value : 0;
    entries_.push_back({.start = symbol.st_value,
                        .name = text.data(),
                        .size = static_cast<std::uint32_t>(std::min(size, most)),
                        .length = static_cast<std::uint16_t>(text.size()),
                        .isWeak = binding == STB_WEAK,
                        .isLocal = binding == STB_LOCAL,
                        .isUntyped = isUntyped,
                        .isSizeless = isSizeless});
    return entries_.size() < kMost;
  });
  return entries_.size() - before;
}

bool SymbolTable::isBetter(const Entry& a, const Entry& b) {
  if (a.isUntyped != b.isUntyped) return !a.isUntyped;
  if (a.isSizeless != b.isSizeless) return !a.isSizeless;
  if (a.isWeak != b.isWeak) return !a.isWeak;
  if (a.isLocal != b.isLocal) return !a.isLocal;
  const std::string_view first(a.name, a.length), second(b.name, b.length);
  if (underscores(first) != underscores(second)) return underscores(first) < underscores(second);
  if (first.size() != second.size()) return first.size() > second.size();
  return first < second;
}

/// One name a place; what says no size goes as far as the next, or its section.
void SymbolTable::settle() {
  std::ranges::sort(
      entries_, [](const Entry& a, const Entry& b) { return a.start != b.start ? a.start < b.start : isBetter(a, b); });
  const auto rest = std::ranges::unique(entries_, {}, &Entry::start);
  entries_.erase(rest.begin(), rest.end());
  entries_.shrink_to_fit();
  for (std::size_t i = 0; i + 1 < entries_.size(); ++i) {
    Entry& each = entries_[i];
    if (each.isSizeless)
      each.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(entries_[i + 1].start - each.start, each.size));
  }
}

std::optional<Function> SymbolTable::at(std::uint64_t address) const {
  auto found = std::ranges::upper_bound(entries_, address, {}, &Entry::start);
  for (int back = 0; back < kMostEnclosing && found != entries_.begin(); ++back) {
    --found;
    if (address - found->start < found->size)
      return Function{found->start, found->start + found->size, {found->name, found->length}};
  }
  return std::nullopt;
}

std::optional<Function> findSymbol(const ElfFile& file, std::string_view name) {
  std::optional<Function> found;
  for (const std::uint32_t type : {SHT_DYNSYM, SHT_SYMTAB}) {
    eachSymbol(file, type, [&](const Elf64_Sym& symbol, const auto& text) {
      if (text() == name) found = Function{symbol.st_value, symbol.st_value + symbol.st_size, text()};
      return !found.has_value();
    });
    if (found) break;
  }
  return found;
}

std::optional<Function> pltEntry(const ElfFile& file, std::uint64_t address) {
  constexpr std::uint64_t kLongestEntry = 16;
  for (const char* name : {".plt", ".plt.sec", ".plt.got"}) {
    const auto table = file.section(std::string_view(name));
    if (!table || address - table->header.sh_addr >= table->header.sh_size) continue;
    const std::uint64_t step = table->header.sh_entsize == 8 ? 8 : kLongestEntry;
    const std::uint64_t first = (address - table->header.sh_addr) / step * step;
    const std::span<const char> bytes = file.bytes(*table);
    if (first + step > bytes.size()) return std::nullopt;
    const std::string_view entry(bytes.data() + first, step);
    const std::size_t jump = entry.find("\xff\x25");  // jmp *offset(%rip)
    if (jump == entry.npos || jump + 6 > step) return std::nullopt;
    std::int32_t offset = 0;
    std::memcpy(&offset, entry.data() + jump + 2, sizeof offset);
    const std::uint64_t start = table->header.sh_addr + first;
    const std::uint64_t slot = start + jump + 6 + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset));

    for (const char* kind : {".rela.plt", ".rela.dyn"}) {
      const auto relocations = file.section(std::string_view(kind));
      const std::span<const char> all = relocations ? file.bytes(*relocations) : std::span<const char>();
      for (std::size_t i = 0; i + sizeof(Elf64_Rela) <= all.size(); i += sizeof(Elf64_Rela)) {
        Elf64_Rela each;
        std::memcpy(&each, all.data() + i, sizeof each);
        if (each.r_offset != slot) continue;
        const auto symbols = file.section(std::uint32_t{SHT_DYNSYM});
        Elf64_Sym symbol;
        const std::span<const char> dynamic = symbols ? file.bytes(*symbols) : std::span<const char>();
        const std::uint64_t place = ELF64_R_SYM(each.r_info) * sizeof symbol;
        if (ELF64_R_SYM(each.r_info) == 0 || place + sizeof symbol > dynamic.size()) return std::nullopt;
        std::memcpy(&symbol, dynamic.data() + place, sizeof symbol);
        ElfFile::Section names{.at = elf_getscn(file.elf(), symbols->header.sh_link)};
        if (names.at == nullptr || gelf_getshdr(names.at, &names.header) == nullptr) return std::nullopt;
        const std::string_view text = textAt(file.bytes(names), symbol.st_name);
        if (text.empty()) return std::nullopt;
        return Function{start, start + step, text};
      }
    }
    return std::nullopt;
  }
  return std::nullopt;
}

std::unique_ptr<ElfFile> miniDebugInfo(const ElfFile& file) {
  constexpr std::size_t kMostBytes = 64u << 20;
  const auto section = file.section(std::string_view(".gnu_debugdata"));
  const std::span<const char> bytes = section ? file.bytes(*section) : std::span<const char>();
  if (bytes.empty()) return nullptr;
  std::vector<char> unpacked(std::min(kMostBytes, bytes.size() * 4));
  while (true) {
    std::uint64_t memory = kMostBytes * 2;
    std::size_t from = 0, to = 0;
    const lzma_ret result =
        lzma_stream_buffer_decode(&memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()), &from,
                                  bytes.size(), reinterpret_cast<std::uint8_t*>(unpacked.data()), &to, unpacked.size());
    if (result == LZMA_OK) {
      unpacked.resize(to);
      return to == 0 ? nullptr : ElfFile::image(std::move(unpacked));
    }
    if (result != LZMA_BUF_ERROR || unpacked.size() >= kMostBytes) return nullptr;
    unpacked.resize(std::min(kMostBytes, unpacked.size() * 2));
  }
}

}  // namespace lanescope::unwind
