// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/unwinder.h"

#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cstring>
#include <thread>

#include "tests/collector/unwind/walked_functions.h"

namespace lanescope::unwind {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::SizeIs;

struct Fixture {
  AddressSpace space = ownMappings();
  Modules modules;
  Unwinder unwinder{modules};
  Symbols symbols{modules, {}};
  OwnStack stack;
  std::vector<Frame> frames = std::vector<Frame>(1000);
  Walk walk;

  /// Names of what was found.
  std::vector<std::string> names() {
    walk = unwinder.unwind(space, stack.registers, stack.bytes, 0, frames);
    return namesOf(space, symbols, std::span(frames).first(walk.frames));
  }
};

std::vector<std::string> first(std::vector<std::string> names, std::size_t count) {
  names.resize(std::min(count, names.size()));
  return names;
}

TEST(Unwinder, FindsTheCallsThatLedHereWithoutFramePointers) {
  Fixture f;
  walkedOuter(&f.stack, 0);
  const auto names = f.names();
  EXPECT_THAT(first(names, 4), ElementsAre("walkedLeaf", "walkedDeep", "walkedMiddle", "walkedOuter"));
  EXPECT_THAT(names, Contains("main"));
  EXPECT_EQ(names.back(), "_start");
  EXPECT_EQ(f.walk.end, End::kComplete);
  EXPECT_TRUE(f.frames[0].isExact);
  EXPECT_FALSE(f.frames[1].isExact);
  for (std::size_t i = 0; i < f.walk.frames; ++i) EXPECT_EQ(f.frames[i].method, Method::kEhFrame) << names[i];
}

TEST(Unwinder, FindsEachStepOfARecursion) {
  Fixture f;
  walkedOuter(&f.stack, 200);
  const auto names = f.names();
  EXPECT_EQ(std::ranges::count(names, "walkedDeep"), 201);
  EXPECT_EQ(f.walk.end, End::kComplete);
}

TEST(Unwinder, GoesThroughTheCLibrary) {
  Fixture f;
  walkedThroughQsort(&f.stack);
  const auto names = f.names();
  EXPECT_THAT(first(names, 2), ElementsAre("walkedLeaf", "walkedCompare"));
  EXPECT_THAT(names, Contains("walkedThroughQsort"));
  EXPECT_EQ(names.back(), "_start");
}

TEST(Unwinder, GoesThroughASignalToWhatItInterrupted) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the test reads a file in a handler, which the sanitizer does not like";
#endif
  Fixture f;
  walkedThroughSignal(&f.stack);
  const auto names = f.names();
  EXPECT_THAT(first(names, 2), ElementsAre("walkedLeaf", "walkedHandler"));
  EXPECT_THAT(names, Contains("walkedThroughSignal"));
  EXPECT_EQ(names.back(), "_start");
  EXPECT_EQ(std::ranges::count_if(std::span(f.frames).first(f.walk.frames), &Frame::isExact), 2);
}

TEST(Unwinder, EndsWhereAThreadBegan) {
  Fixture f;
  std::thread([&] { walkedOuter(&f.stack, 3); }).join();
  EXPECT_THAT(f.names(), Contains("walkedOuter"));
  EXPECT_EQ(f.walk.end, End::kComplete);
}

TEST(Unwinder, SaysThatTheCopyOfTheStackEndedBefore) {
  Fixture f;
  walkedOuter(&f.stack, 200);
  f.stack.bytes.resize(1000);
  EXPECT_THAT(first(f.names(), 2), ElementsAre("walkedLeaf", "walkedDeep"));
  EXPECT_EQ(f.walk.end, End::kCut);
  f.stack.bytes.clear();
  EXPECT_THAT(f.names(), ElementsAre("walkedLeaf"));
  EXPECT_EQ(f.walk.end, End::kCut);
}

TEST(Unwinder, FillsNoMoreThanItIsGiven) {
  Fixture f;
  walkedOuter(&f.stack, 200);
  f.frames.resize(10);
  EXPECT_THAT(f.names(), SizeIs(10));
  EXPECT_EQ(f.walk.end, End::kFull);
}

TEST(Unwinder, GoesThroughCodeMadeAtRunTimeByItsFramePointer) {
  constexpr std::uint8_t kCode[] = {0x55, 0x48, 0x89, 0xE5,  // push %rbp; mov %rsp, %rbp
                                    0x48, 0x89, 0xF8, 0x48,
                                    0x89, 0xF7, 0x31, 0xF6,  // mov %rdi, %rax; mov %rsi, %rdi; xor %esi, %esi
                                    0xFF, 0xD0, 0x5D, 0xC3};  // call *%rax; pop %rbp; ret
  void* made = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(made, MAP_FAILED);
  std::memcpy(made, kCode, sizeof kCode);
  Fixture f;  // its mappings are those of now
  reinterpret_cast<int (*)(void*, OwnStack*)>(made)(reinterpret_cast<void*>(&walkedOuter), &f.stack);
  const auto names = f.names();
  EXPECT_THAT(first(names, 5), ElementsAre("walkedLeaf", "walkedDeep", "walkedMiddle", "walkedOuter", "?"));
  EXPECT_EQ(f.frames[4].method, Method::kEhFrame) << "found by walkedOuter's table";
  EXPECT_EQ(f.frames[5].method, Method::kFramePointer);
  EXPECT_EQ(names.back(), "_start");
  munmap(made, 4096);
}

TEST(Unwinder, FindsWhoCalledABadPointer) {
  Fixture f;
  walkedOuter(&f.stack, 0);
  std::vector<std::byte> called(sizeof f.stack.registers.ip);
  std::memcpy(called.data(), &f.stack.registers.ip, called.size());
  f.stack.bytes.insert(f.stack.bytes.begin(), called.begin(), called.end());
  f.stack.registers.sp -= called.size();
  f.stack.registers.ip = 0;
  EXPECT_THAT(first(f.names(), 3), ElementsAre("?", "walkedLeaf", "walkedDeep"));
  EXPECT_EQ(f.walk.end, End::kComplete);
}

TEST(Unwinder, AsksOnceAboutAnAddress) {
  Fixture f;
  walkedOuter(&f.stack, 5);
  f.names();
  const std::uint64_t asked = f.unwinder.asked();
  for (int i = 0; i < 100; ++i) f.names();
  EXPECT_EQ(f.unwinder.asked(), asked);
}

}  // namespace
}  // namespace lanescope::unwind
