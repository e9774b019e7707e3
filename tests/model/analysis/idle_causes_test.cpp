// SPDX-License-Identifier: Apache-2.0
// Each cause of idle time by an example of it, written in microseconds.
#include "model/analysis/idle_causes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/analysed.h"

namespace lanescope::analysis {

void PrintTo(IdleCause cause, std::ostream* out) { *out << nameOf(cause); }

namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using enum IdleCause;

class Idle : public HostAndGpu {
 protected:
  void overhead(std::int64_t start, std::int64_t end, const char* name = "CUPTI Buffer flush") {
    builder.insert("PROFILER_OVERHEAD",
                   {{"start", us(start)}, {"end", us(end)}, {"globalTid", gtid(1, 1)}, {"nameId", builder.id(name)}});
  }

  /// The one gap of the report; `culprit` becomes the name of its culprit.
  IdleGap gap(Scope scope = {}, trace::Ns least = 1000) {
    Analysed all(builder.write(), scope);
    const auto devices = idleCauses(all.input(), least);
    EXPECT_EQ(devices.size(), 1u);
    if (devices.empty() || devices[0].gaps.size() != 1) {
      ADD_FAILURE() << "not one gap";
      return {};
    }
    const IdleGap found = devices[0].gaps[0];
    EXPECT_EQ(devices[0].idle, found.time.length() + devices[0].shortIdle);
    culprit = found.culprit ? all.name(*found.culprit) : "";
    if (found.thread != trace::kNone) {
      EXPECT_EQ(all.trace->threads[found.thread].tid, 1);
    }
    return found;
  }
  IdleCause cause() { return gap().cause; }
  /// The same, while between two kernels the launching thread makes no call for 200 µs.
  IdleCause causeOfPause() {
    launch(1000, 1010, 1), kernel(1020, 1100, 1);
    launch(1300, 1310, 2), kernel(1320, 1400, 2);
    return cause();
  }

  std::string culprit;
};

TEST_F(Idle, ASynchronizationThatDrainedTheQueueIsTheCauseWithTheLaunchBehindIt) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1030, 1104, "cudaStreamSynchronize_v3020");
  launch(1110, 1120, 2), kernel(1125, 1200, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kSynchronization);
  EXPECT_EQ(culprit, "cudaStreamSynchronize_v3020");
  EXPECT_EQ(found.time, (trace::TimeRange{us(1100), us(1125)}));
}

TEST_F(Idle, ACopyThatBlocksTheHostIsTheCauseOfTheGapBehindIt) {
  call(1010, 1105, "cudaMemcpy_v3020", 1);
  builder.add(M{.start = us(1020), .end = us(1100), .correlation = 1, .bytes = 1 << 20, .source = 1, .destination = 2});
  launch(1108, 1115, 2), kernel(1120, 1200, 2);
  EXPECT_EQ(cause(), kBlockingCopy);
  EXPECT_EQ(culprit, "cudaMemcpy_v3020");
}

TEST_F(Idle, AnAsynchronousCopyOfPageableMemoryBlocksToo) {
  call(1010, 1105, "cudaMemcpyAsync_v3020", 1);
  builder.add(M{.start = us(1020), .end = us(1100), .correlation = 1, .bytes = 1 << 20, .source = 0, .destination = 2});
  launch(1108, 1115, 2), kernel(1120, 1200, 2);
  EXPECT_EQ(cause(), kBlockingCopy);
}

TEST_F(Idle, OfPinnedMemoryItDoesNot) {
  call(1010, 1105, "cudaMemcpyAsync_v3020", 1);
  builder.add(M{.start = us(1020), .end = us(1100), .correlation = 1, .bytes = 1 << 20, .source = 1, .destination = 2});
  launch(1108, 1115, 2), kernel(1120, 1200, 2);
  EXPECT_EQ(cause(), kLaunching);
}

TEST_F(Idle, ShortKernelsOneAfterTheOtherWaitForTheirLaunches) {
  launch(1000, 1010, 1), kernel(1020, 1025, 1);
  launch(1030, 1040, 2), kernel(1045, 1050, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kLaunching);
  EXPECT_EQ(culprit, "cudaLaunchKernel_v7000");
  EXPECT_TRUE(found.next);
}

