// SPDX-License-Identifier: Apache-2.0
// What is known of a file by where its first page lies: tried on files made by hand.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include "collector/unwind/symbols.h"
#include "tests/collector/unwind/small_file.h"
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
