// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/output_name.h"

#include <gmock/gmock.h>

#include <unistd.h>
#include <map>

#include <cstring>

#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

using testing::HasSubstr;

const NameFacts kFacts{"node7", [](const char* name) -> const char* {
                         if (std::strcmp(name, "RANK") == 0) return "3";
                         if (std::strcmp(name, "ODD") == 0) return "a/b\n";
                         return nullptr;
                       }};

std::string resolved(const std::string& pattern) {
  const auto name = OutputName::read(pattern, kFacts);
  return name ? name->resolve(42).string() : "refused: " + name.error();
}

TEST(OutputName, MacrosAreFilledIn) {
  EXPECT_EQ(resolved("run"), "run.rep");
  EXPECT_EQ(resolved("run.rep"), "run.rep");
  EXPECT_EQ(resolved("run.v2"), "run.v2.rep");
  EXPECT_EQ(resolved("a_%p"), "a_42.rep");
  EXPECT_EQ(resolved("/x/%h-%q{RANK}-%%p"), "/x/node7-3-%p.rep");
  EXPECT_EQ(resolved("a#b"), "a#b.rep");
  EXPECT_EQ(resolved("%q{ODD}"), "a_b_.rep");
}

TEST(OutputName, WhatIsNoMacroIsRefused) {
  EXPECT_THAT(resolved("a%"), HasSubstr("refused: --output: %: is none of %p %h"));
  EXPECT_THAT(resolved("a%z"), HasSubstr("refused: --output: %z: is none of"));
  EXPECT_THAT(resolved("%q"), HasSubstr("refused"));
  EXPECT_THAT(resolved("%q{RANK"), HasSubstr("is written %q{VARIABLE}"));
  EXPECT_THAT(resolved("%q{NONE}"), HasSubstr("%q{NONE}: this environment variable is not set"));
  EXPECT_THAT(resolved("a\nb"), HasSubstr("refused"));
}

TEST(OutputName, NumbersTakeTheFirstFreeName) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(resolved((folder / "report#").string()), (folder / "report1.rep").string());
  test::writeFile(folder / "report1.rep", "");
  test::writeFile(folder / "report3.rep", "");
  EXPECT_EQ(resolved((folder / "report#").string()), (folder / "report2.rep").string());
  symlink("nowhere", (folder / "report2.rep").c_str());
  EXPECT_EQ(resolved((folder / "report%n").string()), (folder / "report4.rep").string());
}

TEST(OutputName, WhatCannotBeWrittenIsRefusedBefore) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "there.rep", "");
  std::filesystem::create_directory(folder / "folder.rep");
  const auto check = [&](const char* pattern, bool overwrite = false) -> std::string {
    const auto done = OutputName::read((folder / pattern).string(), kFacts)->check(overwrite);
    return done ? "" : sentence(done.error());
  };
  EXPECT_EQ(check("new"), "");
  EXPECT_THAT(check("there"), HasSubstr("there.rep: already exists"));
  EXPECT_EQ(check("there", true), "");
  EXPECT_EQ(check("there%n"), "");
  EXPECT_THAT(check("folder", true), HasSubstr("is a folder"));
  EXPECT_THAT(check(""), HasSubstr("is a folder"));
  EXPECT_THAT(check("missing/x"), HasSubstr("missing: no such folder"));
  EXPECT_THAT(check("there.rep/x"), HasSubstr("there.rep: is not a folder"));
  if (geteuid() == 0) return;  // may write anywhere
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THAT(check("new"), HasSubstr("Permission denied"));
}

TEST(OutputName, ARankStandsBeforeTheEndingOfANameThatAllWereTold) {
  for (const char* same : {"run", "run.rep", "run%h", "50%%"}) {
    EXPECT_FALSE(OutputName::read(same, kFacts)->tellsApart()) << same;
  }
  for (const char* own : {"run%p", "run%n", "run#", "run.%q{RANK}"}) {
    EXPECT_TRUE(OutputName::read(own, {"", [](const char*) { return "3"; }})->tellsApart()) << own;
  }
  OutputName name = *OutputName::read("run", kFacts);
  name.addRank("3");
  EXPECT_EQ(name.resolve(1), "run.rank3.rep");
}

TEST(OutputName, OnlyOneOfSeveralIsARank) {
  std::map<std::string, std::string> variables;
  const NameFacts facts{"", [&](const char* name) {
                          const auto found = variables.find(name);
                          return found != variables.end() ? found->second.c_str() : nullptr;
                        }};
  EXPECT_EQ(rankAmongSeveral(facts), std::nullopt);
  variables = {{"RANK", "3"}};
  EXPECT_EQ(rankAmongSeveral(facts), std::nullopt) << "of how many";
  variables["WORLD_SIZE"] = "1";
  EXPECT_EQ(rankAmongSeveral(facts), std::nullopt);
  variables["WORLD_SIZE"] = "4";
  EXPECT_EQ(rankAmongSeveral(facts), "3");
  variables["RANK"] = "../3";
  EXPECT_EQ(rankAmongSeveral(facts), std::nullopt);
  variables = {{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "8"}};
  EXPECT_EQ(rankAmongSeveral(facts), "2");
  variables = {{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}};
  EXPECT_EQ(rankAmongSeveral(facts), std::nullopt) << "a batch script is no task";
}

TEST(OutputName, ATakenNameGivesWayToAFreeOneNearIt) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(freeNameNear(folder / "a.rep", "42"), folder / "a.rep");
  test::writeFile(folder / "a.rep", "");
  EXPECT_EQ(freeNameNear(folder / "a.rep", "42"), folder / "a.42.rep");
  test::writeFile(folder / "a.42.rep", "");
  EXPECT_EQ(freeNameNear(folder / "a.rep", "42"), folder / "a.42-2.rep");
}

}  // namespace
}  // namespace lanescope::launch
