// SPDX-License-Identifier: Apache-2.0
// An ELF file made by hand, to be changed by who tests what is left of it then.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace lanescope::unwind {

/// A file that wants to lie at 0x400000, with two functions, a variable and an unknown one. Sections stand at its end.
struct SmallFile {
  Elf64_Ehdr header{};
  Elf64_Phdr parts[2]{};  // what is loaded, and the build id
  struct {
    Elf64_Nhdr header{4, 8, NT_GNU_BUILD_ID};
    char name[4] = "GNU";
    unsigned char id[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  } note;
  char names[16] = "\0first\0second";
  Elf64_Sym symbols[4]{};
  Elf64_Shdr sections[3]{};  // the first is none

  SmallFile() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_version = EV_CURRENT, header.e_machine = EM_X86_64, header.e_ehsize = sizeof header;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_phentsize = sizeof parts[0], header.e_shentsize = sizeof sections[1];
    header.e_phoff = offsetof(SmallFile, parts), header.e_phnum = 2;
    header.e_shoff = offsetof(SmallFile, sections), header.e_shnum = 3;
    parts[0].p_type = PT_LOAD, parts[0].p_vaddr = 0x400010;
    parts[1].p_type = PT_NOTE, parts[1].p_offset = offsetof(SmallFile, note), parts[1].p_filesz = sizeof note;
    parts[1].p_align = 4;
    const auto symbol = [](unsigned name, unsigned char type, unsigned short section, std::uint64_t at) {
      return Elf64_Sym{name, static_cast<unsigned char>(ELF64_ST_INFO(STB_LOCAL, type)), 0, section, at, 0x10};
    };
    symbols[0] = symbol(7, STT_FUNC, 1, 0x401020);
    symbols[1] = symbol(1, STT_FUNC, 1, 0x401000);
    symbols[2] = symbol(1, STT_OBJECT, 1, 0x401010);
    symbols[3] = symbol(1, STT_FUNC, SHN_UNDEF, 0x401010);
    sections[1].sh_type = SHT_SYMTAB, sections[1].sh_link = 2, sections[1].sh_entsize = sizeof(Elf64_Sym);
    sections[1].sh_offset = offsetof(SmallFile, symbols), sections[1].sh_size = sizeof symbols;
    sections[2].sh_type = SHT_STRTAB, sections[2].sh_offset = offsetof(SmallFile, names),
    sections[2].sh_size = sizeof names;
  }
  std::string bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
};

}  // namespace lanescope::unwind
