// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view_keeper.h"

#include <gmock/gmock.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QMenuBar>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/command_palette.h"
#include "app/ui/main_window.h"
#include "model/answers.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "tests/views/timeline/chrome_state.h"
#include "views/panels/note_line.h"
#include "views/timeline/arrange.h"
#include "views/timeline/filtering.h"
#include "views/timeline/kept_filter.h"
#include "views/timeline/kept_view.h"
#include "views/timeline/marks.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using views::smallTrace;

constexpr std::uint32_t kKernelRow = 2, kMetricRow = 3;

/// As another run of the program recorded it: other numbers of the system, one row less.
trace::TracePtr anotherRun() {
  auto trace = smallTrace();
  trace->rows[0].key = "q";
  for (std::size_t row = 1; row < trace->rows.size(); ++row) trace->rows[row].key[0] = 'q';
  trace->rows.resize(3);
  trace->rows[0].children = {1};
  return trace;
}

struct ViewKeeperTest : testing::Test {
  std::filesystem::path report(const char* name, const char* content) {
    QFile file(folder.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly) && file.write(content) > 0);
    return file.fileName().toStdString();
  }
  /// A window with a report in it, loaded and restored.
  std::unique_ptr<MainWindow> open(const std::filesystem::path& file, trace::TracePtr trace = smallTrace()) {
    auto window = std::make_unique<MainWindow>(settings, test::loaderOf(std::move(trace)));
    window->show();
    ReportTab* tab = window->tabs().open(file);
    EXPECT_TRUE(runUntil([&] { return tab->session().phase() == Session::Phase::kReady && tab->keeper().upToDate(); }));
    return window;
  }
  static views::ViewState& view(MainWindow& window) { return window.tabs().current()->view(); }
  /// Of the menu Colour by.
  static void choose(MainWindow& window, const QString& colourBy) {
    for (const MenuAction& each : actionsOf(*window.menuBar()))
      if (each.menu.endsWith("Colour by") && each.text == colourBy) return each.action->trigger();
    ADD_FAILURE() << colourBy.toStdString();
  }
  QString kept(const std::filesystem::path& file) {
    return QDir(settings.viewsFolder()).filePath(QString::fromStdString(contentKey(file)) + ".json");
  }

  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
};

TEST_F(ViewKeeperTest, APinnedRowIsPinnedAgainWhereverTheReportLies) {
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
    view(*window).setCurrentRow(kMetricRow);
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier);
    EXPECT_TRUE(view(*window).arrangement().isPinned(view(*window).trace()->rows[kMetricRow]));
  }
  const auto moved = report("moved.rep", "content");
  auto window = open(moved);
  EXPECT_EQ(window->tabs().current()->timeline().canvas()->rowAt(2), kMetricRow);
  EXPECT_EQ(view(*window).currentRow(), kMetricRow);
  const auto other = open(report("b.rep", "contents"));
  EXPECT_EQ(view(*other).arrangement(), views::RowArrangement()) << "another report begins anew";
}

