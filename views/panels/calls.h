// SPDX-License-Identifier: GPL-3.0-or-later
// What the Calls panel shows, made away from the GUI thread. The stacks of samples are read from the file when they are
// first asked for. Pure but for that.
#pragma once

#include <QString>
#include <filesystem>
#include <memory>
#include <optional>

#include "views/tables/call_table.h"

namespace lanescope::views {

/// The stacks of a report's samples. One thread at a time: jobs of one LatestJob.
class SampleFile {
 public:
  explicit SampleFile(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  using Stacks = Result<std::shared_ptr<const report::SampleStacks>>;
  Stacks stacks(const Job& job);

 private:
  std::filesystem::path path_;
  std::optional<Stacks> stacks_;
};

struct CallsQuestion {
  analysis::CallQuestion tree;
  analysis::CallOrder order = analysis::CallOrder::kTopDown;
  std::shared_ptr<SampleFile> file;
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

/// True if the trace has ranges, or samples.
bool hasCalls(const trace::Trace& trace, analysis::CallSource source);

}  // namespace lanescope::views
