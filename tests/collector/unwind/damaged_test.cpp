// SPDX-License-Identifier: Apache-2.0
// Files that were damaged, or are none: names and stacks of what is left, never more than that.
#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "collector/unwind/elf_file.h"
#include "collector/unwind/symbols.h"
#include "collector/unwind/unwinder.h"
#include "tests/support/files.h"

namespace lanescope::unwind {
namespace {

constexpr std::uint64_t kBase = 0x7F0000000000, kStack = 0x7FFF00000000;

/// The library that the kernel gives each process: small, with all that a library has.
std::string smallLibrary() {
  const auto vdso = ElfFile::vdso();
  std::size_t size = 0;
  const char* bytes = vdso != nullptr ? elf_rawfile(vdso->elf(), &size) : nullptr;
  return {bytes, size};
}

/// Asks about addresses all over it and walks stacks through it; how many frames there were.
std::size_t tryOut(const std::filesystem::path& file, std::uint64_t mapped) {
  AddressSpace space;
  space.map({.start = kBase, .end = kBase + mapped, .path = file});
  Modules modules;
  Unwinder unwinder(modules);
  Symbols symbols(modules, {});
  std::vector<std::uint64_t> stack(64);
  for (std::size_t i = 0; i < stack.size(); ++i) stack[i] = i % 2 != 0 ? kBase + i * 97 % mapped : kStack + i * 8;
  std::vector<Frame> frames(32);
  std::size_t found = 0;
  for (std::uint64_t at = kBase; at < kBase + mapped; at += 53) {
    EXPECT_FALSE(symbols.of(space, at, 0).function.empty());
    const Walk walk =
        unwinder.unwind(space, {.ip = at, .sp = kStack, .bp = kStack + 64}, std::as_bytes(std::span(stack)), 0, frames);
    EXPECT_GE(walk.frames, 1u);
    found += walk.frames;
  }
  return found;
}

TEST(DamagedFiles, AnyByteOfALibraryMayBeWrong) {
  const test::TemporaryFolder folder;
  const std::string sound = smallLibrary();
  if (sound.empty()) GTEST_SKIP() << "the kernel gave none";
  test::writeFile(folder / "a.so", sound);
  ASSERT_GT(tryOut(folder / "a.so", sound.size()), sound.size() / 53);
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = sound;
    // The headers are where it hurts.
    for (int i = 0; i < 4; ++i)
      damaged[random() % (round % 2 == 0 ? 0x400 : damaged.size())] = static_cast<char>(random());
    test::writeFile(folder / "b.so", damaged);
    tryOut(folder / "b.so", damaged.size());
  }
}

TEST(DamagedFiles, ALibraryMayEndAnywhere) {
  const test::TemporaryFolder folder;
  const std::string sound = smallLibrary();
  for (std::size_t length = 0; length < sound.size(); length += sound.size() / 40 + 1) {
    test::writeFile(folder / "a.so", sound.substr(0, length));
    tryOut(folder / "a.so", sound.size());
  }
}

TEST(DamagedFiles, WhatIsNoFileHasNoNames) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "text", "no library");
  for (const std::filesystem::path& path :
       {folder / "text", folder.path(), folder / "none", std::filesystem::path("/dev/zero")})
    tryOut(path, 4096);
}

}  // namespace
}  // namespace lanescope::unwind
