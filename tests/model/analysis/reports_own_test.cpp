// SPDX-License-Identifier: Apache-2.0
// Reports that Nsight Systems does not have, and what stands behind them.
#include <gmock/gmock.h>

#include "model/analysis/kernel_categories.h"
#include "model/analysis/percentile.h"
#include "model/analysis/reports.h"
#include "model/analysis/stream_use.h"
#include "model/analysis/table_text.h"
#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using testing::HasSubstr;
using testing::Not;

class OwnReports : public LoadedReport {
 protected:
  std::string csv(const char* call, ReportBuilder& builder) {
    const auto trace = load(builder);
    auto values = report::RowValues::open(folder / "report.sqlite").value();
    const auto table = makeReport(findReports(call).at(0), *trace, values);
    return table ? toText(*table, TableFormat::kCsv) : "";
  }
  std::string csv(const char* call, ReportBuilder&& builder) { return csv(call, builder); }
};

TEST(Percentile, IsAValueThatWasMeasured) {
  std::vector<std::int64_t> values;
  for (int i = 1; i <= 1000; ++i) values.push_back(i);
  EXPECT_EQ(percentile(values, 50), 500);
  EXPECT_EQ(percentile(values, 95), 950);
  EXPECT_EQ(percentile(values, 99.9), 999);
  EXPECT_EQ(percentile(std::vector<std::int64_t>{7}, 99.9), 7);
  EXPECT_EQ(percentile(std::vector<std::int64_t>{1, 2}, 50), 1);
}

TEST_F(OwnReports, LatencyTellsPercentilesAndRate) {
  auto builder = report();
  for (int i = 0; i < 10; ++i)
    builder.add(K{.start = 100 * i + 1, .end = 100 * i + 11 + (i == 9 ? 80 : 0), .name = "f"});
  builder.add(R{.start = 1'000'000'000, .end = 1'000'000'001});
  EXPECT_THAT(csv("lanescope_latency", builder),
              HasSubstr("CUDA_KERNEL,10,180,18.0,10.0,10,10,90,90,90,90,10101010.1,f\n"));
}

TEST_F(OwnReports, StreamsSayHowManyWereBusyAtOnce) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 101, .stream = 7}).add(K{.start = 51, .end = 151, .stream = 20});
  builder.add(K{.start = 201, .end = 301, .stream = 7});
  const std::string text = csv("lanescope_streams", builder);
  EXPECT_THAT(text, HasSubstr("1, (0),1,7,2,0,200,100,66.7,1.3,2,\n"));
  EXPECT_THAT(text, HasSubstr("1, (0),1,20,1,0,100,200,33.3,1.5,2,\n"));
  EXPECT_THAT(text, HasSubstr("1, (0),,,3,0,250,50,83.3,1.2,2,all streams\n"));
}

TEST(KernelCategories, GoByTheNamesOfLibraries) {
  const auto category = [](std::string_view name) {
    const std::string_view label = name.substr(0, name.find_first_of("<("));
    return nameOf(categoryOf(name, label.substr(label.rfind(':') + 1)));
  };
  EXPECT_EQ(category("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)"), "collective");
  EXPECT_EQ(category("void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(T1::Params)"),
            "matrix multiply");
  EXPECT_EQ(category("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64"), "matrix multiply");
  EXPECT_EQ(category("void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128>>(Flash_fwd_params)"), "attention");
  EXPECT_EQ(category("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32"), "convolution");
  EXPECT_EQ(category("vectorized_layer_norm_kernel"), "normalisation");
  EXPECT_EQ(category("elementwise_kernel<at::native::direct_copy_kernel_cuda>"), "copy");
  EXPECT_EQ(category("vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"), "elementwise");
  EXPECT_EQ(category("reduce_kernel<512, 1, at::native::ReduceOp<float>>"), "reduction");
  EXPECT_EQ(category("my_physics_step(float*)"), "other");
  EXPECT_TRUE(usesTensorCores("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn"));
  EXPECT_FALSE(usesTensorCores("void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(T1::Params)"));
}

TEST_F(OwnReports, CategoriesAddUpToAllKernels) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 76, .name = "h16816gemm"}).add(K{.start = 80, .end = 105, .name = "mystery"});
  const std::string text = csv("lanescope_kernel_categories", builder);
  EXPECT_THAT(text, HasSubstr("75.0,75,1,75.0,75.0,75,75,0.0,100.0,1,matrix multiply\n"));
  EXPECT_THAT(text, HasSubstr("25.0,25,1,25.0,25.0,25,25,0.0,0.0,1,other\n"));
}

