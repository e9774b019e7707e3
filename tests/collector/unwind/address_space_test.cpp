// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/address_space.h"

#include <gmock/gmock.h>

#include <random>

namespace lanescope::unwind {
namespace {

using testing::ElementsAre;

std::string pathAt(const AddressSpace& space, std::uint64_t address, trace::Ns time) {
  const Mapping* found = space.at(address, time);
  return found != nullptr ? found->path : "";
}

TEST(AddressSpace, KnowsWhatWasMappedWhereAndWhen) {
  AddressSpace space;
  space.map({.start = 0x1000, .end = 0x3000, .path = "a", .time = 10});
  space.map({.start = 0x5000, .end = 0x6000, .path = "b", .time = 20});
  EXPECT_EQ(pathAt(space, 0x1000, 10), "a");
  EXPECT_EQ(pathAt(space, 0x2FFF, 1000), "a");
  EXPECT_EQ(pathAt(space, 0x3000, 10), "");
  EXPECT_EQ(pathAt(space, 0xFFF, 10), "");
  EXPECT_EQ(pathAt(space, 0x1000, 9), "") << "not yet";
  EXPECT_EQ(pathAt(space, 0x5000, 19), "");
  EXPECT_EQ(pathAt(space, 0x5000, 20), "b");
}

TEST(AddressSpace, ALaterMappingReplacesWhatItOverlapsFromThenOn) {
  AddressSpace space;
  space.map({.start = 0x1000, .end = 0x9000, .offset = 0x40, .path = "a", .time = 10});
  space.map({.start = 0x3000, .end = 0x4000, .path = "b", .time = 20});
  EXPECT_EQ(pathAt(space, 0x3800, 15), "a");
  EXPECT_EQ(pathAt(space, 0x3800, 25), "b");
  EXPECT_EQ(pathAt(space, 0x2FFF, 25), "a");
  EXPECT_EQ(pathAt(space, 0x4000, 25), "a");
  EXPECT_EQ(space.at(0x4000, 25)->start, 0x1000u) << "a part is still of the whole";
  EXPECT_EQ(space.all(25).size(), 3u);
}

TEST(AddressSpace, TheOrderInWhichItIsToldDoesNotMatter) {
  AddressSpace space;
  space.map({.start = 0x1000, .end = 0x2000, .path = "late", .time = 30});
  space.map({.start = 0x1000, .end = 0x2000, .path = "early", .time = 10});
  EXPECT_EQ(pathAt(space, 0x1000, 29), "early");
  EXPECT_EQ(pathAt(space, 0x1000, 30), "late");
}

TEST(AddressSpace, AForkedChildHasWhatWasThereThenAndGoesItsOwnWay) {
  AddressSpace parent;
  parent.map({.start = 0x1000, .end = 0x2000, .path = "a", .time = 10});
  parent.map({.start = 0x5000, .end = 0x6000, .path = "later", .time = 30});
  AddressSpace child = parent.forked(20);
  child.map({.start = 0x1000, .end = 0x2000, .path = "child", .time = 40});
  EXPECT_EQ(pathAt(child, 0x1000, 25), "a");
  EXPECT_EQ(pathAt(child, 0x1000, 50), "child");
  EXPECT_EQ(pathAt(child, 0x5000, 50), "");
  EXPECT_EQ(pathAt(parent, 0x1000, 50), "a");
}

TEST(AddressSpace, AnswersAsAnArrayOfPagesWould) {
  std::mt19937 random(1);
  AddressSpace space;
  std::vector<std::vector<int>> pages(1, std::vector<int>(64, -1));  // by time
  for (int i = 0; i < 300; ++i) {
    const unsigned start = random() % 64, end = start + 1 + random() % (64 - start);
    space.map({.start = start, .end = end, .path = std::to_string(i), .time = i + 1});
    pages.push_back(pages.back());
    for (unsigned page = start; page < end; ++page) pages.back()[page] = i;
  }
  for (std::size_t time = 0; time < pages.size(); ++time) {
    for (unsigned page = 0; page < 64; ++page) {
      const int expected = pages[time][page];
      ASSERT_EQ(pathAt(space, page, static_cast<trace::Ns>(time)), expected < 0 ? "" : std::to_string(expected));
    }
  }
}

TEST(AddressSpace, IsBoundedWhateverIsMapped) {
  AddressSpace space;
  for (std::size_t i = 0; i < AddressSpace::kMostMappings + 10; ++i)
    space.map({.start = i * 2 + 1, .end = i * 2 + 2, .time = static_cast<trace::Ns>(i)});
  EXPECT_EQ(space.forked(5).dropped(), 10u);
  space.map({.start = 7, .end = 7});
  space.map({.start = 8, .end = 7});
  EXPECT_EQ(space.dropped(), 10u) << "nothing is no mapping";
}

TEST(AddressSpace, ReadsWhatProcSaysOfMappings) {
  const auto found = mappingsOf(
      "55d0c0000000-55d0c0001000 r--p 00000000 fe:01 42                         /usr/bin/a b\n"
      "55d0c0001000-55d0c0003000 r-xp 00001000 fe:01 42                         /usr/bin/a b\n"
      "7ffff7fc1000-7ffff7fc3000 r-xp 00000000 00:00 0                          [vdso]\n"
      "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
      "7f0000001000-7f0000002000 rwxp 00000000 00:00 0",
      7);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].start, 0x55d0c0001000u);
  EXPECT_EQ(found[0].end, 0x55d0c0003000u);
  EXPECT_EQ(found[0].offset, 0x1000u);
  EXPECT_EQ(found[0].path, "/usr/bin/a b");
  EXPECT_EQ(found[0].time, 7);
  EXPECT_EQ(found[1].path, "[vdso]");
  EXPECT_EQ(found[2].path, "//anon");
  EXPECT_EQ(found[3].path, "//anon");
}

TEST(AddressSpace, LinesThatAreNoMappingsAreLeftOut) {
  for (const char* line : {"", "\n\n", "1000-2000", "1000-2000 ", "1000-2000 r-xp", "1000-2000 r-xp ",
                           "x-y r-xp 0 0:0 0 a", "2000-1000 r-xp 00000000 00:00 0 a", "-2000 r-xp 0 0 0 a",
                           "1000-2000 r-xp0 0 0 a", "10000000000000000-20000000000000000 r-xp 00000000 00:00 0 a"})
    EXPECT_TRUE(mappingsOf(line, 0).empty()) << line;
}

}  // namespace
}  // namespace lanescope::unwind
