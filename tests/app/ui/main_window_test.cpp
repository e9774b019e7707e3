// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/main_window.h"

#include <gmock/gmock.h>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/ui/docks.h"
#include "app/ui/drop.h"
#include "app/ui/failure_page.h"
#include "app/ui/load_bar.h"
#include "app/ui/report_bar.h"
#include "app/ui/screenshot.h"
#include "app/ui/welcome_page.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/panels/details_panel.h"
#include "views/panels/loss_banner.h"
#include "views/panels/note_line.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

using test::BlockingLoader;
using test::runUntil;
using test::traceOf;
using Phase = Session::Phase;

struct MainWindowTest : testing::Test {
  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
};

bool isLoaded(ReportTab& tab) { return tab.session().phase() != Phase::kLoading; }

TEST_F(MainWindowTest, StartsWithTheWelcomePageAndNoPanels) {
  MainWindow window(settings);
  window.show();
  EXPECT_EQ(window.windowTitle(), "Lanescope");
  EXPECT_TRUE(window.findChild<WelcomePage*>()->isVisible());
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>()) EXPECT_FALSE(dock->isVisible());
}

TEST_F(MainWindowTest, NamesTheReportThatIsLookedAt) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.show();
  ReportTab* tab = window.tabs().open("overlap_bad.rep");
  EXPECT_EQ(window.windowTitle(), QStringLiteral("overlap_bad.rep — Lanescope"));
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_EQ(window.bar().status(), "0 events lost");
  window.tabs().close(0);
  EXPECT_EQ(window.windowTitle(), "Lanescope");
}

TEST_F(MainWindowTest, ALossThatTouchesNumbersStandsAboveTheTimelineAndLeadsToDiagnostics) {
  const auto trace = std::make_shared<trace::Trace>(*traceOf({0, 10}, true));
  trace->issues = {{"journal", 1, "The file is still being written"}};
  MainWindow window(settings, test::loaderOf(trace));
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  EXPECT_TRUE(tab->lossBanner().isHidden()) << "while nobody knows yet";
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_TRUE(tab->lossBanner().isVisible());
  EXPECT_EQ(tab->lossBanner().text(), "The file is still being written");
  auto* diagnostics = window.findChild<QDockWidget*>("diagnostics");
  EXPECT_FALSE(diagnostics->isVisible());
  tab->lossBanner().findChild<QPushButton*>("lossDetails")->click();
  EXPECT_TRUE(diagnostics->isVisible());
}

TEST_F(MainWindowTest, OnlyWhatMakesFiguresIncompleteIsWarnedOf) {
  const auto toneOf = [this](const char* issue) {
    const auto trace = std::make_shared<trace::Trace>(*traceOf({0, 10}, true));
    trace->issues = {{issue, 1, "one"}};
    MainWindow window(settings, test::loaderOf(trace));
    window.show();
    ReportTab* tab = window.tabs().open("a.rep");
    EXPECT_TRUE(runUntil([&] { return isLoaded(*tab); }));
    return window.findChild<QPushButton*>("lossStatus")->property("tone").toString();
  };
  EXPECT_EQ(toneOf("journal"), "warning");
  EXPECT_EQ(toneOf("projection-cut"), "dim");
  EXPECT_EQ(toneOf("import-repaired-utf8"), "dim");
}

TEST_F(MainWindowTest, InANarrowWindowTheTimelineHasHalfOfIt) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.resize(900, 600);
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_TRUE(runUntil([&] { return tab->timeline().canvas()->width() > 420; }))
      << tab->timeline().canvas()->width() << " beside " << tab->timeline().headerWidth();
  tab->timeline().setHeaderWidth(300);
  window.resize(910, 600);
  QApplication::processEvents();
  EXPECT_EQ(tab->timeline().headerWidth(), 300) << "as the user has them";
}

TEST_F(MainWindowTest, AWholeReportHasNoLineAboutLosses) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_FALSE(tab->lossBanner().isVisible());
}

TEST_F(MainWindowTest, AFileOpenedTwiceHasOneTab) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  ReportTab* first = window.tabs().open("a.rep");
  window.tabs().open("b.rep");
  EXPECT_EQ(window.tabs().open("./a.rep"), first);
  EXPECT_EQ(window.tabs().count(), 2);
  EXPECT_EQ(window.tabs().current(), first);
}

