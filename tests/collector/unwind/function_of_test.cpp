// SPDX-License-Identifier: Apache-2.0
// What is known of a file by where its first page lies: tried on files made by hand.
#include <dlfcn.h>
#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>

#include "collector/unwind/symbols.h"
#include "tests/support/files.h"

namespace lanescope::unwind {
namespace {

using testing::HasSubstr;

/// The functions of one file.
struct Functions {
  std::filesystem::path file;
  Modules modules = Modules();
  Symbols symbols{modules, {}};
  std::string at(std::uint64_t address, std::uint64_t base) { return symbols.functionOf(file, base, address); }
};

[[gnu::noinline]] int nobodyExportsThis(int x) {
  asm volatile("" ::: "memory");
  return x + 1;
}

TEST(FunctionOf, KnowsStaticFunctionsOfAProgram) {
  const auto* address = reinterpret_cast<const char*>(&nobodyExportsThis);
  Dl_info place{};
  ASSERT_NE(dladdr(address, &place), 0);
  EXPECT_EQ(place.dli_sname, nullptr) << "nothing to test: the dynamic symbols have it";
  Functions functions{"/proc/self/exe"};
  const auto pc = reinterpret_cast<std::uint64_t>(address), base = reinterpret_cast<std::uint64_t>(place.dli_fbase);
  EXPECT_THAT(functions.at(pc, base), HasSubstr("nobodyExportsThis"));
  EXPECT_THAT(functions.at(pc + 1, base), HasSubstr("nobodyExportsThis"));
  EXPECT_EQ(functions.at(base, base), "") << "the file's header";
  EXPECT_EQ(functions.at(base - 1, base), "");
}

/// A file that wants to lie at 0x400000, with two functions, a variable and an unknown one. Sections stand at its end.
struct SmallFile {
  Elf64_Ehdr header{};
  Elf64_Phdr part{};
  char names[16] = "\0first\0second";
  Elf64_Sym symbols[4]{};
  Elf64_Shdr sections[3]{};  // the first is none

  SmallFile() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64, header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_version = EV_CURRENT, header.e_machine = EM_X86_64, header.e_ehsize = sizeof header;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_phentsize = sizeof part, header.e_shentsize = sizeof sections[1];
    header.e_phoff = offsetof(SmallFile, part), header.e_phnum = 1;
    header.e_shoff = offsetof(SmallFile, sections), header.e_shnum = 3;
    part.p_type = PT_LOAD, part.p_vaddr = 0x400010;
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

TEST(FunctionOf, FindsWhatCoversAnAddressWhereverTheFileWasLoaded) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "file", SmallFile().bytes());
  Functions functions{folder / "file"};
  for (const std::uint64_t base : {0x400000ull, 0x7f0000000000ull}) {
    EXPECT_EQ(functions.at(base + 0xfff, base), "");
    EXPECT_EQ(functions.at(base + 0x1000, base), "first");
    EXPECT_EQ(functions.at(base + 0x100f, base), "first");
    EXPECT_EQ(functions.at(base + 0x1010, base), "");
    EXPECT_EQ(functions.at(base + 0x102f, base), "second");
    EXPECT_EQ(functions.at(base + 0x1030, base), "");
  }
}

TEST(FunctionOf, OfADamagedFileNothingIsKnown) {
  const test::TemporaryFolder folder;
  const auto known = [&](const std::string& bytes) {
    test::writeFile(folder / "file", bytes);
    Functions functions{folder / "file"};
    return functions.at(0x401000, 0x400000);
  };
  const std::string whole = SmallFile().bytes();
  EXPECT_EQ(known(whole), "first");
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_EQ(known(whole.substr(0, size)), "") << size;

  SmallFile file;
  file.header.e_shoff = ~0ull - 3;
  EXPECT_EQ(known(file.bytes()), "");
  file = SmallFile(), file.sections[1].sh_link = 0xFFFFFFFF;
  EXPECT_EQ(known(file.bytes()), "");
  file = SmallFile(), file.sections[1].sh_size = ~0ull, file.sections[1].sh_offset = ~0ull;
  EXPECT_EQ(known(file.bytes()), "");
  file = SmallFile(), file.sections[2].sh_offset = ~0ull;
  EXPECT_EQ(known(file.bytes()), "");
  file = SmallFile(), file.symbols[1].st_name = sizeof file.names;
  EXPECT_EQ(known(file.bytes()), "");
  file = SmallFile(), file.header.e_ident[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(known(file.bytes()), "");

  EXPECT_EQ(Functions{folder / "none"}.at(0x401000, 0x400000), "");
  EXPECT_EQ(Functions{folder.path()}.at(0x401000, 0x400000), "");
}

}  // namespace
}  // namespace lanescope::unwind
