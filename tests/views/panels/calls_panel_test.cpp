// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/calls_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include "model/report/load.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "tests/support/trace_fixture.h"
#include "views/panels/flame_graph.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using trace::EventKind;
using trace::EventRef;

/// Of 1 ms: step [0, 600 µs] holds load [100, 400] and read [150, 200] inside it, step [700, 800], idle [900, 1000].
trace::TracePtr steps() {
  trace::TraceFixture fixture;
  const auto step = fixture.name("step"), load = fixture.name("load"), read = fixture.name("read"),
             idle = fixture.name("idle <b>");
  fixture.stack(EventKind::kNvtxRange, {{{.start = 0, .end = 600'000, .name = step},
                                         {.start = 700'000, .end = 800'000, .name = step},
                                         {.start = 900'000, .end = 1'000'000, .name = idle}},
                                        {{.start = 100'000, .end = 400'000, .name = load}},
                                        {{.start = 150'000, .end = 200'000, .name = read}}});
  return fixture.finish();
}

class CallsPanelTest : public testing::Test {
 protected:
  CallsPanelTest() {
    view.setTrace(steps());
    view.setVisible({0, 1'000'000});
    panel.resize(1200, 320);
    panel.setReport(&view, "/nowhere/run.rep", {});
    panel.show();
    EXPECT_TRUE(settled());
  }
  bool settled() {
    return test::runUntil([this] { return !panel.working(); });
  }
  void press(const QString& text) {
    for (auto* each : panel.findChildren<QToolButton*>())
      if (each->text() == text) QTest::mouseClick(each, Qt::LeftButton);
    EXPECT_TRUE(settled());
  }
  /// "step load read": the column of names as far as rows are open.
  QStringList column(CallColumn wanted) {
    QStringList cells;
    for (QModelIndex at = panel.tree().model()->index(0, 0); at.isValid(); at = panel.tree().indexBelow(at))
      cells += at.siblingAtColumn(static_cast<int>(wanted)).data().toString();
    return cells;
  }
  QModelIndex row(const QString& name) {
    for (QModelIndex at = panel.tree().model()->index(0, 0); at.isValid(); at = panel.tree().indexBelow(at))
      if (at.data().toString() == name) return at;
    ADD_FAILURE() << "no row " << name.toStdString();
    return {};
  }
  QPoint rowAt(const QString& name) { return panel.tree().visualRect(row(name)).center(); }
  /// The middle of the box of a name in the flame graph.
  QPoint boxOf(const std::string& name) {
    for (const FlameBox& box : panel.flame().boxes())
      if (tree().nameOf(box.node) == name) return panel.flame().rectOf(box).center();
    ADD_FAILURE() << "no box " << name;
    return {};
  }
  void clickBox(const std::string& name) {
    QTest::mouseClick(panel.flame().viewport(), Qt::LeftButton, {}, boxOf(name));
  }
  const analysis::CallTree& tree() { return *static_cast<const CallTreeModel*>(panel.tree().model())->tree(); }
  std::string root() { return std::string(tree().nameOf(panel.flame().root())); }

  ViewState view;
  CallsPanel panel;
};

TEST_F(CallsPanelTest, ShowsWhereTheTimeOfNvtxRangesWent) {
  EXPECT_EQ(panel.headline(), "800.0 µs in NVTX ranges · visible range");
  EXPECT_EQ(column(CallColumn::kName), QStringList({"step", "load", "read", "idle <b>"})) << "open along the most time";
  EXPECT_EQ(column(CallColumn::kTotal), QStringList({"700.0 µs", "300.0 µs", "50.00 µs", "100.0 µs"}));
  EXPECT_EQ(column(CallColumn::kSelf), QStringList({"400.0 µs", "250.0 µs", "50.00 µs", "100.0 µs"}));
  EXPECT_EQ(column(CallColumn::kCount), QStringList({"2", "1", "1", "1"}));
  EXPECT_EQ(column(CallColumn::kShare), QStringList({"87.5 %", "37.5 %", "6.3 %", "12.5 %"}));
}

TEST_F(CallsPanelTest, IsOfTheSelectionElseTheVisibleRangeOrOfAll) {
  view.setVisible({650'000, 1'000'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "200.0 µs in NVTX ranges · visible range");
  view.setSelection(trace::TimeRange{150'000, 300'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "150.0 µs in NVTX ranges · selection");
  EXPECT_EQ(column(CallColumn::kTotal), QStringList({"150.0 µs", "150.0 µs", "50.00 µs"}));
  press("Whole report");
  EXPECT_EQ(panel.headline(), "800.0 µs in NVTX ranges · whole report");
}

TEST_F(CallsPanelTest, TurnsBottomUpAndFlat) {
  press("Bottom-up");
  EXPECT_EQ(panel.tree().model()->rowCount(), 4);
  EXPECT_EQ(column(CallColumn::kName).first(), "step");
  panel.tree().expand(row("load"));
  EXPECT_EQ(column(CallColumn::kName), QStringList({"step", "load", "step", "idle <b>", "read"}));
  EXPECT_EQ(column(CallColumn::kTotal), QStringList({"400.0 µs", "250.0 µs", "250.0 µs", "100.0 µs", "50.00 µs"}));
  press("Flat");
  EXPECT_EQ(column(CallColumn::kName), QStringList({"step", "load", "idle <b>", "read"}));
  EXPECT_EQ(column(CallColumn::kTotal), QStringList({"700.0 µs", "300.0 µs", "100.0 µs", "50.00 µs"}));
  press("Top-down");
  EXPECT_EQ(panel.tree().model()->rowCount(), 2);
}

TEST_F(CallsPanelTest, AClickOnAHeaderSortsSiblingsAndKeepsWhatIsOpen) {
  const QHeaderView& header = *panel.tree().header();
  const auto click = [&](CallColumn column) {
    const int section = static_cast<int>(column);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                      {header.sectionViewportPosition(section) + header.sectionSize(section) / 2, 5});
  };
  panel.tree().setCurrentIndex(row("load"));
  click(CallColumn::kName);
  EXPECT_EQ(column(CallColumn::kName), QStringList({"idle <b>", "step", "load", "read"}));
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "load");
  EXPECT_EQ(panel.tree().model()->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "Name ↑");
  clickBox("idle <b>");
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "idle <b>") << "the graph beside it finds its rows";
  click(CallColumn::kSelf);
  EXPECT_EQ(column(CallColumn::kSelf), QStringList({"400.0 µs", "250.0 µs", "50.00 µs", "100.0 µs"}));
  click(CallColumn::kSelf);
  EXPECT_EQ(column(CallColumn::kName), QStringList({"idle <b>", "step", "load", "read"}));
  view.setVisible({0, 950'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(CallColumn::kName).first(), "idle <b>") << "of another range, too";
  EXPECT_TRUE(panel.allText().startsWith("Name\tTotal\tSelf\t"));
}

TEST(CallTreeModel, ManyNodesAreSortedAwayFromTheGuiThread) {
  auto tree = std::make_shared<analysis::CallTree>();
  tree->names = {"all"};
  constexpr std::uint32_t kMany = 10'000;
  tree->nodes.push_back({.firstChild = 1, .children = kMany, .total = 1});
  for (std::uint32_t i = 1; i <= kMany; ++i) tree->nodes.push_back({.parent = 0, .self = i % 100});
  CallTreeModel model;
  model.setTree(tree, nullptr, {});
  model.sort(static_cast<int>(CallColumn::kSelf), Qt::DescendingOrder);
  EXPECT_EQ(CallTreeModel::nodeOf(model.index(0, 0)), 1u) << "as before until it is done";
  ASSERT_TRUE(test::runUntil([&] { return !model.isSorting(); }));
  EXPECT_EQ(CallTreeModel::nodeOf(model.index(0, 0)), 99u);
  EXPECT_EQ(CallTreeModel::nodeOf(model.index(1, 0)), 199u) << "equals as the tree has them";
  EXPECT_EQ(model.indexOf(199).row(), 1);
}

TEST_F(CallsPanelTest, ThreadsStandAtTheTop) {
  press("By thread");
  EXPECT_EQ(column(CallColumn::kName).first(), "Unknown thread");
  EXPECT_EQ(panel.tree().model()->rowCount(), 1);
}

TEST_F(CallsPanelTest, RowsStayOpenOrClosedWhileTheRangeChanges) {
  panel.tree().collapse(row("load"));
  view.setVisible({0, 900'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(column(CallColumn::kName), QStringList({"step", "load"}));
}

TEST_F(CallsPanelTest, ADoubleClickGoesToTheLongest) {
  QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, rowAt("step"));
  EXPECT_EQ(view.current(), std::nullopt) << "a click only chooses";
  QTest::mouseDClick(panel.tree().viewport(), Qt::LeftButton, {}, rowAt("step"));
  EXPECT_EQ(view.current(), (EventRef{0, 0}));
  clickBox("load");
  QTest::mouseDClick(panel.flame().viewport(), Qt::LeftButton, {}, boxOf("load"));
  EXPECT_EQ(view.current(), (EventRef{1, 0}));
}

TEST_F(CallsPanelTest, EnterGoesThereAndEscLeaves) {
  QSignalSpy left(&panel, &CallsPanel::left);
  panel.tree().setFocus();
  panel.tree().setCurrentIndex(row("load"));
  QTest::keyClick(&panel.tree(), Qt::Key_Return);
  EXPECT_EQ(view.current(), (EventRef{1, 0}));
  QTest::keyClick(&panel.tree(), Qt::Key_Escape);
  EXPECT_EQ(left.count(), 1);
}

TEST_F(CallsPanelTest, AClickInTheFlameGraphMakesItWideAndEscGoesBack) {
  QSignalSpy left(&panel, &CallsPanel::left);
  clickBox("load");
  EXPECT_EQ(root(), "load");
  EXPECT_EQ(panel.flame().boxes()[2].width, panel.flame().viewport()->width());
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "load") << "the tree follows";
  clickBox("read");
  EXPECT_EQ(root(), "read");
  clickBox("step");
  EXPECT_EQ(root(), "step") << "a node above goes back";
  QTest::keyClick(&panel.flame(), Qt::Key_Escape);
  EXPECT_EQ(root(), "All");
  EXPECT_EQ(left.count(), 0);
  QTest::keyClick(&panel.flame(), Qt::Key_Escape);
  EXPECT_EQ(left.count(), 1);
}

TEST_F(CallsPanelTest, TheFlameGraphGoesByKeys) {
  FlameGraph& flame = panel.flame();
  const auto current = [&] { return std::string(tree().nameOf(flame.current())); };
  flame.setFocus();
  flame.zoomTo(0);
  QTest::keyClick(&flame, Qt::Key_Down);
  EXPECT_EQ(current(), "step");
  QTest::keyClick(&flame, Qt::Key_Right);
  EXPECT_EQ(current(), "idle <b>");
  QTest::keyClick(&flame, Qt::Key_Right);
  EXPECT_EQ(current(), "idle <b>") << "there is nothing further";
  QTest::keyClick(&flame, Qt::Key_Left);
  QTest::keyClick(&flame, Qt::Key_Down);
  EXPECT_EQ(current(), "load");
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "load");
  QTest::keyClick(&flame, Qt::Key_Return);
  EXPECT_EQ(root(), "load");
  QTest::keyClick(&flame, Qt::Key_Up);
  EXPECT_EQ(root(), "step") << "up from what is wide";
  QTest::keyClick(&flame, Qt::Key_Return, Qt::ControlModifier);
  EXPECT_EQ(view.current(), (EventRef{0, 0}));
}

TEST_F(CallsPanelTest, WhatIsWideStaysSoWhileTheRangeChanges) {
  clickBox("load");
  view.setSelection(trace::TimeRange{0, 300'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(root(), "load");
  view.setSelection(trace::TimeRange{700'000, 800'000});
  ASSERT_TRUE(settled());
  EXPECT_EQ(root(), "step") << "as much of its path as is there";
}

TEST_F(CallsPanelTest, HoveringTellsFigures) {
  EXPECT_EQ(panel.flame().textAt(boxOf("load")), "load: total 300.0 µs (37.5 %), self 250.0 µs, 1 range");
  EXPECT_EQ(panel.flame().textAt({5, panel.flame().viewport()->height() - 1}), "");
  EXPECT_EQ(row("idle <b>").data(Qt::ToolTipRole).toString(),
            "<p style='white-space:nowrap'>idle &lt;b&gt;: total 100.0 µs (12.5 %), self 100.0 µs, 1 range</p>");
}

TEST_F(CallsPanelTest, ShownRowsAreCopied) {
  panel.activateWindow();
  panel.tree().setFocus();
  ASSERT_TRUE(test::runUntil([this] { return panel.tree().hasFocus(); }));
  QTest::keyClick(&panel.tree(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text().section('\n', 0, 2),
            "Name\tTotal\tSelf\tCount\tShare\nstep\t700.0 µs\t400.0 µs\t2\t87.5 %\n"
            "  load\t300.0 µs\t250.0 µs\t1\t37.5 %");
  QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, rowAt("load"));
  QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, Qt::ControlModifier, rowAt("idle <b>"));
  QTest::keyClick(&panel.tree(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(),
            "  load\t300.0 µs\t250.0 µs\t1\t37.5 %\nidle <b>\t100.0 µs\t100.0 µs\t1\t12.5 %")
      << "of selected rows those alone";
}

TEST_F(CallsPanelTest, WhatIsLookedForKeepsItsColourInTreeAndGraphAndEnterGoesToIt) {
  auto* search = panel.findChild<QLineEdit*>();
  const auto colourOf = [this](const QString& name) { return row(name).data(Qt::ForegroundRole).value<QColor>(); };
  const auto boxColour = [this](const std::string& name) {
    for (const FlameBox& box : panel.flame().boxes())
      if (tree().nameOf(box.node) == name)
        return panel.flame().viewport()->grab().toImage().pixelColor(panel.flame().rectOf(box).topLeft() +
                                                                     QPoint(3, 3));
    return QColor();
  };
  const QColor load = boxColour("load"), read = boxColour("read");
  panel.tree().collapse(row("load"));
  QTest::keyClicks(search, "REA");
  EXPECT_EQ(colourOf("load"), Theme::colours().text) << "it is below";
  EXPECT_EQ(colourOf("idle <b>"), Theme::colours().textDim);
  EXPECT_EQ(boxColour("read"), read);
  EXPECT_NE(boxColour("load"), load);
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "read") << "its row is opened";
  EXPECT_EQ(colourOf("read"), Theme::colours().accent);
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "read") << "there is no other";
  search->setText("d");
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "idle <b>");
  QTest::keyClick(search, Qt::Key_Return);
  EXPECT_EQ(panel.tree().currentIndex().data().toString(), "load") << "from the end to the begin";
  press("Flat");
  EXPECT_EQ(colourOf("step"), Theme::colours().textDim) << "of another order, too";
  search->clear();
  EXPECT_EQ(colourOf("step"), Theme::colours().text);
}

TEST_F(CallsPanelTest, TheFlameGraphHasAMenu) {
  const auto open = [&](QPoint at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, panel.flame().viewport()->mapToGlobal(at));
    QApplication::sendEvent(panel.flame().viewport(), &event);
    return panel.findChild<QMenu*>("flameMenu");
  };
  const auto choose = [&](QPoint at, const QString& text) {
    QMenu* menu = open(at);
    ASSERT_TRUE(menu);
    for (QAction* action : menu->actions())
      if (action->text() == text) {
        EXPECT_TRUE(action->isEnabled()) << text.toStdString();
        action->trigger();
      }
    delete menu;
  };
  choose(boxOf("load"), "Copy name");
  EXPECT_EQ(QApplication::clipboard()->text(), "load");
  choose(boxOf("read"), "Copy stack");
  EXPECT_EQ(QApplication::clipboard()->text(), "read\nload\nstep");
  choose(boxOf("load"), "Make it as wide as the graph");
  EXPECT_EQ(root(), "load");
  choose(boxOf("load"), "Show all");
  EXPECT_EQ(root(), "All");
}

TEST_F(CallsPanelTest, SaysWhatThereIsNot) {
  view.setTrace(trace::TraceFixture().finish());
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "The report has no NVTX ranges");
  EXPECT_TRUE(panel.flame().boxes().empty());
  press("CPU samples");
  EXPECT_TRUE(panel.headline().contains("run.rep")) << panel.headline().toStdString();
  panel.setReport(nullptr, {}, {});
  EXPECT_EQ(panel.headline(), "No report");
}

TEST_F(CallsPanelTest, LabelsContrastAndPixelsAreThoseOfTheBoxes) {
  for (const auto mode : {Theme::Mode::kDark, Theme::Mode::kLight}) {
    Theme::instance().setMode(mode);
    const QImage image = panel.flame().viewport()->grab().toImage();
    Palette palette = Theme::palette();
    palette.learn(*view.trace());
    for (const FlameBox& box : panel.flame().boxes()) {
      if (box.node == 0) continue;
      const QRgb colour = callColour(tree(), box.node, *view.trace(), palette);
      EXPECT_GE(contrast(colour, palette.textOn(colour)), 4.5);
      EXPECT_EQ(image.pixel(panel.flame().rectOf(box).topLeft() + QPoint(3, 3)), colour) << tree().nameOf(box.node);
    }
  }
  Theme::instance().setMode(Theme::Mode::kFollowDesktop);
}

TEST_F(CallsPanelTest, WhatIsTooNarrowIsSaidTogetherAndComesWithAClick) {
  trace::TraceFixture fixture;
  std::vector<trace::Event> small;
  for (trace::Ns i = 0; i < 1000; ++i)
    small.push_back({.start = 500'000 + i, .end = 500'001 + i, .name = fixture.name("small " + std::to_string(i))});
  fixture.stack(EventKind::kNvtxRange, {{{.start = 0, .end = 10'000'000, .name = fixture.name("large")}}, small});
  view.setTrace(fixture.finish());
  view.fitAll();
  ASSERT_TRUE(settled());
  const FlameBox merged = panel.flame().boxes().back();
  EXPECT_EQ(merged.merged, 1000u);
  const QPoint at = panel.flame().rectOf(merged).topLeft() + QPoint(0, 2);
  EXPECT_EQ(panel.flame().textAt(at), "1 000 that are too narrow to show: total 1.000 µs (0.0 %)");
  QTest::mouseClick(panel.flame().viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(root(), "large");
  QTest::mouseClick(panel.flame().viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(root(), "small 0");
}

TEST(CallsPanel, ShowsTheSamplesOfAReport) {
  test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "run.sqlite");
  const auto sample = [&](std::int64_t id, std::initializer_list<const char*> innermostFirst) {
    builder.insert("COMPOSITE_EVENTS", {{"id", id}, {"start", 10 * id}, {"globalTid", test::gtid(1, 1)}});
    std::int64_t depth = 0;
    for (const char* symbol : innermostFirst)
      builder.insert(
          "SAMPLING_CALLCHAINS",
          {{"id", id}, {"symbol", builder.id(symbol)}, {"module", builder.id("app")}, {"stackDepth", depth++}});
  };
  sample(1, {"read", "main"});
  sample(2, {"read", "main"});
  sample(3, {"spin", "main"});
  const auto file = builder.write();
  ViewState view;
  view.setTrace(*report::load(file, {}, {}, Job{}));
  CallsPanel panel;
  panel.resize(1200, 300);
  panel.setReport(&view, file, {});
  panel.show();
  const auto settled = [&] { return test::runUntil([&] { return !panel.working(); }); };
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "2 samples · visible range") << "what the report has is shown first";
  for (auto* each : panel.findChildren<QToolButton*>())
    if (each->text() == "CPU samples" || each->text() == "Whole report") QTest::mouseClick(each, Qt::LeftButton);
  ASSERT_TRUE(settled());
  EXPECT_EQ(panel.headline(), "3 samples · whole report");
  panel.tree().expandAll();
  EXPECT_EQ(panel.allText(),
            "Name\tSamples\tSelf\tShare\nmain (app)\t3\t0\t100.0 %\n"
            "  read (app)\t2\t2\t66.7 %\n  spin (app)\t1\t1\t33.3 %");
  EXPECT_EQ(panel.flame().boxes().size(), 4u);
}

TEST_F(CallsPanelTest, OffersSamplesOfPythonWhereThereAreSomeAndBeginsWithWhatTheReportHas) {
  const auto chip = [&](const QString& text) -> QToolButton* {
    for (auto* each : panel.findChildren<QToolButton*>())
      if (each->text() == text) return each;
    return nullptr;
  };
  EXPECT_FALSE(chip("Python samples")->isVisible());

  const test::TemporaryFolder folder;
  test::ReportBuilder builder(folder / "python.sqlite");
  for (const std::int64_t id : {1, 2, 3}) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id}, {"start", 100 * id}, {"globalTid", test::gtid(1, 1)}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id,
                  {{id == 3 ? "read" : "step", "/opt/data.py", 7 * id}, {"<module>", "/opt/train.py", 55}});
  }
  const auto file = builder.write();
  ViewState python;
  python.setTrace(report::load(file, {}, {}, Job{}).value());
  panel.setReport(&python, file, {});
  ASSERT_TRUE(settled());
  EXPECT_TRUE(chip("Python samples")->isVisible());
  EXPECT_TRUE(chip("Python samples")->isChecked()) << "there is nothing else to begin with";
  press("Whole report");
  EXPECT_EQ(panel.headline(), "3 samples · whole report");
  EXPECT_EQ(column(CallColumn::kName), QStringList({"<module> (train.py)", "step (data.py)", "read (data.py)"}));
  EXPECT_EQ(column(CallColumn::kTotal), QStringList({"3", "2", "1"}));
  press("CPU samples");
  EXPECT_EQ(panel.headline(), "The report has no CPU samples");
}

}  // namespace
}  // namespace lanescope::views
