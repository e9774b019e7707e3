// SPDX-License-Identifier: GPL-3.0-or-later
// Whole scenarios of the case collection (GUI-06, 11, 15, 17), in the window, by the means that a
// person has.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "tests/app/ui/cases.h"
#include "views/panels/details_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/note_line.h"
#include "views/timeline/arrange.h"
#include "views/timeline/marks.h"
#include "views/timeline/overview.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

/// One run of a program: its streams have names of their own.
std::filesystem::path run(const std::filesystem::path& file, std::int64_t pid,
                          std::initializer_list<std::int64_t> streams) {
  test::ReportBuilder builder(file);
  builder.process(test::gpid(pid), "train");
  for (const std::int64_t stream : streams)
    builder.add(test::K{.start = 100 * stream,
                        .end = 100 * stream + 50,
                        .stream = stream,
                        .process = test::gpid(pid),
                        .name = "k" + std::to_string(stream)});
  return builder.write();
}

TEST_F(Cases, PinsOrderAndMarksComeBackAndGoToAnotherRunThroughTheDialogs) {  // GUI-06
  const auto first = run(reports / "a.sqlite", 10, {7, 8, 9, 13});
  const QString exported = folder.filePath("looks.lanescope-view");
  begin();
  {
    ReportTab& tab = open(first);
    views::ViewState& view = tab.view();
    tab.setFocus();
    for (const char* label : {"Stream 13", "Stream 9", "Stream 8"}) {
      view.setCurrentRow(rowLabelled(view, label));
      QTest::keyClick(tab.timeline().canvas(), Qt::Key_P, Qt::ControlModifier);
    }
    QTest::keyClick(tab.timeline().canvas(), Qt::Key_Up, Qt::AltModifier);  // the last one before the second
    auto* marks = window->findChild<QDockWidget*>("marks");
    marks->show();
    marks->raise();
    QApplication::processEvents();
    view.setCurrent(trace::EventRef{0, 0});
    QTest::keyClick(tab.timeline().canvas(), Qt::Key_M, Qt::ControlModifier);
    QTableWidget& table = window->findChild<views::MarksPanel*>()->table();
    const auto typeIntoCell = [&](const char* text) {
      auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
      ASSERT_TRUE(editor && table.isAncestorOf(editor)) << text;
      QTest::keyClicks(editor, text);
      QTest::keyClick(editor, Qt::Key_Return);
      QApplication::processEvents();
    };
    typeIntoCell("warm");  // asked for at once
    table.setCurrentCell(0, views::MarksPanel::kNote);
    table.setFocus();
    QTest::keyClick(&table, Qt::Key_F2);
    typeIntoCell("look here");
    fileDialog("Export view…", exported);
    EXPECT_TRUE(QFileInfo::exists(exported));
  }
  const auto pinned = [](const views::ViewState& view) {
    QStringList labels;
    for (const std::string& key : view.arrangement().pinned) {
      const std::uint32_t row = view.rowWithKey(key);
      labels += row == trace::kNone ? QStringLiteral("?") : QString::fromStdString(view.trace()->rows[row].label);
    }
    return labels.join('|');
  };
  window.reset();
  begin();
  {
    ReportTab& again = open(first);
    EXPECT_EQ(pinned(again.view()), "Stream 13|Stream 8|Stream 9");
    ASSERT_EQ(again.view().marks().all().size(), 1u);
    EXPECT_EQ(again.view().marks().all()[0].name, "warm");
    EXPECT_EQ(again.view().marks().all()[0].note, "look here");
  }
  const auto second = run(reports / "b.sqlite", 4711, {7, 8, 13});
  {
    ReportTab& other = open(second);
    EXPECT_TRUE(other.view().arrangement().pinned.empty()) << "another recording begins anew";
    EXPECT_EQ(fileDialog("Import view…", exported), settings.recentFolder()) << "beside the report";
    EXPECT_EQ(pinned(other.view()), "Stream 13|Stream 8|?");
    EXPECT_TRUE(other.view().marks().all().empty());
    const QString note = other.noteLine().text();
    EXPECT_TRUE(other.noteLine().isVisible());
    EXPECT_TRUE(note.contains("a.sqlite") && note.contains("1 of its row") && note.contains("gpu 0/stream 1.9"))
        << note.toStdString();
    fileDialog("Import view…", QString::fromStdString(second.string()));
    EXPECT_TRUE(other.noteLine().text().contains("b.sqlite")) << "what is no view is said";
    EXPECT_EQ(pinned(other.view()), "Stream 13|Stream 8|?") << "and harms nothing";
  }
  window.reset();
  begin();
  EXPECT_EQ(pinned(open(second).view()), "Stream 13|Stream 8|?") << "a missing one is not lost";
}

