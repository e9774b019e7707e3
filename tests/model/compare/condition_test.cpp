// SPDX-License-Identifier: Apache-2.0
#include "model/compare/condition.h"

#include <gmock/gmock.h>

namespace lanescope::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// gemm 5 % slower for sure, relu of which too little is known, a new copy, and the figures of a GPU.
Comparison comparison() {
  Comparison all;
  ComparedName gemm;
  gemm.name = "gemm";
  gemm.a = SideFigures{10, 1000, 100, 100};
  gemm.b = SideFigures{10, 1050, 105, 105};
  gemm.difference = 50;
  gemm.ratio = 1.05;
  gemm.evidence = {
      .state = Evidence::State::kTested, .ratio = 1.05, .low = 1.04, .high = 1.06, .p = 0.0001, .corrected = 0.001};
  ComparedName relu = gemm;
  relu.name = "relu";
  relu.ratio = 1.5;
  relu.evidence = {.state = Evidence::State::kTooFew};
  ComparedName copy;
  copy.subject = Subject::kCopy;
  copy.name = "Host-to-Device";
  copy.b = SideFigures{1, 2'000'000, 2e6, 2e6};
  copy.difference = 2'000'000;
  ComparedName step = relu;
  step.subject = Subject::kRange;
  step.name = "train:step *";
  all.names = {gemm, relu, copy, step};
  all.figures = {{{"gpu_busy", "GPU 0", "GPU busy", "%", 90.0}, {"gpu_busy", "GPU 0", "GPU busy", "%", 80.0}},
                 {{"copy_overlap", "GPU 0", "", "%", 50.0}, {"copy_overlap", "GPU 0", "", "%", 0.0}},
                 {{"idle", "", "GPU idle", "ns", trace::Ns{10}}, {"idle", "", "GPU idle", "ns", trace::Ns{40}}}};
  return all;
}

Condition::Answer ask(std::string_view text) {
  const auto condition = Condition::parse(text);
  EXPECT_TRUE(condition) << text << ": " << condition.error();
  return condition ? condition->of(comparison()) : Condition::Answer{};
}

TEST(Condition, HoldsOfNames) {
  EXPECT_THAT(ask("p < 0.01 and ratio > 1.02").holds, ElementsAre("kernel “gemm”: ratio 1.050, p 0.001"));
  EXPECT_THAT(ask("ratio>1.02").holds, SizeIs(3));
  EXPECT_THAT(ask("p < 0.01 and ratio > 1.06").holds, IsEmpty());
  EXPECT_THAT(ask("new").holds, ElementsAre("copy “Host-to-Device”: new"));
  EXPECT_THAT(ask("gone").holds, IsEmpty());
}

TEST(Condition, JoinsAndNegates) {
  EXPECT_THAT(ask("ratio > 2 or difference >= 2ms").holds, SizeIs(1));
  EXPECT_THAT(ask("not (ratio < 1.4 or new)").holds, SizeIs(2));
  EXPECT_THAT(ask("!new && !gone && count_a == 10").holds, SizeIs(3));
  EXPECT_THAT(ask("ratio > 2 or ratio > 1.4 and total_b != 1050").holds, IsEmpty()) << "and binds closer";
}

TEST(Condition, KnowsUnits) {
  EXPECT_THAT(ask("difference > 1999us").holds, SizeIs(1));
  EXPECT_THAT(ask("difference > 0.002s or share > 5 % ").holds, IsEmpty());
  EXPECT_THAT(ask("mean_b > 104 ns and mean_b < 106 ns").holds, SizeIs(3));
}

TEST(Condition, HoldsOfWhatIsNamed) {
  EXPECT_THAT(ask("kernel: ratio > 1.02").holds, SizeIs(2));
  EXPECT_THAT(ask("gemm: ratio > 1.02").holds, SizeIs(1));
  EXPECT_THAT(ask("train:step *: ratio > 1.02").holds, SizeIs(1));
  EXPECT_THAT(ask("train:*: ratio > 1.02").holds, SizeIs(1));
  EXPECT_THAT(ask("*e*: ratio > 1.02").holds, SizeIs(3));
  EXPECT_EQ(ask("nothing: ratio > 1.02").asked, 0u);
}

TEST(Condition, HoldsOfFigures) {
  EXPECT_THAT(ask("gpu_busy: difference < -5").holds, ElementsAre("gpu_busy of GPU 0: 90 % in A, 80 % in B"));
  EXPECT_THAT(ask("overlap: b < 10").holds, SizeIs(1));
  EXPECT_THAT(ask("idle: ratio > 3 and b >= 40ns").holds, SizeIs(1));
  EXPECT_EQ(ask("gpu_busy: p < 0.1").unknown, 1u);
}

TEST(Condition, WhatIsNotKnownIsNeitherTrueNorFalse) {
  EXPECT_THAT(ask("relu: p < 0.01").holds, IsEmpty());
  EXPECT_THAT(ask("relu: not p < 0.01").holds, IsEmpty());
  EXPECT_EQ(ask("relu: p < 0.01").unknown, 1u);
  EXPECT_THAT(ask("relu: p < 0.01 or ratio > 1").holds, SizeIs(1));
  EXPECT_EQ(ask("relu: p < 0.01 and ratio > 2").unknown, 0u) << "the other side decides";
}

TEST(Condition, SaysWhatIsWrong) {
  for (const auto& [text, wrong] :
       std::initializer_list<std::pair<const char*, const char*>>{{"", "missing at its end"},
                                                                  {"p", "is missing behind “p”"},
                                                                  {"p <", "a number is missing behind “p <”"},
                                                                  {"p < x", "a number is missing"},
                                                                  {"speed > 1", "“speed” is none of"},
                                                                  {"p < 1 p", "“p” is not understood"},
                                                                  {"(p < 1", "not closed"},
                                                                  {": p < 1", "no name before the colon"},
                                                                  {"p < inf", "a number is missing"},
                                                                  {"p < 1 and", "missing at its end"}}) {
    const auto condition = Condition::parse(text);
    ASSERT_FALSE(condition) << text;
    EXPECT_THAT(condition.error(), HasSubstr(wrong)) << text;
  }
  EXPECT_FALSE(Condition::parse(std::string(100'000, '(')));
  EXPECT_FALSE(Condition::parse(std::string(100'000, '!')));
}

TEST(Condition, AChainMayBeOfAnyLength) {
  std::string any = "gemm: ratio > 9", all = "gemm: ratio < 9";
  for (int i = 0; i < 100'000; ++i) any += "||p<0", all += "&&p<2";
  EXPECT_THAT(ask(any).holds, IsEmpty());
  EXPECT_THAT(ask(any + " or ratio > 1").holds, SizeIs(1));
  EXPECT_THAT(ask(all).holds, SizeIs(1));
}

}  // namespace
}  // namespace lanescope::compare
