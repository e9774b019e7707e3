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

TEST(InfoCommand, TellsTheRecordedTimeAndTheTimelineWhereTheyDiffer) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 50, .end = 80}).write();
  EXPECT_EQ(run(folder, "info a.sqlite").out.find("Timeline"), std::string::npos) << "they are one";
  test::ReportBuilder(folder / "b.sqlite")
      .add(test::K{.start = 50, .end = 80})
      .insert("PROFILER_OVERHEAD",
              {{"start", std::int64_t{10}}, {"end", std::int64_t{200}}, {"globalTid", test::gtid(1, 1)}})
      .write();
  const std::string told = run(folder, "info b.sqlite").out;
  EXPECT_NE(told.find("  Time            30 ns (from 50 ns to 80 ns)\n"), std::string::npos) << told;
  EXPECT_NE(told.find("  Timeline        190 ns (from 10 ns to 200 ns), with samples"), std::string::npos) << told;
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
  EXPECT_THAT(run(folder, "attach 1").err,
              testing::StartsWith("lanescope: attach: a program that already runs cannot be recorded, because CUDA"));
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
