// SPDX-License-Identifier: Apache-2.0
// Which metrics are chosen, with a stand-in for CUPTI and, where the toolkit is, with CUPTI itself, which knows all chips
// without a GPU.
#include "collector/sample/pm_config.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace lanescope::sample {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const PmLibrary& mock() {
  static const auto library = PmLibrary::load(LANESCOPE_GPU_MOCKS "/lib64/libcupti.so.13");
  EXPECT_TRUE(library) << library.error();
  return *library;
}

class PmConfigMock : public testing::Test {
 protected:
  ~PmConfigMock() override { unsetenv("MOCK_PM"); }
};

TEST_F(PmConfigMock, EveryRowTakesItsFirstCounterWhereTheChipHasThem) {
  const MetricSet set{"mine", {{"a", {"a__x.avg"}}, {"b", {"b__x.avg", "b__y.avg"}}}};
  const auto config = PmConfig::choose(mock(), "GH100", {}, set);
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_THAT(config->titles(), ElementsAre("a", "b"));
  EXPECT_THAT(config->counters(), ElementsAre("a__x.avg", "b__x.avg"));
  EXPECT_THAT(config->missing(), IsEmpty());
}

TEST_F(PmConfigMock, ARowFallsBackToAnotherCounterAndIsLeftOutWithoutOne) {
  const MetricSet set{"mine", {{"none", {"nothing"}}, {"second", {"nothing", "b__y.avg"}}, {"c", {"c__x.avg"}}}};
  auto config = PmConfig::choose(mock(), "GH100", {}, set);
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_THAT(config->titles(), ElementsAre("second", "c"));
  EXPECT_THAT(config->missing(), ElementsAre("none"));
  ASSERT_EQ(config->count(), 2u);
  PmConfig moved = std::move(*config);
  EXPECT_STREQ(moved.names()[0], "b__y.avg");
  EXPECT_STREQ(moved.names()[1], "c__x.avg");
}

TEST_F(PmConfigMock, ACounterThatNeedsAnotherPassIsLeftOut) {
  setenv("MOCK_PM", "passes", 1);
  const MetricSet set{"mine", {{"link", {"nvlrx__bytes.avg"}}, {"c", {"c__x.avg"}}}};
  const auto config = PmConfig::choose(mock(), "GH100", {}, set);
  ASSERT_TRUE(config) << config.error().text;
  EXPECT_THAT(config->titles(), ElementsAre("c"));
  EXPECT_THAT(config->missing(), ElementsAre("link"));
}

TEST_F(PmConfigMock, WithoutAnyCounterTheTroubleOfCuptiIsTold) {
  const auto config = PmConfig::choose(mock(), "GH100", {}, {"mine", {{"a", {"nothing"}}}});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().text, "cuptiProfilerHostConfigAddMetrics: CUPTI_ERROR_SOMETHING (17)");
}

TEST(PmLibrary, SaysWhatIsWrongWithALibrary) {
  EXPECT_THAT(PmLibrary::load("/no/libcupti.so").error(), testing::HasSubstr("/no/libcupti.so"));
  EXPECT_THAT(PmLibrary::load(LANESCOPE_GPU_MOCKS "/lib64/libcuda.so.1").error(),
              testing::HasSubstr("; CUDA 12.6 and later have it"));
}

TEST(PmConfig, EveryChipOfCuptiGivesTheMostImportantRowsInOnePass) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "libcupti loads libraries in a way that the sanitizers refuse";
#endif
  const char* home = std::getenv("CUDA_HOME");
  const std::string toolkit = home ? home : "/usr/local/cuda";
  std::string path;
  for (const char* folder : {"/lib64", "/lib", "/extras/CUPTI/lib64"}) {
    const std::string candidate = toolkit + folder + "/libcupti.so.13";
    if (std::filesystem::exists(candidate)) path = candidate;
  }
  if (path.empty()) GTEST_SKIP() << "needs libcupti of CUDA 13";
  const auto library = PmLibrary::load(path);
  if (!library) GTEST_SKIP() << library.error();
  const MetricSet set = *metricSet("general");
  for (const char* chip : {"TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    const auto config = PmConfig::choose(*library, chip, {}, set);
    ASSERT_TRUE(config) << chip << ": " << config.error().text;
    for (const char* title :
         {"GPC Clock Frequency [MHz]", "GR Active [Throughput %]", "SMs Active [Throughput %]",
          "SM Issue [Throughput %]", "Tensor Active [Throughput %]", "Compute Warps in Flight [Throughput %]",
          "DRAM Read Bandwidth [Throughput %]", "PCIe RX Throughput [Throughput %]"}) {
      EXPECT_THAT(config->titles(), Contains(title)) << chip;
    }
    EXPECT_EQ(config->titles().size() + config->missing().size(), set.rows.size());
  }
  const auto hopper = PmConfig::choose(*library, "GH100", {}, set);
  EXPECT_THAT(hopper->missing(), IsEmpty());
  EXPECT_THAT(PmConfig::choose(*library, "XX100", {}, set).error().text, Not(IsEmpty()));
}

}  // namespace
}  // namespace lanescope::sample
