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

}  // namespace
}  // namespace lanescope::launch
