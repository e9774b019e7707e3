// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/metric_table.h"

#include <gmock/gmock.h>

#include "tests/support/files.h"

namespace lanescope::sample {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSubsetOf;

std::vector<std::string> titles(const MetricSet& set) {
  std::vector<std::string> all;
  for (const MetricRow& row : set.rows) all.push_back(row.title);
  return all;
}

TEST(MetricTable, GeneralNamesItsRowsAsNsightSystemsDoes) {
  const auto set = metricSet("general");
  ASSERT_TRUE(set);
  // What Nsight Systems 2025.3.1 gives on an H100, without the warps of graphics and the sums
  // of warps over the cycles of a sample, which their mean tells better.
  const std::vector<std::string> theirs = {"GPC Clock Frequency [MHz]",
                                           "SYS Clock Frequency [MHz]",
                                           "GR Active [Throughput %]",
                                           "SMs Active [Throughput %]",
                                           "SM Issue [Throughput %]",
                                           "Tensor Active [Throughput %]",
                                           "Compute Warps in Flight [Throughput %]",
                                           "Compute Warps in Flight [Avg Warps per Cycle]",
                                           "Unallocated Warps in Active SMs [Throughput %]",
                                           "Unallocated Warps in Active SMs [Avg Warps per Cycle]",
                                           "DRAM Read Bandwidth [Throughput %]",
                                           "DRAM Write Bandwidth [Throughput %]",
                                           "PCIe RX Throughput [Throughput %]",
                                           "PCIe TX Throughput [Throughput %]"};
  EXPECT_THAT(theirs, IsSubsetOf(titles(*set)));
}

TEST(MetricTable, GraphicsAddsToGeneral) {
  const auto general = metricSet(""), graphics = metricSet("graphics");
  ASSERT_TRUE(general && graphics);
  EXPECT_THAT(titles(*general), IsSubsetOf(titles(*graphics)));
  EXPECT_THAT(titles(*graphics), Contains("Pixel Warps in Flight [Avg Warps per Cycle]"));
}

TEST(MetricTable, ARowOfWarpsHasTheShareAndTheMean) {
  const auto set = metricSet("general");
  ASSERT_TRUE(set);
  for (const MetricRow& row : set->rows) {
    if (row.title == "Compute Warps in Flight [Avg Warps per Cycle]") {
      EXPECT_THAT(row.counters,
                  ElementsAre("TPC.TriageCompute.tpc__warps_active_shader_cs_realtime.avg.per_cycle_elapsed",
                              "tpc__warps_active_shader_cs_realtime.avg.per_cycle_elapsed"));
    }
  }
}

TEST(MetricTable, TheNamesOfNsightSystemsForAChipMeanGeneral) {
  for (const char* name : {"gh100", "ga100", "ad10x", "gb10x"}) {
    const auto set = metricSet(name);
    ASSERT_TRUE(set) << name;
    EXPECT_EQ(set->name, name);
    EXPECT_EQ(titles(*set), titles(*metricSet("general")));
  }
  EXPECT_EQ(metricSet("gh200x").error(), "gh200x; it is general, graphics or file:FILE");
  EXPECT_THAT(metricSetHelp(), HasSubstr("SMs Active [Throughput %]"));
}

TEST(MetricTable, AFileNamesCountersAndMayNameTheRows) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "set",
                  "# mine\n\nlts__t_bytes.sum.per_second = L2 bytes [per second]\r\n"
                  "  sm__cycles_active.avg.pct_of_peak_sustained_elapsed  # busy\nfbpa__x.avg");
  const auto set = metricSet("file:" + (folder / "set").string());
  ASSERT_TRUE(set) << set.error();
  EXPECT_THAT(titles(*set),
              ElementsAre("L2 bytes [per second]", "sm__cycles_active.avg.pct_of_peak_sustained_elapsed [Throughput %]",
                          "fbpa__x.avg"));
  EXPECT_THAT(set->rows[0].counters, ElementsAre("lts__t_bytes.sum.per_second"));
}

TEST(MetricTable, AFileThatNamesNoCounterIsRefused) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    test::writeFile(folder / "set", text);
    const auto set = metricSet("file:" + (folder / "set").string());
    return set ? "taken" : set.error();
  };
  EXPECT_THAT(refusal("# nothing\n"), HasSubstr("names no counter"));
  EXPECT_THAT(refusal("SMs active\n"), HasSubstr("a line is COUNTER or COUNTER = NAME"));
  EXPECT_THAT(refusal("a.avg =\n"), HasSubstr("a line is COUNTER or COUNTER = NAME"));
  EXPECT_THAT(refusal(std::string(1000, 'x') + ".avg"), HasSubstr("a line is"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += "a.b" + std::to_string(i) + "\n";
  EXPECT_THAT(refusal(many), HasSubstr("too many lines"));
  EXPECT_THAT(metricSet("file:/no/such/file").error(), HasSubstr("no such file"));
}

}  // namespace
}  // namespace lanescope::sample
