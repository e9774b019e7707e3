// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/relations.h"

#include <gtest/gtest.h>

#include <QMouseEvent>

#include "tests/support/launch_trace.h"
#include "views/timeline/canvas.h"
#include "views/timeline/commands.h"
#include "views/timeline/headers.h"

namespace lanescope::views {
namespace {

using trace::eventNamed;
using trace::EventRef;
using trace::Ns;

/// launchTrace() on a canvas of 1000 x 600, 300 µs wide unless a test zooms.
class RelationsTest : public testing::Test {
 protected:
  RelationsTest() {
    state.setTrace(trace::launchTrace());
    state.setVisible({0, 300'000});
    canvas.resize(1000, 600);
  }
  EventRef event(std::string_view name, std::size_t n = 0) const { return eventNamed(*state.trace(), name, n); }
  std::uint32_t row(std::string_view label) const { return trace::rowLabelled(*state.trace(), label); }
  qreal middleOf(std::uint32_t row) const {
    const RowBox& box = canvas.rowLayout().boxes()[static_cast<std::size_t>(canvas.rowLayout().boxOf(row))];
    return box.y + box.height / 2.0 - canvas.scroll();
  }
  qreal xOf(Ns time) const {
    return static_cast<qreal>(time - state.visible().begin) * canvas.width() /
           static_cast<qreal>(state.visible().length());
  }
  void click(QWidget& widget, QPointF at, Qt::KeyboardModifiers modifiers = {}) {
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
      QMouseEvent mouse(type, at, at, Qt::LeftButton, type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton,
                        modifiers);
      QCoreApplication::sendEvent(&widget, &mouse);
    }
  }
  void choose(std::string_view name, std::string_view rowLabel, std::size_t n = 0) {
    state.setCurrentRow(row(rowLabel));
    state.setCurrent(event(name, n));
  }

  ViewState state;
  TimelineCanvas canvas{state};
};

TEST_F(RelationsTest, OneArrowLeadsFromALaunchToItsKernelWhicheverIsChosen) {
  choose("cudaLaunchKernel", "CUDA API");
  const Relations fromCall = canvas.relations();
  ASSERT_EQ(fromCall.arrows.size(), 1u);
  EXPECT_NEAR(fromCall.arrows[0].to.x(), xOf(20'000), 1);
  EXPECT_GE(fromCall.arrows[0].from.x(), xOf(10'000) - 1);
  EXPECT_LE(fromCall.arrows[0].from.x(), xOf(12'000) + 1);
  EXPECT_NEAR(fromCall.arrows[0].from.y(), middleOf(row("CUDA API")), 12);

  choose("one", "Kernels");
  const Relations fromKernel = canvas.relations();
  ASSERT_EQ(fromKernel.arrows.size(), 1u);
  EXPECT_NEAR(fromKernel.arrows[0].to.y(), middleOf(row("Kernels")), 1) << "the row in which it was chosen";
  EXPECT_NEAR(fromKernel.arrows[0].from.y(), middleOf(row("CUDA API")), 12);
  EXPECT_EQ(fromKernel.current.size(), 2u) << "in the rows of kernels and of the stream";
}

TEST_F(RelationsTest, AClickOnTheBarOfOneEndOutlinesTheOther) {
  click(canvas, {xOf(11'000), middleOf(row("CUDA API"))});
  ASSERT_EQ(state.current(), event("cudaLaunchKernel"));
  EXPECT_EQ(canvas.relations().ends.size(), 2u);
  click(canvas, {xOf(25'000), middleOf(row("Kernels"))});
  ASSERT_EQ(state.current(), event("one"));
  EXPECT_EQ(canvas.relations().ends.size(), 1u);
}

TEST_F(RelationsTest, AllNodesOfAGraphLaunchAreOutlined) {
  choose("cudaGraphLaunch", "CUDA API");
  EXPECT_EQ(canvas.relations().ends.size(), 6u) << "three nodes in two rows";
  EXPECT_EQ(canvas.relations().arrows.size(), 3u);
  choose("node", "Kernels", 1);
  EXPECT_EQ(canvas.relations().arrows.size(), 1u);
  EXPECT_EQ(canvas.relations().inside.size(), 4u) << "the two others in two rows";
}

TEST_F(RelationsTest, WhatARangeLedToIsOutlined) {
  choose("layer", "NVTX");
  const Relations relations = canvas.relations();
  const auto at = [&](Ns time, std::string_view rowLabel) {
    const QPointF point(xOf(time), middleOf(row(rowLabel)));
    return std::any_of(relations.inside.begin(), relations.inside.end(),
                       [&](const QRectF& bar) { return bar.contains(point); });
  };
  EXPECT_TRUE(at(11'000, "CUDA API"));
  EXPECT_TRUE(at(51'000, "CUDA API"));
  EXPECT_TRUE(at(25'000, "Kernels"));
  EXPECT_TRUE(at(64'000, "Kernels"));
  EXPECT_FALSE(at(201'000, "CUDA API"));
  EXPECT_FALSE(at(215'000, "Kernels"));
}

TEST_F(RelationsTest, AnEdgeBeyondWhichAPartnerLiesCarriesASignThatLeadsThere) {
  state.setVisible({205'000, 235'000});
  choose("late", "Kernels");
  const Relations relations = canvas.relations();
  ASSERT_EQ(relations.signs.size(), 1u);
  EXPECT_EQ(relations.signs[0].edge, Qt::LeftEdge);
  EXPECT_NEAR(relations.signs[0].box.center().y(), middleOf(row("CUDA API")), 1);
  click(canvas, relations.signs[0].box.center());
  EXPECT_TRUE(state.visible().contains(200'000)) << "panned to the partner";
  EXPECT_EQ(state.visible().length(), 30'000) << "at the same zoom";
  EXPECT_EQ(state.current(), event("late")) << "still chosen";
  EXPECT_TRUE(canvas.relations().signs.empty());
}

TEST_F(RelationsTest, APartnerScrolledOutOfSightHasASignAtTheTop) {
  canvas.resize(1000, 60);
  choose("late", "Kernels");
  canvas.setScroll(0);
  const Relations below = canvas.relations();
  ASSERT_EQ(below.signs.size(), 1u);
  EXPECT_EQ(below.signs[0].edge, Qt::BottomEdge);
  click(canvas, below.signs[0].box.center());
  const qreal y = middleOf(row("CUDA API"));
  EXPECT_TRUE(y > 0 && y < 60) << y;
}

TEST_F(RelationsTest, ACollapsedRowThatHidesAPartnerIsMarkedAndOpensByAClick) {
  Headers headers(state);
  headers.resize(268, 600);
  QObject::connect(&canvas, &TimelineCanvas::hidingRowsChanged, &headers, &Headers::setHidingRows);
  const std::uint32_t threads = row("Threads (1)");
  state.setExpanded(threads, false);
  choose("one", "Kernels");
  EXPECT_EQ(canvas.relations().hiding, std::vector{threads});
  click(headers, {6, middleOf(threads)});
  EXPECT_TRUE(state.isExpanded(threads));
  EXPECT_TRUE(canvas.relations().hiding.empty());
}

TEST_F(RelationsTest, WithoutACurrentEventThereIsNothing) {
  choose("one", "Kernels");
  EXPECT_FALSE(canvas.relations().current.empty());
  state.setCurrent(std::nullopt);
  EXPECT_TRUE(canvas.relations().current.empty());
  EXPECT_TRUE(canvas.relations().arrows.empty());
}

TEST_F(RelationsTest, APartnerBeyondACornerHasASignAndAnArrow) {
  canvas.resize(1000, 60);
  state.setVisible({0, 40'000});
  choose("late", "Kernels");
  state.setCurrent(event("cudaLaunchKernel", 1));  // right of and below what is in sight
  state.setVisible({205'000, 235'000});
  state.setCurrent(event("late"));
  canvas.setScroll(canvas.maximumScroll());
  const Relations relations = canvas.relations();
  EXPECT_EQ(relations.arrows.size(), 1u);
}

TEST_F(RelationsTest, TheSecondOfTwoClicksOnASignDoesNothingMore) {
  state.setVisible({205'000, 235'000});
  choose("late", "Kernels");
  const QPointF at = canvas.relations().signs.at(0).box.center();
  click(canvas, at);
  const trace::TimeRange once = state.visible();
  QMouseEvent second(QEvent::MouseButtonDblClick, at, at, Qt::LeftButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&canvas, &second);
  EXPECT_EQ(state.visible(), once);
}

}  // namespace
}  // namespace lanescope::views
