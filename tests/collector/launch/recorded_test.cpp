// SPDX-License-Identifier: Apache-2.0
// What a real GPU left (tests/golden/h200_killed: tests/gpu/die.cu on an H200 with GPU metrics at 200 Hz; launcher and
// program were killed with SIGKILL) becomes a whole report.
#include <gmock/gmock.h>

#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;

class Recorded : public FinishFixture {
 protected:
  Recorded() {
    namespace fs = std::filesystem;
    fs::copy(test::sourceFolder() / "tests/golden/h200_killed", folder_.path(),
             fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
};

TEST_F(Recorded, OfAKilledProgramEveryKernelCallAndRangeIsThere) {
  finished();
  EXPECT_THAT(
      rows("SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = demangledName GROUP BY 1"),
      ElementsAre("work(float *)|100"));
  EXPECT_THAT(rows("SELECT value, count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId "
                   "WHERE value LIKE '%LaunchKernel%' GROUP BY 1"),
              ElementsAre("cudaLaunchKernel_v7000|100"));
  EXPECT_THAT(rows("SELECT text, count(*) FROM NVTX_EVENTS WHERE eventType = 59 GROUP BY 1"), ElementsAre("step|100"));
  // Each kernel after the launch that started it, which lies inside its range.
  EXPECT_THAT(
      rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
           "JOIN NVTX_EVENTS n ON n.start <= r.start AND r.end <= n.end WHERE k.start >= r.start"),
      ElementsAre("100"));
  EXPECT_THAT(issues(), ElementsAre("ended-abruptly"));
}

TEST_F(Recorded, ItsMetricsFollowEachOtherWithoutAGap) {
  finished();
  EXPECT_THAT(rows("SELECT count(*), min(n), max(n) FROM (SELECT count(*) AS n FROM GPU_METRICS GROUP BY metricId)"),
              ElementsAre("14|437|437"));
  EXPECT_THAT(rows("SELECT count(*) FROM (SELECT timestamp - lag(timestamp) OVER (ORDER BY timestamp) AS step FROM "
                   "GPU_METRICS WHERE metricId = (SELECT min(metricId) FROM GPU_METRICS)) WHERE step > 5100000"),
              ElementsAre("0"));
}

}  // namespace
}  // namespace lanescope::launch
