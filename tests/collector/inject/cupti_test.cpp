// SPDX-License-Identifier: Apache-2.0
// The whole way of GPU data, from CUPTI's buffers and callbacks to the stream file, over a stand-in for libcupti.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <set>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::RecordType;

const std::string kProgram = LANESCOPE_CUDA_PROGRAM;
const std::string kMock = LANESCOPE_MOCK_CUPTI;
const std::string kOptions = "trace=cuda,nvtx\ncupti=" + kMock + "\n";

std::set<std::uint32_t> correlations(const Stream& stream, RecordType type) {
  std::set<std::uint32_t> found;
  for (const Recorded& record : stream.all(type)) found.insert(record.header.aux);
  return found;
}

TEST(Cupti, KernelsAndTheirCallsArriveWithTheirNames) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "return", "20000"}), 0);
  EXPECT_EQ(session.output(), "");
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.messages(), "");
  EXPECT_EQ(stream.fact("cupti-path"), kMock);
  EXPECT_EQ(stream.count(RecordType::kKernel, "_Z4stepPfi"), 20000u);
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaLaunchKernel_v7000"), 20000u);
  EXPECT_EQ(stream.count(RecordType::kApi), 20000u) << "the driver's call is inside the runtime's";
  EXPECT_EQ(correlations(stream, RecordType::kKernel), correlations(stream, RecordType::kApi));
  EXPECT_EQ(stream.count(RecordType::kDevice), 1u);
  EXPECT_EQ(stream.texts.at(stream.all(RecordType::kDevice).at(0).as<wire::Device>().name), "Mock GPU");
  EXPECT_EQ(stream.count(RecordType::kContext), 1u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "step"), 1u);
  EXPECT_FALSE(stream.missesText);
  EXPECT_TRUE(stream.losses.empty());
  EXPECT_GT(stream.ends, 0);
}

TEST(Cupti, CallsCanComeFromActivitiesAsWell) {
  TestSession session(kOptions + "api=activity\n");
  ASSERT_EQ(session.run({kProgram, kMock, "return", "3000"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaLaunchKernel_v7000"), 3000u);
  for (const Recorded& call : stream.all(RecordType::kApi)) ASSERT_FALSE(call.inRing);
  EXPECT_EQ(correlations(stream, RecordType::kKernel), correlations(stream, RecordType::kApi));
}

TEST(Cupti, ACopyThatTheProgramLoadedIsTheOneUsed) {
  TestSession session("trace=cuda\ncupti=/nonexistent/libcupti.so.13\n");
  ASSERT_EQ(session.run({kProgram, kMock, "loaded", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kKernel), 10u);
}

TEST(Cupti, EveryThreadsBuffersComeBack) {
  TestSession session(kOptions + "cupti-buffer-kb=64\ncuda-flush-interval-ms=5\nwrite-interval-ms=1\n");
  ASSERT_EQ(session.run({kProgram, kMock, "threads", "5000"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kKernel), 40000u);
  EXPECT_EQ(stream.count(RecordType::kApi), 40000u);
  EXPECT_TRUE(stream.losses.empty());
}

TEST(Cupti, ABurstOfThreadsOverflowsNoRing) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "threads", "20000"}), 0);
  const Stream stream = session.onlyStream();
  std::uint64_t lost = 0;
  for (const auto& [kind, count] : stream.losses) lost += count;
  EXPECT_EQ(stream.count(RecordType::kApi) + lost, 160000u);
  EXPECT_EQ(stream.count(RecordType::kKernel), 160000u);
}

TEST(Cupti, WhatTheTimerTookSurvivesSigkill) {
  TestSession session(kOptions + "cuda-flush-interval-ms=10\n");
  const int status = session.run({kProgram, kMock, "kill", "1000"});
  ASSERT_TRUE(WIFSIGNALED(status));
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kKernel), 1000u);
  EXPECT_EQ(stream.count(RecordType::kApi), 1000u);
  EXPECT_EQ(stream.ends, 0);
}

TEST(Cupti, TheLauncherGetsEverythingOnDiskWhenItAsks) {
  TestSession session(kOptions + "cuda-flush-interval-ms=0\n");
  const int status = session.run({kProgram, kMock, "asked", "1000"});
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(session.control().flushed, 1u);
  EXPECT_EQ(session.onlyStream().count(RecordType::kKernel), 1000u);
}