TEST_F(Idle, ALaunchThatTookLongIsTheCauseThoughItBeganBefore) {
  launch(1000, 1010, 1), kernel(1020, 1030, 1);
  launch(1025, 1500, 2), kernel(1505, 1600, 2);
  EXPECT_EQ(cause(), kLaunching);
}

TEST_F(Idle, LongPausesBetweenCallsAreTheHostsOwnByTheInnermostRange) {
  range(900, 2000, "step"), range(1090, 1290, "prepare");
  EXPECT_EQ(causeOfPause(), kHostCode);
  EXPECT_EQ(culprit, "prepare");
}

TEST_F(Idle, WithoutARangeTheCallOfTheOsSaysWhatTheHostDid) {
  builder.add(O{.start = us(1110), .end = us(1290), .name = "usleep"});
  EXPECT_EQ(causeOfPause(), kHostCode);
  EXPECT_EQ(culprit, "usleep");
}

TEST_F(Idle, ACallOfALibraryNamesThePauseThatItFills) {
  range(900, 2000, "step");
  builder.insert(
      "CUBLAS_EVENTS",
      {{"start", us(1105)}, {"end", us(1295)}, {"globalTid", gtid(1, 1)}, {"nameId", builder.id("cublasGemmEx")}});
  EXPECT_EQ(causeOfPause(), kHostCode);
  EXPECT_EQ(culprit, "cublasGemmEx");
}

TEST_F(Idle, ACallOfALibraryNamesTheGapItFillsWithTheCallsInsideIt) {
  builder.insert("CUDNN_EVENTS", {{"start", us(1105)},
                                  {"end", us(1295)},
                                  {"globalTid", gtid(1, 1)},
                                  {"nameId", builder.id("cudnnConvolutionForward")}});
  for (const std::int64_t at : {1140, 1170, 1200, 1230, 1260}) call(at, at + 2, "cudaFuncGetAttributes_v9000");
  EXPECT_EQ(causeOfPause(), kHostCode);
  EXPECT_EQ(culprit, "cudnnConvolutionForward");
}

TEST_F(Idle, HostCodeWithoutPythonIsToldByTheFunctionThatMostSamplesWereIn) {
  for (const std::int64_t id : {1, 2, 3, 4, 5}) {
    builder.insert(
        "COMPOSITE_EVENTS",
        {{"id", id}, {"start", us(1100 + 30 * id)}, {"globalTid", gtid(1, 1)}, {"cpuCycles", std::int64_t{1}}});
    builder.stack("SAMPLING_CALLCHAINS", id, {{id == 2 ? "read" : "prepare", "/opt/train"}, {"main", "/opt/train"}});
  }
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kHostCode);
  EXPECT_EQ(found.host, "prepare (train)");
}

TEST_F(Idle, HostCodeThatFollowsASynchronizationOutweighsIt) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1030, 1110, "cudaDeviceSynchronize_v3020");
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  EXPECT_EQ(cause(), kHostCode);
}

TEST_F(Idle, OtherCallsThatTakeLongAreHostCode) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1101, 1299, "cudaMalloc_v3020");
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  EXPECT_EQ(cause(), kHostCode);
  EXPECT_EQ(culprit, "cudaMalloc_v3020");
}

TEST_F(Idle, ReadsOfTheOsAndRangesThatSaySoAreDataLoading) {
  builder.add(O{.start = us(1110), .end = us(1290), .name = "read"});
  EXPECT_EQ(causeOfPause(), kDataLoading);
  EXPECT_EQ(culprit, "read");
}

TEST_F(Idle, PythonInALibraryThatLoadsDataIsDataLoadingByTheLineOfTheProgram) {
  range(900, 2000, "step");
  builder.add(O{.start = us(1110), .end = us(1290), .name = "poll"});
  builder.insert("LANESCOPE_OSRT_OBJECTS",
                 {{"osrtRow", 1}, {"object", std::int64_t{9}}, {"nameId", builder.id("pipe:[77]")}});
  for (const std::int64_t id : {1, 2}) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id}, {"start", us(1100 + 50 * id)}, {"globalTid", gtid(1, 1)}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id,
                  {{"_try_get_data", "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py", 1251},
                   {"<module>", "/opt/train.py", 55}});
  }
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kDataLoading);
  EXPECT_EQ(culprit, "poll");
  EXPECT_EQ(found.host, "<module> (train.py:55), in poll of pipe:[77]");
}

