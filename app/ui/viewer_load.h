// SPDX-License-Identifier: GPL-3.0-or-later
// Loading as the viewer wants it: the report, and once all of it has been published what follows from it. Any thread.
#pragma once

#include <memory>

#include "app/ui/load_together.h"
#include "model/import/kept_reports.h"
#include "model/report/load.h"

namespace lanescope::ui {

/// report::load(), then the row of idle causes below each GPU. Without them where the job is cancelled meanwhile.
Result<trace::TracePtr> loadForViewer(const std::filesystem::path& path, const report::LoadOptions& options,
                                      const report::Publish& publish, const Job& job);

/// How files are imported from now on: for the program's beginning.
void importWith(const imported::ImportOptions& options);

/// A file as it is shown.
struct Opened {
  trace::TracePtr trace;
  ReportPtr report;  ///< null: the file is a report itself
};

/// A report goes to the loader. Another tool's file is imported: `isImported` is called first, its trace is published as
/// soon as it is there, and the end is the same trace with the report that was made of the file; or the loader has the
/// report that was made before.
Result<Opened> open(const std::filesystem::path& file, const Loader& loader, const report::LoadOptions& options,
                    const report::Publish& publish, const std::function<void()>& isImported, const Job& job);

}  // namespace lanescope::ui
