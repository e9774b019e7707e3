// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/unwinder.h"

#include <gmock/gmock.h>

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
