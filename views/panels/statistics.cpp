// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/statistics.h"

#include <QCoreApplication>
#include <algorithm>

#include "model/analysis/grouping.h"
#include "model/analysis/losses.h"
#include "model/shell_words.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

/// A table with all that its texts may lie in.
struct Kept {
  trace::TracePtr trace;
  std::shared_ptr<ReportFile> file;
  analysis::Table table;
};

/// How many rows a report has that gives one to each event; 0 for others.
std::uint64_t tracedEvents(const StatisticsQuestion& question) {
  const analysis::StatsReport& report = *question.call.report;
  if (!report.name.ends_with("_trace")) return 0;
  std::uint64_t count = 0;
  for (trace::LaneId lane = 0; lane < question.trace->lanes.size(); ++lane)
    if (std::ranges::find(report.kinds, question.trace->laneInfo[lane].kind) != report.kinds.end())
      count += analysis::touching(*question.trace->lanes[lane], question.scope().range).size();
  return count;
}

}  // namespace

Result<report::RowValues>& ReportFile::values() {
  if (!values_) values_ = report::RowValues::open(path_);
  return *values_;
}

StatisticsAnswer answer(StatisticsQuestion question, const Job& job) {
  StatisticsAnswer answer;
  if (const std::uint64_t rows = tracedEvents(question); rows > kMostTraced) {
    answer.missing = QCoreApplication::translate("Statistics",
                                                 "That would be a row for each of %1 events, and at most %2 are shown. "
                                                 "Select a part, or use the command line below or the Events panel")
                         .arg(numberText(rows), numberText(kMostTraced));
    answer.question = std::move(question);
    return answer;
  }
  Result<report::RowValues>& values = question.file->values();
  if (!values) {
    answer.missing = QString::fromStdString(sentence(values.error()));
  } else if (auto table = makeReport(question.call, *question.trace, *values, question.scope(), job)) {
    auto kept = std::make_shared<Kept>(Kept{question.trace, question.file, std::move(*table)});
    answer.table = {kept, &kept->table};
    answer.caveats = analysis::reasons(*question.trace, question.call.kinds());
  } else {
    const std::string what = missingFrom(question.call, *question.trace, question.scope());
    answer.missing = QCoreApplication::translate("Statistics", "There is no %1").arg(QString::fromStdString(what));
  }
  answer.question = std::move(question);
  return answer;
}

StatisticsRow eventsOf(const StatisticsQuestion& question, const analysis::Table& table, std::size_t row,
                       const Job& job) {
  StatisticsRow found{std::make_shared<const analysis::Hits>(), {}};
  Result<report::RowValues>& values = question.file->values();
  if (!values) return found;
  auto hits = eventsOfRow(question.call, table, row, *question.trace, *values, question.scope(), job);
  found.longest = longestHits(*question.trace, hits, StatisticsRow::kMostSteps);
  found.hits = std::make_shared<const analysis::Hits>(std::move(hits));
  return found;
}

QString statsCommand(const StatisticsQuestion& question) {
  std::string command = "lanescope stats -r " + question.call.name();
  if (question.time)
    command += " --filter-time=" + std::to_string(question.time->begin) + "/" + std::to_string(question.time->end);
  return toQt(command + " " + shellQuoted(question.file->calledBy().string()));
}

bool hasDataFor(const analysis::StatsReport& report, const trace::Trace& trace) {
  const auto& kinds = report.needs.empty() ? report.kinds : report.needs;
  return std::ranges::any_of(
      trace.laneInfo, [&](const trace::LaneInfo& lane) { return std::ranges::find(kinds, lane.kind) != kinds.end(); });
}

}  // namespace lanescope::views
