// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/interruptible.h"

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

TEST(InterruptibleJob, TheFirstInterruptIsAnsweredOnceAndTheSecondStops) {
  int asked = 3, answers = 0, told = 0;
  const Job shown({}, [&](double, std::string_view) { ++told; });
  const Job job = interruptible(shown, [&] { return asked; }, [&] { ++answers; });
  job.progress(0.1, "");
  EXPECT_EQ(answers, 0) << "those before belong to the program";
  ++asked;
  job.progress(0.2, "");
  job.progress(0.3, "");
  EXPECT_EQ(answers, 1);
  EXPECT_FALSE(job.cancelled());
  ++asked;
  job.progress(0.4, "");
  EXPECT_TRUE(job.cancelled());
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(told, 4);
}

}  // namespace
}  // namespace lanescope::launch
