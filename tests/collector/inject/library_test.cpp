// SPDX-License-Identifier: Apache-2.0
// The library as a file: what it takes along and what it shows, which decides whether it loads into every program.
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "collector/inject/threads.h"
#include "model/trace/own_threads.h"
#include "tests/support/tool_output.h"

namespace lanescope::inject {
namespace {

using test::matches;
using test::outputOf;

class Library : public testing::Test {
 protected:
  void SetUp() override {
    if (outputOf("readelf --version").empty()) GTEST_SKIP() << "no readelf on this machine";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers bring their own";
#endif
  }
  const std::string file = std::string("'") + LANESCOPE_INJECT + "'";
};

TEST(OwnThreads, AreKnownToReadersByTheNamesTheyHave) {
  EXPECT_EQ(trace::kOwnThreads, (std::array<std::string_view, 2>{kWriterName, kFlusherName}));
}

TEST_F(Library, ShowsItsDoorsAndNothingElse) {
  EXPECT_EQ(
      matches(outputOf("readelf -W --dyn-syms " + file), "(?:GLOBAL|WEAK|UNIQUE) +DEFAULT +[0-9]+ ([A-Za-z_0-9]+)"),
      (std::set<std::string>{"InitializeInjection", "InitializeInjectionNvtx2", "InitializeInjectionNvtxExtension",
                             "lanescopeRecorder"}));
}

TEST_F(Library, NeedsTheCLibraryOnlyAndAnOldOne) {
  const std::string needed = outputOf("readelf -d " + file);
  EXPECT_EQ(matches(needed, "Shared library: \\[(.*)\\]"), (std::set<std::string>{"libc.so.6"}));
  for (const std::string& version : matches(outputOf("readelf -V " + file), "Name: GLIBC_2\\.([0-9]+)")) {
    EXPECT_LE(std::stoi(version), 17) << "GLIBC_2." << version;
  }
}

TEST_F(Library, StaysOnceItIsLoaded) {
  const std::string dynamic = outputOf("readelf -d " + file);
  EXPECT_NE(dynamic.find("NODELETE"), std::string::npos);
  EXPECT_NE(dynamic.find("NOW"), std::string::npos);
  EXPECT_NE(dynamic.find("SYMBOLIC"), std::string::npos);
}

TEST_F(Library, TakesNoMoreOfTheStaticThreadMemoryThanItMust) {
  const std::set<std::string> sizes =
      matches(outputOf("readelf -lW " + file), "TLS +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x([0-9a-f]+)");
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_LE(std::stoi(*sizes.begin(), nullptr, 16), 64);
  EXPECT_EQ(outputOf("readelf -W --dyn-syms " + file).find("__tls_get_addr"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::inject