TEST_F(MainWindowTest, AMissingFileSaysSoInItsTab) {
  MainWindow window(settings);
  ReportTab* tab = window.tabs().open("no such file.rep");
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_EQ(tab->session().error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(tab->failurePage().isVisibleTo(tab));
  EXPECT_EQ(tab->failurePage().shown().toLower().toStdString(),
            QString::fromStdString(sentence(tab->session().error())).toLower().toStdString());
  EXPECT_TRUE(settings.recentFiles().isEmpty());
}

TEST_F(MainWindowTest, AReportThatOpensIsRemembered) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_EQ(settings.recentFiles(), QStringList({QString::fromStdString(absolutePath("a.rep").string())}));
}

TEST_F(MainWindowTest, ALongLoadShowsItsProgressAndCanBeCancelled) {
  MainWindow window(settings, BlockingLoader());
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  EXPECT_FALSE(tab->loadBar().isVisible());
  ASSERT_TRUE(runUntil([&] { return tab->loadBar().isVisible(); }));
  tab->loadBar().findChild<QPushButton*>()->click();
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_TRUE(tab->failurePage().isVisible());
  EXPECT_FALSE(tab->loadBar().isVisible());
}

TEST_F(MainWindowTest, AQuickLoadShowsNoProgress) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  EXPECT_FALSE(tab->loadBar().isVisible() || tab->loadBar().isWaiting());
}

TEST_F(MainWindowTest, ClosesWhileAReportStillLoads) {
  const BlockingLoader loader;
  {
    MainWindow window(settings, loader);
    window.show();
    window.tabs().open("a.rep");
    window.tabs().open("b.rep");
    loader.entered->wait(false);
    window.close();
  }
  QCoreApplication::processEvents();
}

TEST_F(MainWindowTest, EveryCommandHasATextAndNoKeyIsTakenTwice) {
  MainWindow window(settings);
  QStringList keys;
  for (const QMenu* menu : window.findChildren<QMenu*>()) {
    for (const QAction* action : menu->actions()) {
      if (action->isSeparator()) continue;
      EXPECT_FALSE(action->text().isEmpty());
      for (const QKeySequence& key : action->shortcuts()) keys += key.toString();
    }
  }
  QStringList once = keys;
  once.removeDuplicates();
  EXPECT_EQ(keys, once);
}

TEST_F(MainWindowTest, NoTwoEntriesOfAMenuHaveOneMnemonic) {
  MainWindow window(settings);
  int seen = 0;
  for (const QMenu* menu : window.findChildren<QMenu*>()) {
    QStringList letters;
    for (const QAction* action : menu->actions())
      if (const auto at = action->text().indexOf('&'); at >= 0) letters += action->text().mid(at + 1, 1).toLower();
    seen += static_cast<int>(letters.size());
    QStringList once = letters;
    once.removeDuplicates();
    EXPECT_EQ(letters, once) << menu->title().toStdString();
  }
  EXPECT_GT(seen, 20);
}

TEST_F(MainWindowTest, DetailsAreFetchedBesideTheWindowAndOnlyWhileTheyAreSeen) {
  const test::TemporaryFolder reports;
  test::ReportBuilder builder(reports / "a.sqlite");
  const auto path = builder.add(test::K{.start = 10, .end = 35, .name = "gemm<int>(float)"}).write();
  MainWindow window(settings);
  window.show();
  ReportTab* tab = window.tabs().open(path);
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  auto* dock = window.findChild<QDockWidget*>("details");
  const auto* docks = window.findChild<Docks*>();
  const auto shown = [&] { return window.findChild<views::DetailsPanel*>()->allText(); };
  dock->hide();
  tab->view().setCurrent(trace::EventRef{0, 0});
  EXPECT_FALSE(docks->fetching());
  dock->show();
  EXPECT_TRUE(docks->fetching());
  ASSERT_TRUE(runUntil([&] { return !docks->fetching(); }));
  EXPECT_TRUE(shown().startsWith("Name\tgemm<int>(float)\nStart\t10 ns\nDuration\t25 ns")) << shown().toStdString();
  EXPECT_TRUE(shown().contains("--kernel-name gemm ")) << shown().toStdString();
  tab->view().setCurrent(std::nullopt);
  EXPECT_FALSE(docks->fetching());
}

TEST_F(MainWindowTest, ADroppedFileOpensInTheEmptyWindowAndAsksOnAnOpenReport) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.show();
  takeDrop(window.tabs(), {"a.rep"}, {});
  EXPECT_EQ(window.tabs().count(), 1);
  takeDrop(window.tabs(), {"b.rep"}, {});
  EXPECT_EQ(window.tabs().count(), 1);
  const auto* menu = window.findChild<QMenu*>("dropMenu");
  ASSERT_TRUE(menu);
  menu->actions().front()->trigger();
  EXPECT_EQ(window.tabs().count(), 2);
}

