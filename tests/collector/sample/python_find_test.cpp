// SPDX-License-Identifier: Apache-2.0
// Which files have a Python in them, by files made by hand.
#include "collector/sample/python_find.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "tests/support/files.h"

namespace lanescope::sample {
namespace {

/// A file that defines one symbol, at 0x4000.
std::string fileWith(const std::string& symbol) {
  struct {
    Elf64_Ehdr header{};
    Elf64_Sym symbols[2]{};
    Elf64_Shdr sections[3]{};  // the first is none
    char names[64]{};
  } file;
  std::memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  file.header.e_ident[EI_CLASS] = ELFCLASS64;
  file.header.e_type = ET_DYN;
  file.header.e_shentsize = sizeof file.sections[0], file.header.e_shnum = 3;
  const auto at = [&](const auto& part) {
    return static_cast<std::uint64_t>(reinterpret_cast<const char*>(&part) - reinterpret_cast<const char*>(&file));
  };
  file.header.e_shoff = at(file.sections);
  file.symbols[1].st_name = 1, file.symbols[1].st_shndx = 1, file.symbols[1].st_value = 0x4000;
  symbol.copy(file.names + 1, sizeof file.names - 2);
  file.sections[1] = {.sh_name = 0,
                      .sh_type = SHT_SYMTAB,
                      .sh_flags = 0,
                      .sh_addr = 0,
                      .sh_offset = at(file.symbols),
                      .sh_size = sizeof file.symbols,
                      .sh_link = 2,
                      .sh_info = 0,
                      .sh_addralign = 8,
                      .sh_entsize = sizeof file.symbols[0]};
  file.sections[2] = {.sh_name = 0,
                      .sh_type = SHT_STRTAB,
                      .sh_flags = 0,
                      .sh_addr = 0,
                      .sh_offset = at(file.names),
                      .sh_size = sizeof file.names,
                      .sh_link = 0,
                      .sh_info = 0,
                      .sh_addralign = 1,
                      .sh_entsize = 0};
  return {reinterpret_cast<const char*>(&file), sizeof file};
}

class PythonInFile : public testing::Test {
 protected:
  std::optional<PythonSymbols> of(const std::string& symbol) {
    test::writeFile(folder_ / "program", fileWith(symbol));
    return pythonIn((folder_ / "program").string());
  }
  test::TemporaryFolder folder_;
};

TEST_F(PythonInFile, IsKnownByItsRuntime) {
  const auto found = of("_PyRuntime");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->runtime, 0x4000u);
}

TEST_F(PythonInFile, IsKnownToBeTooOldWhereItHasNone) {
  const auto found = of("_PyThreadState_Current");  // 2.7 to 3.6
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->runtime, 0u);
  EXPECT_EQ(found->minor, 0u);
}

TEST_F(PythonInFile, IsNotThereByOtherNames) { EXPECT_FALSE(of("PyMine").has_value()); }

TEST(PythonOfAProcess, ThatIsGoneOrOursMayBeLookedFor) {
  EXPECT_TRUE(mayLookAt(getpid()));
  EXPECT_TRUE(mayLookAt(0x7FFFFFFF));
}

}  // namespace
}  // namespace lanescope::sample
