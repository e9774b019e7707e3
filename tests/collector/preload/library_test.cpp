// SPDX-License-Identifier: Apache-2.0
// The preloaded libraries as files: what they show is what their tables list, and they load into every program.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "collector/preload/mpi_table.h"
#include "collector/preload/os_table.h"
#include "tests/support/tool_output.h"

namespace lanescope::preload {
namespace {

using test::matches;
using test::outputOf;

const std::set<std::string> kOsNames = {
#define LANESCOPE_NAME(symbol, name, object, result) #symbol,
    LANESCOPE_OS_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
#define LANESCOPE_NAME(symbol) #symbol,
        LANESCOPE_SIGNAL_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
            "syscall",
    "_exit",
    "_Exit",
};
const std::set<std::string> kMpiNames = {
#define LANESCOPE_NAME(name, fortran, kind, ...) "MPI_" #name, "mpi_" #fortran "_", "mpi_" #fortran "_f08_",
    LANESCOPE_MPI_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
};

class PreloadLibrary : public testing::TestWithParam<std::pair<const char*, const std::set<std::string>*>> {
 protected:
  void SetUp() override {
    if (outputOf("readelf --version").empty()) GTEST_SKIP() << "no readelf on this machine";
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers bring their own";
#endif
  }
  const std::string file = std::string("'") + GetParam().first + "'";
};

TEST_P(PreloadLibrary, ShowsWhatItsTableListsAndNothingElse) {
  EXPECT_EQ(matches(outputOf("readelf -W --dyn-syms " + file + " | grep -v UND"),
                    "(?:GLOBAL|WEAK|UNIQUE) +DEFAULT +[0-9]+ ([A-Za-z_0-9]+)"),
            *GetParam().second);
}

TEST_P(PreloadLibrary, NeedsTheCLibraryOnlyAndAnOldOne) {
  EXPECT_EQ(matches(outputOf("readelf -d " + file), "Shared library: \\[(.*)\\]"),
            (std::set<std::string>{"libc.so.6"}));
  for (const std::string& version : matches(outputOf("readelf -V " + file), "Name: GLIBC_2\\.([0-9]+)")) {
    EXPECT_LE(std::stoi(version), 17) << "GLIBC_2." << version;
  }
}

TEST_P(PreloadLibrary, StaysOnceItIsLoadedAndTakesNoMoreOfTheStaticThreadMemoryThanItMust) {
  EXPECT_NE(outputOf("readelf -d " + file).find("NODELETE"), std::string::npos);
  const std::set<std::string> sizes =
      matches(outputOf("readelf -lW " + file), "TLS +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x([0-9a-f]+)");
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_LE(std::stoi(*sizes.begin(), nullptr, 16), 16);
  EXPECT_EQ(outputOf("readelf -W --dyn-syms " + file).find("__tls_get_addr"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Both, PreloadLibrary,
                         testing::Values(std::pair(LANESCOPE_PRELOAD, &kOsNames),
                                         std::pair(LANESCOPE_PRELOAD_MPI, &kMpiNames)),
                         [](const auto& test) { return test.index == 0 ? "Os" : "Mpi"; });

}  // namespace
}  // namespace lanescope::preload
