// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/viewer_load.h"

#include "model/analysis/idle_rows.h"

namespace lanescope::ui {

Result<trace::TracePtr> loadForViewer(const std::filesystem::path& path, const report::LoadOptions& options,
                                      const report::Publish& publish, const Job& job) {
  auto trace = report::load(path, options, publish, job);
  if (!trace) return trace;
  job.progress(1, "idle causes");
  auto values = report::RowValues::open(path);
  return values ? analysis::withIdleRows(*trace, *values, job) : *trace;
}

}  // namespace lanescope::ui