TEST_F(ViewKeeperTest, AllOfAViewComesBack) {
  int width = 0;
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
    views::ViewState& state = view(*window);
    views::hideRow(state, kKernelRow);
    views::moveRow(state, kMetricRow, -1);
    state.setExpanded(0, true);
    state.setRowScale(kMetricRow, 2);
    state.setAllRowsScale(1.25);
    state.setVisible({100'000, 300'000});
    state.setSelection(trace::TimeRange{110'000, 120'001});
    state.setCurrent(trace::EventRef{0, 1});
    state.setSelectedRows({kMetricRow});
    state.marks().add({{5, 5}, "before the step", "look\nhere ✓"});
    state.marks().add({{7, 99}, {}, {}});
    auto* splitter = window->tabs().current()->timeline().findChild<QSplitter*>();
    const QPoint handle = splitter->handle(1)->rect().center();
    QTest::mousePress(splitter->handle(1), Qt::LeftButton, {}, handle);
    QTest::mouseMove(splitter->handle(1), handle + QPoint(57, 0));
    QTest::mouseRelease(splitter->handle(1), Qt::LeftButton, {}, handle + QPoint(57, 0));
    width = window->tabs().current()->timeline().headerWidth();
    // Saved on its own after a rest, without the window being closed.
    ASSERT_TRUE(runUntil([&] { return window->tabs().current()->keeper().upToDate() && QFile::exists(kept(file)); }));
  }
  auto window = open(file);
  views::ViewState& state = view(*window);
  EXPECT_EQ(state.arrangement().hidden, std::set<std::string>{"p/g/k"});
  EXPECT_EQ(state.arrangement().order.at("p"), (std::vector<std::string>{"p/m", "p/g"}));
  EXPECT_EQ(state.rowScale(kMetricRow), 2);
  EXPECT_EQ(state.allRowsScale(), 1.25);
  EXPECT_EQ(window->tabs().current()->timeline().headerWidth(), width);
  EXPECT_NE(width, open(report("b.rep", "b"))->tabs().current()->timeline().headerWidth());
  EXPECT_EQ(state.visible(), (trace::TimeRange{100'000, 300'000}));
  EXPECT_EQ(state.selection(), (trace::TimeRange{110'000, 120'001}));
  EXPECT_EQ(state.current(), (trace::EventRef{0, 1}));
  EXPECT_EQ(state.selectedRows(), std::vector{kMetricRow});
  ASSERT_EQ(state.marks().all().size(), 2u);
  EXPECT_EQ(state.marks().all()[0], (views::Mark{{5, 5}, "before the step", "look\nhere ✓"}));
  EXPECT_EQ(state.marks().all()[1].name, "Range 1");
}

TEST_F(ViewKeeperTest, TheFilterAndTheColoursOfAReportComeBack) {
  using analysis::Condition;
  using By = views::Colouring::By;
  const auto file = report("a.rep", "content");
  analysis::Filter filter{
      Condition::words("att.*n", true).value(),
      {.what = Condition::Name{"attention"}, .label = "attention"},
      {.what = Condition::Row{"p/g"}, .hide = true, .label = "CUDA HW"},
      {.what = Condition::Stream{std::int64_t{7} << 56, 1, 2, -3}, .hide = true, .label = "stream ✓"},
      {.what = Condition::Thread{std::int64_t{7} << 56 | 5}, .hide = true, .label = "thread 5"},
      {.what = Condition::Process{5}, .hide = true, .label = "process 5"},
      {.what = Condition::Device{"0000:01:00.0", 3}, .hide = true, .label = "GPU 3"},
      Condition::time({-5, trace::kMaxTime})};
  {
    auto window = open(file);
    views::Filtering::of(view(*window)).setFilter(filter);
    view(*window).setCountsAll(true);
    choose(*window, "Duration");
    EXPECT_EQ(views::Theme::instance().colouring().by, By::kDuration);
  }
  {
    auto window = open(file);
    EXPECT_EQ(views::Filtering::of(view(*window)).filter(), filter);
    EXPECT_EQ(views::Filtering::of(view(*window)).filter()[3].label, "stream ✓");
    EXPECT_TRUE(view(*window).countsAll());
    ASSERT_TRUE(runUntil([&] { return view(*window).passing() != nullptr; }));
    ReportTab* other = window->tabs().open(report("b.rep", "contents"));
    ASSERT_TRUE(runUntil([&] { return other->session().phase() == Session::Phase::kReady; }));
    EXPECT_TRUE(views::Filtering::of(other->view()).filter().empty());
    choose(*window, "Kind");
    EXPECT_EQ(views::Theme::instance().colouring().by, By::kKind);
    QTest::keyClick(window.get(), Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(views::Theme::instance().colouring().by, By::kDuration) << "each report has its own";
    QTest::keyClick(window.get(), Qt::Key_Tab, Qt::ControlModifier);
    EXPECT_EQ(views::Theme::instance().colouring().by, By::kKind);
    choose(*window, "Name");
  }
  views::Theme::instance().setColouring({});
}

TEST_F(ViewKeeperTest, OnlyTheCountOfAFilterIsChangedAndKept) {
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
    views::Filtering::of(view(*window)).add(analysis::Condition::words("attention", false).value());
  }
  {
    auto window = open(file);
    view(*window).setCountsAll(true);
    view(*window).setDimsRest(true);
    EXPECT_FALSE(window->tabs().current()->keeper().upToDate());
  }
  auto window = open(file);
  EXPECT_TRUE(view(*window).countsAll());
  EXPECT_TRUE(view(*window).dimsRest());
}

