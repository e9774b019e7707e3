// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/analysis/table_text.h"
#include "model/report/load.h"
#include "tests/support/files.h"

namespace lanescope::views {
namespace {

/// What `lanescope stats` makes of a file: of the events that the report needs and no others.
std::string printed(const std::filesystem::path& file, const analysis::ReportCall& call, const analysis::Scope& scope) {
  const auto trace = report::load(file, {.only = call.kinds(), .partners = call.needsPartners()}, {}, Job{});
  auto values = report::RowValues::open(file);
  if (!trace || !values) return "unreadable";
  const auto table = makeReport(call, **trace, *values, scope);
  return table ? toText(*table, analysis::TableFormat::kCsv) : std::string();
}

/// A pid is no quantity.
void expectIdsUngrouped(const analysis::Table& table) {
  using enum analysis::ColumnKind;
  constexpr std::string_view kParts[] = {"PID", "Pid", "TID", "Tid", "Id", "ID", "Ctx", "Strm", "Context", "Stream"};
  for (const analysis::Column& column : table.columns)
    if (std::ranges::any_of(kParts, [&](std::string_view part) { return column.title.ends_with(part); }))
      EXPECT_TRUE(column.kind == kId || column.kind == kText) << table.name << ": " << column.title;
}

class GoldenStatistics : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoldenStatistics, AreWhatTheCommandLinePrints) {
  const trace::TracePtr trace = report::load(GetParam(), {.projections = true}, {}, Job{}).value();
  const trace::Ns third = trace->range.length() / 3;
  const auto file = std::make_shared<ReportFile>(GetParam());
  for (const analysis::StatsReport& report : analysis::statsReports()) {
    for (const auto& time :
         {std::optional<trace::TimeRange>(),
          std::optional(trace::TimeRange{trace->range.begin + third, trace->range.end - third / 2})}) {
      const StatisticsAnswer shown = answer({trace, file, {&report}, time});
      const std::string text = shown.table ? toText(*shown.table, analysis::TableFormat::kCsv) : std::string();
      if (shown.table) expectIdsUngrouped(*shown.table);
      EXPECT_EQ(text, printed(GetParam(), {&report}, shown.question.scope()))
          << report.name << (time ? " of a part" : " of the whole");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, GoldenStatistics, testing::ValuesIn(test::goldenExports()),
                         [](const auto& file) { return file.param.parent_path().filename().string(); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GoldenStatistics);

TEST(StatsCommand, NamesTheFileThatTheUserOpenedAndNotWhatWasMadeOfIt) {
  StatisticsQuestion question;
  question.call = analysis::findReports("cuda_gpu_kern_sum").at(0);
  question.file = std::make_shared<ReportFile>("/cache/a.json.rep", "/data/a.json");
  EXPECT_EQ(statsCommand(question), "lanescope stats -r cuda_gpu_kern_sum /data/a.json");
  question.file = std::make_shared<ReportFile>("/data/a.rep");
  EXPECT_EQ(statsCommand(question), "lanescope stats -r cuda_gpu_kern_sum /data/a.rep");
}

}  // namespace
}  // namespace lanescope::views
