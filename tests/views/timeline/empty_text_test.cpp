// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/empty_text.h"

#include <gtest/gtest.h>

#include "tests/support/trace_fixture.h"

namespace lanescope::views {
namespace {

TEST(EmptyText, AFileWithoutEventsSaysSoAndWhatWasWrong) {
  trace::Trace trace;
  trace.complete = true;
  EXPECT_EQ(emptyText(trace), "This file holds no events");
  trace.issues.push_back({"import-skipped-text", 3, "3 texts are no JSON"});
  EXPECT_EQ(emptyText(trace), "This file holds no events\n3 texts are no JSON");
  trace.complete = false;
  EXPECT_EQ(emptyText(trace), "") << "they may come";
}

TEST(EmptyText, AFileWithEventsSaysNothing) {
  trace::TraceFixture fixture;
  fixture.lane(trace::EventKind::kKernel, {trace::Event{.start = 0, .end = 1}});
  EXPECT_EQ(emptyText(*fixture.finish()), "");
}

}  // namespace
}  // namespace lanescope::views
