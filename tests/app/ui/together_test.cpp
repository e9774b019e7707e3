// SPDX-License-Identifier: GPL-3.0-or-later
// Several reports on one timeline, as a person meets them.
#include <gmock/gmock.h>

#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>

#include "app/ui/drop.h"
#include "app/ui/report_choice.h"
#include "model/analysis/related.h"
#include "model/analysis/selection.h"
#include "tests/app/ui/cases.h"
#include "views/panels/alignment_panel.h"
#include "views/panels/note_line.h"
#include "views/panels/ranks_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/tables/figure_table.h"
#include "views/timeline/commands.h"
#include "views/timeline/go_to.h"
#include "views/timeline/layout.h"
#include "views/timeline/overview.h"

namespace lanescope::ui {
namespace {

using test::K;
using test::R;
using testing::HasSubstr;
using testing::Not;
using trace::EventRef;
using trace::Ns;
using views::AlignmentPanel;

/// One step of a rank: it computes, then all reduce. The same numbers of processes, streams and rows in every report.
std::filesystem::path writeRank(const std::filesystem::path& file, int rank, Ns compute) {
  test::ReportBuilder builder(file);
  builder.insert("META_DATA_CAPTURE",
                 {{"name", std::string("PROCESS_0:ENVIRONMENT:RANK")}, {"value", std::to_string(rank)}});
  for (Ns step = 0; step < 3; ++step) {
    const Ns at = 1000 + step * 10'000;
    builder.add(R{.start = at, .end = at + 100, .correlation = 2 * step + 1})
        .add(R{.start = at + 100, .end = at + 200, .correlation = 2 * step + 2})
        .add(K{.start = at + 200,
               .end = at + 200 + compute,
               .correlation = 2 * step + 1,
               .name = "compute" + std::to_string(rank),
               .gridX = 100 + rank})
        .add(K{.start = at + 200 + compute,
               .end = at + 5200,
               .stream = 8,
               .correlation = 2 * step + 2,
               .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"});
  }
  return builder.write();
}

struct Together : Cases {
  ReportTab& openTogether(const std::vector<std::filesystem::path>& files) {
    if (!window) begin();
    ReportTab* tab = window->tabs().openTogether(files);
    EXPECT_TRUE(
        runUntil([&] { return tab->session().phase() != Session::Phase::kLoading && tab->keeper().upToDate(); }));
    settle();
    return *tab;
  }
  ReportTab& openTwo() {
    return openTogether({writeRank(reports / "rank0.sqlite", 0, 1000), writeRank(reports / "rank1.sqlite", 1, 3000)});
  }
  static EventRef eventNamed(const ReportTab& tab, const std::string& name, std::uint32_t report, std::size_t n = 0) {
    auto& session = const_cast<ReportTab&>(tab).session();
    const together::Joined& joined = *session.oneTimeline()->joined;
    const trace::Trace& trace = *joined.trace;
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
        if (joined.reportOf({lane, i}) == report && (*trace.names)[trace.name({lane, i})].text.starts_with(name))
          if (n-- == 0) return {lane, i};
    ADD_FAILURE() << name;
    return {};
  }
  std::string detailsOf(ReportTab& tab, EventRef event) {
    std::string text;
    const auto fields = tab.session().fields(event);
    for (const report::Field& field : *fields) text += field.label + ": " + field.value + "\n";
    return text;
  }
  QTableWidget& alignment() { return window->findChild<AlignmentPanel*>()->table(); }
  /// Types a time into the cell of a report's offset.
  void typeOffset(int report, const char* text) {
    QTableWidget& table = alignment();
    table.setFocus();
    table.setCurrentCell(report, AlignmentPanel::kOffset);
    QTest::keyClick(&table, Qt::Key_F2);
    auto* editor = table.findChild<QLineEdit*>();
    ASSERT_TRUE(editor);
    editor->selectAll();
    QTest::keyClicks(editor, text);
    QTest::keyClick(editor, Qt::Key_Return);
    settle();
  }
};

TEST_F(Together, SeveralReportsStandInOneTabUnderTheirRanks) {
  ReportTab& tab = openTwo();
  EXPECT_EQ(window->tabs().count(), 1);
  EXPECT_EQ(window->windowTitle(), "2 reports — Lanescope");
  const trace::Trace& trace = *tab.view().trace();
  ASSERT_EQ(trace.rootRows.size(), 2U);
  EXPECT_EQ(trace.rows[trace.rootRows[0]].label, "rank 0");
  EXPECT_EQ(trace.rows[trace.rootRows[1]].label, "rank 1");
  EXPECT_TRUE(settings.recentFiles().isEmpty()) << "none of them was opened alone";
  EXPECT_EQ(&openTogether(tab.session().paths()), &tab) << "open already";
}

TEST_F(Together, FindAndSelectionAreOfAllReports) {
  ReportTab& tab = openTwo();
  key(Qt::Key_F, Qt::ControlModifier);
  type(*qobject_cast<QLineEdit*>(QApplication::focusWidget()), "AllReduce");
  EXPECT_EQ(views::Search::of(tab.view()).count(), 6U);
  std::uint64_t kernels = 0;
  for (const auto& each : analysis::nameFigures(*tab.view().trace(), {.range = tab.view().trace()->range}).names)
    if (each.kind == trace::EventKind::kKernel) kernels += each.time.count;
  EXPECT_EQ(kernels, 12U);
}

TEST_F(Together, DetailsComeFromTheFileOfTheEvent) {
  ReportTab& tab = openTwo();
  for (const std::uint32_t report : {0, 1}) {
    const EventRef event = eventNamed(tab, "compute", report);
    const std::string details = detailsOf(tab, event);
    EXPECT_THAT(details, HasSubstr("Name: compute" + std::to_string(report)));
    EXPECT_THAT(details, HasSubstr("Grid: " + std::to_string(100 + report) + " ")) << "of the same row of both files";
    EXPECT_THAT(details, HasSubstr("Report: rank " + std::to_string(report) + " · "));
  }
}

TEST_F(Together, AFileThatCannotBeReadIsNamedAndTheOthersAreShown) {
  test::writeFile(reports / "rank2.sqlite", "no report");
  ReportTab& tab = openTogether({writeRank(reports / "rank0.sqlite", 0, 1000), reports / "rank2.sqlite",
                                 writeRank(reports / "rank1.sqlite", 1, 3000)});
  EXPECT_EQ(tab.session().phase(), Session::Phase::kReady);
  EXPECT_EQ(tab.view().trace()->rootRows.size(), 2U);
  EXPECT_THAT(tab.noteLine().text().toStdString(), HasSubstr("1 of 3 reports could not be read"));
  EXPECT_THAT(tab.noteLine().text().toStdString(), HasSubstr("rank2.sqlite"));
}

TEST_F(Together, WhereNoneCanBeReadThePageSaysWhy) {
  test::writeFile(reports / "a.sqlite", "no report");
  ReportTab& tab = openTogether({reports / "a.sqlite", reports / "b.sqlite"});
  EXPECT_EQ(tab.session().phase(), Session::Phase::kFailed);
}

TEST_F(Together, AFolderStandsForTheReportsInIt) {
  std::filesystem::create_directories(reports / "job/one");
  std::filesystem::create_directories(reports / "job/two");
  writeRank(reports / "job/one/nsys.sqlite", 0, 1000);
  writeRank(reports / "job/two/nsys.sqlite", 1, 1000);
  test::writeFile(reports / "job/notes.txt", "no report, nor looked at");
  ReportTab& tab = openTogether({reports / "job"});
  EXPECT_EQ(tab.session().paths().size(), 2U);
  EXPECT_EQ(tab.view().trace()->rootRows.size(), 2U);
  EXPECT_TRUE(tab.session().leftOut().empty());
}

TEST_F(Together, ATypedOffsetMovesOneReportAndTheViewStays) {
  ReportTab& tab = openTwo();
  const EventRef other = eventNamed(tab, "compute", 0), event = eventNamed(tab, "compute", 1);
  views::goToEvent(tab.view(), event);
  tab.view().setVisible({2000, 20'000});
  const trace::TimeRange before = tab.view().trace()->time(event), otherBefore = tab.view().trace()->time(other);
  const Ns offset = tab.session().oneTimeline()->joined->parts[1].placement.offset;
  typeOffset(1, "-1.5 us");
  const trace::Trace& trace = *tab.view().trace();
  EXPECT_EQ(trace.time(event).begin, before.begin - offset - 1500);
  EXPECT_EQ(trace.time(other), otherBefore);
  EXPECT_EQ(tab.view().visible(), (trace::TimeRange{2000, 20'000}));
  EXPECT_EQ(tab.view().current(), event);
  EXPECT_EQ(alignment().item(1, AlignmentPanel::kMethod)->text(), "by hand");
  EXPECT_EQ(alignment().item(1, AlignmentPanel::kError)->text(), "by hand");
  const auto* message = window->findChild<AlignmentPanel*>()->findChild<QLabel*>();
  const QString plain = message->text();

  typeOffset(1, "soon");
  EXPECT_EQ(message->text(), "“soon” is no time: type it like -1.5 ms");
  EXPECT_EQ(tab.view().trace()->time(event).begin, before.begin - offset - 1500) << "that is no time";
  EXPECT_EQ(alignment().item(1, AlignmentPanel::kOffset)->text(), "-1.500 µs");
  typeOffset(1, "-1.5 us");
  EXPECT_EQ(message->text(), plain) << "with the next one, though it moves nothing";

  QTest::mouseClick(window->findChild<QPushButton*>("resetAlignment"), Qt::LeftButton);
  settle();
  EXPECT_EQ(tab.view().trace()->time(event), before);
}

TEST_F(Together, TheCurrentEventIsMovedToWhereTheSelectionBegins) {
  ReportTab& tab = openTwo();
  const EventRef mark = eventNamed(tab, "nccl", 0), event = eventNamed(tab, "nccl", 1);
  auto* align = window->findChild<QPushButton*>("alignCurrent");
  EXPECT_FALSE(align->isEnabled());
  views::goToEvent(tab.view(), mark);
  tab.setFocus();
  key(Qt::Key_M, Qt::NoModifier);
  views::goToEvent(tab.view(), event);
  window->findChild<QDockWidget*>("ranks")->raise();
  QApplication::processEvents();
  QTest::mouseClick(align, Qt::LeftButton);
  settle();
  EXPECT_EQ(tab.view().trace()->time(event).begin, tab.view().trace()->time(mark).begin);
}

TEST_F(Together, HowReportsWereMovedComesBack) {
  {
    ReportTab& tab = openTwo();
    tab.session().moveReport(1, 4321);
    settle();
    window.reset();
  }
  ReportTab& tab = openTogether({reports / "rank1.sqlite", reports / "rank0.sqlite"});  // however they are named
  ASSERT_TRUE(runUntil([&] { return tab.session().phase() == Session::Phase::kReady; }));
  settle();
  EXPECT_EQ(tab.session().oneTimeline()->joined->parts[1].placement.offset, 4321);
}

TEST_F(Together, WhatAsksAFileIsOfTheReportOfTheCurrentRow) {
  ReportTab& tab = openTwo();
  tab.session().moveReport(1, 500);
  settle();
  auto& statistics = panel<views::StatisticsPanel>(Qt::Key_3);
  const auto names = [&] {
    settle();
    return statistics.table().allText().toStdString() + statistics.command().toStdString();
  };
  EXPECT_THAT(names(), testing::AllOf(HasSubstr("rank0.sqlite"), Not(HasSubstr("rank1.sqlite"))));
  const EventRef event = eventNamed(tab, "compute", 1);
  views::goToEvent(tab.view(), event);
  EXPECT_THAT(names(), testing::AllOf(HasSubstr("rank1.sqlite"), Not(HasSubstr("rank0.sqlite"))));
  const auto* choice = statistics.parentWidget()->findChild<ReportChoice*>();
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->shown(), "rank 1");

  // In its own times, and back in those of all.
  EXPECT_EQ(tab.session().ownView().current(), tab.session().oneTimeline()->joined->own(event));
  tab.session().ownView().setSelection(trace::TimeRange{2000, 3000});
  EXPECT_EQ(tab.view().selection(), (trace::TimeRange{2500, 3500}));
  tab.view().setSelection(trace::TimeRange{5000, 6000});
  EXPECT_EQ(tab.session().ownView().selection(), (trace::TimeRange{4500, 5500}));

  QMenu& reports = *choice->findChild<QToolButton*>()->menu();
  emit reports.aboutToShow();
  reports.actions().front()->trigger();
  EXPECT_EQ(choice->shown(), "rank 0");
  EXPECT_THAT(names(), HasSubstr("rank0.sqlite"));
}

TEST_F(Together, OneReportHasNoLineAboutWhichItIs) {
  begin();
  open(writeRank(reports / "rank0.sqlite", 0, 1000));
  for (const ReportChoice* choice : window->findChildren<ReportChoice*>()) EXPECT_EQ(choice->shown(), QString());
  EXPECT_FALSE(window->findChild<QDockWidget*>("ranks")->isVisible());
}

TEST_F(Together, ACollectiveLeadsFromTheRankThatCameLastToThoseThatWaited) {
  ReportTab& tab = openTwo();
  const EventRef early = eventNamed(tab, "nccl", 0), late = eventNamed(tab, "nccl", 1);
  const std::string details = detailsOf(tab, early);
  EXPECT_THAT(details, HasSubstr("Last rank: rank 1"));
  EXPECT_THAT(details, HasSubstr("Waited: 2.000 µs, 50.0 % of its time"));
  EXPECT_THAT(detailsOf(tab, late), HasSubstr("Last rank: this one; rank 0 waited 2.000 µs"));
  const analysis::Related related(tab.view().trace(), late);
  EXPECT_THAT(related.ends(), testing::Contains(early));
  EXPECT_TRUE(related.leadsTo(early));

  views::goToEvent(tab.view(), early);
  views::jumpToPartner(tab.view());
  EXPECT_EQ(tab.view().current(), late);
  views::jumpToPartner(tab.view());
  EXPECT_EQ(tab.view().current(), early) << "and back";

  auto& ranks = *window->findChild<views::RanksPanel*>();
  EXPECT_EQ(ranks.message(), QString());
  EXPECT_EQ(ranks.table().model()->rowCount(), 2) << "a line a rank";
  for (QToolButton* chip : ranks.findChildren<QToolButton*>())
    if (chip->text() == "Calls") QTest::mouseClick(chip, Qt::LeftButton);
  EXPECT_EQ(ranks.table().model()->rowCount(), 3);
  emit ranks.table().chosen(0);
  EXPECT_EQ(tab.view().current(), late);
}

TEST_F(Together, ThatCallsOfMpiAreNotMatchedIsSaid) {
  const auto writeMpi = [this](std::int64_t rank) {
    test::ReportBuilder builder(reports / ("mpi" + std::to_string(rank) + ".sqlite"));
    const auto tid = test::gtid(rank + 1, 1);
    builder.insert("MPI_RANKS", {{"globalTid", tid}, {"rank", rank}});
    builder.insert("MPI_COLLECTIVES_EVENTS",
                   {{"start", 10}, {"end", 40}, {"globalTid", tid}, {"textId", builder.id("MPI_Allreduce")}});
    return builder.write();
  };
  ReportTab& tab = openTogether({writeMpi(0), writeMpi(1)});
  const auto& ranks = *window->findChild<views::RanksPanel*>();
  EXPECT_TRUE(runUntil([&] { return ranks.message().contains("MPI Event Summary"); })) << ranks.message().toStdString();
  EXPECT_FALSE(views::overviewLanes(*tab.view().trace()).upper.empty()) << "nor is the overview blank";
  int seen = 0;
  for (const views::RowBox& box : tab.view().layout()->boxes())
    seen += tab.view().trace()->rows[box.row].label == "MPI";
  EXPECT_EQ(seen, 2) << "where there is no GPU the threads are what is looked at";
}

TEST_F(Together, DroppedFilesMayGoOntoOneTimeline) {
  begin();
  takeDrop(window->tabs(), {writeRank(reports / "rank0.sqlite", 0, 1000), writeRank(reports / "rank1.sqlite", 1, 1000)},
           {});
  EXPECT_EQ(window->tabs().count(), 0) << "it asks";
  for (QAction* action : window->findChild<QMenu*>("dropMenu")->actions())
    if (action->text() == "Open on one timeline") action->trigger();
  ASSERT_EQ(window->tabs().count(), 1);
  EXPECT_TRUE(window->tabs().current()->session().isTogether());
}

TEST_F(Together, ADroppedReportMayJoinTheOneThatIsOpen) {
  begin();
  open(writeRank(reports / "rank0.sqlite", 0, 1000));
  takeDrop(window->tabs(), {writeRank(reports / "rank1.sqlite", 1, 1000)}, {});
  window->findChild<QMenu*>("dropMenu")->actions().last()->trigger();
  ASSERT_EQ(window->tabs().count(), 2);
  EXPECT_EQ(window->tabs().current()->session().paths().size(), 2U);
}

TEST(TypedTime, IsAsPeopleWriteIt) {
  using views::typedTime;
  EXPECT_EQ(typedTime("-1.5 ms"), -1'500'000);
  EXPECT_EQ(typedTime("1 234.567 890 ms"), 1'234'567'890);
  EXPECT_EQ(typedTime("20 µs"), 20'000);
  EXPECT_EQ(typedTime("+3s"), 3'000'000'000);
  EXPECT_EQ(typedTime("\u22127"), -7);
  for (const char* wrong : {"", "soon", "1/2", "1 parsec"}) EXPECT_FALSE(typedTime(wrong)) << wrong;
}

}  // namespace
}  // namespace lanescope::ui
