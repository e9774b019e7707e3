// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/losses.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <regex>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::analysis {
namespace {

using testing::HasSubstr;
using trace::EventKind;

trace::Trace traceWith(std::vector<trace::Issue> issues) {
  trace::Trace trace;
  trace.issues = std::move(issues);
  return trace;
}

std::vector<std::size_t> orderOf(const trace::Trace& trace) {
  std::vector<std::size_t> order;
  for (const Loss& loss : affected(trace))
    if (order.empty() || order.back() != loss.issue) order.push_back(loss.issue);
  return order;
}

TEST(Losses, AWholeTraceHasNone) {
  EXPECT_TRUE(affected(traceWith({})).empty());
  EXPECT_EQ(affectedText(traceWith({}), EventKind::kKernel), "");
}

TEST(Losses, WhatMayHaveTakenAnythingComesBeforeWhatTookEventsOfOneKind) {
  const auto trace = traceWith({{"unfinished", 1, "r", EventKind::kNvtxRange},
                                {"time-not-recorded", 3, "k", EventKind::kKernel},
                                {"journal", 1, "j"},
                                {"graphs-not-recorded", 9, "g", EventKind::kKernel}});
  EXPECT_EQ(orderOf(trace), (std::vector<std::size_t>{2, 3, 1, 0}));
}

TEST(Losses, IssuesThatLeaveNumbersWholeAreNone) {
  EXPECT_TRUE(
      affected(traceWith({{"partial-overlap", 2, ""}, {"correlation-reused", 1, ""}, {"string-missing", 4, ""}}))
          .empty());
}

TEST(Losses, AStrayEndTouchesRangesAndAnEntryBesideTheTraceNothing) {
  const auto trace = traceWith({{"import-end-without-begin", 1, "e", EventKind::kNvtxRange},
                                {"import-async-end-without-begin", 1, "a", EventKind::kNvtxStartEnd},
                                {"import-skipped-member", 1, "m"}});
  EXPECT_EQ(affectedText(trace, EventKind::kKernel), "");
  EXPECT_EQ(affectedText(trace, EventKind::kNvtxRange), "e");
  EXPECT_EQ(affectedText(trace, EventKind::kNvtxStartEnd), "a");
  EXPECT_EQ(affected(trace).size(), 3u) << "all are told of";
}

TEST(Losses, APartOfARecordingIsNone) {
  const auto trace = traceWith({{"slice", 2, ""}, {"slice-memory", 1, ""}});
  EXPECT_TRUE(affected(trace).empty());
  EXPECT_TRUE(isOnPurpose(trace.issues[0]) && isOnPurpose(trace.issues[1]));
  EXPECT_FALSE(isOnPurpose({"unfinished", 1, "", EventKind::kNvtxRange}));
}

TEST(Losses, AMarkTellsOnlyWhatConcernsTheKind) {
  const auto trace = traceWith({{"time-not-recorded", 3, "3 kernel events without a recorded time", EventKind::kKernel},
                                {"unfinished", 2, "2 ranges were still open", EventKind::kNvtxRange},
                                {"sample-unusable", 1, "1 sample"}});
  EXPECT_EQ(affectedText(trace, EventKind::kKernel), "3 kernel events without a recorded time: not in these figures");
  EXPECT_EQ(affectedText(trace, EventKind::kNvtxStartEnd), "2 ranges were still open");
  EXPECT_EQ(affectedText(trace, EventKind::kCopy), "");
}

TEST(Losses, AnIssueThatNobodyKnowsMayHaveTakenAnything) {
  const auto trace = traceWith({{"eaten-by-dog", 1, "homework"}});
  EXPECT_EQ(affectedText(trace, EventKind::kOsRuntime), "homework");
}

TEST(Losses, ADamagedReportMarksTheKindsThatLostEvents) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{}).add(test::K{.start = 1, .end = 2}).add(test::M{.start = 9, .end = 3});
  const auto trace = report::load(builder.write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  EXPECT_THAT(affectedText(**trace, EventKind::kKernel), HasSubstr("without a recorded time"));
  EXPECT_THAT(affectedText(**trace, EventKind::kCopy), HasSubstr("ends before it starts"));
  EXPECT_EQ(affectedText(**trace, EventKind::kMemset), "");
}

