// SPDX-License-Identifier: Apache-2.0
// Each line of the checklist on a small report of which its figure is computed by hand, in microseconds; then what it
// says of two recordings that a person would tell apart.
#include "model/analysis/checklist.h"

#include <gmock/gmock.h>

#include "tests/support/analysed.h"

namespace lanescope::analysis {

void PrintTo(Verdict verdict, std::ostream* out) { *out << nameOf(verdict); }

namespace {

using namespace lanescope::test;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Optional;
using enum Verdict;

class Checklist : public HostAndGpu {
 protected:
  void copy(std::int64_t start, std::int64_t end, std::int64_t kind = 1, std::int64_t correlation = 0,
            std::int64_t source = 1) {
    builder.add(M{.start = us(start),
                  .end = us(end),
                  .stream = 8,
                  .correlation = correlation,
                  .kind = kind,
                  .bytes = 1'000'000,
                  .source = source,
                  .destination = 2});
  }

  /// The first line of this kind.
  Check check(const std::string& id, Scope scope = {}) {
    if (checks.empty()) {
      Analysed all(builder.write(), scope);
      checks = checklist(all.input());
    }
    for (const Check& each : checks)
      if (each.kind->id == id) return each;
    ADD_FAILURE() << "no line " << id;
    return {};
  }

