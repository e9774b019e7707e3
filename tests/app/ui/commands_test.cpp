// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette and the sheet of keys, which are made from the menus.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <set>

#include "app/ui/command_palette.h"
#include "app/ui/docks.h"
#include "app/ui/key_sheet.h"
#include "app/ui/main_window.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"
#include "views/dialogs/help_window.h"
#include "views/timeline/gestures.h"

namespace lanescope::ui {
namespace {

TEST(Fit, LettersStandInTheirOrderWhateverTheCase) {
  EXPECT_TRUE(fit(u"zin", u"Zoom in"));
  EXPECT_TRUE(fit(u"", u"Zoom in"));
  EXPECT_TRUE(fit(u"zoom in", u"Zoom in"));
  EXPECT_FALSE(fit(u"niz", u"Zoom in"));
}

TEST(Fit, BeginsOfWordsAndLettersInARowAreBetter) {
  EXPECT_GT(fit(u"ne", u"Next event"), fit(u"ne", u"Lanes"));
  EXPECT_GT(fit(u"fit", u"Fit all"), fit(u"fit", u"Filter it"));
}

class MenuCommands : public testing::Test {
 protected:
  QMenuBar menus;
  QMenu& view = *menus.addMenu("&View");
  int triggered = 0;

  MenuCommands() {
    view.addAction("Zoom &in\tW", &view, [this] { ++triggered; });
    view.addSeparator();
    view.addAction("&Save && close", QKeySequence("Ctrl+K"), &view, [this] { triggered += 10; });
    QMenu* theme = view.addMenu("&Theme");
    theme->addAction("&Dark")->setEnabled(false);
  }
};

TEST_F(MenuCommands, AreListedOnceAsTheyAreRead) {
  const auto list = actionsOf(menus);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].text, QString("Zoom in"));
  EXPECT_EQ(list[0].key, QString("W"));
  EXPECT_TRUE(list[0].byTimeline);
  EXPECT_EQ(list[1].text, QString("Save & close"));
  EXPECT_EQ(list[1].key, QString("Ctrl+K"));
  EXPECT_EQ(list[2].menu, QString("View › Theme"));
}

TEST_F(MenuCommands, ThePaletteDoesWhatFitsBest) {
  auto* palette = new CommandPalette(menus, nullptr);
  palette->show();
  QTest::keyClicks(&palette->field(), "sacl");
  ASSERT_EQ(palette->list().topLevelItemCount(), 1);
  EXPECT_EQ(palette->list().topLevelItem(0)->text(1), QString("Ctrl+K"));
  QTest::keyClick(&palette->field(), Qt::Key_Return);
  EXPECT_TRUE(test::runUntil([&] { return triggered == 10; }));
}

TEST_F(MenuCommands, ThePaletteIsWalkedWithArrowsAndLeavesDisabledCommandsAlone) {
  auto* palette = new CommandPalette(menus, nullptr);
  palette->show();
  QTest::keyClick(&palette->field(), Qt::Key_Down);
  EXPECT_EQ(palette->list().currentItem()->text(1), QString("Ctrl+K"));
  palette->field().setText("dark");
  ASSERT_EQ(palette->list().topLevelItemCount(), 1);
  QTest::keyClick(&palette->field(), Qt::Key_Return);
  EXPECT_TRUE(palette->isVisible());
  delete palette;
}

TEST_F(MenuCommands, TheSheetHasEachKeyOnceAndTheGestures) {
  const QString sheet = keySheet(menus);
  EXPECT_TRUE(sheet.contains("Ctrl+K"));
  EXPECT_EQ(sheet.count(">Zoom in<"), 1) << "from the gestures, not from the menu too";
  EXPECT_TRUE(sheet.contains("Shift+wheel"));
  EXPECT_TRUE(sheet.contains("Select time and rows"));
}

TEST(CommandsOfTheWindow, HaveKeysThatNoOtherHas) {
  Settings settings = Settings::none();
  MainWindow window(settings);
  std::multiset<QString> keys;
  const auto list = actionsOf(*window.menuBar());
  EXPECT_GT(list.size(), 40U);
  for (const MenuAction& each : list)
    if (!each.key.isEmpty()) keys.insert(each.key);
  for (const QString& key : keys) EXPECT_EQ(keys.count(key), 1U) << key.toStdString();
}

