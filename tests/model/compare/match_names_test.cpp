// SPDX-License-Identifier: Apache-2.0
#include "model/compare/match_names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::compare {
namespace {

/// "0+2=1" for each: indices of A, = those of B.
std::string match(const std::vector<NameToMatch>& a, const std::vector<NameToMatch>& b) {
  std::string text;
  for (const MatchedNames& each : matchNames(a, b))
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", fmt::join(each.a, "+"), fmt::join(each.b, "+"));
  return text;
}

NameToMatch kernel(std::string_view text, std::string_view label) { return {text, label, true}; }

TEST(MatchNames, TheSameTextIsTheSameName) {
  EXPECT_EQ(match({{"b", "b"}, {"a", "a"}}, {{"a", "a"}, {"c", "c"}}), "0= 1=0 =1");
  EXPECT_EQ(match({{"", ""}}, {{"", ""}}), "0=0");
  EXPECT_EQ(match({}, {}), "");
}

TEST(MatchNames, WhatABuildPutsIntoANameDoesNotCount) {
  EXPECT_EQ(withoutBuildNoise("void cub::CUB_200700_860_NS::Reduce<int, (int)256>(int)"),
            withoutBuildNoise("void cub::CUB_200302_900_NS::Reduce<int, (int)256>(int)"));
  EXPECT_EQ(withoutBuildNoise("thrust::THRUST_200302___CUDA_ARCH_LIST___NS::transform<cuda::__4::tuple>"),
            "thrust::transform<cuda::tuple>");
  EXPECT_EQ(withoutBuildNoise("at::elementwise<at::add(at::Iter &)::{lambda(float)#12}>"),
            withoutBuildNoise("at::elementwise<at::add(at::Iter &)::{lambda(float)#3}>"));
  EXPECT_EQ(withoutBuildNoise("at::add(at::Iter &)::[lambda(float) (instance 12)]"),
            "at::add(at::Iter &)::[lambda(float) (instance *)]");
  EXPECT_EQ(withoutBuildNoise("_GLOBAL__N__3a1b2c4d_11_file_cu_9d2f5c7b::k"), "(anonymous namespace)::k");
  EXPECT_EQ(withoutBuildNoise("triton_poi_fused_add_mul_3"), withoutBuildNoise("triton_poi_fused_add_mul_17"));
  EXPECT_EQ(withoutBuildNoise("kernel_0a1b2c3d4e"), "kernel_*");
}

TEST(MatchNames, WhatAProgrammerPutsIntoANameCounts) {
  for (const auto& [one, other] :
       {std::pair("gemm_64x64", "gemm_64x128"), std::pair("k<16>", "k<32>"), std::pair("layer_1", "layer_2"),
        std::pair("deadbeef", "beefdead"), std::pair("sum_12345678", "sum_12345679")})
    EXPECT_NE(withoutBuildNoise(one), withoutBuildNoise(other)) << one;
}

TEST(MatchNames, KernelsWithoutTheirTemplatesAreOneIfThereIsNoOther) {
  EXPECT_EQ(match({kernel("k<16>(int)", "k")}, {kernel("k<32>(int)", "k")}), "0=0");
  EXPECT_EQ(match({kernel("k<16>(int)", "k"), kernel("k<8>(int)", "k")}, {kernel("k<32>(int)", "k")}), "0= 1= =0")
      << "which of the two it was nobody knows";
  EXPECT_EQ(match({{"step<1>", "step"}}, {{"step<2>", "step"}}), "0= =0") << "no kernels";
}

TEST(MatchNames, SeveralThatDifferByBuildNoiseOnlyBecomeOne) {
  EXPECT_EQ(match({kernel("f::{lambda()#1}", "f"), kernel("f::{lambda()#2}", "f")}, {kernel("f::{lambda()#5}", "f")}),
            "0+1=0");
}

}  // namespace
}  // namespace lanescope::compare
