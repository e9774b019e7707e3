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
  EXPECT_EQ(summaryOf({{"partial-overlap", 3, ""}, {"projection-cut", 1, ""}}),
            QStringLiteral("3 partial overlaps · 1 projection cut"));
}

TEST(Losses, APartOfARecordingIsNoLoss) {
  EXPECT_EQ(summaryOf({{"slice", 58'097, ""}, {"slice-memory", 1, ""}}), "part of a recording");
  EXPECT_EQ(summaryOf({{"slice", 58'097, ""}, {"unfinished", 2, ""}}), "2 unfinished ranges");
}

TEST(Losses, KindsThatDoNotReadWellHaveWordsOfTheirOwn) {
  EXPECT_EQ(summaryOf({{"graphs-not-recorded", 132, ""}, {"end-before-start", 1, ""}, {"unfinished", 2, ""}}),
            QStringLiteral("132 graphs recorded as a whole · 1 event ends before it starts · 2 unfinished ranges"));
}

}  // namespace
}  // namespace lanescope::views
