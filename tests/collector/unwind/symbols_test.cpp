// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/symbols.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <link.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <cstring>

#include "tests/collector/unwind/own_stack.h"
#include "tests/support/files.h"

namespace lanescope::unwind {

extern "C" {
int symbolsTestVariable = 1;
// One place, three names, as C libraries have them.
[[gnu::noinline, gnu::nothrow]] int symbolsTestPlain(int x) {
  asm volatile("" ::: "memory");
  return x + 1;
}
int __symbolsTestPlainInner(int x) __attribute__((nothrow, alias("symbolsTestPlain")));
int symbolsTestPlainOfThisVersion(int x) __attribute__((nothrow, weak, alias("symbolsTestPlain")));
}

// What has no size: as far as the next.
asm(".text\n.globl symbolsTestSizeless\n.type symbolsTestSizeless, @function\nsymbolsTestSizeless:\n  nop\n  nop\n  "
    "ret\n"
    ".globl symbolsTestBehind\n.type symbolsTestBehind, @function\nsymbolsTestBehind:\n  ret\n.size symbolsTestBehind, "
    "1\n");
extern "C" void symbolsTestSizeless();

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

[[gnu::noinline]] int withArguments(const std::vector<int>& numbers, double) {
  asm volatile("" ::: "memory");
  return numbers.empty() ? 1 : 2;
}

template <class F>
std::uint64_t addressOf(F* function) {
  return reinterpret_cast<std::uint64_t>(function);
}

struct Fixture {
  AddressSpace space = ownMappings();
  Modules modules;
  Symbols symbols{modules, {}};
  Place at(std::uint64_t address) { return symbols.of(space, address, 0); }
};

TEST(Symbols, NameFunctionsOfAProgramForPeople) {
  Fixture f;
  const Place place = f.at(addressOf(&withArguments) + 1);
  EXPECT_THAT(place.function, HasSubstr("withArguments(const std::vector<int"));
  EXPECT_THAT(place.linkerName, StartsWith("_ZN"));
  EXPECT_THAT(place.module, EndsWith("collector_tests"));
  EXPECT_GE(place.buildId.size(), 16u);
  EXPECT_TRUE(place.isResolved);
  EXPECT_FALSE(place.isKernel);
}

TEST(Symbols, NameExportedFunctionsOfStrippedLibraries) {
  Fixture f;
  const Place place = f.at(addressOf(&std::getenv) + 2);
  EXPECT_EQ(place.function, "getenv");
  EXPECT_THAT(place.module, HasSubstr("libc.so"));
}

TEST(Symbols, NameTheKernelsFunctionsForPrograms) {
  Fixture f;
  for (const Mapping* each : f.space.all(0)) {
    if (each->path != "[vdso]") continue;
    const auto clock = f.symbols.find(*each, "__vdso_clock_gettime");
    ASSERT_TRUE(clock);
    EXPECT_THAT(f.at(clock->start).function, HasSubstr("clock_gettime"));
    EXPECT_EQ(f.at(clock->start).module, "[vdso]");
    return;
  }
  GTEST_SKIP() << "there is no vdso";
}

TEST(Symbols, OfSeveralNamesThePlainGlobalOneIsTaken) {
  Fixture f;
  EXPECT_EQ(f.at(addressOf(&symbolsTestPlain)).function, "symbolsTestPlain");
}

TEST(Symbols, AFunctionWithoutSizeGoesAsFarAsTheNext) {
  Fixture f;
  EXPECT_EQ(f.at(addressOf(&symbolsTestSizeless) + 2).function, "symbolsTestSizeless");
  EXPECT_EQ(f.at(addressOf(&symbolsTestSizeless) + 3).function, "symbolsTestBehind");
}

[[gnu::noinline]] const char* callsByThePlt() { return std::getenv("HOME"); }

TEST(Symbols, AnEntryOfThePltIsNamedAfterWhereItLeads) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own calls stand first";
#endif
  Fixture f;
  const std::uint64_t code = addressOf(&callsByThePlt);
  for (std::uint64_t at = code; at < code + 64; ++at) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(at);
    if (bytes[0] != 0xE8) continue;  // call
    std::int32_t distance = 0;
    std::memcpy(&distance, bytes + 1, sizeof distance);
    EXPECT_EQ(f.at(at + 5 + static_cast<std::uint64_t>(std::int64_t{distance})).function, "getenv@plt");
    return;
  }
  GTEST_SKIP() << "it is called in another way";
}

TEST(Symbols, TheSameFunctionIsTheSamePlaceAndIsReadOnce) {
  Fixture f;
  const std::uint64_t number = f.at(addressOf(&symbolsTestPlain)).number;
  EXPECT_EQ(f.at(addressOf(&symbolsTestPlain) + 1).number, number);
  EXPECT_NE(f.at(addressOf(&withArguments)).number, number);
}

TEST(Symbols, FindWhereAVariableLies) {
  Fixture f;
  const Mapping* own = f.space.at(addressOf(&symbolsTestPlain), 0);
  ASSERT_NE(own, nullptr);
  const auto found = f.symbols.find(*own, "symbolsTestVariable");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->start, addressOf(&symbolsTestVariable));
  EXPECT_EQ(found->end - found->start, sizeof symbolsTestVariable);
  EXPECT_FALSE(f.symbols.find(*own, "nobodyIsCalledSo"));
}

