// SPDX-License-Identifier: Apache-2.0
// Whatever the trace, the parts of idle time add up to what the union of all work leaves.
#include <gmock/gmock.h>

#include <random>

#include "model/analysis/idle_causes.h"
#include "model/trace/busy.h"
#include "tests/support/analysed.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;

class IdleSums : public HostAndGpu {};

/// Idle time without us: what the union of all work leaves.
void expectToAddUp(Analysed& all, trace::Ns least) {
  for (const DeviceIdle& device : idleCauses(all.input(), least)) {
    std::vector<trace::KeptLane> lanes;
    for (std::size_t i = 0; i < all.trace->lanes.size(); ++i)
      if (trace::isGpuWork(all.trace->laneInfo[i].kind) &&
          std::ranges::find(device.gpus, all.trace->laneInfo[i].gpu) != device.gpus.end())
        lanes.push_back({all.trace->lanes[i]});
    EXPECT_EQ(device.idle, device.window.length() - trace::unionBusy(lanes, device.window));
    trace::Ns sum = device.shortIdle, last = device.window.begin;
    for (const IdleGap& gap : device.gaps) {
      EXPECT_GT(gap.time.length(), least);
      EXPECT_GE(gap.time.begin, last);
      EXPECT_LE(gap.time.end, device.window.end);
      EXPECT_NE(gap.cause, IdleCause::kShort);
      sum += gap.time.length();
      last = gap.time.end;
    }
    EXPECT_EQ(sum, device.idle);
  }
}

TEST_F(IdleSums, PartsAddUpToTheIdleTimeOfAnyTrace) {
  std::mt19937 random(11);
  const auto upTo = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % (most + 1)); };
  constexpr const char* kNames[] = {"cudaLaunchKernel", "cudaMemcpy", "cudaStreamSynchronize", "cudaMalloc",
                                    "cudaStreamWaitEvent"};
  for (int round = 0; round < 60; ++round) {
    ReportBuilder any(folder / "any.sqlite");
    for (int i = 0; i < 60; ++i) {
      const std::int64_t called = 1 + upTo(300'000), started = 1 + upTo(300'000), correlation = upTo(70);
      any.add(R{.start = called,
                .end = called + upTo(30'000),
                .thread = gtid(1, 1 + upTo(2)),
                .correlation = correlation,
                .name = kNames[upTo(4)]});
      any.add(K{.start = started,
                .end = started + upTo(4'000),
                .device = upTo(1),
                .stream = 7 + upTo(2),
                .correlation = correlation,
                .process = gpid(1 + upTo(1))});
      if (i % 7 == 0) any.add(N{.start = called, .end = called + upTo(50'000), .text = "range"});
    }
    Analysed all(any.write());
    expectToAddUp(all, upTo(3000));
    all.scope.range = {upTo(200'000), 200'001 + upTo(200'000)};
    expectToAddUp(all, upTo(3000));
  }
}

TEST_F(IdleSums, PartsAddUpToTheIdleTimeOfEveryRecording) {
  LANESCOPE_NEEDS_SHARED();
  std::vector<std::filesystem::path> files = goldenExports();
  for (auto& stranger : filesIn(sharedFolder() / "traces/nsys", ".sqlite")) files.push_back(std::move(stranger));
  for (const auto& path : files) {
    SCOPED_TRACE(path);
    Analysed all(path);
    expectToAddUp(all, 1000);
    const trace::TimeRange whole = all.trace->range;
    all.scope.range = {whole.begin + whole.length() / 3, whole.begin + whole.length() / 3 * 2};
    expectToAddUp(all, 0);
  }
}

}  // namespace
}  // namespace lanescope::analysis
