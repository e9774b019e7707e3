// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/settings.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>

namespace lanescope::ui {
namespace {

struct SettingsTest : testing::Test {
  QTemporaryDir folder;
  QString file = folder.filePath("viewer.ini");
};

TEST_F(SettingsTest, TheNewestRecentFileComesFirstAndOnlyOnce) {
  Settings settings(file);
  for (const char* name : {"a", "b", "a"}) settings.addRecentFile(name);
  EXPECT_EQ(settings.recentFiles(), QStringList({"a", "b"}));
}

TEST_F(SettingsTest, OldRecentFilesFallOffTheEnd) {
  Settings settings(file);
  for (int i = 0; i < 20; ++i) settings.addRecentFile(QString::number(i));
  EXPECT_EQ(settings.recentFiles().size(), Settings::kRecentFiles);
  EXPECT_EQ(settings.recentFiles().front(), "19");
}

TEST_F(SettingsTest, ARecentFileCanBeTakenOffTheList) {
  Settings settings(file);
  settings.addRecentFile("a");
  settings.addRecentFile("b");
  settings.removeRecentFile("a");
  EXPECT_EQ(settings.recentFiles(), QStringList({"b"}));
  settings.clearRecentFiles();
  EXPECT_TRUE(settings.recentFiles().isEmpty());
}

TEST_F(SettingsTest, WhatWasSetIsThereInTheNextRun) {
  {
    Settings settings(file);
    settings.setTheme(views::Theme::Mode::kLight);
    settings.setWindow({"geometry", "layout"});
    settings.addRecentFile("/data/a.rep");
  }
  const Settings next(file);
  EXPECT_EQ(next.theme(), views::Theme::Mode::kLight);
  EXPECT_EQ(next.window().layout, "layout");
  EXPECT_EQ(next.recentFiles(), QStringList({"/data/a.rep"}));
}

TEST_F(SettingsTest, WithoutAFileNothingIsRemembered) {
  Settings settings = Settings::none();
  settings.setTheme(views::Theme::Mode::kDark);
  settings.addRecentFile("a");
  EXPECT_EQ(settings.theme(), views::Theme::Mode::kFollowDesktop);
  EXPECT_TRUE(settings.recentFiles().isEmpty());
}

TEST(Settings, ViewsAreKeptBesideThemAndNowhereWithoutAFile) {
  const QTemporaryDir folder;
  EXPECT_EQ(Settings(folder.filePath("viewer.ini")).viewsFolder(), folder.filePath("views"));
  EXPECT_TRUE(Settings::none().viewsFolder().isEmpty());
}

}  // namespace
}  // namespace lanescope::ui
