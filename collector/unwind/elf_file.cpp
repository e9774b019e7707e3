// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "model/unique_fd.h"

namespace lanescope::unwind {

namespace {

constexpr std::size_t kMostSegments = 1024, kMostSections = 1u << 16, kLongestBuildId = 64;
constexpr std::uint64_t kPage = 4096;

#if defined(__x86_64__)
constexpr GElf_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr GElf_Half kMachine = EM_AARCH64;
#else
constexpr GElf_Half kMachine = EM_NONE;
#endif

/// The build id among the notes that lie there.
std::vector<std::uint8_t> buildIdIn(Elf_Data* notes) {
  std::size_t at = 0;
  for (int count = 0; notes != nullptr && notes->d_buf != nullptr && count < 1000; ++count) {
    GElf_Nhdr note{};
    std::size_t name = 0, content = 0;
    const std::size_t next = gelf_getnote(notes, at, &note, &name, &content);
    if (next == 0 || next <= at) break;
    const char* bytes = static_cast<const char*>(notes->d_buf);
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(bytes + name, "GNU", 4) == 0 &&
        note.n_descsz > 0 && note.n_descsz <= kLongestBuildId)
      return {bytes + content, bytes + content + note.n_descsz};
    at = next;
  }
  return {};
}

}  // namespace

std::unique_ptr<ElfFile> ElfFile::open(const std::filesystem::path& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return nullptr;
  elf_version(EV_CURRENT);
  Elf* elf = elf_begin(file.get(), ELF_C_READ_MMAP, nullptr);
  if (elf == nullptr) return nullptr;
  std::unique_ptr<ElfFile> opened(new ElfFile(elf));
  // What is mapped needs no descriptor, of which there are not many.
  if (elf_cntl(elf, ELF_C_FDREAD) != 0) return nullptr;
  return checked(std::move(opened));
}

std::unique_ptr<ElfFile> ElfFile::image(std::vector<char> bytes) {
  elf_version(EV_CURRENT);
  Elf* elf = elf_memory(bytes.data(), bytes.size());
  if (elf == nullptr) return nullptr;
  std::unique_ptr<ElfFile> opened(new ElfFile(elf));
  opened->copy_ = std::move(bytes);  // moving keeps them where they are
  return checked(std::move(opened));
}

std::unique_ptr<ElfFile> ElfFile::vdso() {
  const auto* begin = reinterpret_cast<const char*>(getauxval(AT_SYSINFO_EHDR));  // NOLINT(performance-no-int-to-ptr)
  if (begin == nullptr) return nullptr;
  Elf64_Ehdr header;
  std::memcpy(&header, begin, sizeof header);
  // The sections stand behind all else in the images that kernels build.
  const std::uint64_t size = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
  if (header.e_shoff == 0 || size < sizeof header || size > (1u << 16)) return nullptr;
  return image({begin, begin + size});
}