TEST_F(OwnReports, ACollectiveIsExposedWhereNoOtherKernelRuns) {  // MOD-08
  auto builder = report();
  builder.add(K{.start = 1, .end = 101, .stream = 20, .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"});
  builder.add(K{.start = 51, .end = 151, .stream = 7, .name = "gemm"});
  builder.add(Sync{.start = 1, .end = 151});
  EXPECT_THAT(csv("lanescope_collectives", builder),
              HasSubstr("AllReduce,1,0,1,100,100.0,100.0,100,100,0.0,50,50.0,,,,,\n"));
}

TEST_F(OwnReports, CollectivesHaveTheBytesThatNcclSays) {
  LANESCOPE_NEEDS_SHARED();
  const auto file = sharedFolder() / "golden/ddp_rank0/nsys.sqlite";
  const auto trace = report::load(file, {}, {}, Job{}).value();
  auto values = report::RowValues::open(file).value();
  const std::string text =
      toText(*makeReport(findReports("lanescope_collectives").at(0), *trace, values), TableFormat::kCsv);
  // 2 ranks: a ring moves as much as it is given; of AllGather each rank has half.
  EXPECT_THAT(text, HasSubstr(",89,6444.024,2,27814.706,27814.706\n"));
  EXPECT_THAT(text, HasSubstr(",13,402.653,2,120604.898,60302.449\n"));
}

TEST_F(OwnReports, TheDependencyPathIsWhatTheRunHungOn) {
  auto builder = report();
  builder.add(R{.start = 100, .end = 110, .correlation = 1, .name = "cudaLaunchKernel_v7000"});
  builder.add(R{.start = 120, .end = 1020, .name = "cudaDeviceSynchronize_v3020"});
  builder.add(K{.start = 115, .end = 1015, .correlation = 1, .name = "f"});
  const std::string text = csv("nvprof_dependency", builder);
  EXPECT_THAT(text, HasSubstr("\n%,ns,ns,\n"));
  EXPECT_THAT(text, HasSubstr(",900.000000,0.000000,\"f\"\n"));
  EXPECT_THAT(text, HasSubstr(",5.000000,895.000000,\"cudaDeviceSynchronize_v3020\"\n"));
  EXPECT_THAT(text, HasSubstr(",10.000000,0.000000,\"cudaLaunchKernel_v7000\"\n"));
  EXPECT_THAT(text, HasSubstr(",5.000000,0.000000,\"<Other>\"\n"));
}

TEST_F(OwnReports, TheDependencyOfACopyThatBlocksCountsNoTimeTwice) {
  auto builder = report();
  builder.add(R{.start = 100, .end = 1'010, .correlation = 1, .name = "cudaMemcpy_v3020"});
  builder.add(M{.start = 300, .end = 1'000, .correlation = 1, .bytes = 4096, .source = 0, .destination = 2});
  EXPECT_THAT(csv("nvprof_dependency", builder), HasSubstr(",210.000000,700.000000,\"cudaMemcpy_v3020\"\n"));
}

TEST_F(OwnReports, TheDependencyOfACopyBehindAKernelIsTheKernel) {
  auto builder = report();
  builder.add(R{.start = 100, .end = 110, .correlation = 1, .name = "cudaLaunchKernel_v7000"});
  builder.add(K{.start = 115, .end = 915, .correlation = 1, .name = "f"});
  builder.add(R{.start = 120, .end = 1'010, .correlation = 2, .name = "cudaMemcpy_v3020"});
  builder.add(M{.start = 915, .end = 1'000, .correlation = 2, .bytes = 4096, .source = 0, .destination = 2});
  const std::string text = csv("nvprof_dependency", builder);
  EXPECT_THAT(text, HasSubstr(",800.000000,0.000000,\"f\"\n"));
  EXPECT_THAT(text, HasSubstr(",10.000000,880.000000,\"cudaMemcpy_v3020\"\n"));
}

TEST_F(OwnReports, NvprofTablesHaveARowOfUnitsInCsv) {
  auto builder = report();
  builder.add(R{.start = 100, .end = 1'600, .correlation = 5, .name = "cudaMemcpyAsync_v3020"});
  builder.add(M{.start = 2'000, .end = 3'000'000, .correlation = 5, .bytes = 4 << 20, .source = 1, .destination = 2});
  const std::string text = csv("nvprof_gpu_trace", builder);
  EXPECT_THAT(text, HasSubstr("\nus,ms,,,,,,,,B,B,MB,GB/s,,,,,,,\n"));
  EXPECT_THAT(text, HasSubstr("2.000000,2.998000,,,,,,,,,,4.000000,1.302952,\"Pinned\",\"Device\",\" (0)\",1,7,"
                              "\"[CUDA memcpy HtoD]\",5\n"));
}

TEST_F(OwnReports, ARowWhoseFiguresAreNotWholeSaysSo) {
  auto builder = report();
  builder.add(K{.start = 1, .end = 100, .name = "f"}).add(G{.start = 200, .end = 300});
  builder.add(R{.start = 1, .end = 5});
  const std::string text = csv("cuda_api_gpu_sum", builder);
  EXPECT_THAT(text, HasSubstr(",Operation,Caveat\n"));
  EXPECT_THAT(text, HasSubstr(",CUDA_KERNEL,f,1 graph launch was recorded as a whole"));
  EXPECT_THAT(text, HasSubstr(",CUDA_API,cudaLaunchKernel,\n"));
  EXPECT_THAT(csv("lanescope_latency", report().add(R{.start = 1, .end = 5}).add(G{.start = 200, .end = 300})),
              HasSubstr("cudaLaunchKernel,1 graph launch was recorded as a whole"))
      << "kernels have no row to say it";
  EXPECT_THAT(csv("nvtx_sum", report().add(N{.start = 1, .end = 9, .text = "f"}).add(N{.start = 20, .text = "f"})),
              HasSubstr(",PushPop,:f,without 1 that had no end\n"));
  EXPECT_THAT(csv("cuda_gpu_kern_sum", report().add(K{.start = 1, .end = 100})), Not(HasSubstr("Caveat")));
}

}  // namespace
}  // namespace lanescope::analysis