TEST(Cupti, CallsAreInTheRingsEvenWhereNothingWasFlushed) {
  TestSession session(kOptions + "cuda-flush-interval-ms=0\n");
  ASSERT_TRUE(WIFSIGNALED(session.run({kProgram, kMock, "kill-at-once", "1000"})));
  EXPECT_EQ(session.onlyStream().count(RecordType::kApi), 1000u);
}

TEST(Cupti, AProcessThatEndsWithoutItsExitFunctionsLosesNothing) {
  TestSession session(kOptions + "cuda-flush-interval-ms=0\n");
  const int status = session.run({kProgram, kMock, "_exit", "1000"});
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kKernel), 1000u);
  EXPECT_EQ(stream.count(RecordType::kApi), 1000u);
  EXPECT_EQ(stream.ends, 1);
}

TEST(Cupti, NoisyCallsAreLeftOutUnlessAllAreAskedFor) {
  TestSession some(kOptions), all(kOptions + "cuda-trace-all-apis=1\n");
  ASSERT_EQ(some.run({kProgram, kMock, "calls", "10"}), 0);
  ASSERT_EQ(all.run({kProgram, kMock, "calls", "10"}), 0);
  EXPECT_EQ(some.onlyStream().count(RecordType::kApi, "cudaDeviceSynchronize_v3020"), 10u);
  EXPECT_EQ(some.onlyStream().count(RecordType::kApi, "cuLaunchKernel"), 10u);
  EXPECT_EQ(some.onlyStream().count(RecordType::kApi), 20u);
  EXPECT_EQ(all.onlyStream().count(RecordType::kApi), 41u);
}

TEST(Cupti, LaunchesOfTheDriverCountFromWhenTheProgramTakesAFunctionFromIt) {
  // Before, they can only be those inside launches of the runtime, whose callbacks would double the cost.
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "driver", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kApi, "cuLaunchKernel"), 10u);
}

TEST(Cupti, WhatTheDriverDoesWithinACallOfTheRuntimeIsNoCallOfTheProgram) {
  TestSession some(kOptions), all(kOptions + "cuda-trace-all-apis=1\n");
  ASSERT_EQ(some.run({kProgram, kMock, "within", "5"}), 0);
  ASSERT_EQ(all.run({kProgram, kMock, "within", "5"}), 0);
  EXPECT_EQ(some.onlyStream().count(RecordType::kApi), 0u)
      << "loading code for the runtime is no sign of launches either";
  EXPECT_EQ(all.onlyStream().count(RecordType::kApi, "cuLibraryLoadData"), 5u);
}

TEST(Cupti, SynchronisationIsToldFromTheCalls) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "sync"}), 0);
  const Stream stream = session.onlyStream();
  std::vector<std::string> lines;
  for (const Recorded& one : stream.records) {
    if (one.header.type == RecordType::kCudaEvent) {
      const auto event = one.as<wire::CudaEvent>();
      lines.push_back("event " + std::to_string(event.event) + " record " + std::to_string(event.eventSync) +
                      " stream " + std::to_string(event.stream));
    } else if (one.header.type == RecordType::kSync) {
      const auto sync = one.as<wire::Sync>();
      EXPECT_EQ(sync.context, 1u);
      EXPECT_LE(sync.start, sync.end);
      const auto number = [](std::uint64_t value) { return value == 0xFFFFFFFFu ? "-" : std::to_string(value); };
      lines.push_back("type " + number(sync.type) + " event " + number(sync.event) + " record " +
                      number(sync.eventSync) + " stream " + number(sync.stream));
    }
  }
  EXPECT_THAT(lines, testing::ElementsAre("event 1 record 1 stream 13", "event 2 record 2 stream 7",
                                          "event 1 record 3 stream 13", "type 2 event 2 record 2 stream 13",
                                          "type 1 event 1 record 3 stream -", "type 1 event 1 record 3 stream -",
                                          "type 3 event - record - stream 13", "type 3 event - record - stream 7",
                                          "type 3 event - record - stream 8", "event 2 record 4 stream 13"));
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaEventQuery_v3020"), 1u) << "one was not ready";
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaStreamSynchronize_v3020"), 3u) << "the one that failed, too";
}

