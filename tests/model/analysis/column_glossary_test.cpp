// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/column_glossary.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <set>

#include "model/analysis/reports.h"
#include "tests/support/files.h"

namespace lanescope::analysis {
namespace {

using testing::HasSubstr;

/// The titles that the sources of the reports give their columns, so that none is forgotten whatever data a test has.
std::set<std::string> titlesInTheSources() {
  const std::regex column("\\{\"([^\"]+)\", ColumnKind::"), table("timeTable\\([^\"]*\"([^\"]+)\", \\{([^}]*)\\}"),
      word("\"([^\"]+)\"");
  std::set<std::string> titles;
  const auto take = [&titles](const std::string& text, const std::regex& what, const auto& use) {
    for (std::sregex_iterator at(text.begin(), text.end(), what), end; at != end; ++at) use(*at);
  };
  for (const auto& file : std::filesystem::directory_iterator(test::sourceFolder() / "model/analysis")) {
    if (!file.path().filename().string().starts_with("report") || file.path().extension() != ".cpp") continue;
    const std::string text = test::readFile(file.path());
    take(text, column, [&](const std::smatch& match) { titles.insert(match[1]); });
    take(text, table, [&](const std::smatch& match) {
      titles.insert(match[1]);
      take(match[2], word, [&](const std::smatch& each) { titles.insert(each[1]); });
    });
  }
  for (const char* part : {"T", "A", "Q", "K"})  // cuda_kern_exec_sum puts these together
    for (const char* figure : {"Avg", "Med", "Min", "Max", "StdDev"}) titles.insert(std::string(part) + figure);
  return titles;
}

TEST(ColumnGlossary, KnowsEveryColumnOfEveryReport) {
  const std::set<std::string> titles = titlesInTheSources();
  EXPECT_GT(titles.size(), 130u);
  for (const char* known : {"Med", "NameTree", "GridXYZ", "Bus Bandwidth", "Num Calls"})
    EXPECT_TRUE(titles.contains(known));
  for (const std::string& title : titles) {
    const bool somewhere = std::ranges::any_of(
        statsReports(), [&](const StatsReport& report) { return !meaningOf(report.name, title).empty(); });
    EXPECT_TRUE(somewhere) << title;
  }
}

TEST(ColumnGlossary, HasNothingThatNoReportHas) {
  const std::set<std::string> titles = titlesInTheSources();
  for (const ColumnMeaning& each : columnGlossary()) {
    std::string title;
    for (const char c : std::string(each.title) + "|") {
      if (c != '|') {
        title += c;
        continue;
      }
      EXPECT_TRUE(titles.contains(title)) << title;
      title.clear();
    }
    if (each.report.empty()) continue;
    EXPECT_TRUE(std::ranges::any_of(statsReports(), [&](const StatsReport& report) {
      return report.name.starts_with(each.report);
    })) << each.report;
  }
}

TEST(ColumnGlossary, AReportMayMeanSomethingOfItsOwn) {
  EXPECT_THAT(std::string(meaningOf("cuda_gpu_kern_sum", "Avg")), HasSubstr("durations"));
  EXPECT_THAT(std::string(meaningOf("cuda_gpu_mem_size_sum", "Avg")), HasSubstr("bytes"));
  EXPECT_THAT(std::string(meaningOf("nvprof_summary", "Time")), HasSubstr("Total time"));
  EXPECT_EQ(meaningOf("cuda_gpu_kern_sum", "Nothing"), "");
  EXPECT_EQ(meaningOf("idle", "Time"), "") << "a rule, whose times are others";
}

}  // namespace
}  // namespace lanescope::analysis
