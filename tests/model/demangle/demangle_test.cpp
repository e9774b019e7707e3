// SPDX-License-Identifier: Apache-2.0
#include "model/demangle/demangle.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

#include "model/report/database.h"
#include "tests/support/files.h"

namespace lanescope {
namespace {

std::string whole(std::string_view mangled) { return kernelName(mangled).demangled; }

TEST(Demangle, EveryRecordedKernelHasTheNamesThatNsightSystemsGaveIt) {
  LANESCOPE_NEEDS_SHARED();
  std::vector<std::filesystem::path> files = test::goldenExports();
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/nsys", ".sqlite")) files.push_back(path);
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const auto& path : files) {
    const auto database = report::Database::open(path);
    ASSERT_TRUE(database) << path;
    if (!database->has("CUPTI_ACTIVITY_KIND_KERNEL", "mangledName")) continue;
    auto rows = database->prepare(
        "SELECT DISTINCT m.value, d.value, s.value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds m ON m.id = "
        "mangledName JOIN StringIds d ON d.id = demangledName JOIN StringIds s ON s.id = shortName");
    ASSERT_TRUE(rows) << path;
    while (rows->step()) seen.emplace(rows->text(0), rows->text(1), rows->text(2));
  }
  EXPECT_GE(seen.size(), 100u);
  for (const auto& [mangled, demangled, shortName] : seen) {
    const KernelName name = kernelName(mangled);
    EXPECT_EQ(name.demangled, demangled) << mangled;
    EXPECT_EQ(name.shortName, shortName) << mangled;
  }
}

TEST(Demangle, WhatIsNoMangledNameStaysAsItIs) {
  for (const std::string_view name : {"", "_", "_Z", "_Zfoo", "volta_sgemm_32x32", "_Z3fo", "_Z1fI", "nvkernel_F1L2"}) {
    EXPECT_EQ(kernelName(name).demangled, name);
    EXPECT_EQ(kernelName(name).shortName, name);
  }
}

TEST(Demangle, QualifiersStandBeforeValuesAndBehindPointers) {
  EXPECT_EQ(whole("_Z1fPKfRKiPPc"), "f(const float *, const int &, char **)");
  EXPECT_EQ(whole("_Z1fPKPKf"), "f(const float *const *)");
  EXPECT_EQ(whole("_Z1fPVKi"), "f(const volatile int *)");
}

TEST(Demangle, PointersToFunctionsAndArraysKeepTheirBrackets) {
  EXPECT_EQ(whole("_Z1fPFviERA4_f"), "f(void (*)(int), float (&)[4])");
}

TEST(Demangle, ValuesOfTemplateArgumentsCarryTheirType) {
  EXPECT_EQ(whole("_Z1fILin3ELb1ELc65ELy7EEvv"), "void f<(int)-3, (bool)1, (char)65, (unsigned long long)7>()");
  EXPECT_EQ(whole("_Z1fILN1a1EE2EEvv"), "void f<(a::E)2>()");
}

TEST(Demangle, OperatorsAreSetApart) {
  EXPECT_EQ(whole("_ZN1aplEi"), "a::operator +(int)");
  EXPECT_EQ(kernelName("_ZN1aclEv").shortName, "operator ()");
  EXPECT_EQ(whole("_ZN1anwEm"), "a::operator new(unsigned long)");
}

TEST(Demangle, ATemplateOf4000CharactersIsReadLikeAShortOne) {  // GUI-10
  std::string mangled = "_ZN6cutile6kernelI", arguments;
  for (int i = 0; i < 170; ++i) {
    mangled += "N6cutile5LayerILi" + std::to_string(128 + i) + "EPKfEE";
    arguments +=
        (i == 0 ? "" : ", ") + std::string("cutile::Layer<(int)") + std::to_string(128 + i) + ", const float *>";
  }
  mangled += "EEvi";
  ASSERT_GT(mangled.size(), 4000u);
  const KernelName name = kernelName(mangled);
  EXPECT_EQ(name.demangled, "void cutile::kernel<" + arguments + ">(int)");
  EXPECT_EQ(name.shortName, "kernel");
}

TEST(Demangle, ANameThatNestsTooDeepStaysAsItIs) {
  for (const char* unit : {"P", "N1a", "U1a", "I1a", "Z1f", "K", "DTplT_", "J", "M1a", "UlTt"}) {
    std::string name = "_Z1f";
    for (int i = 0; i < 20'000; ++i) name += unit;
    EXPECT_EQ(whole(name), name) << unit;
  }
}

TEST(Demangle, ANameThatDoublesWithEveryStepStaysAsItIs) {
  std::string name = "_Z1f1aIiE";  // S0_ is a<int>, each next a<previous, previous>
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t i = 0; i + 1 < kDigits.size(); ++i) {
    const std::string last = {'S', kDigits[i], '_'};
    name += "S_I" + last + last + "E";
  }
  EXPECT_EQ(whole(name), name);
}

TEST(Demangle, MutilatedNamesNeverHarm) {
  const std::string real =
      "_ZN2at6native18elementwise_kernelILi128ELi2EZNS0_22gpu_kernel_impl_nocastIZZZNS0_15neg_kernel_cudaERNS_"
      "18TensorIteratorBaseEENKUlvE0_clEvENKUlvE5_clEvEUlfE_EEvS4_RKT_EUliE_EEviT1_";
  std::mt19937 random(7);
  for (std::size_t length = 0; length < real.size(); ++length) kernelName(real.substr(0, length));
  for (int round = 0; round < 20'000; ++round) {
    std::string name = real;
    for (int change = 0; change < 3; ++change) name[2 + random() % (name.size() - 2)] = real[random() % real.size()];
    EXPECT_FALSE(kernelName(name).demangled.empty());
  }
}

}  // namespace
}  // namespace lanescope
