// SPDX-License-Identifier: Apache-2.0
#include "model/page/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "model/compare/comparison_table.h"
#include "model/utf8.h"

namespace lanescope::page {
namespace {

/// Files by their names, with the folder where two have the same.
std::string namesOf(const std::vector<std::string>& files, const compare::Comparison& comparison) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  std::string names;
  for (const std::string& file : files) {
    const auto same = [&](const std::string& other) { return other != file && name(other) == name(file); };
    const bool isShared = std::ranges::any_of(comparison.filesA, same) || std::ranges::any_of(comparison.filesB, same);
    const std::filesystem::path folder = std::filesystem::path(file).parent_path().filename();
    names += (names.empty() ? "" : ", ") + shownText((isShared ? folder / name(file) : name(file)).string(), 200);
  }
  return names;
}

}  // namespace

std::vector<Section> comparisonSections(const compare::Comparison& comparison) {
  constexpr std::size_t kMost = 30;
  std::vector<Section> sections;
  Section whole{"What is compared", {}};
  Facts facts{{"A", namesOf(comparison.filesA, comparison)}, {"B", namesOf(comparison.filesB, comparison)}};
  if (!comparison.iterationName.empty())
    facts.emplace_back("Iterations", fmt::format("{}: {} in A, {} in B", shownText(comparison.iterationName, 120),
                                                 comparison.iterationsA, comparison.iterationsB));
  whole.parts.emplace_back(std::move(facts));
  for (const std::string& warning : comparison.warnings) whole.parts.emplace_back(Note{warning, true});
  whole.parts.emplace_back(TablePart{figuresTable(comparison), 40});
  sections.push_back(std::move(whole));
  for (std::size_t i = 0; i < compare::kSubjects; ++i) {
    analysis::Table table = namesTable(comparison, static_cast<compare::Subject>(i));
    if (table.rows.empty()) continue;
    std::string title = table.title;
    sections.push_back({std::move(title), {TablePart{std::move(table), kMost}}});
  }
  Section reading{"How to read it", {}};
  if (std::string about = evidenceText(comparison); !about.empty())
    reading.parts.emplace_back(Note{std::move(about), false});
  for (const std::string& merged : mergedTexts(comparison))
    reading.parts.emplace_back(Note{"Taken for one and the same: " + shownText(merged, 400), false});
  if (!reading.parts.empty()) sections.push_back(std::move(reading));
  return sections;
}

Page comparisonPage(const compare::Comparison& comparison) {
  return {fmt::format("{} against {}", namesOf(comparison.filesA, comparison), namesOf(comparison.filesB, comparison)),
          "Comparison", comparisonSections(comparison)};
}

}  // namespace lanescope::page