TEST_F(Idle, HostCodeIsToldByTheLineOfPythonAndTheLockItWaitedFor) {
  builder.add(O{.start = us(1110), .end = us(1290), .name = "pthread_mutex_lock"});
  builder.insert("LANESCOPE_OSRT_OBJECTS",
                 {{"osrtRow", 1}, {"object", std::int64_t{9}}, {"nameId", builder.id("gate")}});
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kHostCode);
  EXPECT_EQ(found.host, "pthread_mutex_lock of lock gate");
}

TEST_F(Idle, ASynchronizationIsToldByTheLineThatCalledIt) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  builder.insert("CUPTI_ACTIVITY_KIND_RUNTIME", {{"start", us(1030)},
                                                 {"end", us(1104)},
                                                 {"globalTid", gtid(1, 1)},
                                                 {"nameId", builder.id("cudaStreamSynchronize_v3020")},
                                                 {"callchainId", std::int64_t{7}}});
  builder.stack("CUDA_CALLCHAINS", 7, {{"cudaStreamSynchronize", "/lib/libcudart.so"}, {"item", "/opt/train.py", 70}});
  launch(1110, 1120, 2), kernel(1125, 1200, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kSynchronization);
  EXPECT_EQ(found.host, "item (train.py:70)");
}

TEST_F(Idle, ARangeOfADataLoaderIsDataLoading) {
  range(1090, 1295, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
  EXPECT_EQ(causeOfPause(), kDataLoading);
}

TEST_F(Idle, ARangeOfNcclIsAWaitForPeers) {
  builder.add(N{.start = 1, .type = 75, .text = "NCCL", .domain = 3});
  range(1095, 1295, "ncclAllReduce", 3);
  EXPECT_EQ(causeOfPause(), kPeer);
  EXPECT_EQ(culprit, "ncclAllReduce");
}

TEST_F(Idle, ACallOfMpiIsAWaitForPeers) {
  builder.sql("CREATE TABLE MPI_COLLECTIVES_EVENTS (start, end, globalTid, textId)");
  builder.sql(fmt::format("INSERT INTO MPI_COLLECTIVES_EVENTS VALUES ({}, {}, {}, {})", us(1101), us(1299), gtid(1, 1),
                          builder.id("MPI_Allreduce")));
  EXPECT_EQ(causeOfPause(), kPeer);
  EXPECT_EQ(culprit, "MPI_Allreduce");
}

TEST_F(Idle, TheProfilerIsToldFromTheProgram) {
  overhead(1105, 1299);
  EXPECT_EQ(causeOfPause(), kOverhead);
  EXPECT_EQ(culprit, "CUPTI Buffer flush");
}

class CudasOwnTime : public Idle, public testing::WithParamInterface<const char*> {};

TEST_P(CudasOwnTime, ForLoadingOrCompilingCodeIsNotTheProfilers) {
  overhead(1105, 1299, GetParam());
  EXPECT_EQ(causeOfPause(), kLoading);
  EXPECT_EQ(culprit, GetParam());
}
// As CUPTI's types of overhead are labelled, as JIT records are, and as Kineto writes them.
INSTANTIATE_TEST_SUITE_P(Names, CudasOwnTime,
                         testing::Values("Runtime module loading (CUDA)", "Lazy function loading (CUDA)",
                                         "Driver JIT compiler (CUDA)", "JIT: compile",
                                         "Runtime Triggered Module Loading"));

TEST_F(Idle, ACallThatLoadsCodeIsLoadingCode) {
  call(1105, 1299, "cuLibraryLoadData");
  EXPECT_EQ(causeOfPause(), kLoading);
  EXPECT_EQ(culprit, "cuLibraryLoadData");
}

TEST_F(Idle, LaunchesThatWaitForRoomAreLaunching) {
  overhead(1125, 1299, "Command buffer full (CUDA)");
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1125, 1300, 2), kernel(1320, 1400, 2);
  EXPECT_EQ(cause(), kLaunching);
}