TEST(Cupti, UnifiedMemoryIsSwitchedOnOnceTheDriverIsUp) {
  TestSession session(kOptions + "cupti-more-kinds=cpu-faults,gpu-faults\n");
  ASSERT_EQ(session.run({kProgram, kMock, "return", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kUnifiedMemory), 5u) << "three ways to move and two kinds of faults";
  EXPECT_EQ(session.onlyStream().messages(), "");
}

TEST(Cupti, AStreamIsNamedByItsNumberWhereItsHandleIsKnown) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "names"}), 0);
  const Stream stream = session.onlyStream();
  ASSERT_EQ(stream.count(RecordType::kStreamName, "copies"), 1u);
  const Recorded named = stream.all(RecordType::kStreamName)[0];
  EXPECT_EQ(named.header.aux, 13u);
  EXPECT_EQ(named.as<wire::Named>().key, 1u);
  EXPECT_EQ(stream.count(RecordType::kResourceName, "unknown"), 1u);
}

class CuptiWorkers : public testing::TestWithParam<std::string> {};

TEST_P(CuptiWorkers, OfAParentThatNeverTouchesCudaEachHasItsOwnKernels) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "workers-" + GetParam(), "100"}), 0);
  EXPECT_EQ(session.output(), "");
  const std::vector<Stream> streams = session.streams();
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_NE(streams[0].fact("pid"), streams[1].fact("pid"));
  for (const Stream& stream : streams) {
    EXPECT_EQ(stream.count(RecordType::kKernel), 100u);
    EXPECT_EQ(stream.count(RecordType::kApi), 100u);
    EXPECT_EQ(stream.count(RecordType::kContext), 1u);
    EXPECT_EQ(stream.fact("ppid"), streams[0].fact("ppid"));
    EXPECT_EQ(stream.fact("cupti-path"), kMock) << "CUPTI is started in the child";
    EXPECT_GT(stream.ends, 0);
    EXPECT_TRUE(stream.losses.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CuptiWorkers, testing::Values("fork", "exec", "vfork", "spawn"),
                         [](const auto& test) { return testName(test.param); });

TEST(Cupti, ChildrenThatDoNotUseItEndAsTheyMeantToAndLeaveNothing) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "quiet-children", "1000"}), 0);
  EXPECT_EQ(session.output(), "");
  EXPECT_EQ(session.control().processes, 1u);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kKernel), 2000u);
  EXPECT_EQ(stream.count(RecordType::kApi), 2000u);
  EXPECT_TRUE(stream.losses.empty());
  EXPECT_GT(stream.ends, 0);
}

TEST(Cupti, WhoHoldsTheSubscriptionIsNamedAndNvtxGoesOn) {
  TestSession session(kOptions);
  ASSERT_EQ(session.run({kProgram, kMock, "return", "10"}, {"MOCK_CUPTI=taken"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_THAT(stream.messages(), testing::HasSubstr("'another profiler' already uses CUPTI"));
  EXPECT_EQ(stream.count(RecordType::kKernel), 0u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "step"), 1u);
  EXPECT_EQ(session.output(), "");
}

TEST(Cupti, WhereItIsOutOfReachOneMessageSaysWhy) {
  TestSession session("trace=cuda,nvtx\ncupti=/nonexistent/libcupti.so.13\n");
  ASSERT_EQ(session.run({kProgram, kMock, "return", "10"}, {"LD_LIBRARY_PATH="}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kMessage), 1u);
  EXPECT_THAT(stream.messages(), testing::StartsWith("no GPU data: "));
  EXPECT_THAT(stream.messages(), testing::HasSubstr("driver"));
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "step"), 1u);
}

TEST(Cupti, NothingOfItHappensWithoutCudaInTheTrace) {
  TestSession session("trace=nvtx\ncupti=" + kMock + "\n");
  ASSERT_EQ(session.run({kProgram, kMock, "return", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kKernel), 0u);
  EXPECT_EQ(session.onlyStream().count(RecordType::kMessage), 0u);
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush), 1u);
}

}  // namespace
}  // namespace lanescope::test