TEST_F(ViewKeeperTest, AFilterIsAppliedToAnotherReportByRolesAndColoursAsTheyAre) {
  using analysis::Condition;
  using By = views::Colouring::By;
  const QString exported = folder.filePath("x.lanescope-view");
  {
    auto window = open(report("a.rep", "content"));
    views::Filtering::of(view(*window))
        .setFilter({Condition::words("att", false).value(),
                    {.what = Condition::Row{"p/g/k"}, .label = "Kernels"},
                    {.what = Condition::Row{"p/m"}, .hide = true, .label = "SMs active"},
                    Condition::time({5, 9})});
    choose(*window, "Stream");
    ASSERT_TRUE(window->tabs().current()->keeper().exportTo(exported));
  }
  const auto second = report("second.rep", "another");
  const analysis::Filter there{Condition::words("att", false).value(), {.what = Condition::Row{"q/g/k"}}};
  {
    auto window = open(second, anotherRun());
    ASSERT_TRUE(window->tabs().current()->keeper().importFrom(exported));
    EXPECT_EQ(views::Filtering::of(view(*window)).filter(), there);
    EXPECT_EQ(view(*window).colourBy(), By::kStream);
    const QString note = window->tabs().current()->noteLine().text();
    EXPECT_TRUE(note.contains("SMs active")) << note.toStdString();
  }
  EXPECT_EQ(views::Filtering::of(view(*open(second, anotherRun()))).filter(), there);
  views::Theme::instance().setColouring({});
}

TEST(KeptFilter, StreamsThreadsProcessesAndGpusAreKnownByTheirRows) {
  using analysis::Condition;
  const test::TemporaryFolder folder;
  const auto load = [&](const char* name, std::int64_t pid, std::int64_t context) {
    test::ReportBuilder builder(folder / name);
    builder.add(test::K{.start = 20, .end = 30, .context = context, .process = test::gpid(pid)})
        .add(test::R{.start = 0, .end = 10, .thread = test::gtid(pid, pid)});
    return report::load(builder.write(), {}, {}, Job{}).value();
  };
  const auto one = load("a.sqlite", 100, 1), other = load("b.sqlite", 2000, 1);
  const auto all = [](const trace::Trace& trace) {
    analysis::Filter filter;
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (Condition& condition : analysis::conditionsOf(trace, trace::EventRef{lane, 0}))
        if (!std::holds_alternative<Condition::Name>(condition.what) &&
            std::ranges::find(filter, condition) == filter.end())
          filter.push_back(std::move(condition));
    return filter;
  };
  ASSERT_GE(all(*one).size(), 4U);
  const QJsonArray kept = views::writeFilter(all(*one), *one, views::rolesOf(*one));
  EXPECT_EQ(views::readFilter(kept), all(*one));
  QStringList missing;
  EXPECT_EQ(views::filterByRoles(kept, *other, views::rolesOf(*other), missing), all(*other));
  EXPECT_TRUE(missing.isEmpty()) << missing.join(", ").toStdString();
}

TEST(KeptFilter, ConditionsThatAreNotAsTheyShouldBeAreLeftOut) {
  const QByteArray odd = R"([7, {}, {"is":"words","text":"dur>"}, {"is":"words"}, {"is":"name","text":"a"},
      {"is":"time","begin":5,"end":4}, {"is":"time","begin":1e300,"end":2}, {"is":"of the future"}])";
  const analysis::Filter filter = views::readFilter(QJsonDocument::fromJson(odd).array());
  ASSERT_EQ(filter.size(), 1U);
  EXPECT_EQ(filter.front().what.index(), 1U);
}

TEST_F(ViewKeeperTest, AReportThatNobodyChangedLeavesNothingAndIsNeverWritten) {
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
  }
  EXPECT_FALSE(QFile::exists(settings.viewsFolder()));
  {
    auto window = open(file);
    views::togglePin(view(*window), kMetricRow);
  }
  EXPECT_TRUE(QFile::exists(kept(file)));
  QFile content(QString::fromStdString(file.string()));
  ASSERT_TRUE(content.open(QIODevice::ReadOnly));
  EXPECT_EQ(content.readAll(), "content");
}

