// SPDX-License-Identifier: GPL-3.0-or-later
// What people complain about in such viewers, each as a whole (cases GUI-01 and on): huge traces, lone events, thousands
// of rows, strange names. Work is counted, not timed.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QTest>

#include "tests/app/ui/event_loop.h"
#include "tests/support/trace_fixture.h"
#include "views/panels/search.h"
#include "views/panels/selection_panel.h"
#include "views/tables/figure_table.h"
#include "views/timeline/canvas.h"
#include "views/timeline/commands.h"
#include "views/timeline/filtering.h"
#include "views/timeline/go_to.h"
#include "views/timeline/headers.h"

namespace lanescope::views {
namespace {

using analysis::Condition;
using test::runUntil;
using trace::Event;
using trace::EventKind;
using trace::EventRef;
using trace::Ns;
using trace::TraceFixture;

constexpr Ns kSecond = 1'000'000'000;
constexpr std::size_t kColumns = 1920;

std::vector<Event> kernels(std::size_t count, Ns step, Ns length, trace::NameId name) {
  std::vector<Event> events(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Ns start = static_cast<Ns>(i) * step;
    events[i] = {.start = start, .end = start + length, .name = name};
  }
  return events;
}

/// What the GUI thread does for each picture on the way through a trace of 777 s on four GPUs, with a filter at the end.
std::vector<std::uint64_t> costOfAWay(std::size_t each) {
  TraceFixture fixture;
  const auto gemm = fixture.name("gemm"), other = fixture.name("other");
  const Ns step = 777 * kSecond / static_cast<Ns>(each);
  for (int gpu = 0; gpu < 4; ++gpu)
    fixture.lane(EventKind::kKernel, kernels(each, step, step / 2, gpu == 0 ? other : gemm));
  ViewState state;
  state.setTrace(fixture.finish());
  TimelineCanvas canvas(state);
  canvas.resize(kColumns, 200);
  state.setVisible({0, 777 * kSecond});
  std::vector<std::uint64_t> costs;
  const auto look = [&] {
    const int frames = canvas.framesPainted();
    canvas.grab();
    EXPECT_EQ(canvas.framesPainted(), frames + 1);
    const SliceWork& work = canvas.stats().work;
    costs.push_back(work.events + work.bins + work.searches);
  };
  look();
  for (std::size_t column = 1; column + 1 < kColumns; column += 97)
    EXPECT_TRUE(canvas.hit({static_cast<qreal>(column), 10})) << "its density is seen in column " << column;
  state.zoomAround(400 * kSecond, 0.3);
  look();
  state.panBy(100 * kSecond);
  look();

  // One symbol is left out: nothing waits for it, and who changes their mind gets what they said last.
  Filtering& filtering = Filtering::of(state);
  filtering.add(Condition::words("dur>1us", false, true).value());
  EXPECT_EQ(state.passing(), nullptr) << "looked at elsewhere";
  EXPECT_TRUE(filtering.running());
  filtering.clear();
  EXPECT_EQ(state.passing(), nullptr);
  filtering.add(Condition::words("dur>1us", false).value());
  filtering.setFilter({Condition::words("gemm", false, true).value()});
  EXPECT_TRUE(runUntil([&] { return state.passing() != nullptr; }));
  EXPECT_EQ(state.passing()->events(), each);
  EXPECT_LE(state.passing()->looked(), 4 * each) << "each event at most once";
  EXPECT_EQ(canvas.rowLayout().boxes().size(), 1u);
  look();
  // Of what is left half of the events of a lane.
  filtering.setFilter({Condition::time({300 * kSecond, 500 * kSecond})});
  EXPECT_TRUE(runUntil([&] { return !filtering.running(); }));
  look();
  return costs;
}

TEST(GuiCases, MillionsOfKernelsOnFourGpusCostWhatPixelsCost) {  // GUI-01, GUI-20
  constexpr std::size_t kMost = 4 * kColumns * (kVisitsPerColumn + 8);
  const std::vector<std::uint64_t> few = costOfAWay(200'000), many = costOfAWay(550'000);
  for (std::size_t i = 0; i < many.size(); ++i) {
    EXPECT_LE(many[i], kMost) << i;
    EXPECT_LE(many[i], few[i] + few[i] / 4) << "nearly three times the events, picture " << i;
  }
}

TEST(GuiCases, AKernelOf200NanosecondsIsSeenPointedAtAndClickedInTenMinutes) {  // GUI-02
  TraceFixture fixture;
  const auto lone = fixture.name("lone"), dense = fixture.name("dense");
  const Ns at = 300 * kSecond + 12'345;
  std::vector<Event> around = kernels(100'000, 1'000'000, 900'000, dense);  // the first 100 s
  around.push_back({.start = at, .end = at + 200, .name = lone});
  around.push_back({.start = 600 * kSecond, .end = 600 * kSecond + 1, .name = dense});
  ViewState state;
  state.setTrace(fixture.lane(EventKind::kKernel, around).finish());
  state.setVisible({0, 600 * kSecond});
  TimelineCanvas canvas(state);
  canvas.resize(1000, 100);
  canvas.grab();
  const EventRef event{0, 100'000};
  for (const int beside : {-2, 0, 2}) EXPECT_EQ(canvas.hit({500.5 + beside, 10})->event, event) << beside;
  EXPECT_NE(canvas.grab().toImage().pixel(500, 12), Theme::colours().canvas.rgb());
  const EventTip tip(nullptr);
  Frame frame;
  Palette palette = Theme::palette();
  palette.learn(*state.trace());
  FramePainter().render(state, Layout(state), {1000, 100}, 1, 0, Theme::colours(), palette, frame);
  const QString said = tip.textAt(frame, state, {500.5, 10}, at).plain();
  EXPECT_TRUE(said.contains("200 ns")) << said.toStdString();
  EXPECT_TRUE(said.contains("300.000") && said.contains("345")) << "its true start: " << said.toStdString();
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, {500, 10});
  EXPECT_EQ(state.current(), event);
}

TEST(GuiCases, OfFiveThousandOpenRowsOnlyThoseInSightAreDrawn) {  // GUI-03
  TraceFixture fixture;
  const auto name = fixture.name("k");
  for (int row = 0; row < 5000; ++row)
    fixture.lane(EventKind::kKernel,
                 {{.start = 0, .end = 1000, .name = name}, {.start = 2000, .end = 9000, .name = name}});
  ViewState state;
  state.setTrace(fixture.finish());
  TimelineCanvas canvas(state);
  Headers headers(state);
  SelectionPanel panel;
  panel.setView(&state);
  panel.show();
  canvas.resize(800, 500);
  state.setAllExpanded(false);
  canvas.grab();
  int made = state.layoutsMade();
  state.setAllExpanded(true);
  canvas.grab();
  ASSERT_EQ(canvas.rowLayout().boxes().size(), 5000u);
  EXPECT_EQ(state.layoutsMade(), made + 1) << "one for the picture, the headers and the panels";
  made = state.layoutsMade();
  const auto seen = [&] { return std::pair(canvas.stats().rows, canvas.stats().lanes); };
  EXPECT_LE(seen().first, 500 / 20 + 2);
  EXPECT_LE(seen().second, 500 / 20 + 2);
  canvas.setScroll(canvas.maximumScroll());
  canvas.grab();
  EXPECT_LE(seen().first, 500 / 20 + 2);
  EXPECT_EQ(canvas.rowAt(499), 4999u);
  state.zoomAround(4000, 0.5);
  state.panBy(500);
  canvas.grab();
  stepRow(state, 1);
  goToEvent(state, {2500, 1});
  canvas.grab();
  EXPECT_TRUE(runUntil([&] { return !panel.working(); }));
  EXPECT_EQ(state.layoutsMade(), made) << "nor do rows move when somebody scrolls, zooms, pans and steps";
  Theme::instance().setFontScale(1.5);
  EXPECT_EQ(state.layout()->boxes().back().height, 36) << "larger text, higher rows";
  EXPECT_EQ(state.layoutsMade(), made + 1);
  Theme::instance().setFontScale(1);
}

TEST(GuiCases, WhatIsHiddenIsCountedOnlyWhenAskedForAndSaysSo) {  // GUI-09
  TraceFixture fixture;
  const auto a = fixture.name("ampere_sgemm_a"), b = fixture.name("Ampere_SGEMM_b"), copy = fixture.name("memcpy");
  ViewState state;
  state.setTrace(fixture
                     .lane(EventKind::kKernel, {{.start = 0, .end = 100, .name = a},
                                                {.start = 200, .end = 400, .name = b},
                                                {.start = 500, .end = 900, .name = copy}})
                     .finish());
  state.setVisible({0, 1000});
  Search& search = Search::of(state);
  const auto hits = [&](const char* text, bool regex) {
    search.look(text, regex);
    EXPECT_TRUE(runUntil([&] { return !search.running(); }));
    return search.count();
  };
  EXPECT_EQ(hits("sgemm", false), 2u);
  EXPECT_EQ(hits("^ampere.*_b$", true), 1u);
  EXPECT_EQ(hits("(", true), 0u);
  EXPECT_TRUE(search.mistake());

  SelectionPanel panel;
  panel.setView(&state);
  panel.resize(900, 300);
  panel.show();
  const auto names = [&] {
    EXPECT_TRUE(runUntil([&] { return !panel.working() && !Filtering::of(state).running(); }));
    return panel.names().model()->rowCount();
  };
  EXPECT_EQ(names(), 3);
  Filtering::of(state).add(Condition::words("sgemm", false).value());
  EXPECT_EQ(names(), 2);
  state.setDimsRest(true);
  EXPECT_EQ(names(), 2) << "how it looks changes no figure";
  state.setCountsAll(true);
  EXPECT_EQ(names(), 3);
  EXPECT_FALSE(Condition::words("(", true));
}

TEST(GuiCases, TheTooltipOfALongNameIsBounded) {  // GUI-10
  TraceFixture fixture;
  std::string name = "void cutile::gemm::universal<";
  for (int i = 0; i < 40; ++i)
    name += "cutile::Epilogue<cutile::Mma<(int)" + std::to_string(i) + ", const float *>, unsigned long long>, ";
  name += "void>(T1...)";
  ViewState state;
  state.setTrace(fixture.lane(EventKind::kKernel, {{.start = 0, .end = 1000, .name = fixture.name(name)}}).finish());
  state.setVisible({0, 1000});
  Frame frame;
  Palette palette = Theme::palette();
  palette.learn(*state.trace());
  FramePainter().render(state, Layout(state), {1000, 100}, 1, 0, Theme::colours(), palette, frame);
  EventTip tip(nullptr);
  tip.showFor(frame, state, {500, 10}, 500, {10, 10});
  EXPECT_TRUE(tip.isVisible());
  EXPECT_LE(tip.width(), 460);
  EXPECT_LE(tip.height(), 8 * QFontMetrics(Theme::font()).height());
  EXPECT_EQ(frame.stats.labels, 1) << "its begin, on the bar";
}

TEST(GuiCases, NamesOfAnyLengthStayWholeInACopyAndBoundedOnTheScreen) {  // GUI-10
  TraceFixture fixture;
  std::string mangled = "_ZN";
  for (int i = 0; i < 150; ++i) mangled += "8template";
  mangled += "4kernEv";
  const std::vector<std::string> names = {
      std::string(512 * 1024, 'x'),  mangled, "שלום \u202Eעולם", "🙂🙂", "内核", "e\u0301e\u0301", "two\nlines",
      std::string("nul\0inside", 10)};
  TableContent content;
  content.columns = {{.title = "Name"}};
  content.rows = 20'000;
  std::size_t asked = 0;
  content.cell = [&](std::size_t row, std::size_t) -> analysis::Cell {
    ++asked;
    return analysis::KeptText(names[row % names.size()]);
  };
  const auto sorted = sortedRows(content, {0, false});
  EXPECT_EQ(asked, content.rows) << "a name of half a megabyte is looked at once a row, and never copied";
  EXPECT_EQ(names[sorted.back() % names.size()], "🙂🙂");

  content.rows = names.size();
  FigureTable table;
  table.resize(400, 300);
  table.setContent(content);
  table.show();
  table.grab();
  for (int row = 0; row < static_cast<int>(names.size()); ++row) {
    table.setCurrentIndex(table.model()->index(row, 0));
    table.copyName();
    EXPECT_EQ(QApplication::clipboard()->text(), QString::fromStdString(names[static_cast<std::size_t>(row)])) << row;
    EXPECT_LT(table.model()->index(row, 0).data(Qt::ToolTipRole).toString().size(), 30'000) << row;
  }
  EXPECT_EQ(table.allText().count('\n'), static_cast<qsizetype>(names.size())) << "a line each, whatever is in a name";
}

}  // namespace
}  // namespace lanescope::views