TEST_F(Idle, OnlyTheTimeThatTheProfilerTookIsItsOwn) {
  overhead(1105,
           1165);  // more than half of the pause before the call, but less of the gap than call and rest of the pause
  call(1205, 1290, "cudaStreamCreateWithFlags");
  EXPECT_EQ(causeOfPause(), kHostCode);
  EXPECT_EQ(culprit, "");
}

TEST_F(Idle, WhereNothingFillsMostOfTheGapTheLongestOfTheCauseIsTold) {
  call(1205, 1290, "cudaStreamCreateWithFlags");
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  Analysed all(builder.write());
  const IdleGap found = idleCauses(all.input()).front().gaps.front();
  EXPECT_EQ(found.cause, kHostCode);
  EXPECT_FALSE(found.culprit);
  ASSERT_TRUE(found.longest);
  EXPECT_EQ(all.name(*found.longest), "cudaStreamCreateWithFlags");
  EXPECT_EQ(coveredBy(*all.trace, found, *found.longest), 85'000);
}

TEST_F(Idle, TheProfilerMayAlsoHoldUpQueuedWork) {
  overhead(1105, 1299);
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1011, 1013, 2), kernel(1320, 1400, 2);
  EXPECT_EQ(cause(), kOverhead);
}

TEST_F(Idle, QueuedWorkThatWaitsForAnEventHasThatCause) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1011, 1012, "cudaStreamWaitEvent_v3020", 5);
  builder.add(Sync{.start = us(1011), .end = us(1012), .stream = 8, .correlation = 5, .type = 2, .event = 1});
  launch(1013, 1015, 2), kernel(1102, 1200, 2, 8);
  EXPECT_EQ(cause(), kEventWait);
  EXPECT_EQ(culprit, "cudaStreamWaitEvent_v3020");
}

TEST_F(Idle, AWaitOfAnotherStreamOrBeforeItsLastWorkHasNothingToDoWithIt) {
  call(1001, 1002, "cudaStreamWaitEvent_v3020", 5), call(1011, 1012, "cudaStreamWaitEvent_v3020", 6);
  builder.add(Sync{.start = us(1001), .end = us(1002), .stream = 7, .correlation = 5, .type = 2, .event = 1});
  builder.add(Sync{.start = us(1011), .end = us(1012), .stream = 9, .correlation = 6, .type = 2, .event = 1});
  kernel(900, 901, 8, 9), launch(890, 891, 8);
  launch(1003, 1010, 1), kernel(1020, 1100, 1);
  launch(1013, 1015, 2), kernel(1102, 1200, 2);
  Analysed all(builder.write());
  const auto gaps = idleCauses(all.input()).at(0).gaps;
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[1].cause, kQueued);
}

TEST_F(Idle, WhereTheReportDoesNotSayWhichStreamWaitsTheThreadsLastWaitCounts) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1011, 1012, "cudaStreamWaitEvent_v3020");
  launch(1013, 1015, 2), kernel(1102, 1200, 2);
  EXPECT_EQ(cause(), kEventWait);
}

TEST_F(Idle, QueuedWorkThatNothingHeldUpIsTheGpusOwnPause) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1011, 1015, 2), kernel(1102, 1200, 2);
  EXPECT_EQ(cause(), kQueued);
}

TEST_F(Idle, AQueueThatStoodStillForLongIsNoPauseOfTheGpu) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1011, 1015, 2), kernel(1151, 1200, 2);
  EXPECT_EQ(cause(), kUnknown);
}

TEST_F(Idle, WorkThatLayInTheQueueThoughItsCallReturnedIsNotLaunching) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1130, 1132, "cudaStreamWaitEvent_v3020", 5);
  builder.add(Sync{.start = us(1130), .end = us(1132), .stream = 8, .correlation = 5, .type = 2, .event = 1});
  launch(1138, 1143, 2), kernel(464'000, 464'100, 2, 8);
  call(1150, 463'990, "cudaEventSynchronize_v3020");
  EXPECT_EQ(cause(), kEventWait);
  EXPECT_EQ(culprit, "cudaStreamWaitEvent_v3020");
}

TEST_F(Idle, WithoutAnEventToWaitForTheReasonOfALongQueueIsUnknown) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1138, 1143, 2), kernel(2000, 2100, 2);
  EXPECT_EQ(cause(), kUnknown);
}

