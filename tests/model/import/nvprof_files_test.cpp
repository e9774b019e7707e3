// SPDX-License-Identifier: Apache-2.0
// Strangers' files of nvprof, against figures that were computed without this project's code.
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "tests/model/import/figures.h"
#include "tests/model/import/sums.h"

namespace lanescope::imported {
namespace {

using testing::ElementsAreArray;
using trace::EventKind;

class NvprofFiles : public testing::TestWithParam<std::string> {};

TEST_P(NvprofFiles, HoldTheFiguresThatWereComputedOtherwise) {
  LANESCOPE_NEEDS_SHARED();
  const Figures figures("nvprof/" + GetParam());
  const auto file = test::sharedFolder() / "traces/nvprof" / GetParam();
  ASSERT_EQ(formatOf(file).value(), Format::kNvprof);
  const auto recording = read(file, {}, {});
  ASSERT_TRUE(recording) << sentence(recording.error());
  EXPECT_EQ(recording->format, "nvprof");
  EXPECT_EQ(recording->version, std::to_string(figures.number("version")));

  const Sum kernels = sumOf(*recording, EventKind::kKernel);
  EXPECT_EQ(kernels.count, static_cast<std::uint64_t>(figures.number("kernels")));
  EXPECT_EQ(kernels.ns, figures.number("kernel_ns"));
  EXPECT_EQ(kernels.names.size(), static_cast<std::size_t>(figures.number("kernel_names")));
  std::uint64_t kinds = 0;
  for (const auto& [kind, expected] : figures.lists("memcpy")) {
    const Sum copies = sumOf(*recording, [&](const Track& track) {
      return track.kind == EventKind::kCopy && std::to_string(track.copyKind) == kind;
    });
    EXPECT_THAT((std::vector<std::int64_t>{static_cast<std::int64_t>(copies.count),
                                           static_cast<std::int64_t>(copies.bytes), copies.ns}),
                ElementsAreArray(expected))
        << kind;
    kinds += copies.count;
  }
  EXPECT_EQ(sumOf(*recording, EventKind::kCopy).count, kinds);
  const Sum memsets = sumOf(*recording, EventKind::kMemset);
  if (figures.has("memset"))
    EXPECT_THAT(figures.numbers("memset"), testing::ElementsAre(memsets.count, memsets.bytes, memsets.ns));
  else EXPECT_EQ(memsets.count, 0u);

  const Sum calls = sumOf(*recording, EventKind::kCudaApi);
  const std::vector<std::int64_t> runtime = figures.numbers("runtime"), driver = figures.numbers("driver");
  const auto both = [&](std::size_t i) {
    return (runtime.empty() ? 0 : runtime[i]) + (driver.empty() ? 0 : driver[i]);
  };
  EXPECT_EQ(static_cast<std::int64_t>(calls.count), both(0));
  EXPECT_EQ(calls.ns, both(1));
  EXPECT_EQ(calls.threads.size(), static_cast<std::size_t>(figures.number("threads")));
  EXPECT_EQ(calls.processes.size(), static_cast<std::size_t>(figures.number("procs")));
  for (const std::string_view name : calls.names) EXPECT_EQ(name.find("call "), std::string_view::npos) << name;

  std::int64_t ranges = 0;
  for (const Track& track : recording->tracks)
    if (track.kind == EventKind::kNvtxRange || track.kind == EventKind::kNvtxStartEnd)
      for (std::size_t i = 0; i < track.events.size(); ++i) ranges += !track.events[i].unfinished;
  EXPECT_EQ(ranges, figures.number("nvtx_ranges"));

  const Sum work = sumOfGpuWork(*recording);
  EXPECT_EQ(work.streams.size(), static_cast<std::size_t>(figures.number("streams")));
  EXPECT_THAT(work.devices, ElementsAreArray(figures.numbers("all_devices")));
  const auto expectSpan = [&](const Sum& sum, const char* key) {
    const std::vector<std::int64_t> span = figures.numbers(key);
    ASSERT_EQ(sum.span.has_value(), !span.empty()) << key;
    if (!sum.span) return;
    EXPECT_THAT(span, testing::ElementsAre(sum.span->first, sum.span->second, testing::_)) << key;
  };
  expectSpan(work, "gpu_span");
  const Sum all = sumOf(*recording, [](const Track&) { return true; });
  expectSpan(all, "all_span");
  EXPECT_EQ(recording->utcOfZero.has_value(), all.span.has_value());
}

TEST(NvprofFile, CopiesOfPageableMemoryAreThat) {
  LANESCOPE_NEEDS_SHARED();
  for (const char* file : {"O-P01__trace.nvvp", "O-P04__output.nvvp"}) {
    const auto recording = read(test::sharedFolder() / "traces/nvprof" / file, {.details = true}, {});
    ASSERT_TRUE(recording) << sentence(recording.error());
    std::size_t copies = 0;
    for (const Track& track : recording->tracks) {
      if (track.kind != EventKind::kCopy) continue;
      const bool toDevice = track.copyKind == 1;
      for (const WorkDetails& each : track.work) {
        EXPECT_EQ(each.sourceKind, toDevice ? 0 : 2) << file;
        EXPECT_EQ(each.destinationKind, toDevice ? 2 : 0) << file;
        ++copies;
      }
    }
    EXPECT_GT(copies, 0u) << file;
  }
}

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/nvprof"))
    if (const std::string name = path.filename().string(); !name.starts_with("O-P12") && !name.starts_with("O-P13"))
      names.push_back(name);
  return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NvprofFiles);
INSTANTIATE_TEST_SUITE_P(Strangers, NvprofFiles, testing::ValuesIn(files()),
                         [](const auto& file) { return test::testName(file.param); });

}  // namespace
}  // namespace lanescope::imported