TEST_F(Cases, ReportsAreLookedForWhereTheLastOneLay) {
  begin();
  const auto file = run(reports / "a.sqlite", 10, {7});
  open(file);
  EXPECT_EQ(fileDialog("Open…", QString::fromStdString((reports / "b.sqlite").string())),
            QString::fromStdString(std::filesystem::canonical(file).parent_path().string()));
}

/// The colour of a bar at its left edge, where no text stands.
QRgb colourOfBar(views::Timeline& timeline, const QImage& picture, trace::EventRef event) {
  views::TimelineCanvas& canvas = *timeline.canvas();
  for (int y = 0; y < canvas.height(); ++y)
    for (int x = 1; x < canvas.width(); ++x)
      if (const auto hit = canvas.hit(QPointF(x, y)); hit && hit->event == event) return picture.pixel(x + 6, y + 4);
  ADD_FAILURE() << "not drawn";
  return 0;
}

TEST_F(Cases, ANameHasOneColourOnEveryGpuAndInEveryReport) {  // GUI-15
  begin();
  // In another order, so that names are numbered otherwise.
  ReportTab* tabs[] = {&open(twoGpus(reports / "a.sqlite", {"k1", "k2", "ncclDevKernel_AllReduce"})),
                       &open(twoGpus(reports / "b.sqlite", {"other", "ncclDevKernel_AllReduce", "k2", "k1"}))};
  const auto coloursOf = [&](const char* name) {
    std::set<QRgb> colours;
    for (ReportTab* tab : tabs) {
      window->tabs().setCurrentWidget(tab);
      QApplication::processEvents();
      const trace::Trace& trace = *tab->view().trace();
      const QImage picture = tab->timeline().canvas()->grab().toImage();
      std::size_t lanes = 0;
      for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
        for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
          if (trace.laneInfo[lane].kind == trace::EventKind::kKernel &&
              (*trace.names)[trace.name({lane, i})].label == name) {
            colours.insert(colourOfBar(tab->timeline(), picture, {lane, i}));
            ++lanes;
          }
      EXPECT_EQ(lanes, 12u) << "six on each GPU";
    }
    return colours;
  };
  const auto k1 = coloursOf("k1"), k2 = coloursOf("k2");
  EXPECT_EQ(k1.size(), 1u);
  EXPECT_EQ(k2.size(), 1u);
  EXPECT_NE(k1, k2);
  views::Colouring colouring;
  colouring.rules = views::parseRules("nccl = orange").value();
  Theme::instance().setColouring(colouring);
  EXPECT_EQ(coloursOf("ncclDevKernel_AllReduce"), std::set<QRgb>{QColor("orange").rgb()});
  EXPECT_EQ(coloursOf("k1"), k1);
}

