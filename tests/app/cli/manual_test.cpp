// SPDX-License-Identifier: Apache-2.0
// What the program tells of its own words. That shells and man read it is checked where it is installed
// (packaging/check.sh).
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "tests/app/cli/run_program.h"

namespace lanescope::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The long options that a help names, but for those that have no effect yet.
std::vector<std::string> optionsOf(const std::string& help) {
  static const std::regex kOption("^ +(?:-[a-zA-Z],? ?)?--([a-z-]+)");
  std::vector<std::string> names;
  std::istringstream lines(help);
  std::string entry;
  const auto take = [&] {
    std::smatch match;
    if (std::regex_search(entry, match, kOption) && entry.find("(not yet)") == std::string::npos)
      names.push_back(match[1]);
  };
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_search(line, kOption)) {
      entry += line;
      continue;
    }
    take();
    entry = line;
  }
  take();
  return names;
}

TEST(Manual, CompletionKnowsEveryOptionThatHelpNames) {
  const test::TemporaryFolder folder;
  const std::string fish = run(folder, "completion fish").out;
  std::size_t seen = 0;
  for (const char* command : {"profile", "stats", "analyze", "export", "report", "diff", "info", "recover", "status"}) {
    for (const std::string& name : optionsOf(run(folder, std::string(command) + " --help").out)) {
      const std::regex line(std::string("seen_subcommand_from ") + command + "'[^\n]* -l " + name + " ");
      EXPECT_TRUE(std::regex_search(fish, line)) << command << " --" << name;
      ++seen;
    }
  }
  EXPECT_GT(seen, 60u);
  EXPECT_THAT(fish, Not(HasSubstr("-l include-blobs"))) << "which help does not name";
  EXPECT_THAT(fish, Not(HasSubstr("-l sampling-trigger"))) << "which has no effect yet";
}

TEST(Manual, CompletionOffersWhatAnOptionTakes) {
  const test::TemporaryFolder folder;
  const std::string bash = run(folder, "completion bash").out;
  EXPECT_THAT(bash, HasSubstr("stats:-r|stats:--report) values='nvtx_sum osrt_sum "));
  EXPECT_THAT(bash, HasSubstr("export:-t|export:--type) values='sqlite json chrome jsonlines csv text'"));
  EXPECT_THAT(bash, HasSubstr("analyze:--fail-on) values='checklist "));
  EXPECT_THAT(bash, HasSubstr("profile:-t|profile:--trace) values='cuda cuda-sw nvtx none osrt "));
}

TEST(Manual, ThereIsAPageForEveryCommand) {
  const test::TemporaryFolder folder;
  const std::string help = run(folder, "--help").out;
  std::istringstream pages(run(folder, "manual").out);
  std::size_t seen = 0;
  for (std::string page; std::getline(pages, page); ++seen) {
    const Outcome told = run(folder, "manual " + page);
    EXPECT_EQ(told.status, 0) << page;
    EXPECT_THAT(told.out, HasSubstr(".TH " + page + " 1 ")) << page;
    if (page != "lanescope") EXPECT_THAT(help, HasSubstr("  " + page.substr(std::string("lanescope-").size()))) << page;
  }
  EXPECT_GT(seen, 12u);
  const std::string start = run(folder, "manual lanescope-start").out,
                    launch = run(folder, "manual lanescope-launch").out;
  EXPECT_THAT(start, HasSubstr("\\-\\-duration"));
  EXPECT_THAT(launch, Not(HasSubstr("\\fB\\-\\-duration"))) << "which start takes";
}

TEST(Manual, WhatThereIsNotIsRefusedInOneLine) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(run(folder, "completion tcsh").err, "lanescope: tcsh: no such shell here; there are: bash, zsh, fish\n");
  EXPECT_EQ(run(folder, "manual nothing").status, 2);
}

}  // namespace
}  // namespace lanescope::cli
