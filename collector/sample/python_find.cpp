// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_find.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kMostBytes = 64u << 20;

class File {
 public:
  explicit File(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status{};
    if (file_ >= 0 && fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) {
      size_ = static_cast<std::uint64_t>(status.st_size);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (file_ >= 0) close(file_);
  }

  bool read(std::uint64_t from, void* to, std::uint64_t bytes) const {
    if (from > size_ || bytes > size_ - from) return false;
    for (std::uint64_t done = 0; done < bytes;) {
      const ssize_t count = pread(file_, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(from + done));
      if (count <= 0) return false;
      done += static_cast<std::uint64_t>(count);
    }
    return true;
  }
  /// Empty if they are not there or too many.
  template <class T>
  std::vector<T> readAll(std::uint64_t from, std::uint64_t bytes) const {
    std::vector<T> all;
    if (bytes > kMostBytes || from > size_ || bytes > size_ - from) return all;
    all.resize(bytes / sizeof(T));
    if (!read(from, all.data(), all.size() * sizeof(T))) all.clear();
    return all;
  }

 private:
  int file_ = -1;
  std::uint64_t size_ = 0;
};

struct Wanted {
  const char* name;
  std::uint64_t address = 0, bytes = 0;
};
enum Name : std::size_t { kRuntime, kVersion, kCodeType, kSince310, kSince39, kBefore37, kNames };

void findSymbols(const File& file, const Elf64_Shdr& table, const Elf64_Shdr& texts, std::span<Wanted> wanted) {
  if (table.sh_entsize != sizeof(Elf64_Sym)) return;
  const auto names = file.readAll<char>(texts.sh_offset, texts.sh_size);
  for (const Elf64_Sym& symbol : file.readAll<Elf64_Sym>(table.sh_offset, table.sh_size)) {
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names.size()) continue;
    const char* name = names.data() + symbol.st_name;
    const std::size_t room = names.size() - symbol.st_name;
    if (room < 3 || (std::memcmp(name, "Py", 2) != 0 && std::memcmp(name, "_Py", 3) != 0)) continue;
    for (Wanted& one : wanted) {
      const std::size_t length = std::strlen(one.name) + 1;
      if (one.address == 0 && length <= room && std::memcmp(name, one.name, length) == 0) {
        one.address = symbol.st_value;
        one.bytes = symbol.st_size;
      }
    }
  }
}

/// Where in memory the page is that holds the beginning of the file, as the file has it.
std::uint64_t firstPageOf(std::span<const Elf64_Phdr> segments) {
  constexpr std::uint64_t kPage = 4096;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD) return (segment.p_vaddr - segment.p_offset) / kPage * kPage;
  }
  return 0;
}

/// The minor version in the constant Py_Version, which is there since 3.11; 0 where it is not.
unsigned minorOf(const File& file, std::span<const Elf64_Phdr> segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments) {
    std::uint64_t version = 0;
    if (address == 0 || segment.p_type != PT_LOAD || address < segment.p_vaddr) continue;
    const std::uint64_t at = address - segment.p_vaddr;
    if (at >= segment.p_filesz || !file.read(segment.p_offset + at, &version, sizeof version)) continue;
    constexpr std::uint64_t kMajor = 3;
    if (version >> 24 == kMajor) return version >> 16 & 0xFF;
  }
  return 0;
}

/// The fields of a line of maps that matter here.
struct MapLine {
  std::string_view start, offset, device, inode, path;
};
MapLine mapLine(std::string_view line) {
  const auto word = [&] {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view taken = line.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
    return taken;
  };
  MapLine parts;
  const std::string_view range = word();
  parts.start = range.substr(0, range.find('-'));
  word();
  parts.offset = word();
  parts.device = word();
  parts.inode = word();
  parts.path = line;
  return parts;
}

