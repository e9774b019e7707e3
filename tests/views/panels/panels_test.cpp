// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

#include "views/panels/copyable_tree.h"
#include "views/panels/details_panel.h"
#include "views/panels/diagnostics_panel.h"

namespace lanescope::views {
namespace {

QString shownText(const QWidget& panel) {
  QStringList texts;
  for (const QLabel* label : panel.findChildren<QLabel*>()) {
    if (label->isVisibleTo(&panel)) texts += label->text().remove(QChar(0x200B));
  }
  return texts.join('|');
}

void press(QWidget* widget, int key) {
  for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
    QKeyEvent event(type, key, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
  }
}

void click(QWidget* widget, QPoint at) {
  for (const QEvent::Type type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
    QMouseEvent event(type, at, widget->mapToGlobal(at), Qt::LeftButton,
                      type == QEvent::MouseButtonPress ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(widget, &event);
  }
}

CopyableTree& listOf(QWidget& panel) { return *panel.findChild<CopyableTree*>(); }

TEST(DetailsPanel, InvitesToClickWhileThereIsNoEvent) {
  const DetailsPanel panel;
  EXPECT_EQ(shownText(panel), "Click an event to see it here");
}

TEST(DetailsPanel, ShowsTheNameOnceAndThenTheFieldsInTheirOrder) {
  DetailsPanel panel;
  panel.setEvent("attention", {{"Name", "attention", true}, {"Start", "1 ms", true}, {"Grid", "1 × 1 × 1"}});
  EXPECT_EQ(shownText(panel), "attention");
  EXPECT_EQ(listOf(panel).allText(), QStringLiteral("Start\t1 ms\nGrid\t1 × 1 × 1"));
}

TEST(DetailsPanel, AWholeNameThatSaysMoreThanTheLabelStandsBelowIt) {
  DetailsPanel panel;
  panel.setEvent("attention", {{"Name", "attention<float>(int)", true}});
  EXPECT_EQ(shownText(panel), "attention|attention<float>(int)");
}

TEST(DetailsPanel, ALongValueIsWrappedNotCutAndWholeInItsToolTip) {
  DetailsPanel panel;
  const std::string longValue(300, 'x');
  panel.setEvent("k", {{"Short", "1"}, {"Launched by", longValue}});
  panel.resize(300, 600);
  panel.show();
  QApplication::processEvents();
  CopyableTree& list = listOf(panel);
  const QRect one = list.visualItemRect(list.topLevelItem(0)), many = list.visualItemRect(list.topLevelItem(1));
  EXPECT_GT(many.height(), 3 * one.height());
  EXPECT_EQ(list.topLevelItem(1)->toolTip(1), QString::fromStdString(longValue));
}

/// A hint for narrower lines than are painted left a line blank below some values.
TEST(DetailsPanel, AValueOfSeveralLinesIsAsHighAsItsText) {
  DetailsPanel panel;
  std::string value;
  for (int i = 0; i < 24; ++i) value += "word" + std::string(static_cast<std::size_t>(i % 7), 'x') + " ";
  panel.setEvent("k", {{"Short", "1"}, {"Long", value}});
  panel.show();
  for (int width = 260; width < 420; width += 7) {
    panel.resize(width, 600);
    QApplication::processEvents();
    CopyableTree& list = listOf(panel);
    const int line = list.visualItemRect(list.topLevelItem(0)).height();
    const QRect rect = list.visualItemRect(list.topLevelItem(1));
    const QImage image = list.viewport()->grab(rect).toImage();
    const QRgb ground = image.pixel(image.width() - 1, image.height() - 1);
    int below = 0;
    const auto blank = [&](int y) {
      for (int x = 0; x < image.width(); ++x)
        if (image.pixel(x, y) != ground) return false;
      return true;
    };
    while (below < image.height() && blank(image.height() - 1 - below)) ++below;
    EXPECT_LT(below, line) << width;
    EXPECT_GT(below, 0) << width << ": nothing is cut off";
  }
}

TEST(DetailsPanel, GroupsHaveHeadingsButTheFirst) {
  using enum report::FieldGroup;
  DetailsPanel panel;
  panel.setEvent("k", {{"Start", "1"},
                       {"Static shared memory", "2", false, kMemory},
                       {"Launched by", "f", true, kLaunch},
                       {"Stream", "7", true, kWhere},
                       {"qmd", "0", false, kOther}});
  EXPECT_EQ(listOf(panel).allText(),
            "Start\t1\nMemory\nStatic shared memory\t2\nLaunch\nLaunched by\tf\nWhere\n"
            "Stream\t7\nAlso recorded\nqmd\t0");
}

report::CallStack stackOf(std::initializer_list<const char*> symbols) {
  report::CallStack stack;
  for (const char* symbol : symbols) stack.frames.push_back({symbol, "/lib/libc.so.6"});
  return stack;
}

TEST(DetailsPanel, TheCallStackIsCountedAndInnermostFirst) {
  DetailsPanel panel;
  panel.setEvent("poll", {{"Start", "1"}}, stackOf({"__poll", "main"}));
  EXPECT_EQ(listOf(panel).allText(), "Start\t1\nCall stack (2)\n__poll (libc.so.6)\nmain (libc.so.6)");
  panel.setEvent("poll", {{"Start", "1"}});
  EXPECT_EQ(listOf(panel).allText(), "Start\t1");
}

TEST(DetailsPanel, AFoldedSectionStaysFoldedForTheNextEvent) {
  DetailsPanel panel;
  panel.setEvent("poll", {{"Start", "1"}}, stackOf({"__poll", "main"}));
  panel.show();
  CopyableTree& list = listOf(panel);
  EXPECT_TRUE(list.topLevelItem(1)->isExpanded());
  list.setCurrentItem(list.topLevelItem(1));
  press(&list, Qt::Key_Space);
  EXPECT_FALSE(list.topLevelItem(1)->isExpanded());
  panel.setEvent("read", {{"Start", "2"}}, stackOf({"read"}));
  EXPECT_FALSE(list.topLevelItem(1)->isExpanded());
  click(list.viewport(), list.visualItemRect(list.topLevelItem(1)).center());
  EXPECT_TRUE(list.topLevelItem(1)->isExpanded());
}

std::vector<report::Field> manyFields(const char* value) {
  std::vector<report::Field> fields = {{"Name", value}};
  for (int i = 0; i < 60; ++i) fields.push_back({"Field " + std::to_string(i), value});
  return fields;
}

TEST(DetailsPanel, TheNextEventKeepsTheScrollPositionTheRowAndTheFocusElsewhere) {  // GUI-18
  QWidget window;
  auto* layout = new QVBoxLayout(&window);
  auto* elsewhere = new QLineEdit;
  auto* panel = new DetailsPanel;
  layout->addWidget(elsewhere);
  layout->addWidget(panel);
  window.resize(320, 400);
  window.show();
  QApplication::setActiveWindow(&window);
  elsewhere->setFocus();
  panel->setEvent("k", manyFields("1"));
  QApplication::processEvents();
  CopyableTree& list = listOf(*panel);
  list.setCurrentItem(list.topLevelItem(2));
  list.verticalScrollBar()->setValue(200);
  const QSize size = panel->size();
  for (int i = 0; i < 10; ++i) {
    panel->setEvent("k", manyFields(i % 2 ? "1" : "2"));
    QApplication::processEvents();
    ASSERT_EQ(list.verticalScrollBar()->value(), 200);
    ASSERT_EQ(list.currentItem(), list.topLevelItem(2));
    ASSERT_TRUE(list.selectedItems().isEmpty());
    ASSERT_EQ(QApplication::focusWidget(), elsewhere);
    ASSERT_EQ(panel->size(), size);
  }
}

TEST(DetailsPanel, TheCommandForNsightComputeIsCopiedAndSaysSo) {
  DetailsPanel panel;
  panel.setEvent("gemm", {{"Start", "1"}}, {}, "ncu --set full './a b'");
  auto* copy = panel.findChild<QPushButton*>("copyNcuCommand");
  EXPECT_EQ(copy->text(), "Copy");
  copy->click();
  EXPECT_EQ(QApplication::clipboard()->text(), "ncu --set full './a b'");
  EXPECT_EQ(copy->text(), "Copied");
  panel.setEvent("gemm", {{"Start", "2"}}, {}, "ncu other");
  EXPECT_EQ(copy->text(), "Copy");
  panel.setEvent("memset", {{"Start", "3"}});
  EXPECT_TRUE(copy->parentWidget()->isHidden());
}

TEST(DetailsPanel, CopyAllTakesTheNameTheFieldsTheStackAndTheCommand) {
  DetailsPanel panel;
  panel.setEvent("gemm", {{"Name", "gemm<int>()"}, {"Start", "1"}}, stackOf({"main"}), "ncu x");
  panel.findChild<QPushButton*>("copyAll")->click();
  EXPECT_EQ(QApplication::clipboard()->text(), "Name\tgemm<int>()\nStart\t1\nCall stack (1)\nmain (libc.so.6)\nncu x");
}

TEST(DetailsPanel, ANameWithoutEndDoesNotFillThePanel) {
  DetailsPanel panel;
  panel.resize(300, 600);
  panel.setEvent(QString(100000, 'x'), {{"Name", std::string(100000, 'y')}, {"Start", std::string(100000, 'z')}});
  panel.show();
  QApplication::processEvents();
  EXPECT_EQ(listOf(panel).topLevelItem(0)->text(1).size(), 100000);
  EXPECT_GT(listOf(panel).height(), 100);
}

TEST(DetailsPanel, IsWalkedThroughByTab) {
  DetailsPanel panel;
  panel.setEvent("gemm", {{"Start", "1"}}, {}, "ncu x");
  panel.show();
  QApplication::setActiveWindow(&panel);
  listOf(panel).setFocus();
  QStringList names;
  for (int i = 0; i < 4; ++i) {
    names += QApplication::focusWidget()->accessibleName();
    press(QApplication::focusWidget(), Qt::Key_Tab);
  }
  EXPECT_EQ(names, QStringList({"Fields of the current event", "Nsight Compute command",
                                "Copy the Nsight Compute command", "Copy all details"}));
}

TEST(CopyableTree, CopiesTheSelectedRowsOrAllOfThem) {
  DetailsPanel panel;
  panel.setEvent("k", {{"Start", "1 ms"}, {"Grid", "2"}});
  CopyableTree& list = listOf(panel);
  list.topLevelItem(1)->setSelected(true);
  list.copySelected();
  EXPECT_EQ(QApplication::clipboard()->text(), "Grid\t2");
  list.copyAll();
  EXPECT_EQ(QApplication::clipboard()->text(), "Start\t1 ms\nGrid\t2");
}

TEST(DiagnosticsPanel, SaysSoWhenThereIsNothingToSay) {
  DiagnosticsPanel panel;
  panel.setReport({}, {});
  EXPECT_EQ(shownText(panel), "Nothing was lost, and the profiler had nothing to say");
}

TEST(DiagnosticsPanel, LossesComeFirstAndThenTheWorst) {
  using enum report::Severity;
  DiagnosticsPanel panel;
  const std::vector<trace::Issue> issues = {{"end-before-start", 1, "1 kernel ends before it starts"}};
  const std::vector<report::Diagnostic> said = {{{}, kInfo, "clocks"},
                                                {0, kInfo, "started"},
                                                {1, kWarning, "slow"},
                                                {2, kError, "dropped"},
                                                {3, kWarning, "full"}};
  panel.setReport(issues, said);
  QStringList lines;
  for (int i = 0; i < listOf(panel).topLevelItemCount(); ++i) lines += listOf(panel).topLevelItem(i)->text(2);
  EXPECT_EQ(lines, QStringList({"1 kernel ends before it starts", "dropped", "slow", "full", "clocks", "started"}))
      << "those alike by time";
}

TEST(DiagnosticsPanel, AreSortedByTimeAndAClickAsksForTheirTime) {
  using enum report::Severity;
  DiagnosticsPanel panel;
  const std::vector<report::Diagnostic> said = {
      {500, kInfo, "started"}, {70'000, kError, "dropped"}, {9000, kWarning, "slow"}};
  panel.setReport({}, said);
  panel.resize(800, 200);
  panel.show();
  CopyableTree& list = listOf(panel);
  const int x = list.header()->sectionViewportPosition(1) + 4;
  const auto clickTime = [&] {
    QTest::mouseClick(list.header()->viewport(), Qt::LeftButton, {}, QPoint(x, list.header()->height() / 2));
  };
  clickTime();
  if (list.header()->sortIndicatorOrder() == Qt::DescendingOrder) clickTime();
  QStringList lines;
  for (int i = 0; i < list.topLevelItemCount(); ++i) lines += list.topLevelItem(i)->text(2);
  EXPECT_EQ(lines, QStringList({"started", "slow", "dropped"}));
  trace::Ns asked = 0;
  QObject::connect(&panel, &DiagnosticsPanel::timeWanted, [&](trace::Ns time) { asked = time; });
  const QPoint at = list.visualItemRect(list.topLevelItem(1)).center();
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
  EXPECT_EQ(asked, 9000);
  asked = 0;
  QTest::keyClick(&list, Qt::Key_Return);
  EXPECT_EQ(asked, 9000);
}

}  // namespace
}  // namespace lanescope::views
