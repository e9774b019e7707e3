// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/latest_job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>

#include "tests/app/ui/event_loop.h"

namespace lanescope::views {
namespace {

using test::runUntil;

TEST(LatestJob, DeliversWhatTheWorkFoundOnTheGuiThread) {
  LatestJob job;
  int answer = 0;
  const auto here = std::this_thread::get_id();
  job.start([here](const Job&) { return std::this_thread::get_id() == here ? 1 : 42; },
            [&](int found) {
              EXPECT_EQ(std::this_thread::get_id(), here);
              answer = found;
            });
  EXPECT_TRUE(runUntil([&] { return answer != 0; }));
  EXPECT_EQ(answer, 42);
  EXPECT_FALSE(job.running());
}

TEST(LatestJob, OfManyAskedForOnlyTheRunningAndTheLastRunAndOnlyTheLastIsDelivered) {
  LatestJob job;
  auto began = std::make_shared<std::latch>(1);
  auto runs = std::make_shared<std::atomic<int>>(0);
  std::vector<int> delivered;
  const auto deliver = [&](int found) { delivered.push_back(found); };
  job.start(
      [=](const Job& mine) {
        ++*runs;
        began->count_down();
        while (!mine.cancelled()) std::this_thread::yield();
        return 0;
      },
      deliver);
  began->wait();
  for (int i = 1; i <= 5; ++i)
    job.start(
        [=](const Job&) {
          ++*runs;
          return i;
        },
        deliver);
  EXPECT_TRUE(runUntil([&] { return !delivered.empty(); }));
  EXPECT_EQ(delivered, std::vector{5});
  EXPECT_EQ(*runs, 2);
}

TEST(LatestJob, WhatWasCancelledIsNotDelivered) {
  LatestJob job;
  bool delivered = false;
  job.start([](const Job& mine) { return mine.cancelled(); }, [&](bool) { delivered = true; });
  job.cancel();
  EXPECT_TRUE(runUntil([&] { return !job.running(); }));
  EXPECT_FALSE(delivered);
}

TEST(LatestJob, MayEndWhileItsWorkRuns) {
  auto began = std::make_shared<std::latch>(1);
  {
    LatestJob job;
    job.start(
        [began](const Job& mine) {
          began->count_down();
          while (!mine.cancelled()) std::this_thread::yield();
          return 0;
        },
        [](int) { FAIL() << "nobody waits for it any more"; });
    began->wait();
  }
  QCoreApplication::processEvents();
}

}  // namespace
}  // namespace lanescope::views