std::unique_ptr<ElfFile> ElfFile::checked(std::unique_ptr<ElfFile> file) {
  GElf_Ehdr header;
  std::size_t segments = 0;
  if (elf_kind(file->elf_) != ELF_K_ELF || gelf_getclass(file->elf_) != ELFCLASS64 ||
      gelf_getehdr(file->elf_, &header) == nullptr || header.e_machine != kMachine ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || elf_getphdrnum(file->elf_, &segments) != 0)
    return nullptr;
  std::size_t size = 0;
  const char* raw = elf_rawfile(file->elf_, &size);
  if (raw == nullptr) return nullptr;
  file->raw_ = {raw, size};
  for (std::size_t i = 0; i < std::min(segments, kMostSegments); ++i) {
    GElf_Phdr part;
    if (gelf_getphdr(file->elf_, static_cast<int>(i), &part) == nullptr) break;
    if (part.p_type == PT_LOAD)
      file->segments_.push_back({.offset = part.p_offset,
                                 .bytes = part.p_filesz,
                                 .address = part.p_vaddr,
                                 .inMemory = part.p_memsz,
                                 .isCode = (part.p_flags & PF_X) != 0,
                                 .isWritable = (part.p_flags & PF_W) != 0});
    if (part.p_type == PT_GNU_EH_FRAME)
      file->ehFrameHeader_ = {file->slice(part.p_offset, part.p_filesz), part.p_vaddr};
    const bool isInside = part.p_offset <= size && part.p_filesz <= size - part.p_offset;
    if (part.p_type != PT_NOTE || !isInside || !file->buildId_.empty()) continue;
    file->buildId_ = buildIdIn(elf_getdata_rawchunk(file->elf_, static_cast<std::int64_t>(part.p_offset), part.p_filesz,
                                                    part.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
  }
  if (file->buildId_.empty()) {
    if (const auto notes = file->section(std::string_view(".note.gnu.build-id")))
      file->buildId_ = buildIdIn(elf_getdata(notes->at, nullptr));
  }
  return file;
}

ElfFile::~ElfFile() { elf_end(elf_); }

std::optional<std::uint64_t> ElfFile::addressOf(std::uint64_t offset) const {
  for (const Segment& each : segments_) {
    if (offset >= each.offset && offset - each.offset < each.bytes) return each.address + (offset - each.offset);
  }
  // Whole pages are mapped: what begins inside one brings along what lies before it.
  for (const Segment& each : segments_) {
    if (each.isCode && offset < each.offset && each.offset - offset < kPage)
      return each.address - (each.offset - offset);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfFile::variableAddress(std::uint64_t offset, std::uint64_t distance) const {
  for (const Segment& each : segments_) {
    // Whole pages are mapped, and a page of the file may be in two segments.
    if (!each.isWritable || each.offset / kPage != offset / kPage) continue;
    const std::uint64_t address = each.address + (offset - each.offset) + distance;
    if (address - each.address < each.inMemory) return address;
  }
  return std::nullopt;
}

/// As far as the file has it.
std::span<const char> ElfFile::slice(std::uint64_t offset, std::uint64_t bytes) const {
  if (offset >= raw_.size()) return {};
  return raw_.subspan(offset, std::min<std::uint64_t>(bytes, raw_.size() - offset));
}

std::span<const char> ElfFile::bytesFrom(std::uint64_t address) const {
  for (const Segment& each : segments_) {
    const std::uint64_t inside = address - each.address;
    if (address >= each.address && inside < each.bytes && each.offset + inside >= each.offset)
      return slice(each.offset + inside, each.bytes - inside);
  }
  return {};
}

std::uint64_t ElfFile::firstPage() const { return segments_.empty() ? 0 : segments_.front().address / kPage * kPage; }

template <class Wanted>
std::optional<ElfFile::Section> ElfFile::find(const Wanted& wanted) const {
  Elf_Scn* at = nullptr;
  for (std::size_t count = 0; count < kMostSections && (at = elf_nextscn(elf_, at)) != nullptr; ++count) {
    Section found{.at = at};
    if (gelf_getshdr(at, &found.header) != nullptr && wanted(found.header)) return found;
  }
  return std::nullopt;
}

std::optional<ElfFile::Section> ElfFile::section(std::string_view name) const {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return std::nullopt;
  return find([&](const GElf_Shdr& header) {
    const char* text = elf_strptr(elf_, names, header.sh_name);
    return text != nullptr && text == name;
  });
}

std::optional<ElfFile::Section> ElfFile::section(std::uint32_t type) const {
  return find([&](const GElf_Shdr& header) { return header.sh_type == type; });
}

std::span<const char> ElfFile::bytes(const Section& section) const {
  if (section.header.sh_type == SHT_NOBITS || (section.header.sh_flags & SHF_COMPRESSED) != 0) return {};
  const Elf_Data* data = elf_rawdata(section.at, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const char*>(data->d_buf), data->d_size};
}

}  // namespace lanescope::unwind
