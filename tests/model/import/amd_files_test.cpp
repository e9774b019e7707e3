// SPDX-License-Identifier: Apache-2.0
// Strangers' databases of AMD's tools, against figures that were computed without this project's code.
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "tests/model/import/figures.h"
#include "tests/model/import/sums.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;

class AmdFiles : public testing::Test {
 protected:
  /// False where there is no such file.
  bool open(const std::string& name) {
    if (!std::filesystem::exists(test::sharedFolder())) return false;
    figures_.emplace("rocm/" + name);
    auto read = imported::read(test::sharedFolder() / "traces/rocm" / name, {.details = true}, {});
    EXPECT_TRUE(read) << sentence(read.error());
    if (read) recording_ = std::move(*read);
    return read.has_value();
  }
  void expectKernels() {
    const Sum kernels = sumOf(recording_, EventKind::kKernel);
    EXPECT_EQ(kernels.count, static_cast<std::uint64_t>(figures_->number("kernels")));
    EXPECT_EQ(kernels.ns, figures_->number("kernel_ns"));
    if (const auto span = figures_->numbers("gpu_span"); !span.empty()) {
      const Sum work = sumOfGpuWork(recording_);
      ASSERT_TRUE(work.span);
      EXPECT_EQ(work.span->first, span[0]);
      EXPECT_EQ(work.span->second, span[1]);
    }
    for (const Track& track : recording_.tracks)
      EXPECT_EQ(track.work.size(), trace::isGpuWork(track.kind) ? track.events.size() : 0);
  }
  /// How much GPU work is of a call that the file holds, too.
  std::size_t launched() const {
    std::set<std::int64_t> calls;
    for (const Track& track : recording_.tracks)
      if (track.kind == EventKind::kCudaApi)
        for (std::size_t i = 0; i < track.events.size(); ++i) calls.insert(track.events[i].correlation);
    std::size_t count = 0;
    for (const Track& track : recording_.tracks)
      if (trace::isGpuWork(track.kind))
        for (std::size_t i = 0; i < track.events.size(); ++i) count += calls.contains(track.events[i].correlation);
    return count;
  }

  std::optional<Figures> figures_;
  Recording recording_;
};

TEST_F(AmdFiles, OfRocmProfileData) {
  if (!open("O-R01__matmul_result.rpd")) GTEST_SKIP();
  EXPECT_EQ(recording_.format, "rpd");
  EXPECT_EQ(recording_.version, "2");
  const auto work = figures_->lists("ops");
  const Sum kernels = sumOf(recording_, EventKind::kKernel), memsets = sumOf(recording_, EventKind::kMemset);
  EXPECT_THAT(work.at("KernelExecution"), testing::ElementsAre(kernels.count, kernels.ns));
  EXPECT_THAT(work.at("FillBuffer"), testing::ElementsAre(memsets.count, memsets.ns));
  for (const auto& [name, kind] : {std::pair("CopyHostToDevice", 1), std::pair("CopyDeviceToHost", 2)}) {
    const Sum copies =
        sumOf(recording_, [&](const Track& track) { return track.kind == EventKind::kCopy && track.copyKind == kind; });
    EXPECT_THAT(work.at(name), testing::ElementsAre(copies.count, copies.ns));
    EXPECT_GT(copies.bytes, 0u);
  }
  expectKernels();
  EXPECT_EQ(launched(), 85u);
  EXPECT_EQ(sumOf(recording_, EventKind::kCudaApi).count, 120u);
  EXPECT_EQ(sumOf(recording_, EventKind::kOverhead).count, 5u);
  ASSERT_EQ(recording_.curves.size(), 1u);
  EXPECT_EQ(recording_.curves[0].name, "GPU 0 sclk");
  EXPECT_EQ(recording_.curves[0].values.at(1), 1700e6);
}

TEST_F(AmdFiles, OfRocprofv3) {
  if (!open("O-R02__15_results.db")) GTEST_SKIP();
  EXPECT_EQ(recording_.format, "rocpd");
  EXPECT_EQ(recording_.version, "3");
  expectKernels();
  const Sum kernels = sumOf(recording_, EventKind::kKernel), calls = sumOf(recording_, EventKind::kCudaApi);
  EXPECT_EQ(kernels.names.size(), static_cast<std::size_t>(figures_->number("kernel_names")));
  EXPECT_THAT(kernels.devices, testing::ElementsAreArray(figures_->numbers("devices")));
  EXPECT_EQ(kernels.streams.size(), static_cast<std::size_t>(figures_->number("streams")));
  EXPECT_EQ(calls.count, static_cast<std::uint64_t>(figures_->number("regions")));
  EXPECT_EQ(calls.ns, figures_->number("regions_ns"));
  EXPECT_EQ(calls.threads.size(), static_cast<std::size_t>(figures_->number("threads")));
  EXPECT_EQ(launched(), 301u);
  ASSERT_EQ(recording_.gpus.size(), 1u);
  EXPECT_EQ(recording_.gpus[0].name, "AMD Instinct MI300X");
  EXPECT_EQ(recording_.processes.at(0).name, "./batched_gemm");
}

TEST_F(AmdFiles, OfRocprof) {
  if (!open("O-R03__results.db")) GTEST_SKIP();
  EXPECT_EQ(recording_.format, "hipprof");
  const Sum work = sumOfGpuWork(recording_), kernels = sumOf(recording_, EventKind::kKernel);
  EXPECT_EQ(kernels.count, static_cast<std::uint64_t>(figures_->number("kernels")));
  EXPECT_EQ(kernels.ns, figures_->number("kernel_ns"));
  EXPECT_EQ(work.count - kernels.count, static_cast<std::uint64_t>(figures_->number("memcpy")));
  EXPECT_EQ(sumOf(recording_, EventKind::kCudaApi).count, static_cast<std::uint64_t>(figures_->number("hip")));
  EXPECT_EQ(launched(), 4u);
  EXPECT_EQ(work.bytes, 8388608u + 33554432u + 33554432u);
}

TEST_F(AmdFiles, OfHipprof) {
  if (!open("O-R04__hip-prof-51615.db")) GTEST_SKIP();
  EXPECT_EQ(recording_.format, "hipprof");
  const Sum work = sumOfGpuWork(recording_), kernels = sumOf(recording_, EventKind::kKernel);
  EXPECT_EQ(kernels.count, static_cast<std::uint64_t>(figures_->number("kernels")));
  EXPECT_EQ(kernels.ns, figures_->number("kernel_ns"));
  EXPECT_TRUE(kernels.names.contains("cupy_sum"));
  for (const std::string_view name : kernels.names) EXPECT_FALSE(name.starts_with("_Z")) << name;
  EXPECT_EQ(work.count - kernels.count, static_cast<std::uint64_t>(figures_->number("memcpy")));  // some fill memory
  EXPECT_EQ(sumOf(recording_, EventKind::kMemset).count, 210u);
  const Sum calls = sumOf(recording_, EventKind::kCudaApi);
  EXPECT_EQ(calls.count, static_cast<std::uint64_t>(figures_->number("hip")));
  EXPECT_TRUE(calls.names.contains("hipGetDeviceCount"));
  EXPECT_EQ(launched(), 571u + 460u);
  ASSERT_TRUE(recording_.utcOfZero);
  EXPECT_EQ((*recording_.utcOfZero + 5001470119252462) / 1'000'000'000, 1706153617);
}

}  // namespace
}  // namespace lanescope::imported