TEST_F(ViewKeeperTest, ADamagedFileIsSaidPutAsideAndHarmsNothing) {
  const auto file = report("a.rep", "content");
  QDir().mkpath(settings.viewsFolder());
  for (const char* text : {"{\"lanescopeView\":1,", "[]", "{\"lanescopeView\":99}", "\xff\xfe"}) {
    QFile damaged(kept(file));
    ASSERT_TRUE(damaged.open(QIODevice::WriteOnly) && damaged.write(text) > 0);
    damaged.close();
    auto window = open(file);
    EXPECT_TRUE(window->tabs().current()->noteLine().isVisible());
    EXPECT_TRUE(window->tabs().current()->noteLine().text().contains("is damaged")) << text;
    EXPECT_EQ(view(*window).arrangement(), views::RowArrangement());
    EXPECT_TRUE(QFile::exists(kept(file) + ".damaged"));
  }
}

TEST_F(ViewKeeperTest, WhatIsNotAsItShouldBeInAFileIsLeftOut) {
  const auto file = report("a.rep", "content");
  QDir().mkpath(settings.viewsFolder());
  const char* odd =
      R"({"lanescopeView":1,"rows":{"version":1,"pinned":[7,"p/m",null,"gone","p/m"],"hidden":{},"order":{"p":[1,"p/m"],"x":3},
      "open":{"p":"yes"},"heights":{"p/m":-1,"p/g":1e300},"allHeights":"x"},"marks":{"version":1,"list":[{"time":[5]},
      {"time":[9223372036854775807,-9223372036854775808]},{"time":[3,3]},7]},"time":{"version":1,"visible":[5,5],
      "selection":[1e40,2],"row":4,"event":{"lane":99999999999,"time":[0,1]}},"filters":{"version":3,"keep":"me"}})";
  QFile damaged(kept(file));
  ASSERT_TRUE(damaged.open(QIODevice::WriteOnly) && damaged.write(odd) > 0);
  damaged.close();
  auto window = open(file);
  views::ViewState& state = view(*window);
  EXPECT_FALSE(window->tabs().current()->noteLine().isVisible());
  EXPECT_EQ(state.arrangement().pinned, (std::vector<std::string>{"p/m", "gone"}));
  EXPECT_TRUE(state.arrangement().hidden.empty());
  ASSERT_EQ(state.marks().all().size(), 1u);
  EXPECT_FALSE(state.selection() || state.current());
  EXPECT_EQ(state.rowScale(kMetricRow), 1);
  views::togglePin(state, kKernelRow);
  window.reset();
  const auto written = KeptViews::read(kept(file));
  ASSERT_TRUE(written);
  EXPECT_EQ((*written)["filters"], (QJsonObject{{"version", 3}, {"keep", "me"}})) << "a section of somebody else";
}

TEST_F(ViewKeeperTest, AnExportedViewIsAppliedToAnotherReportByRolesAndSaysWhatWasMissing) {
  const QString exported = folder.filePath("x.lanescope-view");
  {
    auto window = open(report("a.rep", "content"));
    views::ViewState& state = view(*window);
    views::togglePin(state, kKernelRow);
    views::togglePin(state, kMetricRow);
    state.marks().add({{5, 5}, {}, {}});
    ASSERT_TRUE(window->tabs().current()->keeper().exportTo(exported));
  }
  const auto second = report("second.rep", "another");
  {
    auto window = open(second, anotherRun());
    ASSERT_TRUE(window->tabs().current()->keeper().importFrom(exported));
    views::ViewState& state = view(*window);
    EXPECT_EQ(state.arrangement().pinned, (std::vector<std::string>{"q/g/k", "p/m"}));
    EXPECT_TRUE(state.marks().all().empty()) << "its times are of another recording";
    const QString note = window->tabs().current()->noteLine().text();
    EXPECT_TRUE(note.contains("a.rep") && note.contains("process overlap/m")) << note.toStdString();
  }
  auto window = open(second, anotherRun());
  EXPECT_EQ(view(*window).arrangement().pinned, (std::vector<std::string>{"q/g/k", "p/m"})) << "not lost";
  const auto again = KeptViews::read(kept(second));
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)["rows"]["roles"]["p/m"].toString(), "process overlap/m");
  EXPECT_FALSE(window->tabs().current()->keeper().importFrom(folder.filePath("none")));
}

