// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed into a field of the window stays there (GUI-14).
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/main_window.h"
#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"
#include "tests/views/panels/panel_trace.h"
#include "views/timeline/filter_bar.h"
#include "views/timeline/marks.h"
#include "views/timeline/row_line.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

TEST(Typing, LettersInAFieldNeverReachTheTimeline) {
  const QTemporaryDir folder;
  Settings settings(folder.filePath("viewer.ini"));
  MainWindow window(settings, test::loaderOf(views::panelTrace()));
  window.resize(1600, 1000);
  window.show();
  window.activateWindow();
  ReportTab* tab = window.tabs().open("a.rep");
  ASSERT_TRUE(test::runUntil([&] { return tab->session().phase() == Session::Phase::kReady; }));
  views::ViewState& view = tab->view();
  tab->timeline().filterBar()->focus();
  tab->timeline().rowLine()->find();
  view.setVisible({100'000, 300'000});
  view.setCurrent(trace::EventRef{0, 1});
  view.setSelection(trace::TimeRange{100'000, 200'000});
  view.setCurrentRow(1);

  // Every letter that the timeline takes, and "?", a key of the menu.
  const QString letters = "wasdgzjlntpmx?";
  QStringList typed;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) dock->show();
  const auto check = [&](QLineEdit* field) {
    if (!field->isVisible() || !field->isEnabled() || field->isReadOnly()) return;
    field->setFocus();
    ASSERT_TRUE(field->hasFocus()) << field->placeholderText().toStdString();
    field->clear();
    QTest::keyClicks(field, letters);
    EXPECT_EQ(field->text(), letters) << field->placeholderText().toStdString();
    for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Left, Qt::Key_Right, Qt::Key_End, Qt::Key_Backspace})
      QTest::keyClick(field, key);
    EXPECT_EQ(field->text(), letters.chopped(1));
    EXPECT_EQ(view.visible(), (trace::TimeRange{100'000, 300'000})) << field->placeholderText().toStdString();
    EXPECT_EQ(view.current(), (trace::EventRef{0, 1}));
    EXPECT_EQ(view.selection(), (trace::TimeRange{100'000, 200'000}));
    if (!tab->timeline().rowLine()->isAncestorOf(field)) EXPECT_EQ(view.currentRow(), 1U);  // which finds rows
    EXPECT_TRUE(view.marks().all().empty());
    EXPECT_FALSE(view.measure());
    EXPECT_FALSE(QApplication::activeModalWidget());
    typed += field->placeholderText();
    field->clear();
  };
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
    dock->raise();
    QApplication::processEvents();
    for (QLineEdit* field : dock->findChildren<QLineEdit*>()) check(field);
  }
  for (QLineEdit* field : window.findChildren<QLineEdit*>())
    if (!typed.contains(field->placeholderText())) check(field);
  EXPECT_GE(typed.size(), 6) << typed.join("; ").toStdString();
}

}  // namespace
}  // namespace lanescope::ui