TEST_F(MainWindowTest, PanelsStandWhereTheyWereInTheNextRun) {
  {
    MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
    window.show();
    window.tabs().open("a.rep");
    window.findChild<QDockWidget*>("diagnostics")->show();
    window.close();
  }
  MainWindow next(settings, test::loaderOf(traceOf({0, 10}, true)));
  next.show();
  next.tabs().open("a.rep");
  EXPECT_TRUE(next.findChild<QDockWidget*>("diagnostics")->isVisible());
}

TEST_F(MainWindowTest, AScreenshotHasTheAskedSizeAndBarsInIt) {
  LANESCOPE_NEEDS_SHARED();
  const auto file = std::filesystem::path(folder.filePath("a.png").toStdString());
  MainWindow window(settings);
  window.resize(1000, 700);
  window.show();
  window.tabs().open(test::sharedFolder() / "golden/overlap_bad/nsys.sqlite");
  std::optional<Result<void>> result;
  takeScreenshot(window, file, [&](Result<void> r) { result = std::move(r); });
  ASSERT_TRUE(runUntil([&] { return result.has_value(); }));
  ASSERT_TRUE(*result);
  const QImage picture(QString::fromStdString(file.string()));
  EXPECT_EQ(picture.size(), QSize(1000, 700));
  int colourful = 0;  // chrome is nearly grey, bars are not
  for (int y = 0; y < picture.height(); ++y) {
    for (int x = 0; x < picture.width(); ++x) colourful += picture.pixelColor(x, y).hsvSaturation() > 120;
  }
  EXPECT_GT(colourful, 2000);
}

TEST_F(MainWindowTest, TwoReportsOfOneNameAreToldApartEverywhere) {
  MainWindow window(settings, test::loaderOf(traceOf({0, 10}, true)));
  window.resize(1400, 900);
  window.show();
  window.tabs().open("/nowhere/rank0/report.rep");
  auto* button = window.findChild<QPushButton*>("reportName");
  EXPECT_EQ(window.windowTitle(), QStringLiteral("report.rep — Lanescope"));
  window.tabs().open("/nowhere/rank1/report.rep");
  EXPECT_EQ(window.windowTitle(), QStringLiteral("rank1/report.rep — Lanescope"));
  EXPECT_EQ(button->text().trimmed(), "rank1/report.rep");
  window.tabs().step(1);
  EXPECT_EQ(window.windowTitle(), QStringLiteral("rank0/report.rep — Lanescope"));
  EXPECT_EQ(button->text().trimmed(), "rank0/report.rep");
  window.tabs().close(1);
  EXPECT_EQ(window.windowTitle(), QStringLiteral("report.rep — Lanescope"));
  EXPECT_EQ(button->text().trimmed(), "report.rep");
}

TEST_F(MainWindowTest, PicturesGoBesideTheReportAndThenWhereTheLastWent) {
  const test::TemporaryFolder reports, other;
  test::ReportBuilder builder(reports / "run.sqlite");
  const auto path = builder.add(test::K{.start = 10, .end = 35, .name = "gemm"}).write();
  MainWindow window(settings);
  window.resize(1400, 900);
  window.show();
  ReportTab* tab = window.tabs().open(path);
  ASSERT_TRUE(runUntil([&] { return isLoaded(*tab); }));
  QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  const auto save = [&](const QString& to) {
    QString offered;
    window.activateWindow();
    EXPECT_TRUE(runUntil([&] { return window.isActiveWindow(); }));
    QTimer::singleShot(0, &window, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      ASSERT_TRUE(dialog);
      offered = dialog->selectedFiles().value(0);
      auto* field = dialog->findChild<QLineEdit*>("fileNameEdit");
      field->setText(to);
      QTest::keyClick(field, Qt::Key_Return);
    });
    QTest::keyClick(&window, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    return offered;
  };
  const QString first = QString::fromStdString((other / "one.png").string());
  EXPECT_EQ(save(first), QString::fromStdString((reports / "run.png").string()));
  EXPECT_TRUE(QFile::exists(first));
  EXPECT_TRUE(tab->noteLine().isVisible());
  EXPECT_EQ(tab->noteLine().text(), "Saved as " + first);
  QTest::keyClick(tab->timeline().canvas(), Qt::Key_W);
  EXPECT_FALSE(tab->noteLine().isVisible()) << "goes with the next action";
  EXPECT_EQ(save(first + "2.png"), QString::fromStdString((other / "run.png").string()));
}

}  // namespace
}  // namespace lanescope::ui
