// SPDX-License-Identifier: GPL-3.0-or-later
// A window, reports and the means that a person has, for whole scenarios of the case collection.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include "app/ui/main_window.h"
#include "app/ui/menu_actions.h"
#include "app/ui/view_keeper.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/latest_job.h"
#include "views/panels/search.h"
#include "views/timeline/filtering.h"

namespace lanescope::ui {

using test::runUntil;
using views::Theme;

struct Cases : testing::Test {
  ~Cases() override {
    Theme::instance().setColouring({});
    Theme::instance().setMode(Theme::Mode::kDark);
  }
  void begin() {
    window = std::make_unique<MainWindow>(settings);
    window->resize(1400, 900);
    window->show();
    QApplication::setActiveWindow(window.get());
  }
  ReportTab& open(const std::filesystem::path& file) {
    ReportTab* tab = window->tabs().open(file);
    EXPECT_TRUE(runUntil([&] { return tab->session().phase() == Session::Phase::kReady && tab->keeper().upToDate(); }));
    QApplication::processEvents();
    return *tab;
  }
  void menu(const QString& text) {
    for (const MenuAction& each : actionsOf(*window->menuBar()))
      if (each.text == text) return each.action->trigger();
    ADD_FAILURE() << text.toStdString();
  }
  /// Chooses an entry of a menu that asks for a file, pastes its path there and takes it. Gives the folder that was
  /// shown first.
  QString fileDialog(const QString& entry, const QString& path) {
    QString shown;
    QTimer::singleShot(0, window.get(), [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      ASSERT_TRUE(dialog) << entry.toStdString();
      shown = dialog->directory().absolutePath();
      auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
      ASSERT_TRUE(name);
      QApplication::clipboard()->setText(path);  // typed letter by letter, Qt would complete it
      name->setFocus();
      QTest::keySequence(name, QKeySequence::SelectAll);
      QTest::keySequence(name, QKeySequence::Paste);
      for (QPushButton* button : dialog->findChildren<QPushButton*>())
        if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
      if (dialog->isVisible()) dialog->reject();
    });
    menu(entry);
    return shown;
  }
  /// Until nothing is worked on beside the window.
  void settle() {
    const auto rests = [&] {
      const auto jobs = window->findChildren<views::LatestJob*>();
      return std::ranges::none_of(jobs, [](const views::LatestJob* job) { return job->running(); });
    };
    for (int i = 0; i < 2; ++i) {  // what was done may ask for more
      QApplication::processEvents();
      EXPECT_TRUE(runUntil(rests));
      views::ViewState& view = window->tabs().current()->view();
      EXPECT_TRUE(
          runUntil([&] { return !views::Search::of(view).running() && !views::Filtering::of(view).running(); }));
    }
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(window.get(), key, modifiers);
    settle();
  }
  void type(QLineEdit& field, const char* text) {
    ASSERT_TRUE(field.hasFocus());
    field.selectAll();
    QTest::keyClicks(&field, text);
    settle();
  }
  /// A panel, come to by its key.
  template <class Panel>
  Panel& panel(Qt::Key number) {
    auto* panel = window->findChild<Panel*>();
    if (!panel->isAncestorOf(QApplication::focusWidget())) key(number, Qt::AltModifier);
    EXPECT_TRUE(panel->isAncestorOf(QApplication::focusWidget()) && !panel->visibleRegion().isEmpty());
    return *panel;
  }
  static std::uint32_t rowLabelled(const views::ViewState& view, const std::string& label) {
    for (std::uint32_t row = 0; row < view.trace()->rows.size(); ++row)
      if (view.trace()->rows[row].label == label) return row;
    ADD_FAILURE() << label;
    return 0;
  }

  const test::TemporaryFolder reports;
  QTemporaryDir folder;
  Settings settings{folder.filePath("viewer.ini")};
  std::unique_ptr<MainWindow> window;
};

/// Kernels of these names, in turn on two GPUs.
inline std::filesystem::path twoGpus(const std::filesystem::path& file, std::initializer_list<const char*> names) {
  test::ReportBuilder builder(file);
  std::int64_t start = 0;
  for (int i = 0; i < 6; ++i)
    for (const char* name : names) {
      start += 100;
      for (const std::int64_t device : {0, 1})
        builder.add(test::K{.start = start, .end = start + 90, .device = device, .stream = 7 + device, .name = name});
    }
  return builder.write();
}

}  // namespace lanescope::ui
