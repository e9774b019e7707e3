// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/capture_clock.h"

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

constexpr trace::Ns kSecond = 1'000'000'000;
using enum wire::Capture;
using Now = CaptureClock::Now;

TEST(CaptureClock, BeginsAtOnceWithoutADelay) {
  const Options options;
  CaptureClock clock(options, 100);
  EXPECT_TRUE(clock.next({.time = 100}).begin);
  EXPECT_FALSE(clock.next({.time = 100, .capture = kOn}).begin);
}

TEST(CaptureClock, WaitsForTheDelayAndThenForTheDuration) {
  Options options;
  options.delay = 2 * kSecond, options.duration = 3 * kSecond;
  CaptureClock clock(options, 100);
  EXPECT_EQ(clock.next({.time = 100 + kSecond}).wait, kSecond);
  EXPECT_FALSE(clock.next({.time = 100 + kSecond}).begin);
  EXPECT_TRUE(clock.next({.time = 100 + 2 * kSecond}).begin);
  // The duration counts from the begin of the capture.
  const trace::Ns began = 100 + 2 * kSecond + 7;
  EXPECT_EQ(clock.next({.time = began, .capture = kOn}).wait, 3 * kSecond);
  EXPECT_EQ(clock.next({.time = began + kSecond, .capture = kOn}).wait, 2 * kSecond);
  EXPECT_EQ(clock.next({.time = began + 3 * kSecond, .capture = kOn}).end, EndReason::kDuration);
}

TEST(CaptureClock, EndsWithTheProgramUnlessToldNotTo) {
  Options options;
  CaptureClock ends(options, 0);
  EXPECT_EQ(ends.next({.capture = kOn}).end, std::nullopt);
  EXPECT_EQ(ends.next({.capture = kOn, .allGone = true}).end, EndReason::kProgramEnded);
  options.stopOnExit = false, options.duration = 5;
  CaptureClock stays(options, 0);
  EXPECT_EQ(stays.next({.time = 0, .capture = kOn, .allGone = true}).end, std::nullopt);
  EXPECT_EQ(stays.next({.time = 5, .capture = kOn, .allGone = true}).end, EndReason::kDuration);
}

TEST(CaptureClock, AProgramThatEndsBeforeTheDelayEndsTheRecording) {
  Options options;
  options.delay = kSecond;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.time = 1, .allGone = true}).end, EndReason::kProgramEnded);
}

TEST(CaptureClock, ARangeIsOpenedAndClosedByTheProgram) {
  Options options;
  options.range = CaptureRange::kNvtx, options.duration = 10;
  CaptureClock clock(options, 0);
  EXPECT_FALSE(clock.next({.time = 50}).begin);
  EXPECT_EQ(clock.next({.time = 50}).end, std::nullopt);  // the duration has not begun
  EXPECT_EQ(clock.next({.time = 60, .capture = kOn}).wait, 10);
  EXPECT_EQ(clock.next({.time = 65, .capture = kEnded}).end, EndReason::kRange);
}

TEST(CaptureClock, ARangeThatNobodyCanOpenAnyMoreIsNotWaitedFor) {
  Options options;
  options.range = CaptureRange::kNvtx, options.duration = 10, options.stopOnExit = false;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.time = 1, .allGone = true}).end, EndReason::kProgramEnded);
}

TEST(CaptureClock, TheSecondRequestToEndIsForTheRecording) {
  const Options options;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.capture = kOn, .endsAsked = 1}).end, std::nullopt);
  EXPECT_EQ(clock.next({.capture = kOn, .endsAsked = 2}).end, EndReason::kAsked);
}

TEST(CaptureClock, AFullDiskEndsTheRecordingAndNotTheProgram) {
  Options options;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.capture = kOn, .diskFull = true}).end, EndReason::kDiskFull);
  EXPECT_EQ(clock.next({.capture = kOn, .allGone = true, .diskFull = true}).end, EndReason::kProgramEnded);
  options.killSignal = 15;
  EXPECT_FALSE(mayKill(options, EndReason::kDiskFull));
}

TEST(CaptureClock, ARecordingThatGotItsSizeEndsAndNotTheProgram) {
  Options options;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.capture = kOn, .sizeReached = true}).end, EndReason::kMaxSize);
  EXPECT_EQ(clock.next({.capture = kOn, .allGone = true, .sizeReached = true}).end, EndReason::kProgramEnded);
  options.killSignal = 15;
  EXPECT_FALSE(mayKill(options, EndReason::kMaxSize));
}

TEST(CaptureClock, TheProgramIsEndedOnlyWhereKillSaysSo) {
  Options options;
  EXPECT_FALSE(mayKill(options, EndReason::kDuration));
  options.killSignal = 15;
  EXPECT_TRUE(mayKill(options, EndReason::kDuration));
  EXPECT_TRUE(mayKill(options, EndReason::kAsked));
  EXPECT_FALSE(mayKill(options, EndReason::kProgramEnded));
  EXPECT_TRUE(mayKill(options, EndReason::kRange));
  for (const CaptureEnd keeps : {CaptureEnd::kStop, CaptureEnd::kRepeat}) {
    options.rangeEnd = keeps;
    EXPECT_FALSE(mayKill(options, EndReason::kRange));
    EXPECT_TRUE(mayKill(options, EndReason::kDuration));
  }
}

TEST(CaptureClock, StartedLaterItBeginsWhenItIsToldAndWithoutTheDelay) {
  Options options;
  options.startLater = true, options.delay = 5 * kSecond;
  CaptureClock clock(options, 0);
  EXPECT_FALSE(clock.next({.time = 10 * kSecond, .started = false}).begin);
  EXPECT_TRUE(clock.next({.time = 0, .started = true}).begin);
  CaptureClock unused(options, 0);
  EXPECT_EQ(unused.next({.allGone = true, .started = false}).end, EndReason::kProgramEnded);
}

TEST(CaptureClock, EndsWhenItIsTold) {
  const Options options;
  CaptureClock clock(options, 0);
  EXPECT_EQ(clock.next({.capture = kOn, .ordered = true}).end, EndReason::kOrdered);
  EXPECT_EQ(nameOf(EndReason::kOrdered), "stop");
}

}  // namespace
}  // namespace lanescope::launch
