// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/named_ranges.h"

#include <gmock/gmock.h>

namespace lanescope::unwind {
namespace {

std::string nameAt(const NamedRanges& ranges, std::uint64_t address) {
  const auto found = ranges.at(address);
  return std::string(found ? found->name : "");
}

TEST(NamedRanges, AreThoseOfAPerfMap) {
  const auto map = NamedRanges::perfMapOf("7f10 20 py::f:/a b.py\n0x7f40 0x8 LazyCompile:~g\n");
  EXPECT_EQ(nameAt(map, 0x7f10), "py::f:/a b.py");
  EXPECT_EQ(nameAt(map, 0x7f2f), "py::f:/a b.py");
  EXPECT_EQ(nameAt(map, 0x7f30), "");
  EXPECT_EQ(nameAt(map, 0x7f47), "LazyCompile:~g");
  EXPECT_EQ(nameAt(map, 0), "");
}

TEST(NamedRanges, TheLastWordAboutAPlaceOfAPerfMapCounts) {
  EXPECT_EQ(nameAt(NamedRanges::perfMapOf("10 20 old\n10 20 new\n"), 0x11), "new");
}

TEST(NamedRanges, LinesOfAPerfMapThatAreNoneAreLeftOut) {
  EXPECT_TRUE(NamedRanges::perfMapOf("\n x\n10\n10 \n10 20\n10 20 \n10 0 a\nffffffffffffffff 2 a\ng 1 a").empty());
  EXPECT_TRUE(NamedRanges::perfMap("/nowhere/perf-1.map").empty());
  EXPECT_TRUE(NamedRanges::perfMap("/dev/zero").empty());
}

TEST(NamedRanges, AreTheFunctionsOfTheKernel) {
  const auto kernel = NamedRanges::kernelOf(
      "ffffffff81000000 T first\nffffffff81000100 t second\nffffffff81000080 D data\nffffffffc0000000 t "
      "driver\t[nvidia]\n");
  EXPECT_EQ(nameAt(kernel, 0xffffffff81000000), "first");
  EXPECT_EQ(nameAt(kernel, 0xffffffff810000ff), "first");
  EXPECT_EQ(nameAt(kernel, 0xffffffff81000100), "second");
  EXPECT_EQ(nameAt(kernel, 0xffffffffc0000010), "driver");
}

TEST(NamedRanges, AKernelThatDoesNotTellHasNone) {
  EXPECT_TRUE(NamedRanges::kernelOf("0000000000000000 T first\n0000000000000000 t second\n").empty());
}

}  // namespace
}  // namespace lanescope::unwind
