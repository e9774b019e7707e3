// SPDX-License-Identifier: Apache-2.0
// What the targets of importers demand: of a recording, of the trace that is made of it, and now and then of its report.
#pragma once

#include "model/import/import.h"
#include "model/utf8.h"
#include "tests/fuzz/fuzz.h"

namespace lanescope::fuzz {

inline void demandTrace(const Result<trace::TracePtr>& trace) {
  demand(trace && (*trace)->complete);
  for (const trace::Issue& issue : (*trace)->issues)
    demand(issue.text.size() < 10'000 && isCleanUtf8(issue.text) && !issue.kind.empty());
}

/// `alsoReport`: takes ten times as long.
inline void demandSense(Result<imported::Recording> recording, const Scratch& scratch, bool alsoReport) {
  if (!recording) {
    demand(isCleanUtf8(sentence(recording.error())));
    return;
  }
  if (alsoReport) {
    const auto report = scratch.path() / "out.rep";
    demand(toReport(*recording, "a", "1.0", report, Job()).has_value());
    demandTrace(report::load(report, {}, [](const trace::TracePtr&) {}, Job()));
  }
  demandTrace(toTrace(std::move(*recording), {}, Job()));
}

}  // namespace lanescope::fuzz
