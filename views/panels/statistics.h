// SPDX-License-Identifier: GPL-3.0-or-later
// The stats reports as the Statistics panel asks for them: the same engine, names, columns and scopes as `lanescope
// stats`, made by one function away from the GUI thread. Pure but for the file that is read.
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/row_evidence.h"

namespace lanescope::views {

/// The file beside a trace, opened when first asked for. One thread at a time: jobs of one LatestJob.
class ReportFile {
 public:
  /// `calledBy`: what the user opened, if that is another file.
  explicit ReportFile(std::filesystem::path path, std::filesystem::path calledBy = {})
      : path_(std::move(path)), calledBy_(std::move(calledBy)) {}

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& calledBy() const { return calledBy_.empty() ? path_ : calledBy_; }
  Result<report::RowValues>& values();

 private:
  std::filesystem::path path_, calledBy_;
  std::optional<Result<report::RowValues>> values_;
};

struct StatisticsQuestion {
  trace::TracePtr trace;
  std::shared_ptr<ReportFile> file;
  analysis::ReportCall call;
  std::optional<trace::TimeRange> time;  ///< none: the whole report

  analysis::Scope scope() const { return time ? analysis::Scope{*time} : analysis::Scope{}; }
  bool operator==(const StatisticsQuestion&) const = default;
};

/// Of reports with a row an event, which hold all of them in memory, some 400 bytes a row; others are of any number.
inline constexpr std::uint64_t kMostTraced = 300'000;

struct StatisticsAnswer {
  StatisticsQuestion question;
  std::shared_ptr<const analysis::Table> table;  ///< keeps what its texts lie in; null: none, and why
  QString missing;
  std::vector<std::string> caveats;  ///< why figures of these kinds of events are not whole
};

/// O(what the report costs). Worth nothing once the job was cancelled.
StatisticsAnswer answer(StatisticsQuestion question, const Job& job = {});

/// The events of a row, for the timeline, and the longest of them.
struct StatisticsRow {
  static constexpr std::size_t kMostSteps = 1000;

  std::shared_ptr<const analysis::Hits> hits;
  std::vector<trace::EventRef> longest;  ///< first
};
StatisticsRow eventsOf(const StatisticsQuestion& question, const analysis::Table& table, std::size_t row,
                       const Job& job = {});

/// "lanescope stats -r cuda_gpu_kern_sum --filter-time=12/34 run.rep": what makes the same table.
QString statsCommand(const StatisticsQuestion& question);

/// True if the trace has events that this report is of.
bool hasDataFor(const analysis::StatsReport& report, const trace::Trace& trace);

}  // namespace lanescope::views
