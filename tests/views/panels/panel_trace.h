// SPDX-License-Identifier: GPL-3.0-or-later
// A trace for the panels, over 1 ms: kernels "attention" (100, 100 and 300 µs) and "feed", a copy, and a call that spans
// them all, each in a row of its own.
#pragma once

#include "tests/support/trace_fixture.h"

namespace lanescope::views {

inline trace::TracePtr panelTrace(bool complete = true) {
  using trace::EventKind;
  trace::TraceFixture fixture;
  const auto attention = fixture.name("attention<float>(int)"), feed = fixture.name("feed");
  fixture
      .lane(EventKind::kKernel, {{.start = 0, .end = 100'000, .name = attention},
                                 {.start = 200'000, .end = 300'000, .name = attention},
                                 {.start = 400'000, .end = 450'000, .name = feed},
                                 {.start = 600'000, .end = 900'000, .name = attention}})
      .lane(EventKind::kCopy, {{.start = 300'000, .end = 400'000, .name = fixture.name("[copy]"), .amount = 5'000'000}})
      .lane(EventKind::kCudaApi, {{.start = 0, .end = 1'000'000, .name = fixture.name("cudaMemcpy")}});
  return fixture.finish(complete);
}

}  // namespace lanescope::views
