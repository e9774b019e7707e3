// SPDX-License-Identifier: Apache-2.0
// `lanescope status`: what it finds is collector/launch's; here, that programs can read it too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/app/cli/run_program.h"

namespace lanescope::cli {
namespace {

TEST(Status, ProgramsGetEachFindingAsAnObjectOnALine) {
  const test::TemporaryFolder folder;
  const Outcome text = run(folder, "status --environment"), json = run(folder, "status --environment --json");
  EXPECT_EQ(json.status, text.status);
  EXPECT_EQ(std::ranges::count(json.out, '\n'), std::ranges::count(text.out, '\n'));
  std::istringstream lines(json.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_THAT(line, testing::ContainsRegex(
                          R"re(^\{"level": "(good|note|problem)", "what": ".+", "text": ".+", "remedy": ".*"\}$)re"));
  EXPECT_THAT(json.out, testing::HasSubstr("\"what\": \"Disk\", \"text\": \""));
  EXPECT_EQ(run(folder, "status --json").status, 2);
}

}  // namespace
}  // namespace lanescope::cli