TEST_F(ViewKeeperTest, RowsAreArrangedWhileTheReportStillLoadsAndWhatOneDoesMeanwhileStays) {
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
    views::togglePin(view(*window), kMetricRow);
    view(*window).setVisible({100'000, 300'000});
  }
  test::BlockingLoader loader;
  loader.trace = smallTrace();
  MainWindow window(settings, loader);
  window.show();
  ReportTab* tab = window.tabs().open(file);
  ASSERT_TRUE(runUntil([&] { return !tab->view().arrangement().pinned.empty(); }));
  EXPECT_EQ(tab->session().phase(), Session::Phase::kLoading);
  tab->view().setSelection(trace::TimeRange{1, 2});
  views::hideRow(tab->view(), kKernelRow);  // there is no such row yet
  loader.released->count_down();
  ASSERT_TRUE(runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
  EXPECT_EQ(tab->timeline().canvas()->rowAt(2), kMetricRow);
  EXPECT_EQ(tab->view().selection(), (trace::TimeRange{1, 2}));
  EXPECT_GE(tab->view().visible().length(), 1'000'000) << "somebody was quicker";
}

TEST_F(ViewKeeperTest, AReportClosedBeforeItIsLoadedLosesNothingOfItsView) {
  const auto file = report("a.rep", "content");
  {
    auto window = open(file);
    view(*window).setVisible({100'000, 300'000});
  }
  {
    const test::BlockingLoader loader;
    MainWindow window(settings, loader);
    ReportTab* tab = window.tabs().open(file);
    ASSERT_TRUE(runUntil([&] { return tab->keeper().upToDate(); }));
    tab->view().marks().add({{5, 5}, {}, {}});
  }
  auto window = open(file);
  EXPECT_EQ(view(*window).visible(), (trace::TimeRange{100'000, 300'000}));
  EXPECT_EQ(view(*window).marks().all().size(), 1u);
}

TEST_F(ViewKeeperTest, TheKeysOfTheMenusArrangeMarkAndFind) {
  auto window = open(report("a.rep", "content"));
  views::ViewState& state = view(*window);
  views::Timeline& timeline = window->tabs().current()->timeline();
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(timeline.canvas(), key, modifiers);
  };
  state.setCurrentRow(kMetricRow);
  press(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(state.arrangement().order.at("p"), (std::vector<std::string>{"p/m", "p/g"}));
  press(Qt::Key_Down, Qt::AltModifier);
  press(Qt::Key_H, Qt::ControlModifier);
  EXPECT_EQ(state.arrangement().hidden, std::set<std::string>{"p/m"});
  press(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(state.arrangement().hidden.empty());
  state.setCurrentRow(0);
  press(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(state.isExpanded(0) || state.isExpanded(1));
  press(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(state.isExpanded(0) && state.isExpanded(1));
  state.setSelection(trace::TimeRange{10, 20});
  press(Qt::Key_M, Qt::ControlModifier);
  press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_EQ(state.marks().all().size(), 2u);
  press(Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(state.marks().current(), 0u);
  press(Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(state.marks().current(), 1u);
  press(Qt::Key_R, Qt::ControlModifier);
  EXPECT_TRUE(timeline.rowLine()->isVisible());
}

TEST(KeptViewsTest, TheOldestGoFirst) {
  QTemporaryDir folder;
  const KeptViews store(folder.path());
  const QDateTime begin = QDateTime::fromSecsSinceEpoch(1'000'000'000);
  for (int i = 0; i < KeptViews::kMost; ++i) {
    QFile file(QDir(folder.path()).filePath(QString::number(i) + ".json"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    ASSERT_TRUE(file.setFileTime(begin.addSecs(i), QFileDevice::FileModificationTime));
  }
  ASSERT_TRUE(store.keep("new", {{"lanescopeView", 1}}));
  const QDir kept(folder.path());
  EXPECT_EQ(kept.entryList(QDir::Files).size(), KeptViews::kMost);
  EXPECT_FALSE(kept.exists("0.json"));
  EXPECT_TRUE(kept.exists("1.json") && kept.exists("new.json"));
}

TEST(KeptViewsTest, AFolderThatCannotBeWrittenIsSaid) {
  QTemporaryDir folder;
  QFile file(folder.filePath("file"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  const auto kept = KeptViews(folder.filePath("file/views")).keep("key", {});
  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code, ErrorCode::kWriteFailed);
}

}  // namespace
}  // namespace lanescope::ui
