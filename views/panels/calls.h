// SPDX-License-Identifier: GPL-3.0-or-later
// What the Calls panel shows, made away from the GUI thread. The stacks of samples are read from the file when they are
// first asked for. Pure but for that.
#pragma once

#include <QString>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "views/panels/statistics.h"
#include "views/tables/call_table.h"

namespace lanescope::views {

/// What only the file of a trace knows, read when it is first asked for. One thread at a time: jobs of one LatestJob.
class CallsFile {
 public:
  explicit CallsFile(const std::filesystem::path& path) : file_(path) {}

  using Stacks = Result<std::shared_ptr<const report::SampleStacks>>;
  Stacks stacks(report::StackSource source, const Job& job);
  /// Null where the file cannot be read.
  const analysis::RangeThreads* threads(const trace::TracePtr& trace);

 private:
  ReportFile file_;
  std::array<std::optional<Stacks>, 2> stacks_;  // by source
  trace::TracePtr trace_;  // whose threads these are
  std::optional<analysis::RangeThreads> threads_;
};

struct CallsQuestion {
  analysis::CallQuestion tree;
  analysis::CallOrder order = analysis::CallOrder::kTopDown;
  std::shared_ptr<CallsFile> file;
};

struct CallsAnswer {
  trace::TracePtr trace;
  CallTreePtr ordered;  ///< null: none, and why
  CallTreePtr flame;  ///< the same, but top-down for a flat one
  QString missing;
  bool stacksCut = false;  ///< the file has more stacks than are read
};

/// Worth nothing once the job was cancelled.
CallsAnswer answer(CallsQuestion question, const Job& job = {});

/// True if the trace has ranges, or samples of that kind.
bool hasCalls(const trace::Trace& trace, analysis::CallSource source);

}  // namespace lanescope::views
