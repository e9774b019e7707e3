// SPDX-License-Identifier: GPL-3.0-or-later
// Loading as the viewer wants it: the report, and once all of it has been published what follows from it.
#pragma once

#include "model/report/load.h"

namespace lanescope::ui {

/// report::load(), then the row of idle causes below each GPU. Without them where the job is cancelled meanwhile.
Result<trace::TracePtr> loadForViewer(const std::filesystem::path& path, const report::LoadOptions& options,
                                      const report::Publish& publish, const Job& job);

}  // namespace lanescope::ui
