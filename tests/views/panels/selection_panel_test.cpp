// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/selection_panel.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QMouseEvent>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/trace_fixture.h"
#include "tests/views/panels/panel_trace.h"
#include "tests/views/timeline/chrome_state.h"
#include "views/panels/save_table.h"
#include "views/panels/search.h"
#include "views/plots/histogram.h"
#include "views/tables/figure_table.h"
#include "views/tables/table_model.h"
#include "views/timeline/canvas.h"
#include "views/timeline/filtering.h"

namespace lanescope::views {
namespace {

using test::runUntil;
using trace::Ns;
using trace::TimeRange;

class SelectionPanelTest : public testing::Test {
 protected:
  SelectionPanelTest() {
    canvas.resize(1000, 100);
    canvas.show();
    panel.resize(1200, 300);
    panel.show();
    view.setTrace(panelTrace());
    view.setVisible({0, 1'000'000});
    panel.setView(&view);
    settle();
  }
  void settle() {
    ASSERT_TRUE(runUntil([this] { return !panel.working(); }));
  }
  QStringList column(NameColumn wanted) {
    QStringList texts;
    const auto* model = panel.names().model();
    for (int row = 0; row < model->rowCount(); ++row)
      texts += model->index(row, static_cast<int>(wanted)).data().toString();
    return texts;
  }
  QString meaningOf(const QString& beginning) {
    for (const Phrase& phrase : panel.line().phrases())
      if (phrase.text.startsWith(beginning)) return phrase.meaning;
    return {};
  }
  void click(FigureTable& table, int row) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
  }
  void press(const QString& text) {
    for (auto* button : panel.findChildren<QAbstractButton*>())
      if (button->text().startsWith(text)) QTest::mouseClick(button, Qt::LeftButton);
  }
  void mouse(QEvent::Type type, QPointF at) {
    QMouseEvent event(type, at, canvas.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&canvas, &event);
  }

