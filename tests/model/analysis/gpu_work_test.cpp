// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/gpu_work.h"

#include <gmock/gmock.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/loaded_report.h"
#include "tests/support/report_builder.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;

class GpuWorkOf : public LoadedReport {
 protected:
  GpuWork work(ReportBuilder& builder) { return GpuWork(*load(builder)); }
  GpuWork work(ReportBuilder&& builder) { return work(builder); }
};

TEST_F(GpuWorkOf, StreamsThatRunTogetherAreNeverBusierThanTheTime) {  // MOD-05
  const GpuWork both = work(report().add(K{.start = 1, .end = 101}).add(K{.start = 1, .end = 101, .stream = 20}));
  EXPECT_EQ(both.figures({1, 101}).busy, 100);
  const GpuWork partly = work(report().add(K{.start = 1, .end = 61}).add(K{.start = 41, .end = 91, .stream = 20}));
  EXPECT_EQ(partly.figures({1, 101}).busy, 90);
  EXPECT_EQ(partly.figures({1, 101}).available, 100);
  EXPECT_EQ(partly.figures({1, 101}).idle(), 10);
}

TEST_F(GpuWorkOf, CopyingIsNotIdle) {  // MOD-07
  const GpuFigures figures =
      work(report().add(K{.start = 1, .end = 11}).add(M{.start = 11, .end = 91}).add(K{.start = 91, .end = 101}))
          .figures({1, 101});
  EXPECT_EQ(figures.compute, 20);
  EXPECT_EQ(figures.copying, 80);
  EXPECT_EQ(figures.hidden, 0);
  EXPECT_EQ(figures.idle(), 0);
}

TEST_F(GpuWorkOf, SynchronizationIsNeitherComputeNorBusy) {  // MOD-08
  const GpuFigures figures = work(report()
                                      .add(K{.start = 1, .end = 101, .stream = 20, .name = "collective"})
                                      .add(M{.start = 51, .end = 151})
                                      .add(Sync{.start = 1, .end = 201}))
                                 .figures({1, 201});
  EXPECT_EQ(figures.busy, 150);
  EXPECT_EQ(figures.compute, 100);
  EXPECT_EQ(figures.hidden, 50);
}

TEST_F(GpuWorkOf, AGraphRecordedAsAWholeIsBusyAndSaysSo) {  // MOD-04
  const GpuWork graph = work(report().add(G{.start = 1, .end = 1001}));
  EXPECT_EQ(graph.figures({1, 1001}).busy, 1000);
  EXPECT_EQ(graph.figures({1, 1001}).compute, 1000);
  ASSERT_EQ(graph.devices().size(), 1u);
  EXPECT_TRUE(graph.devices()[0].wholeGraphs);
  EXPECT_FALSE(work(report().add(K{.start = 1, .end = 2})).devices()[0].wholeGraphs);
}

TEST_F(GpuWorkOf, ProcessesShareTheGpuOfOneBusLocation) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 101, .process = gpid(1)}).add(K{.start = 51, .end = 151, .process = gpid(2)});
  builder.insert("TARGET_INFO_GPU",
                 {{"id", 0}, {"name", std::string("NVIDIA H100")}, {"busLocation", std::string("0000:1b:00.0")}});
  builder.insert("TARGET_INFO_GPU",
                 {{"id", 1}, {"name", std::string("NVIDIA H100")}, {"busLocation", std::string("0000:2b:00.0")}});
  builder.insert("TARGET_INFO_CUDA_DEVICE", {{"gpuId", 1}, {"cudaId", 0}, {"pid", 1}});
  builder.insert("TARGET_INFO_CUDA_DEVICE", {{"gpuId", 1}, {"cudaId", 0}, {"pid", 2}});
  const GpuWork one = work(builder);
  ASSERT_EQ(one.devices().size(), 1u);
  EXPECT_EQ(one.devices()[0].label, "GPU 0 · H100");
  EXPECT_EQ(one.devices()[0].gpus.size(), 2u);
  EXPECT_EQ(one.figures({1, 201}).busy, 150);
}

TEST_F(GpuWorkOf, SeveralGpusAddUp) {
  const GpuWork two = work(report().add(K{.start = 1, .end = 101}).add(K{.start = 51, .end = 101, .device = 1}));
  const GpuFigures figures = two.figures({1, 101});
  EXPECT_EQ(figures.gpus, 2);
  EXPECT_EQ(figures.available, 200);
  EXPECT_EQ(figures.busy, 150);
  EXPECT_EQ(GpuWork::figures(two.devices()[1], {1, 101}).busy, 50);
}

TEST_F(GpuWorkOf, ATraceWithoutGpuWorkHasNoGpus) {
  const GpuWork none = work(report().add(R{.start = 1, .end = 5}));
  EXPECT_EQ(none.devices().size(), 0u);
  EXPECT_EQ(none.figures({0, 100}).available, 0);
  EXPECT_EQ(work(report().add(K{.start = 1, .end = 5})).figures({9, 9}).available, 0);
}

TEST_F(GpuWorkOf, ACancelledJobMakesNone) {
  const auto trace = report::load(report().add(K{.start = 1, .end = 11}).write(), {}, {}, Job{});
  ASSERT_TRUE(trace);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(GpuWork(**trace, Job(stop.get_token())).devices().empty());
  EXPECT_EQ(GpuWork(**trace).devices().size(), 1u);
}

}  // namespace
}  // namespace lanescope::analysis
