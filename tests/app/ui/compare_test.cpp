// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare_tab.h"

#include <gtest/gtest.h>

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "app/ui/drop.h"
#include "app/ui/failure_page.h"
#include "app/ui/open_files.h"
#include "app/ui/screenshot.h"
#include "model/compare/comparison_table.h"
#include "tests/app/ui/cases.h"
#include "views/compare/compare_bar.h"
#include "views/panels/comparison_panel.h"
#include "views/tables/figure_table.h"
#include "views/timeline/marks.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

using test::K;
using views::kA;
using views::kB;

/// Steps of two kernels on a thread; `slow` is how long the second takes in the last five of ten.
std::filesystem::path steps(const std::filesystem::path& file, std::int64_t begin, std::int64_t slow, int count = 10) {
  test::ReportBuilder builder(file);
  std::int64_t at = begin;
  for (int i = 0; i < count; ++i) {
    const std::int64_t second = i < 5 ? 40'000 : slow;
    const std::int64_t launch = 100 + 2 * i;
    builder.add(test::N{.start = at, .end = at + 60'000 + second, .text = "step " + std::to_string(i)});
    builder.add(test::R{.start = at + 1000, .end = at + 2000, .correlation = launch});
    builder.add(test::R{.start = at + 3000, .end = at + 4000, .correlation = launch + 1});
    builder.add(K{.start = at + 5000, .end = at + 15'000, .correlation = launch, .name = "gemm<float>(int)"});
    builder.add(K{.start = at + 16'000, .end = at + 16'000 + second, .correlation = launch + 1, .name = "relu"});
    at += 100'000 + second;
  }
  return builder.write();
}

struct Comparing : Cases {
  void SetUp() override { begin(); }

  CompareTab& compare(const std::filesystem::path& a, const std::filesystem::path& b) {
    CompareTab* tab = window->tabs().compare({a}, {b});
    EXPECT_TRUE(runUntil([&] { return tab->links().matched() != nullptr; }));
    settle();
    return *tab;
  }
  CompareTab& compareSteps() {
    return compare(steps(reports / "a.sqlite", 1'000'000, 40'000), steps(reports / "b.sqlite", 9'000'000, 90'000));
  }
  views::ComparisonPanel& table() { return *window->findChild<views::ComparisonPanel*>(); }
  QDockWidget& dock() { return *window->findChild<QDockWidget*>("comparison"); }
};

TEST_F(Comparing, TheOptionOpensBothInOneTabAndAPictureOfThemHasBars) {
  Options options;
  options.compared = {steps(reports / "a.sqlite", 0, 40'000), steps(reports / "b.sqlite", 0, 90'000)};
  ASSERT_TRUE(openFiles(*window, options));
  ASSERT_TRUE(window->tabs().comparison());
  EXPECT_EQ(window->tabs().count(), 1);
  EXPECT_EQ(window->windowTitle(), QStringLiteral("a.sqlite ↔ b.sqlite — Lanescope"));
  const auto file = std::filesystem::path(folder.filePath("compared.png").toStdString());
  std::optional<Result<void>> result;
  takeScreenshot(*window, file, [&](Result<void> r) { result = std::move(r); });
  ASSERT_TRUE(runUntil([&] { return result.has_value(); }));
  ASSERT_TRUE(*result);
  EXPECT_TRUE(window->tabs().comparison()->links().matched());
  const QString text = window->tabs().comparison()->bar().text();
  EXPECT_TRUE(text.startsWith("100.0 % of the events") && text.contains("Aligned by work: 10 of 10 iterations"))
      << text.toStdString();
  EXPECT_EQ(Theme::palette().legend().size(), 5u) << "the line above says what the colours mean";
  const QImage picture(QString::fromStdString(file.string()));
  const QRgb slower = Theme::palette().colours().changes[1];
  int slow = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) slow += picture.pixel(x, y) == slower;
  EXPECT_GT(slow, 500);
}

TEST_F(Comparing, TheTableSaysWhatDiffSaysAndAChosenNameStandsOutInBoth) {
  CompareTab& tab = compareSteps();
  ASSERT_TRUE(dock().isVisible());
  const auto run = [](const std::filesystem::path& file, const std::string& rather) {
    return *compare::readRun(file, file.string(), {{}, rather}, false);
  };
  const std::array runs{run(tab.side(kA).session().path(), {}), run(tab.side(kB).session().path(), {})};
  const compare::Comparison diff = compare::compare(std::span(runs).first(1), std::span(runs).last(1));
  ASSERT_TRUE(table().comparison());
  EXPECT_EQ(toJson(*table().comparison()), toJson(diff));
  EXPECT_EQ(table().table().content().rows, diff.names.size());

  const auto relu = std::ranges::find(diff.names, "relu", &compare::ComparedName::name);
  ASSERT_NE(relu, diff.names.end());
  auto* search = table().findChild<QLineEdit*>();
  search->setText("relu");
  ASSERT_EQ(table().table().content().rows, 1u);
  emit table().table().chosen(0);
  for (const views::Side side : {kA, kB}) {
    const views::ViewState& view = tab.side(side).view();
    ASSERT_TRUE(view.chosenName());
    EXPECT_EQ((*view.trace()->names)[*view.chosenName()].text, "relu");
  }
}

TEST_F(Comparing, TheTableOfWhatIsSelectedCountsThatOnBothSides) {
  CompareTab& tab = compareSteps();
  for (auto* chip : table().findChildren<QToolButton*>())
    if (chip->text() == "Selection only") chip->click();
  EXPECT_TRUE(table().message().startsWith("Nothing is selected"));
  views::ViewState& a = tab.side(kA).view();
  a.setSelection(trace::TimeRange{a.trace()->range.begin, a.trace()->range.begin + 2 * 140'000});
  settle();
  ASSERT_TRUE(table().comparison());
  const auto& names = table().comparison()->names;
  const auto relu = std::ranges::find(names, "relu", &compare::ComparedName::name);
  ASSERT_NE(relu, names.end());
  EXPECT_EQ(relu->a->count, 2u);
  EXPECT_EQ(relu->b->count, 2u);
}

TEST_F(Comparing, CommandsActOnTheSideThatHasTheKeyboard) {
  CompareTab& tab = compareSteps();
  tab.side(kA).setFocus();
  EXPECT_EQ(window->tabs().current(), &tab.side(kA));
  key(Qt::Key_F6, {});
  EXPECT_EQ(window->tabs().current(), &tab.side(kB));
  menu("Mark here");
  EXPECT_EQ(tab.side(kB).view().marks().all().size(), 1u);
  EXPECT_TRUE(tab.side(kA).view().marks().all().empty());
  key(Qt::Key_L, Qt::ControlModifier);
  EXPECT_FALSE(tab.links().linked());
  const trace::TimeRange a = tab.side(kA).view().visible();
  menu("Zoom in");
  EXPECT_EQ(tab.side(kA).view().visible(), a);
  key(Qt::Key_L, Qt::ControlModifier);
  key(Qt::Key_B, Qt::ControlModifier);
  EXPECT_TRUE(tab.side(kA).view().current() && tab.side(kB).view().current());
  key(Qt::Key_Minus, Qt::AltModifier);
  EXPECT_TRUE(dock().isAncestorOf(QApplication::focusWidget()));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
  EXPECT_TRUE(tab.focused()->isAncestorOf(QApplication::focusWidget()));
  for (const auto& each : actionsOf(*window->menuBar()))
    if (each.menu == "View" || each.menu == "Go" || each.menu.startsWith("Rows"))
      if (!each.text.endsWith(QChar(0x2026))) each.action->trigger();
}

TEST_F(Comparing, AReportAgainstItselfHasNoDifferenceAndOutlivesItsOwnTab) {
  const auto file = steps(reports / "a.sqlite", 0, 40'000);
  open(file);
  CompareTab& tab = compare(file, file);
  EXPECT_EQ(tab.side(kA).view().trace(), tab.side(kB).view().trace()) << "it was not read again";
  EXPECT_TRUE(tab.links().matched()->biggest.empty());
  for (const compare::ComparedName& name : table().comparison()->names) EXPECT_EQ(name.difference, 0) << name.name;
  window->tabs().close(0);
  settle();
  EXPECT_EQ(window->tabs().current(), &tab.side(kA));
  tab.side(kA).session().load();
  ASSERT_TRUE(runUntil([&] { return tab.side(kA).view().trace() != tab.side(kB).view().trace(); }));
  ASSERT_TRUE(runUntil([&] { return tab.links().matched() && tab.side(kA).view().changes(); }));
  window->tabs().close(0);
  QApplication::processEvents();
  EXPECT_EQ(window->tabs().count(), 0);
  EXPECT_FALSE(dock().isVisible());
}

TEST_F(Comparing, OneThatCannotBeReadIsSaidAndTheOtherIsStillLookedAt) {
  const auto a = steps(reports / "a.sqlite", 0, 40'000), missing = reports / "b.sqlite";
  CompareTab* tab = window->tabs().compare({a}, {missing});
  ASSERT_TRUE(runUntil([&] {
    return tab->side(kA).session().phase() == Session::Phase::kReady &&
           tab->side(kB).session().phase() == Session::Phase::kFailed;
  }));
  EXPECT_EQ(tab->bar().text(), "B could not be read");
  const auto* panel = window->findChild<views::ComparisonPanel*>();
  EXPECT_EQ(panel->message(), "b.sqlite could not be read");
  EXPECT_TRUE(tab->side(kB).failurePage().isVisible());
  tab->side(kA).setFocus();
  menu("Zoom in");
  key(Qt::Key_B, Qt::ControlModifier);
  steps(missing, 500'000, 90'000);
  emit const_cast<FailurePage&>(tab->side(kB).failurePage()).retried();
  ASSERT_TRUE(runUntil([&] { return tab->links().matched() != nullptr; }));
  EXPECT_EQ(tab->side(kA).view().visible().length(), tab->side(kB).view().visible().length());
  EXPECT_TRUE(runUntil([&] { return panel->comparison() != nullptr; }));
}

TEST_F(Comparing, FilesOfOtherToolsAreComparedInTheTableOnceTheirReportsAreMade) {
  setenv("XDG_CACHE_HOME", (reports / "cache").c_str(), 1);
  const auto kineto = [&](const char* name, int length) {
    const auto file = reports / name;
    test::writeFile(file, R"({"schemaVersion": 1, "traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": )" +
                              std::to_string(length) + R"(, "args": {"device": 0, "context": 1, "stream": 7}}]})");
    return file;
  };
  const auto a = kineto("a.json", 5), b = kineto("b.json", 50);
  for (int time = 0; time < 2; ++time) {  // the second time the reports are there already
    compare(a, b);
    ASSERT_TRUE(runUntil([&] { return table().comparison() != nullptr; })) << table().message().toStdString();
    EXPECT_EQ(table().message(), "");
    EXPECT_EQ(table().comparison()->names.size(), 1u);
    window->tabs().close(0);
    QApplication::processEvents();
  }
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(Comparing, AFileThatIsDroppedOnAReportIsComparedWithItWhenAsked) {
  open(steps(reports / "a.sqlite", 0, 40'000));
  takeDrop(window->tabs(), {steps(reports / "b.sqlite", 0, 90'000)}, {});
  auto* menu = window->findChild<QMenu*>("dropMenu");
  ASSERT_TRUE(menu);
  ASSERT_EQ(menu->actions().size(), 3);
  EXPECT_EQ(menu->actions()[1]->text(), "Compare with a.sqlite");
  EXPECT_EQ(menu->actions()[2]->text(), "On one timeline with a.sqlite");
  menu->actions()[1]->trigger();
  ASSERT_TRUE(window->tabs().comparison());
  EXPECT_EQ(window->tabs().comparison()->side(kA).title(), "a.sqlite");
  EXPECT_EQ(window->tabs().comparison()->side(kB).title(), "b.sqlite");
}

TEST_F(Comparing, TheDialogOffersWhatIsOpen) {
  open(steps(reports / "a.sqlite", 0, 40'000));
  open(steps(reports / "b.sqlite", 0, 90'000));
  menu("Compare…");
  auto* dialog = window->findChild<QDialog*>("compareDialog");
  ASSERT_TRUE(dialog);
  const auto fields = dialog->findChildren<QComboBox*>();
  ASSERT_EQ(fields.size(), 2);
  EXPECT_TRUE(fields[0]->currentText().endsWith("b.sqlite")) << "the one that is looked at";
  QPushButton* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  fields[0]->setEditText("/nowhere.rep");
  EXPECT_FALSE(ok->isEnabled());
  fields[0]->setCurrentIndex(0);
  fields[1]->setCurrentIndex(1);
  QTest::mouseClick(ok, Qt::LeftButton);
  ASSERT_TRUE(window->tabs().comparison());
  EXPECT_EQ(window->tabs().comparison()->title(), QStringLiteral("a.sqlite ↔ b.sqlite"));
}

TEST_F(Comparing, HowTheyStandIsKeptForTheNextTime) {
  const auto a = steps(reports / "a.sqlite", 0, 40'000);
  CompareTab& tab = compare(a, a);
  EXPECT_FALSE(tab.isBeside());
  menu("Side by side");
  EXPECT_TRUE(tab.isBeside());
  EXPECT_TRUE(compare(a, a).isBeside());
}

TEST_F(Comparing, TheyAreAlignedAsAsked) {
  CompareTab& tab = compareSteps();
  views::ViewState &a = tab.side(kA).view(), &b = tab.side(kB).view();
  menu("By start of the recording");
  settle();
  EXPECT_EQ(tab.links().toOther(kA, a.trace()->range.begin), b.trace()->range.begin);
  compare::AlignRequest offset;
  offset.by = compare::AlignBy::kOffset;
  offset.offset = 12'345;
  tab.align(offset);
  settle();
  EXPECT_EQ(tab.links().toOther(kA, 5), 12'350);
  EXPECT_TRUE(tab.bar().text().contains("offset")) << tab.bar().text().toStdString();
  tab.links().setLinked(false);
  a.setCurrent(trace::EventRef{0, 1});
  b.setCurrent(trace::EventRef{0, 0});
  menu("By the two current events");
  settle();
  EXPECT_EQ(tab.links().toOther(kA, a.trace()->time({0, 1}).begin), b.trace()->time({0, 0}).begin);
}

TEST_F(Comparing, OrdinaryColoursCanBeChosenAndOtherReportsKeepTheirs) {
  CompareTab& tab = compareSteps();
  EXPECT_EQ(Theme::instance().colouring().by, views::Colouring::By::kChange);
  menu("Kind");
  EXPECT_EQ(Theme::instance().colouring().by, views::Colouring::By::kKind);
  EXPECT_EQ(tab.side(kB).view().colourBy(), views::Colouring::By::kKind);
  menu("Change (of compared reports)");
  EXPECT_EQ(Theme::instance().colouring().by, views::Colouring::By::kChange);
  open(steps(reports / "c.sqlite", 0, 1000));
  EXPECT_EQ(Theme::instance().colouring().by, views::Colouring::By::kName);
  EXPECT_FALSE(dock().isVisible());
}

}  // namespace
}  // namespace lanescope::ui