TEST_F(Cases, TheThemeChangesUnderASelectionAndAnOpenDialog) {  // GUI-11
  begin();
  ReportTab& tab = open(twoGpus(reports / "a.sqlite", {"k1", "k2"}));
  views::ViewState& view = tab.view();
  view.setCurrent(trace::EventRef{0, 3});
  view.setSelection(view.trace()->time({0, 3}));
  view.marks().add({{150, 150}, "here", {}});
  menu("Keys and gestures");
  QWidget* dialog = nullptr;
  for (QWidget* each : QApplication::topLevelWidgets())
    if (each != window.get() && each->isVisible() && qobject_cast<QDialog*>(each)) dialog = each;
  ASSERT_TRUE(dialog);
  const auto contrast = [](QColor a, QColor b) { return views::contrast(a.rgb(), b.rgb()); };
  for (const char* theme : {"Light", "Dark"}) {
    SCOPED_TRACE(theme);
    menu(theme);
    QApplication::processEvents();
    const views::ThemeColours& colours = Theme::colours();
    EXPECT_EQ(Theme::instance().isDark(), std::string_view(theme) == "Dark");
    views::TimelineCanvas& canvas = *tab.timeline().canvas();
    const QImage picture = canvas.grab().toImage();
    EXPECT_EQ(picture.pixel(canvas.width() - 2, canvas.height() - 2), colours.window.rgb()) << "nothing of before";
    // The outline of the current event goes around its bar, on the canvas.
    const QRgb bar = colourOfBar(tab.timeline(), picture, {0, 3});
    int outlined = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) outlined += picture.pixel(x, y) == colours.text.rgb();
    EXPECT_GT(outlined, 10);
    EXPECT_GE(contrast(colours.text, colours.canvas), 3);
    EXPECT_GE(contrast(colours.accent, colours.canvas), 3) << "edges of the selection";
    EXPECT_GE(views::contrast(Theme::palette().textOn(bar), bar), 3);
    EXPECT_TRUE(dialog->isVisible());
    const QImage sheet = dialog->grab().toImage();
    EXPECT_EQ(sheet.pixel(2, 2), colours.field.rgb()) << "open dialogs follow";
    // What a disabled button says is read, also on one that Enter would press.
    QPushButton button("Open", dialog);
    button.setDefault(true);
    button.setEnabled(false);
    button.resize(80, 30);
    button.ensurePolished();
    const QImage disabled = button.grab().toImage();
    const QRgb ground = disabled.pixel(8, 15);
    double most = 0;
    for (int y = 4; y < 26; ++y)
      for (int x = 8; x < 72; ++x) most = std::max(most, views::contrast(disabled.pixel(x, y), ground));
    EXPECT_GE(most, 3) << QColor(ground).name().toStdString();
  }
  dialog->close();
}

TEST_F(Cases, TwoBurstsAnHourApartAreFoundByTheOverviewAndByAKey) {  // GUI-17
  constexpr std::int64_t kMs = 1'000'000, kLater = 3600LL * 1'000'000'000;
  test::ReportBuilder builder(reports / "a.sqlite");
  for (int i = 0; i < 100; ++i)
    for (const std::int64_t from : {std::int64_t{1}, kLater})
      builder.add(test::K{.start = from + i * kMs / 100, .end = from + (i + 1) * kMs / 100 - 1, .name = "k"});
  begin();
  ReportTab& tab = open(builder.write());
  views::ViewState& view = tab.view();
  tab.setFocus();
  views::TimelineCanvas* canvas = tab.timeline().canvas();
  QTest::keyClick(canvas, Qt::Key_Home);
  EXPECT_GE(view.visible().length(), kLater);

  auto* overview = tab.timeline().findChild<views::Overview*>();
  const QImage strip = overview->grab().toImage();
  const int left = canvas->mapTo(&tab.timeline(), QPoint()).x(), right = left + canvas->width();
  const auto bars = [&](int from, int to) {
    int coloured = 0;
    for (int x = from; x < to; ++x)
      for (int y = 6; y < strip.height() - 8; ++y)
        coloured +=
            strip.pixel(x, y) != Theme::colours().field.rgb() && strip.pixel(x, y) != Theme::colours().accent.rgb();
    return coloured;
  };
  EXPECT_GT(bars(left, left + 60), 0) << "the first burst";
  EXPECT_GT(bars(right - 60, right), 0) << "the second one";
  EXPECT_EQ(bars(left + 80, right - 80), 0);

  view.setVisible({kLater / 2, kLater / 2 + 10 * kMs});  // nothing is here
  QTest::keyClick(canvas, Qt::Key_T);
  EXPECT_TRUE(view.visible().touches(kLater, kLater + kMs)) << "the next activity behind the gap";
  view.setSelection(trace::TimeRange{kLater, kLater + kMs});
  QTest::keyClick(canvas, Qt::Key_Z);
  EXPECT_EQ(view.visible(), (trace::TimeRange{kLater, kLater + kMs}));
  QTest::keyClick(canvas, Qt::Key_T, Qt::ShiftModifier);
  EXPECT_TRUE(view.visible().touches(1, 1 + kMs)) << "and back";

  view.setCurrent(trace::EventRef{0, 199});
  auto* details = window->findChild<views::DetailsPanel*>();
  ASSERT_TRUE(runUntil([&] { return details->allText().contains("3 600.000 990 000 s"); })) << "exact at both ends";
  EXPECT_TRUE(details->allText().contains("Duration\t9.999 µs")) << details->allText().toStdString();
  view.setCurrent(trace::EventRef{0, 0});
  ASSERT_TRUE(runUntil([&] { return details->allText().contains("Start\t1 ns"); }));
}

}  // namespace
}  // namespace lanescope::ui