std::string readSmall(const std::string& path) {
  std::string text;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return text;
  constexpr std::size_t kPiece = 64u << 10;
  for (std::size_t at = 0; at < kMostBytes;) {
    text.resize(at + kPiece);
    const ssize_t count = read(file, text.data() + at, kPiece);
    at += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    text.resize(at);
    if (count <= 0) break;
  }
  close(file);
  return text;
}

}  // namespace

std::optional<PythonSymbols> pythonIn(const std::string& path) {
  const File file(path);
  Elf64_Ehdr header{};
  if (!file.read(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_shentsize != sizeof(Elf64_Shdr)) return std::nullopt;
  const auto sections = file.readAll<Elf64_Shdr>(header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr));
  std::array<Wanted, kNames> wanted = {{{"_PyRuntime"},
                                        {"Py_Version"},
                                        {"PyCode_Type"},
                                        {"Py_NewRef"},
                                        {"PyFrame_GetBack"},
                                        {"_PyThreadState_Current"}}};
  for (const std::uint32_t type : {SHT_DYNSYM, SHT_SYMTAB}) {
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != type || section.sh_link >= sections.size()) continue;
      findSymbols(file, section, sections[section.sh_link], wanted);
    }
    if (wanted[kRuntime].address != 0) break;
  }
  PythonSymbols found;
  if (wanted[kRuntime].address == 0) return wanted[kBefore37].address != 0 ? std::optional(found) : std::nullopt;
  found.runtime = wanted[kRuntime].address;
  found.runtimeBytes = wanted[kRuntime].bytes;
  found.codeType = wanted[kCodeType].address;
  const auto segments = file.readAll<Elf64_Phdr>(header.e_phoff, std::uint64_t{header.e_phnum} * sizeof(Elf64_Phdr));
  found.minor = minorOf(file, segments, wanted[kVersion].address);
  // Older ones have no such constant; functions that were new in them tell.
  if (found.minor == 0) found.minor = wanted[kSince310].address != 0 ? 10 : wanted[kSince39].address != 0 ? 9 : 0;
  found.firstPage = firstPageOf(segments);
  found.isFixed = header.e_type == ET_EXEC;
  return found;
}

bool mayLookAt(pid_t process) {
  const int file = open(("/proc/" + std::to_string(process) + "/maps").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno != EACCES && errno != EPERM;
  close(file);
  return true;
}

std::string programOf(pid_t process) {
  constexpr std::size_t kLongest = 4096;
  std::string path(kLongest, '\0');
  const ssize_t length = readlink(("/proc/" + std::to_string(process) + "/exe").c_str(), path.data(), path.size());
  path.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return path;
}

std::optional<FoundPython> PythonFiles::find(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  const std::string maps = readSmall(folder + "/maps");
  const std::string exe = programOf(process);
  for (std::string_view rest = maps; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const MapLine line = mapLine(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.path.empty() || line.offset.find_first_not_of('0') != std::string_view::npos) continue;
    const bool isProgram = line.path == exe;
    const std::string_view name = line.path.substr(line.path.rfind('/') + 1);
    if (!isProgram && !name.starts_with("libpython")) continue;
    const Identity identity(line.device, line.inode);
    auto known = known_.find(identity);
    if (known == known_.end()) {
      constexpr std::size_t kMostFiles = 4096;
      if (known_.size() >= kMostFiles) known_.clear();
      const std::string path = isProgram ? folder + "/exe" : folder + "/root" + std::string(line.path);
      known = known_.emplace(identity, pythonIn(path)).first;
    }
    if (!known->second) continue;
    const PythonSymbols& file = *known->second;
    const std::uint64_t start = std::strtoull(std::string(line.start).c_str(), nullptr, 16);
    const std::uint64_t moved = file.isFixed ? 0 : start - file.firstPage;
    FoundPython found{
        .minor = file.minor, .runtime = file.runtime + moved, .codeType = 0, .runtimeBytes = file.runtimeBytes};
    if (file.codeType != 0) found.codeType = file.codeType + moved;
    return found;
  }
  return std::nullopt;
}

}  // namespace lanescope::sample