TEST_F(Idle, WhatALaunchTakesToGetToTheGpuIsLaunching) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1102, 1104, 2), kernel(1130, 1200, 2);
  EXPECT_EQ(cause(), kLaunching);
}

TEST_F(Idle, BetweenGraphsItIsTheirs) {
  call(1000, 1010, "cudaGraphLaunch_v10000", 1), kernel(1020, 1100, 1);
  call(1105, 1110, "cudaGraphLaunch_v10000", 2), kernel(1115, 1200, 2);
  EXPECT_EQ(cause(), kGraph);
}

TEST_F(Idle, AFirstLaunchThatTookLongLoadsCode) {
  launch(1000, 1010, 1), kernel(1020, 1030, 1);
  launch(1025, 1500, 2), kernel(1505, 1600, 2, 7, "another");
  EXPECT_EQ(cause(), kLoading);
  EXPECT_EQ(culprit, "cudaLaunchKernel_v7000");
}

TEST_F(Idle, BesideAMigrationOfUnifiedMemoryItIsThat) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  builder.add(M{.start = us(1110), .end = us(1200), .kind = 12, .bytes = 4096});
  EXPECT_EQ(cause(), kMigration);
}

TEST_F(Idle, WhatFillsLittleOfAGapIsNotToBlameButItsThreadIs) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1150, 1175, "cudaStreamCreateWithPriority_v5050");
  range(1100, 1120, "short");
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const IdleGap found = gap();
  EXPECT_EQ(found.cause, kHostCode);
  EXPECT_EQ(culprit, "");
  EXPECT_NE(found.thread, trace::kNone);
}

TEST_F(Idle, OnlyShortGapsBetweenLaunchesHaveAdvice) {
  launch(900, 901, 1), launch(902, 903, 2), kernel(1000, 1010, 1), kernel(1020, 1030, 2);
  Analysed all(builder.write());
  EXPECT_EQ(adviceOn(idleCauses(all.input(), us(10)).at(0), kShort), "") << "10 µs are not short by themselves";
  EXPECT_NE(adviceOn(idleCauses(all.input()).at(0), kQueued), "");
}

TEST_F(Idle, BehindTheLastWorkOfTheTimeAskedForNothingWasSubmitted) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  range(1000, 5000, "the rest");
  const IdleGap found = gap({{us(1050), us(2000)}, {}});
  EXPECT_EQ(found.cause, kNoWork);
  EXPECT_EQ(found.time, (trace::TimeRange{us(1100), us(2000)}));
}

TEST_F(Idle, AGapIsClippedToTheTimeAskedForAndKeepsItsCause) {
  range(1090, 1290, "prepare");
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const IdleGap found = gap({{us(1150), us(1250)}, {}});
  EXPECT_EQ(found.cause, kHostCode);
  EXPECT_EQ(found.time, (trace::TimeRange{us(1150), us(1250)}));
  EXPECT_EQ(culprit, "prepare");
}

TEST_F(Idle, WithoutALaunchTheCauseIsUnknown) {
  kernel(1020, 1100, 0), kernel(1320, 1400, 0);
  EXPECT_EQ(cause(), kUnknown);
}

TEST_F(Idle, WithoutALaunchTheThreadThatLaunchedBeforeMayStillTell) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1030, 1319, "cudaDeviceSynchronize_v3020");
  kernel(1320, 1400, 0);
  EXPECT_EQ(cause(), kSynchronization);
}

TEST_F(Idle, GapsOfUpToTheLeastAreCountedTogether) {
  kernel(1000, 1010, 0), kernel(1011, 1020, 0), kernel(1022, 1030, 0);
  const IdleGap found = gap();
  EXPECT_EQ(found.time, (trace::TimeRange{us(1020), us(1022)}));
}

TEST_F(Idle, WorkOfOtherProcessesAndWholeGraphsIsWork) {
  kernel(1000, 1010, 0);
  builder.add(G{.start = us(1010), .end = us(1500)});
  builder.add(K{.start = us(1500), .end = us(1600), .process = gpid(2)});
  kernel(1600, 1610, 0);
  Analysed all(builder.write());
  const auto devices = idleCauses(all.input());
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].idle, 0);
}

}  // namespace
}  // namespace lanescope::analysis
