// SPDX-License-Identifier: Apache-2.0
// Runs the built program: exit status, and what stands on which stream.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

TEST(InfoCommand, PrintsOneJsonObjectAndEndsWithZero) {
  const test::TemporaryFolder folder;
  test::ReportBuilder(folder / "a 100%?.sqlite").add(test::K{.start = 1, .end = 2}).write();
  const Outcome done = run(folder, "info --json 'a 100%?.sqlite'");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(done.out.starts_with("{\"format\": \"nsys-sqlite\"")) << done.out;
  EXPECT_EQ(done.err, "");
}

TEST(InfoCommand, UnreadableInputEndsWithTwoAndOneLine) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "empty.rep", "");
  const Outcome done = run(folder, "info empty.rep");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_EQ(done.err, "lanescope: empty.rep: the file is empty; copy or export it again\n");
}

TEST(InfoCommand, EveryBadFileEndsWithTwoAndOneLine) {
  LANESCOPE_NEEDS_SHARED();
  const test::TemporaryFolder folder;
  for (const auto& path : test::filesIn(test::sharedFolder() / "traces/bad")) {
    const Outcome done = run(folder, "info '" + path.string() + "'");
    EXPECT_EQ(done.status, 2) << path;
    EXPECT_TRUE(done.err.starts_with("lanescope: ")) << done.err;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST(InfoCommand, StrictMakesADamagedEventAnError) {
  const test::TemporaryFolder folder;
  test::ReportBuilder(folder / "a.sqlite")
      .add(test::K{.start = 300, .end = 250})
      .add(test::K{.start = 1, .end = 2})
      .write();
  EXPECT_EQ(run(folder, "info a.sqlite").status, 0);
  EXPECT_EQ(run(folder, "info --strict a.sqlite").status, 2);
}

TEST(CommandLine, BadUsageEndsWithTwoAndOneLine) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(run(folder, "frobnicate x").err, "lanescope: frobnicate: unknown command; see: lanescope --help\n");
  for (const char* arguments : {"", "frobnicate x", "info", "info --no-such-option a", "--no-such-option"}) {
    const Outcome done = run(folder, arguments);
    EXPECT_EQ(done.status, 2) << arguments;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
  }
}

TEST(CommandLine, VersionAndHelpEndWithZero) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(run(folder, "--version").out.starts_with("lanescope "));
  EXPECT_EQ(run(folder, "--help").status, 0);
  EXPECT_EQ(run(folder, "info --help").status, 0);
}

}  // namespace
}  // namespace lanescope::cli
