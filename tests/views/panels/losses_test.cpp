// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/losses.h"

#include <gtest/gtest.h>

namespace lanescope::views {
namespace {

QString summaryOf(std::vector<trace::Issue> issues) {
  trace::Trace trace;
  trace.issues = std::move(issues);
  return lossSummary(trace);
}

TEST(Losses, AWholeTraceSaysSo) { EXPECT_EQ(summaryOf({}), "0 events lost"); }

TEST(Losses, EveryIssueIsCountedByName) {
  EXPECT_EQ(summaryOf({{"invalid-time", 3, ""}, {"unfinished-range", 1, ""}}),
            QStringLiteral("3 invalid times · 1 unfinished range"));
}

TEST(Losses, KindsThatDoNotReadWellHaveWordsOfTheirOwn) {
  EXPECT_EQ(summaryOf({{"graphs-not-recorded", 132, ""}, {"end-before-start", 1, ""}, {"unfinished", 2, ""}}),
            QStringLiteral("132 graphs recorded as a whole · 1 event ends before it starts · 2 unfinished ranges"));
}

}  // namespace
}  // namespace lanescope::views
