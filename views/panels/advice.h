// SPDX-License-Identifier: GPL-3.0-or-later
// What `lanescope analyze` says of a report, as the Analysis panel shows it: a section a rule, the checklist first, with
// words for each line and where on the timeline it is to be seen. Made away from the GUI thread. Pure but for the file.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/rules.h"
#include "views/panels/statistics.h"

namespace lanescope::views {

/// One line of a section.
struct AdviceLine {
  QString words;  ///< evidence, what to try, how the figure is made: a paragraph each
  std::vector<analysis::Evidence> where;  ///< the most telling first
  std::optional<analysis::Verdict> verdict;  ///< of the checklist
};

struct AdviceSection {
  const analysis::Rule* rule = nullptr;
  std::shared_ptr<const analysis::Table> table;  ///< keeps what its texts lie in; null: nothing to show, and why
  std::vector<AdviceLine> lines;  ///< of its rows
  QString summary;  ///< "3 to improve", "64 findings", "nothing found"
  QString words;  ///< the rule's own: what to try, what it looks for, or why there is nothing
  bool finds = false;
  std::size_t more = 0;  ///< lines that were found but are not in the table
};

/// One rule, with at most so many lines in its table. O(events · log).
AdviceSection adviceOf(const analysis::Rule& rule, std::size_t rows, const trace::TracePtr& trace,
                       const std::shared_ptr<ReportFile>& file, const Job& job = {});

/// All rules in their order, those in vain too. O(events · log). Worth nothing once the job was cancelled.
std::vector<AdviceSection> adviceOn(const trace::TracePtr& trace, const std::shared_ptr<ReportFile>& file,
                                    const Job& job = {});

}  // namespace lanescope::views
