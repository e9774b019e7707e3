// SPDX-License-Identifier: GPL-3.0-or-later
// What a trace lost, in the few words of the status line: "0 events lost", "3 names missing · 1 unfinished range",
// "part of a recording" where no more than that is missing.
// Pure.
#pragma once

#include <QString>

#include "model/trace/trace.h"

namespace lanescope::views {

QString lossSummary(const trace::Trace& trace);

}  // namespace lanescope::views
