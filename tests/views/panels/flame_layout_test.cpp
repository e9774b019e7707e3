// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/flame_layout.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/trace_fixture.h"

namespace lanescope::views {
namespace {

using trace::EventKind;

analysis::CallTree treeOf(const trace::TracePtr& trace) {
  analysis::CallQuestion question;
  question.trace = trace;
  return callTree(question);
}

/// a [0, 60] holds b [10, 40]; c [60, 100].
analysis::CallTree small() {
  trace::TraceFixture fixture;
  const auto a = fixture.name("a"), b = fixture.name("b"), c = fixture.name("c");
  fixture.stack(EventKind::kNvtxRange, {{{.start = 0, .end = 60, .name = a}, {.start = 60, .end = 100, .name = c}},
                                        {{.start = 10, .end = 40, .name = b}}});
  return treeOf(fixture.finish());
}

TEST(FlameLayout, WidthsAreByTotals) {
  EXPECT_EQ(flameBoxes(small(), 0, 200),
            (std::vector<FlameBox>{{0, 1, 0, 0, 200}, {1, 1, 1, 0, 120}, {2, 1, 1, 120, 80}, {3, 1, 2, 0, 60}}));
  EXPECT_TRUE(flameBoxes(small(), 0, 0).empty());
}

TEST(FlameLayout, WhatIsWideHasWhatIsAroundItAbove) {
  EXPECT_EQ(flameBoxes(small(), 1, 200),
            (std::vector<FlameBox>{{0, 1, 0, 0, 200}, {1, 1, 1, 0, 200}, {3, 1, 2, 0, 100}}));
}

TEST(FlameLayout, APointIsInOneBox) {
  const auto boxes = flameBoxes(small(), 0, 200);
  EXPECT_EQ(boxAt(boxes, 119, 1)->node, 1u);
  EXPECT_EQ(boxAt(boxes, 120, 1)->node, 2u);
  EXPECT_EQ(boxAt(boxes, 150, 2), nullptr);
  EXPECT_EQ(boxAt(boxes, 0, 3), nullptr);
}

TEST(FlameLayout, WhatIsNarrowerThanAPixelIsMergedAndCostsNothing) {
  trace::TraceFixture fixture;
  std::vector<trace::Event> events{{.start = 0, .end = 100'000, .name = fixture.name("large")}};
  for (trace::Ns i = 0; i < 100'000; ++i)
    events.push_back({.start = 100'000 + i, .end = 100'001 + i, .name = fixture.name("n" + std::to_string(i))});
  fixture.lane(EventKind::kNvtxRange, events);
  const auto tree = treeOf(fixture.finish());
  EXPECT_EQ(flameBoxes(tree, 0, 100),
            (std::vector<FlameBox>{{0, 1, 0, 0, 100}, {1, 1, 1, 0, 50}, {2, 100'000, 1, 50, 50}}));
}

TEST(FlameLayout, BoxesNeverOverlapAndStayInside) {
  trace::TraceFixture fixture;
  std::vector<std::vector<trace::Event>> lanes(5);
  for (std::size_t level = 0; level < lanes.size(); ++level)
    for (trace::Ns i = 0; i < 300; ++i)
      lanes[level].push_back({.start = i * 1000 + static_cast<trace::Ns>(level),
                              .end = i * 1000 + 10 + i * i % 800,
                              .name = fixture.name(std::to_string(i % (7 + level)))});
  fixture.stack(EventKind::kNvtxRange, lanes);
  const auto tree = treeOf(fixture.finish());
  for (const int width : {1, 2, 7, 93, 1000, 3840}) {
    const auto boxes = flameBoxes(tree, 0, width);
    EXPECT_LE(boxes.size(), 7u * static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_GE(boxes[i].width, 1);
      EXPECT_LE(boxes[i].left + boxes[i].width, width);
      if (i > 0 && boxes[i].level == boxes[i - 1].level) {
        EXPECT_GE(boxes[i].left, boxes[i - 1].left + boxes[i - 1].width);
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::views