TEST(CommandsOfTheWindow, APanelIsComeToByAKeyLeftWithEscAndHiddenByTheKeyOnceMore) {
  Settings settings = Settings::none();
  MainWindow window(settings, test::loaderOf(test::traceOf({0, 10}, true)));
  window.show();
  window.activateWindow();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(test::runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
  tab->setFocus();
  ASSERT_EQ(window.findChild<Docks*>()->all().size(), 11);  // Ranks has a key beside the digits
  for (int number = 0; number < 10; ++number) {
    const auto press = [&] { QTest::keyClick(&window, static_cast<Qt::Key>(Qt::Key_0 + number), Qt::AltModifier); };
    const auto within = [] {
      QWidget* at = QApplication::focusWidget();
      while (at != nullptr && qobject_cast<QDockWidget*>(at) == nullptr) at = at->parentWidget();
      return qobject_cast<QDockWidget*>(at);
    };
    press();
    QDockWidget* dock = within();
    ASSERT_TRUE(dock) << number;
    EXPECT_FALSE(dock->visibleRegion().isEmpty()) << number;
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    EXPECT_FALSE(within()) << number;
    EXPECT_TRUE(tab->isAncestorOf(QApplication::focusWidget())) << number;
    press();
    EXPECT_EQ(within(), dock) << "one in front is come to";
    press();
    EXPECT_TRUE(dock->isHidden()) << number;
    EXPECT_TRUE(tab->isAncestorOf(QApplication::focusWidget())) << number;
  }
}

TEST(CommandsOfTheWindow, TextGrowsAndShrinksAndIsRemembered) {  // GUI-12
  Settings settings = Settings::none();
  MainWindow window(settings);
  const auto trigger = [&](const QString& key) {
    for (const MenuAction& each : actionsOf(*window.menuBar()))
      if (each.action->shortcuts().contains(QKeySequence(key))) each.action->trigger();
  };
  const int before = views::Theme::font().pixelSize();
  for (int i = 0; i < 3; ++i) trigger("Ctrl+=");
  EXPECT_GT(views::Theme::font().pixelSize(), before);
  trigger("Ctrl+0");
  EXPECT_EQ(views::Theme::font().pixelSize(), before);
  for (int i = 0; i < 3; ++i) trigger("Ctrl+-");
  EXPECT_LT(views::Theme::font().pixelSize(), before);
  trigger("Ctrl+0");
}

TEST(Gestures, AllHaveADescriptionAndKeysOfTheirOwn) {
  std::multiset<QString> keys;
  for (const views::GestureLine& line : views::gestureSheet()) {
    EXPECT_FALSE(line.what.isEmpty()) << line.how.toStdString();
    keys.insert(line.how);
  }
  for (const char* key : {"T", "Shift+T", "L", "Shift+L", "X", "[", "]", "Ctrl+Shift+drag"})
    EXPECT_EQ(keys.count(key), 1U) << key;
}

TEST(HelpKey, OpensThePageOfTheFocusedPanel) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath("viewer.ini"));
  MainWindow window(settings, test::loaderOf(test::traceOf({0, 10}, true)));
  window.resize(1600, 1000);
  window.show();
  window.activateWindow();
  const auto placeFrom = [&window](QWidget* widget) {
    window.activateWindow();
    EXPECT_TRUE(test::runUntil([&] { return window.isActiveWindow(); }));
    widget->setFocus();
    QTest::keyClick(widget, Qt::Key_F1);
    auto* help = window.findChild<views::HelpWindow*>();
    const QString place = help ? help->place() : QString();
    delete help;
    return place;
  };
  EXPECT_EQ(placeFrom(&window), QString("index"));
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(test::runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
  EXPECT_EQ(placeFrom(tab), QString("reading-the-timeline"));

  const std::vector<views::HelpPage> pages = views::helpPages();
  int seen = 0;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
    dock->show();
    dock->raise();
    for (QWidget* widget : dock->findChildren<QWidget*>()) {
      if (!widget->isVisible() || !widget->isEnabled() || !(widget->focusPolicy() & Qt::TabFocus)) continue;
      const QString place = placeFrom(widget);
      EXPECT_NE(place, QString("reading-the-timeline")) << dock->objectName().toStdString() << " has no page";
      const auto page = std::ranges::find(pages, place.section('#', 0, 0), &views::HelpPage::id);
      ASSERT_NE(page, pages.end()) << place.toStdString();
      // A section that is not there would have shown the page without it.
      const bool wholePage = QStringList{"statistics", "analysis", "ranks"}.contains(dock->objectName());
      EXPECT_NE(place.contains('#'), wholePage) << dock->objectName().toStdString();
      ++seen;
      break;
    }
  }
  EXPECT_GE(seen, 8);
}

TEST(CommandsOfTheWindow, AreEnabledAsTheViewIsBeforeAnyMenuWasOpened) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath("viewer.ini"));
  MainWindow window(settings, test::loaderOf(test::traceOf({0, 1000}, true)));
  window.show();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(test::runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
  views::ViewState& view = tab->view();
  view.fitAll();
  const trace::TimeRange all = view.visible();
  const auto enabled = [&](const QString& text) {
    for (const MenuAction& each : actionsOf(*window.menuBar()))
      if (each.text == text) return each.action->isEnabled();
    ADD_FAILURE() << text.toStdString();
    return false;
  };
  const auto runByName = [&](const QString& name) {
    window.activateWindow();
    ASSERT_TRUE(test::runUntil([&] { return window.isActiveWindow(); }));
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* palette = window.findChild<CommandPalette*>();
    ASSERT_TRUE(palette);
    QTest::keyClicks(&palette->field(), name);
    QTest::keyClick(&palette->field(), Qt::Key_Return);
    EXPECT_TRUE(test::runUntil([&] { return !window.findChild<CommandPalette*>(); })) << name.toStdString();
  };
  EXPECT_FALSE(enabled("Zoom to selection"));
  view.setSelection(trace::TimeRange{100, 200});
  EXPECT_TRUE(enabled("Zoom to selection"));
  runByName("Zoom to selection");
  EXPECT_EQ(view.visible(), (trace::TimeRange{100, 200}));
  runByName("Undo zoom");
  EXPECT_EQ(view.visible(), all);
  view.setSelection(std::nullopt);
  EXPECT_FALSE(enabled("Zoom to selection"));
  window.tabs().open("b.rep");
  EXPECT_FALSE(enabled("Undo zoom")) << "of another report";
}

}  // namespace
}  // namespace lanescope::ui