  ViewState view;
  TimelineCanvas canvas{view};
  SelectionPanel panel;
};

TEST_F(SelectionPanelTest, WithoutASelectionItIsOfTheVisibleRangeAndSaysSo) {
  EXPECT_EQ(panel.line().text(),
            QStringLiteral("Visible range 1.000 ms · of it GPU busy 65.0 % · idle 350.0 µs (35.0 %) · "
                           "copies beside kernels 0.0 % · Copy 5.00 MB, 50.0 GB/s"));
  view.setVisible({0, 500'000});
  settle();
  EXPECT_TRUE(panel.line().text().startsWith("Visible range 500.0 µs · of it GPU busy 70.0 %"))
      << panel.line().text().toStdString();
}

TEST_F(SelectionPanelTest, EveryShareNamesWhatItIsOf) {
  EXPECT_TRUE(meaningOf("of it GPU busy").startsWith(QStringLiteral("650.0 µs of 1.000 ms")));
  EXPECT_TRUE(meaningOf("idle").startsWith(QStringLiteral("350.0 µs of 1.000 ms")));
  EXPECT_TRUE(meaningOf("copies beside").startsWith(QStringLiteral("0 ns of 100.0 µs of copying")));
  EXPECT_TRUE(meaningOf("Copy").contains(QStringLiteral("5.00 MB by the 100.0 µs that 1 copy took")));
  const auto title =
      panel.names().model()->headerData(static_cast<int>(NameColumn::kShare), Qt::Horizontal, Qt::ToolTipRole);
  EXPECT_TRUE(title.toString().contains("length of the range"));
}

TEST_F(SelectionPanelTest, FollowsTheSelectionWhileItIsDragged) {
  mouse(QEvent::MouseButtonPress, {105, 50});
  mouse(QEvent::MouseMove, {250, 50});
  settle();
  const QString during = panel.line().text();
  EXPECT_TRUE(during.endsWith(QStringLiteral("GPU busy 34.5 % · idle 95.00 µs (65.5 %)"))) << during.toStdString();
  EXPECT_TRUE(during.startsWith(QStringLiteral("145.0 µs selected"))) << during.toStdString();
  mouse(QEvent::MouseMove, {305, 50});
  mouse(QEvent::MouseButtonRelease, {305, 50});
  settle();
  EXPECT_NE(panel.line().text(), during);
  EXPECT_EQ(column(NameColumn::kName).size(), 3);
}

TEST_F(SelectionPanelTest, NeverLosesTheLastOfManyChanges) {
  for (Ns end = 1; end <= 500; ++end) {
    view.setSelection(TimeRange{0, end * 1000});
    if (end % 50 == 0) QCoreApplication::processEvents();
  }
  settle();
  EXPECT_TRUE(panel.line().text().startsWith(QStringLiteral("500.0 µs selected")));
}

TEST_F(SelectionPanelTest, TheMostTotalTimeComesFirstAcrossKinds) {
  EXPECT_EQ(column(NameColumn::kName), QStringList({"cudaMemcpy", "attention<float>(int)", "[copy]", "feed"}));
  EXPECT_EQ(column(NameColumn::kTotal), QStringList({"1.000 ms", "500.0 µs", "100.0 µs", "50.00 µs"}));
  EXPECT_EQ(column(NameColumn::kShare), QStringList({"100.0 %", "50.0 %", "10.0 %", "5.0 %"}));
  EXPECT_EQ(column(NameColumn::kKind)[2], QStringLiteral("copy · 5.00 MB · 50.0 GB/s"));
}

TEST_F(SelectionPanelTest, AnEdgeCutsEventsUnlessTheyCountAsAWhole) {
  view.setSelection(TimeRange{50'000, 150'000});
  settle();
  EXPECT_EQ(column(NameColumn::kTotal), QStringList({"100.0 µs", "50.00 µs"}));
  press("Whole events");
  settle();
  EXPECT_EQ(column(NameColumn::kTotal), QStringList({"1.000 ms", "100.0 µs"}));
}

TEST_F(SelectionPanelTest, AClickChoosesANameAndAnotherOneClearsIt) {
  click(panel.names(), 1);
  ASSERT_TRUE(view.chosenName());
  EXPECT_EQ((*view.trace()->names)[*view.chosenName()].text, "attention<float>(int)");
  settle();
  EXPECT_TRUE(panel.histogram().isVisible());
  click(panel.names(), 1);
  EXPECT_FALSE(view.chosenName());
  EXPECT_FALSE(panel.histogram().isVisible());
  EXPECT_EQ(panel.names().selectedText(), QString());
}

TEST_F(SelectionPanelTest, EscClearsTheNameAndThenGivesTheKeyboardBack) {
  int left = 0;
  QObject::connect(&panel, &SelectionPanel::left, [&] { ++left; });
  click(panel.names(), 1);
  QTest::keyClick(&panel.names(), Qt::Key_Escape);
  EXPECT_FALSE(view.chosenName());
  EXPECT_EQ(left, 0);
  QTest::keyClick(&panel.names(), Qt::Key_Escape);
  EXPECT_EQ(left, 1);
}

TEST_F(SelectionPanelTest, AChosenNameStaysChosenWhileTheSelectionChanges) {
  click(panel.names(), 1);
  view.setSelection(TimeRange{0, 300'000});
  settle();
  EXPECT_TRUE(panel.names().selectedText().startsWith("attention<float>(int)\tkernel\t2\t200.000 µs"));
  EXPECT_EQ(panel.histogram().bins().counts, std::vector<std::uint64_t>{2});
}

TEST_F(SelectionPanelTest, ABarOfTheHistogramFindsItsEventsAndGoesToTheFirst) {
  click(panel.names(), 1);
  settle();
  panel.grab();
  Histogram& histogram = panel.histogram();
  ASSERT_EQ(histogram.bins().counts.back(), 1u);
  QWidget* plot = histogram.childAt(histogram.middleOf(0));
  QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(&histogram, histogram.middleOf(0)));
  ASSERT_TRUE(runUntil([this] { return view.hits() != nullptr; }));
  EXPECT_EQ(view.hits()->count, 2u);
  EXPECT_EQ(view.current(), (trace::EventRef{0, 0}));
  EXPECT_TRUE(Search::of(view).name().startsWith("attention<float>(int)"));
  Search::of(view).step(true);
  EXPECT_EQ(view.current(), (trace::EventRef{0, 1}));
}

TEST_F(SelectionPanelTest, CopyTakesTheTableAsItIsShownWithFiguresWhole) {
  view.setSelection(TimeRange{0, 150'000});
  settle();
  press("Copy");
  EXPECT_EQ(
      QApplication::clipboard()->text(),
      QStringLiteral(
          "Name\tKind\tCount\tTotal\tShare\tMean\tMedian\tMin\tMax\tStd dev\n"
          "cudaMemcpy\tCUDA API\t1\t150.000 µs\t100.0 %\t150.000 µs\t150.000 µs\t150.000 µs\t150.000 µs\t–\n"
          "attention<float>(int)\tkernel\t1\t100.000 µs\t66.7 %\t100.000 µs\t100.000 µs\t100.000 µs\t100.000 µs\t–"));
}

TEST_F(SelectionPanelTest, ASavedTableHoldsRawFiguresWithTheirUnits) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("a.csv");
  view.setSelection(TimeRange{400'000, 410'000});
  settle();
  ASSERT_EQ(writeCsv(panel.names().figures(), file), QString());
  const std::string csv = test::readFile(file.toStdString());
  EXPECT_NE(csv.find("Total (ns)"), std::string::npos) << csv;
  EXPECT_NE(csv.find("feed,kernel,1,10000,"), std::string::npos) << csv;
  EXPECT_NE(writeCsv(panel.names().figures(), folder.filePath("no/such/folder.csv")), QString());
}

TEST_F(SelectionPanelTest, SelectedRowsNarrowTheTableAndTheChipClearsThem) {
  view.setSelectedRows({0});
  settle();
  EXPECT_EQ(column(NameColumn::kName), QStringList({"attention<float>(int)", "feed"}));
  press("1 row");
  settle();
  EXPECT_TRUE(view.selectedRows().empty());
  EXPECT_EQ(column(NameColumn::kName).size(), 4);
}

TEST_F(SelectionPanelTest, RowsShowHowBusyEachOpenRowWas) {
  press("Rows");
  settle();
  EXPECT_EQ(panel.rows().allText(), QStringLiteral("Row\tBusy\tShare\tCount\nrow 0\t550.000 µs\t55.0 %\t4\n"
                                                   "row 1\t100.000 µs\t10.0 %\t1\nrow 2\t1.000 000 ms\t100.0 %\t1"));
  click(panel.rows(), 2);
  EXPECT_EQ(view.currentRow(), 2u);
}

TEST_F(SelectionPanelTest, RowsThatOnlyHaveCountersShowTheirMeanLeastAndMost) {
  view.setTrace(smallTrace());  // 20 % up to 500 µs, then 60 %
  view.setSelectedRows({3});
  view.setSelection(TimeRange{400'000, 800'000});
  settle();
  EXPECT_EQ(panel.message(), "");
  ASSERT_EQ(panel.metrics().model()->rowCount(), 1);
  ASSERT_TRUE(panel.metrics().isVisible());
  EXPECT_EQ(panel.metrics().allText().toStdString(),
            "Metric\tMean\tMin\tMax\tUnit\tRow\nSMs active\t50\t20\t60\t%\toverlap › SMs active");
  view.setSelectedRows({});
  settle();
  EXPECT_TRUE(panel.names().isVisible()) << "a selection with events shows their names first";
  press("Metrics");
  settle();
  EXPECT_TRUE(panel.metrics().isVisible());
  EXPECT_EQ(panel.metrics().model()->rowCount(), 1);
}

TEST_F(SelectionPanelTest, SaysWhyThereIsNoTable) {
  view.setSelectedRows({0});
  view.setSelection(TimeRange{120'000, 130'000});
  settle();
  EXPECT_EQ(panel.message(), "No events in the selection");
  view.setSelection(std::nullopt);
  settle();
  EXPECT_EQ(panel.message(), QString());
  ViewState loading;
  loading.setTrace(panelTrace(false));
  panel.setView(&loading);
  EXPECT_EQ(panel.message(), QStringLiteral("Loading…"));
  panel.setView(nullptr, "The report could not be read");
  EXPECT_EQ(panel.message(), "The report could not be read");
}

TEST_F(SelectionPanelTest, AReportThatIsLoadedAnewIsFiguredAnew) {
  click(panel.names(), 1);
  view.setTrace(panelTrace(false));
  EXPECT_EQ(panel.message(), QStringLiteral("Loading…"));
  view.setTrace(panelTrace());
  settle();
  EXPECT_EQ(column(NameColumn::kName).size(), 4);
  EXPECT_FALSE(view.chosenName()) << "its id means another name now";
}

TEST_F(SelectionPanelTest, AClosedReportIsLetGoOf) {
  press("Rows");
  settle();
  click(panel.rows(), 0);
  const std::weak_ptr<const trace::Trace> trace = view.trace();
  panel.setView(nullptr);
  view.setTrace(panelTrace());
  EXPECT_TRUE(trace.expired());
}

TEST_F(SelectionPanelTest, ArrowsMoveOnWhileTheChosenLineStaysMarked) {
  click(panel.names(), 1);
  const auto marked = panel.names().marked();
  ASSERT_TRUE(marked);
  QTest::keyClick(&panel.names(), Qt::Key_Down);
  view.setSelection(TimeRange{0, 950'000});
  settle();
  EXPECT_EQ(panel.names().marked(), marked);
  EXPECT_TRUE(panel.names().selectedText().startsWith("[copy]"));
}

TEST_F(SelectionPanelTest, TheContextMenuGoesToTheLongestAndSelectsRows) {
  click(panel.names(), 1);
  for (QAction* action : panel.names().actions())
    if (action->text().contains("longest")) action->trigger();
  ASSERT_TRUE(runUntil([this] { return view.current().has_value(); }));
  EXPECT_EQ(view.current(), (trace::EventRef{0, 3}));
  EXPECT_EQ(view.visible(), (TimeRange{570'000, 930'000}));
  settle();
  for (QAction* action : panel.names().actions())
    if (action->text().contains("rows")) action->trigger();
  ASSERT_TRUE(runUntil([this] { return !view.selectedRows().empty(); }));
  EXPECT_EQ(view.selectedRows(), std::vector<std::uint32_t>{0});
}

TEST_F(SelectionPanelTest, FiguresThatALossTouchesCarryAMarkThatSaysWhy) {
  const auto markOf = [&](int row) {
    return panel.names().model()->index(row, 0).data(TableModel::kWarningRole).toString();
  };
  for (int row = 0; row < panel.names().model()->rowCount(); ++row) EXPECT_EQ(markOf(row), "") << row;
  EXPECT_EQ(meaningOf("⚠"), "");

  auto lossy = std::make_shared<trace::Trace>(*panelTrace());
  lossy->issues = {{"time-not-recorded", 3, "3 kernels without a recorded time", trace::EventKind::kKernel}};
  view.setTrace(lossy);
  settle();
  int marked = 0;
  const QStringList kinds = column(NameColumn::kKind);
  for (int row = 0; row < kinds.size(); ++row) {
    EXPECT_EQ(markOf(row).startsWith("3 kernels without a recorded time"), kinds[row] == "kernel") << row;
    marked += !markOf(row).isEmpty();
  }
  EXPECT_GT(marked, 0);
  EXPECT_EQ(meaningOf("⚠"), "3 kernels without a recorded time");
  EXPECT_TRUE(panel.names().model()->index(0, 0).data(Qt::ToolTipRole).toString().size() > 0);
}

TEST_F(SelectionPanelTest, ADoubleClickChoosesANameOnce) {
  const QPoint at = panel.names().visualRect(panel.names().model()->index(0, 0)).center();
  QTest::mouseClick(panel.names().viewport(), Qt::LeftButton, {}, at);
  ASSERT_TRUE(view.chosenName());
  QTest::mouseDClick(panel.names().viewport(), Qt::LeftButton, {}, at);
  QTest::mouseRelease(panel.names().viewport(), Qt::LeftButton, {}, at);
  EXPECT_TRUE(view.chosenName()) << "the second of two clicks clears nothing";
}

TEST_F(SelectionPanelTest, EscInTheHistogramClearsWhatItFoundAndGivesTheKeyboardBack) {
  click(panel.names(), 0);
  settle();
  view.setHits(std::make_shared<analysis::Hits>());
  int left = 0;
  QObject::connect(&panel, &SelectionPanel::left, [&] { ++left; });
  QTest::keyClick(panel.findChild<Histogram*>(), Qt::Key_Escape);
  EXPECT_FALSE(view.hits());
  EXPECT_EQ(left, 1);
}

trace::TracePtr traceOfNames(int names) {
  trace::TraceFixture fixture;
  std::vector<trace::Event> events;
  for (int i = 0; i < names; ++i)  // the last ones took the most time
    events.push_back(
        {.start = i * 1'000'000LL, .end = i * 1'000'000LL + i + 1, .name = fixture.name("n" + std::to_string(i))});
  fixture.lane(trace::EventKind::kKernel, events);
  return fixture.finish();
}

TEST(SelectionAnswers, OfManyNamesThoseWithTheMostTimeAreShownAndTheRestIsCounted) {
  constexpr int kNames = 10'050;
  SelectionQuestion question;
  question.trace = traceOfNames(kNames);
  question.selection.range = question.trace->range;
  const SelectionAnswer all = answer(question);
  ASSERT_EQ(all.names->names.size(), SelectionAnswer::kMostNames);
  EXPECT_EQ(all.moreNames, 50u);
  EXPECT_EQ(all.names->names.front().time.total, kNames);
  EXPECT_EQ(all.names->names.back().time.total, 51);
  EXPECT_EQ(all.labels->size(), SelectionAnswer::kMostNames);
  EXPECT_TRUE(moreNamesText(all).startsWith("… and 50 more names; narrow")) << moreNamesText(all).toStdString();

  question.name = all.names->names.back().name;  // chosen, and then narrowed down to what it hardly ran in
  question.selection.range = {0, question.trace->range.end - 1'000'000};
  for (const analysis::NameFigures& each : analysis::nameFigures(*question.trace, question.selection).names)
    if (each.time.total == 1) question.name = each.name;
  const SelectionAnswer withChosen = answer(question);
  EXPECT_EQ(withChosen.names->names.size(), SelectionAnswer::kMostNames);
  EXPECT_EQ(withChosen.names->names.back().name, question.name);
}

TEST(SelectionAnswers, FewNamesAreAllShown) {
  SelectionQuestion question;
  question.trace = traceOfNames(100);
  question.selection.range = question.trace->range;
  EXPECT_EQ(answer(question).moreNames, 0u);
  EXPECT_EQ(moreNamesText(answer(question)), QString());
}

TEST_F(SelectionPanelTest, NamesThatAreNotShownAreCountedBelowTheTable) {
  EXPECT_EQ(panel.more(), QString());
  view.setTrace(traceOfNames(10'001));
  view.setVisible(view.trace()->range);
  settle();
  EXPECT_EQ(panel.names().model()->rowCount(), 10'000);
  EXPECT_TRUE(panel.more().startsWith("… and 1 more name")) << panel.more().toStdString();
  press("Rows");
  settle();
  EXPECT_EQ(panel.more(), QString());
}

TEST_F(SelectionPanelTest, ASavedTableHasBytesAsTheyAre) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("a.csv");
  ASSERT_EQ(writeCsv(panel.names().figures(), file), QString());
  const std::string csv = test::readFile(file.toStdString());
  EXPECT_NE(csv.find("Size (B)"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",5000000\n"), std::string::npos) << csv;
}

TEST_F(SelectionPanelTest, WithAFilterGpuTimeIsSaidToBeOfTheFilteredWork) {
  auto& filtering = Filtering::of(view);
  filtering.add(analysis::Condition::words("feed", false).value());
  ASSERT_TRUE(test::runUntil([&] { return !filtering.running(); }));
  settle();
  EXPECT_TRUE(panel.line().text().contains("filtered work: GPU busy")) << panel.line().text().toStdString();
  EXPECT_FALSE(panel.line().text().contains("idle"));
}

TEST_F(SelectionPanelTest, ADoubleClickZoomsToTheLongestOfTheNameOrRow) {
  const auto doubleClick = [this](FigureTable& table, int row) {
    click(table, row);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
  };
  doubleClick(panel.names(), 1);
  ASSERT_TRUE(runUntil([this] { return view.current().has_value(); }));
  EXPECT_EQ(view.current(), (trace::EventRef{0, 3}));
  EXPECT_EQ(view.visible(), (TimeRange{570'000, 930'000}));
  EXPECT_TRUE(view.chosenName());
  settle();
  view.setCurrent(std::nullopt);
  view.setVisible({0, 350'000});
  press("Rows");
  settle();
  doubleClick(panel.rows(), 0);
  ASSERT_TRUE(runUntil([this] { return view.current().has_value(); }));
  EXPECT_EQ(view.current()->lane, 0U);
  EXPECT_EQ(view.trace()->time(*view.current()).length(), 100'000) << "of what is visible";
  EXPECT_LT(view.visible().length(), 150'000);
}

TEST_F(SelectionPanelTest, OfAFileOfSamplesAloneItSaysWhereToLook) {
  trace::TraceFixture fixture;
  fixture.lane(trace::EventKind::kCpuSample, {trace::Event{.start = 0, .end = 0}});
  view.setTrace(fixture.finish());
  settle();
  EXPECT_TRUE(panel.message().startsWith("No calls, ranges or GPU work were recorded."))
      << panel.message().toStdString();
}

TEST_F(SelectionPanelTest, OfAFileWithoutEventsItSaysThatAlone) {
  auto empty = std::make_shared<trace::Trace>();
  empty->complete = true;
  view.setTrace(empty);
  settle();
  EXPECT_EQ(panel.message(), "This file holds no events");
  EXPECT_EQ(panel.line().text(), "");
}

}  // namespace
}  // namespace lanescope::views