TEST(Losses, GraphsRecordedAsAWholeHideTheirKernels) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::G{.start = 1, .end = 5}).add(test::G{.start = 6, .end = 7});
  const auto trace = report::load(builder.write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  const char* text =
      "2 graph launches were recorded as a whole: the kernels inside are not in this report; record with "
      "--cuda-graph-trace=node";
  EXPECT_EQ(affectedText(**trace, EventKind::kKernel), text);
  EXPECT_EQ(affectedText(**trace, EventKind::kCopy), text);
  EXPECT_EQ(affectedText(**trace, EventKind::kGraphLaunch), "");
  ASSERT_EQ((*trace)->issues.size(), 1u);
  EXPECT_EQ((*trace)->issues[0].kind, "graphs-not-recorded");
  EXPECT_EQ((*trace)->issues[0].count, 2u);
}

TEST(Losses, WhatTheProfilerSaidItDroppedIsOne) {
  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "a.sqlite");
  builder.add(test::K{.start = 1, .end = 2});
  const auto say = [&](std::int64_t severity, const char* text) {
    builder.insert("DIAGNOSTIC_EVENT", {{"severity", severity}, {"text", std::string(text)}});
  };
  say(1, "0 buffers dropped");
  say(2, "No CUDA events collected. Does the process use CUDA?");
  say(2, "Not all CUDA events might have been collected.");
  say(3, "Lost 12 records");
  const auto trace = report::load(builder.write(), {}, {}, Job());
  ASSERT_TRUE(trace);
  EXPECT_EQ(affectedText(**trace, EventKind::kKernel),
            "The profiler said: “Not all CUDA events might have been collected.”, “Lost 12 records”");
  ASSERT_EQ((*trace)->issues.size(), 1u);
  EXPECT_EQ((*trace)->issues[0].count, 2u);
}

TEST(Losses, ARecordingOfWholeGraphsSaysSoAndOneOfNodesDoesNot) {
  LANESCOPE_NEEDS_SHARED();
  const auto textOf = [](const char* name) {
    const auto trace = report::load(test::sharedFolder() / "golden" / name / "nsys.sqlite", {}, {}, Job());
    return trace ? affectedText(**trace, EventKind::kKernel) : "does not load";
  };
  EXPECT_THAT(textOf("graphs_graph"), HasSubstr("recorded as a whole"));
  EXPECT_EQ(textOf("graphs_node"), "");
}

TEST(Losses, AProjectionThatIsNotShownTakesNothingFromAnyFigure) {
  EXPECT_TRUE(affected(traceWith({{"projection-cut", 5, "5 NVTX ranges are not shown"}})).empty());
}

TEST(Losses, SamplesThatNobodyCouldReadTouchNoFigureOfEvents) {
  for (const char* issue : {"sample-unusable", "lost-metric-samples", "sampler-killed", "gpu-metrics"}) {
    const auto trace = traceWith({{issue, 1, "1 sample"}});
    ASSERT_EQ(affected(trace).size(), 1u);
    for (std::size_t kind = 0; kind < trace::kEventKinds; ++kind)
      EXPECT_FALSE(affected(trace)[0].touches(static_cast<EventKind>(kind))) << issue;
  }
}

TEST(Losses, EveryIssueThatTheSourcesNameIsKnown) {
  // A kind without a rule may have taken anything, and would mark every figure.
  static const std::regex kIssue(
      R"re((?:addIssue\(\s*|issues\.push_back\(\s*\{|warnings_\.push_back\(\{|lost\()"([a-z]+(?:-[a-z]+)*)")re");
  std::size_t seen = 0;
  for (const char* folder : {"model/trace", "model/report"})
    for (const auto& entry : std::filesystem::directory_iterator(test::sourceFolder() / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = test::readFile(entry.path());
      for (std::sregex_iterator match(text.begin(), text.end(), kIssue), end; match != end; ++match, ++seen)
        EXPECT_TRUE(isKnownIssue((*match)[1].str())) << (*match)[1] << " in " << entry.path().filename();
    }
  EXPECT_GE(seen, 14u) << "the expression finds no issues any more";
}

}  // namespace
}  // namespace lanescope::analysis
