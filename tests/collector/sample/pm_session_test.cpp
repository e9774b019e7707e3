// SPDX-License-Identifier: Apache-2.0
// A session with a stand-in for CUPTI whose time stands still until it is moved.
#include "collector/sample/pm_session.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>

namespace lanescope::sample {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kMock = LANESCOPE_GPU_MOCKS "/lib64/libcupti.so.13";
constexpr std::uint64_t kStart = 5'000'000, kInterval = 100'000;

class PmSessionMock : public testing::Test {
 protected:
  PmSessionMock() : library_(*PmLibrary::load(kMock)) {
    void* const handle = dlopen(kMock, RTLD_NOW | RTLD_NOLOAD);
    setTime_ = reinterpret_cast<void (*)(std::uint64_t)>(dlsym(handle, "mockPmTime"));
    setTime_(kStart);
  }
  ~PmSessionMock() override {
    setTime_(0);
    unsetenv("MOCK_PM");
  }
  PmResult<std::unique_ptr<PmSession>> open() {
    return PmSession::open(library_, 0, {"mine", {{"SMs Active", {"sm__cycles_active.avg"}}, {"x", {"x__y.avg"}}}},
                           kInterval, 50 * kInterval);
  }
  /// The times of what comes when so many intervals have passed since the start.
  std::vector<std::uint64_t> drained(PmSession& session, std::uint64_t intervals) {
    setTime_(kStart + intervals * kInterval);
    std::vector<std::uint64_t> starts;
    const PmSession::Take take = [&](std::uint64_t start, std::uint64_t end, std::span<const double> values) {
      EXPECT_EQ(end, start + kInterval);
      EXPECT_EQ(values.size(), 2u);
      EXPECT_EQ(values[1], 1.0);
      starts.push_back((start - kStart) / kInterval);
    };
    PmResult<bool> more = true;
    while (more && *more) more = session.drain(take);
    EXPECT_TRUE(more) << more.error().text;
    const PmResult<void> rest = session.rest(take);
    EXPECT_TRUE(rest) << rest.error().text;
    return starts;
  }

  PmLibrary library_;
  void (*setTime_)(std::uint64_t) = nullptr;
};

TEST_F(PmSessionMock, GivesEverySampleOnceButTheFirstWhichReachesBackBehindTheStart) {
  auto session = open();
  ASSERT_TRUE(session) << session.error().text;
  EXPECT_EQ((*session)->chip(), "GH100");
  ASSERT_TRUE((*session)->start());
  EXPECT_THAT(drained(**session, 4), ElementsAre(1, 2, 3));
  EXPECT_THAT(drained(**session, 4), IsEmpty());
  EXPECT_THAT(drained(**session, 6), ElementsAre(4, 5));
}

TEST_F(PmSessionMock, HandsOverInOrderWhatWasReadTwoReadingsBefore) {
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  std::vector<std::uint64_t> starts;
  const PmSession::Take take = [&](std::uint64_t start, auto, auto) { starts.push_back((start - kStart) / kInterval); };
  for (const std::uint64_t intervals : {2, 3, 4}) {
    setTime_(kStart + intervals * kInterval);
    ASSERT_TRUE((*session)->drain(take));
  }
  EXPECT_THAT(starts, ElementsAre(1));
  ASSERT_TRUE((*session)->rest(take));
  EXPECT_THAT(starts, ElementsAre(1, 2, 3));
}

TEST_F(PmSessionMock, EmptiesABufferThatHoldsMoreThanOneImageWhileOneEvaluationRunsAtATime) {
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  EXPECT_EQ(drained(**session, 10'000).size(), 9'999u);
}

TEST_F(PmSessionMock, WhatCameUntilTheStopCanBeDrainedAfterIt) {
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  setTime_(kStart + 3 * kInterval);
  ASSERT_TRUE((*session)->stop());
  EXPECT_FALSE((*session)->isOn());
  EXPECT_THAT(drained(**session, 9), ElementsAre(1, 2));
  EXPECT_FALSE((*session)->stop());  // CUPTI refuses it
}

TEST_F(PmSessionMock, AFullBufferIsCounted) {
  setenv("MOCK_PM", "overflow", 1);
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  EXPECT_THAT(drained(**session, 2), ElementsAre(1));
  EXPECT_THAT(drained(**session, 10), ElementsAre(9));
  EXPECT_EQ((*session)->overflows(), 1u);
}

TEST_F(PmSessionMock, ABufferThatStoppedBeginsAnew) {
  setenv("MOCK_PM", "full", 1);
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  EXPECT_THAT(drained(**session, 3), ElementsAre(1, 2));
  EXPECT_THAT(drained(**session, 10), IsEmpty());
  EXPECT_EQ((*session)->overflows(), 1u);
  EXPECT_TRUE((*session)->isOn());
  EXPECT_THAT(drained(**session, 13), ElementsAre(11, 12));
}

TEST_F(PmSessionMock, TroubleIsTheCallAndTheNameOfItsError) {
  setenv("MOCK_PM", "privileges", 1);
  EXPECT_EQ(open().error().text, "cuptiPmSamplingGetCounterAvailability: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)");
  setenv("MOCK_PM", "broken", 1);
  auto session = open();
  ASSERT_TRUE(session);
  ASSERT_TRUE((*session)->start());
  drained(**session, 2);
  const auto done = (*session)->drain([](auto, auto, auto) {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().text, HasSubstr("cuptiPmSamplingDecodeData: CUPTI_ERROR_UNKNOWN (999)"));
}

}  // namespace
}  // namespace lanescope::sample
