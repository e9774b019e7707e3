// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/capture_windows.h"

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

TEST(CaptureWindows, WithoutAWindowAllIsKept) { EXPECT_TRUE(CaptureWindows().keeps(5, 6)); }

TEST(CaptureWindows, WhatOverlapsAWindowIsKept) {
  CaptureWindows windows;
  windows.end(5);  // an end without a beginning says nothing
  windows.begin(10), windows.begin(11), windows.end(20);
  windows.begin(30), windows.end(40);
  windows.begin(50);
  EXPECT_EQ(windows.count(), 3u);
  for (const auto& [start, end, kept] :
       {std::tuple(0, 9, false), std::tuple(0, 10, true), std::tuple(12, 13, true), std::tuple(20, 25, true),
        std::tuple(21, 29, false), std::tuple(0, 99, true), std::tuple(41, 49, false), std::tuple(60, 61, true)})
    EXPECT_EQ(windows.keeps(start, end), kept) << start << ' ' << end;
}

TEST(CaptureWindows, ARangeThatNeverOpenedKeepsNothing) {
  CaptureWindows windows;
  windows.neverOpened();
  EXPECT_FALSE(windows.keeps(1, 2));
}

TEST(CaptureWindows, OfSeveralProcessesAreOneWhereTheyTouch) {
  CaptureWindows one, two;
  one.begin(10), one.end(20), one.begin(50);
  two.begin(15), two.end(30), two.begin(40), two.end(45);
  one.add(two);
  EXPECT_EQ(one.count(), 3u);  // 10 to 30, 40 to 45, from 50 on
  EXPECT_TRUE(one.keeps(25, 26));
  EXPECT_FALSE(one.keeps(31, 39));
  EXPECT_FALSE(one.keeps(46, 49));
  EXPECT_TRUE(one.keeps(1000, 1001));
}

TEST(CaptureWindows, OneAloneKeepsNothingOfTheOthers) {
  CaptureWindows all;
  all.begin(10), all.end(20), all.begin(30), all.end(40);
  EXPECT_TRUE(all.only(1).keeps(35, 36));
  EXPECT_FALSE(all.only(1).keeps(15, 16));
  EXPECT_FALSE(all.only(2).keeps(15, 16)) << "there is none of that number";
}

}  // namespace
}  // namespace lanescope::launch
