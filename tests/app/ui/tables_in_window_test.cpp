// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QDockWidget>
#include <QTemporaryDir>

#include "app/ui/main_window.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/analysed.h"
#include "views/panels/analysis_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/tables/figure_table.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using test::us;

/// A window on a report with two kernels, between which the host waits.
class TablesInWindow : public test::HostAndGpu {
 protected:
  TablesInWindow() {
    launch(0, 10, 1);
    kernel(20, 120, 1);
    call(15, 900, "cudaStreamSynchronize_v3020");
    launch(910, 920, 2);
    kernel(930, 1030, 2);
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
  EXPECT_GT(raised<views::AnalysisPanel>("analysis").table().model()->rowCount(), 3);
  window.tabs().close(0);
  EXPECT_EQ(window.findChild<views::StatisticsPanel*>()->message(), "No report");
}

}  // namespace
}  // namespace lanescope::ui