  std::vector<Check> checks;
};

TEST_F(Checklist, HasALineOfEveryKindInOrderWithTheGpuFirst) {
  kernel(1000, 1100);
  check("gpu_busy");
  std::size_t next = 0;
  for (const CheckKind& kind : checkKinds()) {
    ASSERT_LT(next, checks.size());
    EXPECT_EQ(checks[next++].kind, &kind);
  }
  EXPECT_EQ(checkKinds().front().id, "gpu_busy");
}

TEST_F(Checklist, BusyIsTheUnionOfWorkOfTheTimeFromFirstToLast) {  // MOD-11
  kernel(1000, 1060), copy(1030, 1070), kernel(1090, 1100);
  const Check busy = check("gpu_busy");
  EXPECT_THAT(busy.figure, Optional(80.0));
  EXPECT_EQ(busy.verdict, kImprove);
  EXPECT_EQ(busy.where.at(0).time, (trace::TimeRange{us(1070), us(1090)}));
  EXPECT_THAT(busy.evidence, HasSubstr("busy 80.00 µs of the 100.0 µs from first to last GPU work"));
  EXPECT_TRUE(fails(busy));
  EXPECT_FALSE(fails(busy, 80));
  EXPECT_TRUE(fails(busy, 80.5));
}

TEST_F(Checklist, BusyIsOfTheTimeAskedForWhereOneIs) {
  kernel(1000, 1060), kernel(1300, 1310);
  const Check busy = check("gpu_busy", {{us(1050), us(1150)}, {}});
  EXPECT_THAT(busy.figure, Optional(10.0));
  EXPECT_THAT(busy.evidence, HasSubstr("of the 100.0 µs asked for"));
}

TEST_F(Checklist, IterationsAreFromFirstWorkToFirstWork) {
  for (const std::int64_t i : {0, 1, 2}) {
    range(1000 + 100 * i, 1050 + 100 * i, "step " + std::to_string(i));
    call(1001 + 100 * i, 1010 + 100 * i, "cudaLaunchKernel", i + 1);
  }
  kernel(1020, 1120, 1), kernel(1120, 1170, 2), kernel(1220, 1245, 3);
  const Check busy = check("iteration_busy");  // 100 of 100, 50 of 100, 25 of 25
  EXPECT_THAT(busy.figure, Optional(100.0));
  EXPECT_THAT(busy.evidence, HasSubstr("3 iterations of “:step *”; least 50.0 % in :step 1"));
  EXPECT_EQ(busy.where.at(0).time, (trace::TimeRange{us(1120), us(1220)}));
}

TEST_F(Checklist, WithoutARangeThatRepeatsThereAreNoIterations) {
  kernel(1000, 1100);
  EXPECT_EQ(check("iteration_busy").verdict, kNotRecorded);
}

TEST_F(Checklist, CopiesAreHiddenWhileKernelsRun) {
  kernel(1000, 1100), copy(1050, 1150), kernel(1150, 1200);
  const Check overlap = check("copy_overlap");
  EXPECT_THAT(overlap.figure, Optional(50.0));
  EXPECT_EQ(overlap.verdict, kImprove);
}

TEST_F(Checklist, CollectivesHideNoCopiesAndCopiesWithinAGpuAreNotToBeHidden) {
  kernel(1000, 1100, 0, 7, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)"), copy(1000, 1100);
  kernel(1100, 1200), copy(1100, 1200, 8), copy(1100, 1150, 11);
  const Check overlap = check("copy_overlap");
  EXPECT_THAT(overlap.figure, Optional(0.0));
  EXPECT_THAT(overlap.evidence, HasSubstr("copying 100.0 µs, 100.0 µs of it while nothing was computed"));
}

TEST_F(Checklist, CopiesToAPeerMayBeHidden) {
  kernel(1000, 1100), copy(1000, 1100, 10);
  EXPECT_THAT(check("copy_overlap").figure, Optional(100.0));
}

TEST_F(Checklist, CopiesWithinAGpuAloneAreNoneToBeHidden) {
  kernel(1000, 1100), copy(1000, 1100, 8);
  EXPECT_EQ(check("copy_overlap").verdict, kNone);
}

TEST_F(Checklist, WhereKernelsAreTooShortToHideMoreItIsANote) {
  kernel(1000, 1100), copy(1010, 1310);
  const Check overlap = check("copy_overlap");
  EXPECT_THAT(overlap.figure, Optional(30.0));
  EXPECT_EQ(overlap.verdict, kNote);
  EXPECT_THAT(overlap.advice, HasSubstr("kernels run for 100.0 µs only and hide 90.00 µs"));
}

TEST_F(Checklist, IdleTimeBeforeTheFirstIterationIsANoteThatSaysWhichTimeToLookAt) {
  kernel(100, 101);
  for (const std::int64_t i : {0, 1}) {
    range(1000 + 100 * i, 1050 + 100 * i, "step");
    call(1001 + 100 * i, 1010 + 100 * i, "cudaLaunchKernel", i + 1);
    kernel(1020 + 100 * i, 1120 + 100 * i, i + 1);
  }
  EXPECT_EQ(check("gpu_busy").verdict, kNote);
  EXPECT_THAT(check("gpu_busy").advice, HasSubstr("--filter-time 1020000/1220000"));
}

TEST_F(Checklist, CopiesThatTakeNoTimeToSpeakOfAreANote) {
  kernel(1000, 2000), copy(2000, 2010);
  const Check overlap = check("copy_overlap");
  EXPECT_THAT(overlap.figure, Optional(0.0));
  EXPECT_EQ(overlap.verdict, kNote);
  EXPECT_TRUE(fails(overlap)) << "the goal is missed, though little is lost";
  EXPECT_TRUE(fails(overlap, 60));
  EXPECT_FALSE(fails(overlap, 0));
}

TEST_F(Checklist, CommunicationIsExposedWhileNoOtherKernelRuns) {
  kernel(1000, 1100, 0, 7, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)");
  builder.add(K{.start = us(1050), .end = us(1150), .stream = 9, .name = "gemm"});
  EXPECT_THAT(check("comm_exposed").figure, Optional(50.0));
  EXPECT_EQ(check("comm_exposed").verdict, kImprove);
  EXPECT_THAT(check("comm_share").figure, Optional(50.0));
  EXPECT_EQ(check("comm_share").verdict, kInfo);
}

TEST_F(Checklist, CopiesBetweenGpusAreCommunication) {
  kernel(1000, 1100), copy(1000, 1100, 10);
  EXPECT_THAT(check("comm_exposed").figure, Optional(0.0));
}

TEST_F(Checklist, WaitingThatLeavesTheGpuIdleIsToBeImproved) {
  call(1000, 1010, "cudaLaunchKernel", 1), kernel(1010, 1100, 1);
  call(1015, 1105, "cudaStreamSynchronize_v3020");
  call(1107, 1110, "cudaLaunchKernel", 2), kernel(1115, 1210, 2);
  const Check sync = check("host_sync");
  EXPECT_THAT(sync.figure, Optional(45.0));  // 90 of 200
  EXPECT_EQ(sync.verdict, kImprove);
  EXPECT_THAT(sync.evidence, HasSubstr("cudaStreamSynchronize (1 call, 90.00 µs)"));
  EXPECT_EQ(sync.where.at(0).time, (trace::TimeRange{us(1015), us(1105)}));
}

TEST_F(Checklist, WaitingForAGpuThatHasWorkIsANote) {
  call(1000, 1010, "cudaLaunchKernel", 1), kernel(1010, 1210, 1);
  call(1015, 1214, "cudaDeviceSynchronize_v3020");
  EXPECT_EQ(check("host_sync").verdict, kNote);
}

TEST_F(Checklist, AThreadThatLaunchesNothingMayWait) {
  kernel(1000, 1210);
  call(1015, 1214, "cudaDeviceSynchronize_v3020");
  EXPECT_EQ(check("host_sync").verdict, kNone);
}

TEST_F(Checklist, ShortKernelsCostWhatTheyLeaveTheGpuIdle) {
  for (std::int64_t i = 0; i < 10; ++i) {  // a kernel of 4 every 10
    call(1000 + 10 * i, 1006 + 10 * i, "cudaLaunchKernel", i + 1);
    kernel(1008 + 10 * i, 1012 + 10 * i, i + 1);
  }
  const Check bound = check("launch_bound");
  EXPECT_THAT(bound.figure, Optional(DoubleNear(100.0 * 54 / 94, 1e-9)));
  EXPECT_THAT(
      bound.evidence,
      HasSubstr("10 of 10 kernels (100.0 %) shorter than 10.00 µs; 9 gaps of 54.00 µs by launching one by one"));
  EXPECT_EQ(bound.where.at(0).time, (trace::TimeRange{us(1012), us(1098)}));
  EXPECT_THAT(bound.evidence, HasSubstr("a CUDA graph would save about 52.20 µs (55.5 %)")) << "9 × (6 - 0.2)";
}

TEST_F(Checklist, AProgramThatReplaysGraphsIsNotToldToDoSo) {
  for (std::int64_t i = 0; i < 10; ++i) {
    call(1000 + 40 * i, 1006 + 40 * i, "cudaGraphLaunch_v10000", i + 1);
    for (const std::int64_t node : {0, 1, 2}) kernel(1008 + 40 * i + 8 * node, 1012 + 40 * i + 8 * node, i + 1);
  }
  const Check bound = check("launch_bound");
  EXPECT_THAT(bound.figure, Optional(0.0));
  EXPECT_EQ(bound.evidence, "30 of 30 kernels (100.0 %) shorter than 10.00 µs");
  EXPECT_EQ(bound.advice, "");
  EXPECT_THAT(check("gpu_busy").advice, HasSubstr("“in or between CUDA graphs”"));
}

TEST_F(Checklist, GapsBesideMigrationsOfUnifiedMemoryAreNotLaunches) {
  kernel(1000, 1005);
  for (std::int64_t i = 0; i < 10; ++i) copy(1006 + 10 * i, 1010 + 10 * i, 12);
  EXPECT_THAT(check("launch_bound").figure, Optional(0.0));
}

TEST_F(Checklist, LoadingCodeAtAFirstLaunchIsNotLaunchingOneByOne) {
  launch(900, 901, 1), kernel(1000, 1010, 1);
  launch(1011, 18'771, 2), kernel(18'772, 18'780, 2, 7, "another");
  EXPECT_THAT(check("launch_bound").figure, Optional(0.0));
  EXPECT_THAT(check("gpu_busy").evidence, HasSubstr("loading code"));
}

TEST_F(Checklist, PausesOfTheGpuBetweenQueuedKernelsCostAsMuchAsLateLaunches) {
  for (std::int64_t i = 0; i < 3; ++i) {
    call(900 + 10 * i, 901 + 10 * i, "cudaLaunchKernel", i + 1);
    kernel(1000 + 10 * i, 1008 + 10 * i, i + 1);
  }
  EXPECT_THAT(check("launch_bound").figure, Optional(DoubleNear(100.0 * 4 / 28, 1e-9)));
}

TEST_F(Checklist, PageableAndSynchronousCopiesCostTheHostTheirCalls) {
  call(1000, 1020, "cudaMemcpyAsync_v3020", 1), copy(1010, 1020, 1, 1, 0);
  call(1050, 1080, "cudaMemcpy_v3020", 2), copy(1060, 1079, 2, 2);
  call(1090, 1095, "cudaLaunchKernel", 3), kernel(1100, 1110, 3);
  EXPECT_THAT(check("pageable_copies").figure, Optional(10.0)) << "10 of 100: the window begins with the copy";
  EXPECT_EQ(check("pageable_copies").verdict, kImprove);
  EXPECT_THAT(check("sync_copies").figure, Optional(30.0));
  EXPECT_EQ(check("sync_copies").verdict, kImprove);
}

TEST_F(Checklist, ACallInsideAnotherOfItsSortIsCountedOnce) {
  call(1050, 1080, "cudaMemcpy_v3020", 2), call(1051, 1079, "cuMemcpyHtoD_v2"), copy(1060, 1079, 2, 2);
  call(1090, 1095, "cudaLaunchKernel", 3), kernel(1100, 1110, 3);
  EXPECT_THAT(check("sync_copies").evidence, HasSubstr(": cudaMemcpy (1 call, 20.00 µs); longest"));
}

TEST_F(Checklist, PcieCountsMigrationsOfUnifiedMemory) {
  copy(1000, 1100, 1), copy(1100, 1200, 12);
  const Check pcie = check("pcie");
  EXPECT_THAT(pcie.figure, Optional(DoubleNear(10, 1e-9)));
  EXPECT_THAT(pcie.evidence, HasSubstr("; of it 1.00 MB by 100.0 µs of migrating unified memory"));
}

TEST_F(Checklist, PcieIsBytesOverTimeInEachDirection) {
  copy(1000, 1100, 1), copy(1100, 1150, 2), copy(1150, 1160, 8);
  const Check pcie = check("pcie");
  EXPECT_THAT(pcie.figure, Optional(DoubleNear(2e6 / 150e3, 1e-9)));
  EXPECT_THAT(pcie.evidence, HasSubstr("to the GPU 1.00 MB at 10.0 GB/s"));
  EXPECT_THAT(pcie.evidence, HasSubstr("to the host 1.00 MB at 20.0 GB/s"));
}

class Bound : public Checklist {
 protected:
  void metric(std::int64_t id, const char* name, std::int64_t value) {
    builder.insert("TARGET_INFO_GPU_METRICS",
                   {{"typeId", std::int64_t{1}}, {"metricId", id}, {"metricName", std::string(name)}});
    for (const std::int64_t time : {900, 1000, 1100, 1200})  // while a kernel runs: `value`, else 0
      builder.insert("GPU_METRICS", {{"timestamp", us(time)},
                                     {"typeId", std::int64_t{1}},
                                     {"metricId", id},
                                     {"value", time == 1000 ? value : 0}});
  }
};

TEST_F(Bound, IsTheMemoryWhereReadsAndWritesFillIt) {
  kernel(1000, 1100), kernel(1199, 1200);
  metric(1, "DRAM Read Bandwidth [Throughput %]", 50), metric(2, "DRAM Write Bandwidth [Throughput %]", 40);
  metric(3, "SM Issue [Throughput %]", 30), metric(4, "SMs Active [Throughput %]", 99);
  const Check bound = check("bound");
  EXPECT_THAT(bound.figure, Optional(DoubleNear(90.0 * 100 / 101, 1e-9)));
  EXPECT_THAT(bound.advice, HasSubstr("memory-bound"));
}

TEST_F(Bound, IsTheSmsWhereTheyIssueAllTheTime) {
  kernel(1000, 1100);
  metric(1, "DRAM Read Bandwidth [Throughput %]", 50), metric(3, "SM Issue [Throughput %]", 85);
  EXPECT_THAT(check("bound").advice, HasSubstr("compute-bound"));
}

TEST_F(Bound, IsNeitherWhereTheGpuIsNotFilled) {
  kernel(1000, 1100);
  metric(3, "SM Issue [Throughput %]", 5), metric(4, "SMs Active [Throughput %]", 20);
  EXPECT_THAT(check("bound").advice, HasSubstr("not filled"));
}

TEST_F(Bound, IsNotSaidByAMetricOfWhichAllSamplesAreZero) {
  kernel(1000, 1100);
  metric(1, "DRAM Read Bandwidth [Throughput %]", 0), metric(2, "DRAM Write Bandwidth [Throughput %]", 0);
  metric(3, "SM Issue [Throughput %]", 30), metric(4, "SMs Active [Throughput %]", 99);
  const Check bound = check("bound");
  EXPECT_THAT(bound.evidence, HasSubstr("DRAM not recorded"));
  EXPECT_THAT(bound.advice, HasSubstr("not known"));
}

TEST_F(Bound, IsNotRecordedWhereAllAreZero) {
  kernel(1000, 1100);
  metric(1, "DRAM Read Bandwidth [Throughput %]", 0), metric(3, "SM Issue [Throughput %]", 0);
  EXPECT_EQ(check("bound").verdict, kNotRecorded);
}

TEST_F(Bound, IsNotSaidByOtherMetrics) {
  kernel(1000, 1100);
  metric(9, "Power [W]", 300);
  EXPECT_EQ(check("bound").verdict, kNotRecorded);
}

TEST_F(Bound, NeedsMetrics) {
  kernel(1000, 1100);
  EXPECT_EQ(check("bound").verdict, kNotRecorded);
  EXPECT_FALSE(fails(check("bound")));
  EXPECT_TRUE(fails(check("bound"), 80)) << "what was not recorded does not pass a threshold";
}

TEST_F(Checklist, LoadIsComparedOverTheGpusOfAFile) {
  kernel(1000, 1100, 0, 7, "gemm", 0), kernel(1000, 1075, 0, 7, "gemm", 1);
  kernel(1075, 1100, 0, 7, "ncclDevKernel_AllReduce(x)", 1);
  const Check load = check("load_imbalance");
  EXPECT_THAT(load.figure, Optional(25.0));
  EXPECT_EQ(load.verdict, kImprove);
}

TEST_F(Checklist, WithoutGpuWorkNothingWasRecorded) {
  call(1, 2, "cudaMalloc");
  for (const CheckKind& kind : checkKinds()) EXPECT_EQ(check(std::string(kind.id)).verdict, kNotRecorded) << kind.id;
}

Check of(const char* recording, const char* id) {
  Analysed all(sharedFolder() / "golden" / recording / "nsys.sqlite");
  for (Check& each : checklist(all.input()))
    if (each.kind->id == id) return each;
  return {};
}

TEST(ChecklistOfRecordings, TellsTheGoodProgramFromTheBad) {
  LANESCOPE_NEEDS_SHARED();
  EXPECT_EQ(of("overlap_good", "copy_overlap").verdict, kNote) << "kernels are shorter than copies";
  EXPECT_EQ(of("overlap_bad", "copy_overlap").verdict, kImprove);
  EXPECT_EQ(of("overlap_good", "sync_copies").verdict, kNone);
  EXPECT_EQ(of("overlap_bad", "sync_copies").verdict, kImprove);
  EXPECT_NE(of("overlap_good", "host_sync").verdict, kImprove);
  EXPECT_EQ(of("overlap_bad", "host_sync").verdict, kImprove);
  EXPECT_EQ(of("threads", "pageable_copies").verdict, kImprove);
}

}  // namespace
}  // namespace lanescope::analysis