int symbolsTestUnset;  // for which the file has no bytes
static int symbolsTestHidden = 2;

TEST(Symbols, NameVariablesOfSegmentsThatAreMapped) {
  Fixture f;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* space) {
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = object->dlpi_phdr[i];
          const std::uint64_t start = object->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0)
            static_cast<AddressSpace*>(space)->map(
                {.start = start, .end = start + part.p_memsz, .offset = part.p_offset, .path = "/proc/self/exe"});
        }
        return 1;  // the program is the first
      },
      &f.space);
  const auto nameOf = [&](const int& variable) {
    return f.symbols.variableOf(f.space, reinterpret_cast<std::uint64_t>(&variable), 0).value_or("");
  };
  EXPECT_EQ(nameOf(symbolsTestVariable), "symbolsTestVariable");
  EXPECT_THAT(nameOf(symbolsTestUnset), EndsWith("symbolsTestUnset"));
  EXPECT_THAT(nameOf(symbolsTestHidden), EndsWith("symbolsTestHidden"));
  const int onTheStack = 0;
  EXPECT_EQ(nameOf(onTheStack), "");
}

TEST(Symbols, AnAddressWithoutANameIsWrittenAsNumber) {
  Fixture f;
  const Place nowhere = f.at(0x1234);
  EXPECT_EQ(nowhere.function, "0x1234");
  EXPECT_EQ(nowhere.module, "[unknown]");
  EXPECT_FALSE(nowhere.isResolved);
  f.space.map({.start = 0x10000, .end = 0x20000, .path = "/no/such/library.so", .buildId = {1, 0xAB}});
  const Place lost = f.at(0x10010);
  EXPECT_EQ(lost.function, "0x10010");
  EXPECT_EQ(lost.module, "/no/such/library.so");
  EXPECT_EQ(lost.buildId, "01ab");
}

TEST(Symbols, AFileThatWasReplacedSinceNamesNothing) {
  Fixture f;
  f.space.map({.start = 0x10000, .end = 0x200000, .path = "/proc/self/exe", .buildId = {1, 2, 3}});
  EXPECT_FALSE(f.at(0x11000).isResolved);
  EXPECT_EQ(f.at(0x11000).buildId, "010203");
}

TEST(Symbols, WhatIsToBeResolvedLaterHasModuleAndBuildId) {
  const AddressSpace space = ownMappings();
  Modules modules;
  Symbols symbols(modules, {.resolve = false});
  const Place place = symbols.of(space, addressOf(&symbolsTestPlain), 0);
  EXPECT_THAT(place.function, StartsWith("0x"));
  EXPECT_THAT(place.module, EndsWith("collector_tests"));
  EXPECT_GE(place.buildId.size(), 16u);
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&symbolsTestPlain), &info), 0);
  EXPECT_EQ(place.start, addressOf(&symbolsTestPlain) - reinterpret_cast<std::uint64_t>(info.dli_fbase));
  EXPECT_EQ(place.function, fmt::format("{:#x}", place.start)) << "as addr2line takes it";
}

TEST(Symbols, CodeMadeAtRunTimeHasTheNamesOfThePerfMap) {
  Fixture f;
  f.space.map({.start = 0x7000000, .end = 0x7001000, .path = "//anon"});
  f.space.made = std::make_shared<NamedRanges>(NamedRanges::perfMapOf("7000010 10 py::train:/a.py\n"));
  EXPECT_EQ(f.at(0x7000018).function, "py::train:/a.py");
  EXPECT_FALSE(f.at(0x7000020).isResolved);
  EXPECT_EQ(f.at(0x7000018).module, "//anon");
  f.space.made = std::make_shared<NamedRanges>(NamedRanges::perfMapOf("9000000 10 never mapped for us to see\n"));
  EXPECT_EQ(f.at(0x9000001).function, "never mapped for us to see");
  EXPECT_FALSE(f.at(0x7000018).isResolved) << "of another process";
}

TEST(Symbols, AddressesOfTheKernelAreItsOwn) {
  Fixture f;
  const Place place = f.at(0xFFFFFFFF81000010);
  EXPECT_TRUE(place.isKernel);
  EXPECT_EQ(place.module, "[kernel.kallsyms]");
}

TEST(Symbols, AKernelThatKeepsItsAddressesToItselfIsOnePlace) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "kallsyms", "0000000000000000 T _stext\n0000000000000000 T do_syscall_64\n");
  Modules modules;
  Symbols symbols(modules, {.kallsyms = folder / "kallsyms"});
  AddressSpace space;
  const Place first = symbols.of(space, 0xFFFFFFFF81000010, 0);
  EXPECT_EQ(first.function, "[kernel.kallsyms]");
  EXPECT_EQ(first.module, "[kernel.kallsyms]");
  EXPECT_TRUE(first.isKernel);
  EXPECT_FALSE(first.isResolved);
  EXPECT_EQ(symbols.of(space, 0xFFFFFFFF92345678, 0).number, first.number);
}

}  // namespace
}  // namespace lanescope::unwind
