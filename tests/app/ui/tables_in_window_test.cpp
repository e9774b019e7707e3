// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/main_window.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/analysed.h"
#include "views/panels/analysis_panel.h"
#include "views/panels/calls_panel.h"
#include "views/panels/copyable_tree.h"
#include "views/panels/events_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/panels/summary_panel.h"
#include "views/tables/figure_table.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using test::us;

/// A window on a report with two kernels, between which the host waits.
class TablesInWindow : public test::HostAndGpu {
 protected:
  TablesInWindow() {
    twoKernelsAndAWait();
    builder.insert("META_DATA_CAPTURE",
                   {{"name", std::string("PROCESS_0:COMMAND")}, {"value", std::string("/bin/overlap")}});
    builder.insert("META_DATA_CAPTURE",
                   {{"name", std::string("PROCESS_0:ARGUMENT_0")}, {"value", std::string("--fast")}});
    window.resize(1400, 900);
    window.show();
    tab = window.tabs().open(builder.write());
    EXPECT_TRUE(runUntil([this] { return tab->session().phase() == Session::Phase::kReady; }));
  }
  template <class Panel>
  Panel& raised(const char* dock) {
    auto* found = window.findChild<QDockWidget*>(dock);
    found->show();
    found->raise();
    auto* panel = window.findChild<Panel*>();
    EXPECT_TRUE(runUntil([panel] { return panel->isVisible() && !panel->working(); }));
    return *panel;
  }
  QTemporaryDir home;
  Settings settings{home.filePath("viewer.ini")};
  MainWindow window{settings};
  ReportTab* tab = nullptr;
};

TEST_F(TablesInWindow, EachPanelShowsTheReportThatIsLookedAt) {
  EXPECT_EQ(raised<views::StatisticsPanel>("statistics").table().model()->rowCount(), 1);
  EXPECT_EQ(raised<views::EventsPanel>("events").table().model()->rowCount(), 5);
  EXPECT_EQ(raised<views::CallsPanel>("calls").headline(), "The report has no NVTX ranges");
  EXPECT_GT(raised<views::AnalysisPanel>("analysis").table().model()->rowCount(), 3);
  window.tabs().close(0);
  EXPECT_EQ(window.findChild<views::StatisticsPanel*>()->message(), "No report");
}

TEST_F(TablesInWindow, TheSummaryTellsTheGpuAndIsSearched) {
  auto& summary = raised<views::SummaryPanel>("summary");
  const QString all = summary.list().allText();
  EXPECT_TRUE(all.contains("Run\tProgram\t/bin/overlap --fast")) << all.toStdString();
  EXPECT_TRUE(all.contains("Times\tRecorded time\t1.030 ms, from 0 ns to 1.030 000 ms: ")) << all.toStdString();
  EXPECT_TRUE(all.contains("Times\tGPU time, GPU 0\t1.010 ms, from 20.000 µs to 1.030 000 ms: ")) << all.toStdString();
  auto* search = summary.findChild<QLineEdit*>();
  QTest::keyClicks(search, "program");
  int shown = 0;
  for (int i = 0; i < summary.list().topLevelItemCount(); ++i) shown += !summary.list().topLevelItem(i)->isHidden();
  EXPECT_EQ(shown, 1);
}

}  // namespace
}  // namespace lanescope::ui
