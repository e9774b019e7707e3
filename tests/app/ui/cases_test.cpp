// SPDX-License-Identifier: GPL-3.0-or-later
// Whole scenarios of the case collection (GUI-06, 09, 10, 11, 15, 17) and a small screen, in the window, by the means that a
// person has.
#include <gtest/gtest.h>

#include <QAbstractButton>
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
#include <QToolButton>
#include <QTreeView>

#include "app/ui/main_window.h"
#include "app/ui/menu_actions.h"
#include "app/ui/report_bar.h"
#include "app/ui/view_keeper.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"
#include "views/latest_job.h"
#include "views/panels/calls_panel.h"
#include "views/panels/details_panel.h"
#include "views/panels/events_panel.h"
#include "views/panels/find_bar.h"
#include "views/panels/find_panel.h"
#include "views/panels/marks_panel.h"
#include "views/panels/note_line.h"
#include "views/panels/search.h"
#include "views/panels/selection_panel.h"
#include "views/panels/statistics_panel.h"
#include "views/tables/figure_table.h"
#include "views/timeline/arrange.h"
#include "views/timeline/filter_bar.h"
#include "views/timeline/filtering.h"
#include "views/timeline/headers.h"
#include "views/timeline/marks.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_line.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

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

std::filesystem::path twoGpus(const std::filesystem::path& file, std::initializer_list<const char*> names) {
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

TEST_F(Cases, WhatIsHiddenIsNeitherFoundNorCountedUntilAskedFor) {  // GUI-09
  test::ReportBuilder builder(reports / "a.sqlite");
  std::int64_t start = 0;
  for (const char* name : {"ampere_sgemm_a", "Ampere_SGEMM_b", "memcpy"}) {
    builder.add(test::K{.start = start, .end = start + 100, .name = name});
    start += 200;
  }
  begin();
  ReportTab& tab = open(builder.add(test::N{.start = 0, .end = 600, .text = "step"}).write());
  key(Qt::Key_F, Qt::ControlModifier);
  views::FindBar& find = window->bar().find();
  type(find.field(), "sgemm");
  EXPECT_EQ(find.countText(), "2 hits");
  EXPECT_TRUE(find.field().toolTip().contains("in any case")) << "the rule is told where one types";
  const auto expression = [](QWidget& line) {
    for (auto* button : line.findChildren<QToolButton*>())
      if (button->text() == ".*") QTest::mouseClick(button, Qt::LeftButton);
  };
  expression(find);
  find.focus();
  type(find.field(), "^ampere.*_b$");
  EXPECT_EQ(find.countText(), "1 hit");
  type(find.field(), "(");
  EXPECT_EQ(find.countText(), "not understood");
  EXPECT_FALSE(tab.view().hits());
  auto& found = panel<views::FindPanel>(Qt::Key_7);
  EXPECT_EQ(found.table().model()->rowCount(), 0);
  EXPECT_TRUE(found.headline().contains("missing )")) << found.headline().toStdString();
  find.focus();
  type(find.field(), "sgemm");

  const auto events = [&] { return panel<views::EventsPanel>(Qt::Key_4).table().model()->rowCount(); };
  const auto names = [&] { return panel<views::SelectionPanel>(Qt::Key_2).names().model()->rowCount(); };
  const auto figure = [&] {
    views::Headers& headers = *tab.timeline().headers();
    headers.figure(rowLabelled(tab.view(), "Kernels"));
    settle();
    return headers.figure(rowLabelled(tab.view(), "Kernels")).text;
  };
  const auto calls = [&] { return panel<views::CallsPanel>(Qt::Key_5).headline(); };
  const auto statistics = [&] { return panel<views::StatisticsPanel>(Qt::Key_3).table().allText(); };
  const int allEvents = events(), allNames = names();
  const QString allFigure = figure(), allCalls = calls(), allStatistics = statistics();
  EXPECT_EQ(allNames, 4);

  key(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  views::FilterBar& bar = *tab.timeline().filterBar();
  expression(bar);
  bar.focus();
  type(bar.field(), "(");
  EXPECT_TRUE(bar.mistake().contains("missing )")) << bar.mistake().toStdString();
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  settle();
  EXPECT_FALSE(tab.view().passing()) << "what is not understood hides nothing";
  expression(bar);
  bar.focus();
  type(bar.field(), "sgemm_a");
  QTest::keyClick(&bar.field(), Qt::Key_Return);
  settle();
  EXPECT_EQ(bar.countText(), "1 of 4 events");
  EXPECT_EQ(find.countText(), "1 hit, filtered");
  EXPECT_EQ(events(), 1);
  EXPECT_TRUE(panel<views::EventsPanel>(Qt::Key_4).headline().contains("filtered"));
  EXPECT_EQ(names(), 1);
  EXPECT_TRUE(panel<views::SelectionPanel>(Qt::Key_2).line().text().contains("filtered"));
  EXPECT_NE(figure(), allFigure);
  EXPECT_TRUE(calls().contains("filtered")) << calls().toStdString();
  EXPECT_EQ(statistics(), allStatistics);
  EXPECT_TRUE(panel<views::StatisticsPanel>(Qt::Key_3).headline().contains("the filter does not apply here"));
  QTest::mouseClick(bar.findChild<QToolButton*>("countAll"), Qt::LeftButton);
  settle();
  EXPECT_EQ(events(), allEvents);
  EXPECT_EQ(names(), allNames);
  EXPECT_EQ(figure(), allFigure);
  EXPECT_EQ(calls(), allCalls);
  EXPECT_EQ(find.countText(), "1 hit, filtered") << "what is not seen is not found";
}

TEST_F(Cases, ANameOfATemplateOf4000CharactersMovesNothingAndIsCopiedWhole) {  // GUI-10
  std::string name = "void cutile::gemm::kernel::universal<";
  for (int i = 0; i < 40; ++i)
    name += (i == 0 ? "" : ", ") + std::string("cutile::gemm::kernel::Epilogue<cutile::gemm::kernel::Mma<(int)") +
            std::to_string(128 + i) + ", (int)256, const float *>, unsigned long long>";
  name += ">(T1...)";
  ASSERT_GT(name.size(), 4000u);
  const QString whole = QString::fromStdString(name);
  test::ReportBuilder builder(reports / "a.sqlite");
  for (const std::int64_t start : {100, 300})
    builder.add(test::K{.start = start, .end = start + 50, .name = name})
        .add(test::N{.start = start, .end = start + 60, .text = name});
  begin();
  ReportTab& tab = open(builder.write());
  const QSize size = window->size();
  const int canvas = tab.timeline().canvas()->width();
  const auto copied = [] { return QApplication::clipboard()->text(); };
  tab.view().setCurrent(trace::EventRef{0, 0});
  settle();
  auto& details = panel<views::DetailsPanel>(Qt::Key_1);
  for (const QLabel* label : details.findChildren<QLabel*>())
    EXPECT_LE(label->height(), window->height() / 2) << label->text().toStdString();
  QTest::mouseClick(details.findChild<QPushButton*>("copyAll"), Qt::LeftButton);
  EXPECT_TRUE(copied().startsWith("Name\t" + whole + '\n'));
  const auto copiesWhole = [&](views::FigureTable& table) {
    ASSERT_GE(table.model()->rowCount(), 1);
    for (int column = 0; column < table.model()->columnCount(); ++column)
      EXPECT_LE(table.columnWidth(column), window->width() / 2) << column;
    EXPECT_LE(table.rowHeight(0), 40);
    table.setCurrentIndex(table.model()->index(0, 0));
    table.copyName();
    EXPECT_EQ(copied(), whole);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(copied().contains(whole)) << "the row, too";
  };
  copiesWhole(panel<views::SelectionPanel>(Qt::Key_2).names());
  copiesWhole(panel<views::StatisticsPanel>(Qt::Key_3).table());
  EXPECT_TRUE(panel<views::CallsPanel>(Qt::Key_5).allText().contains(whole));
  key(Qt::Key_F, Qt::ControlModifier);
  copiesWhole(panel<views::EventsPanel>(Qt::Key_4).table());
  emit tab.timeline().canvas()->findWanted(whole);
  settle();
  EXPECT_EQ(window->bar().find().countText(), "1 of 4") << "as a menu of the timeline asks for it";
  views::Filtering::of(tab.view()).add(analysis::conditionsOf(*tab.view().trace(), trace::EventRef{0, 0}).front());
  settle();
  ASSERT_TRUE(tab.view().passing());
  EXPECT_EQ(tab.view().passing()->events(), 4u);
  EXPECT_EQ(window->size(), size);
  EXPECT_EQ(tab.timeline().canvas()->width(), canvas);
}

TEST_F(Cases, EveryPanelIsOfUseInASmallWindow) {
  begin();
  ReportTab& tab = open(twoGpus(reports / "a.sqlite", {"k1", "k2"}));
  constexpr QSize kSmall(900, 600);
  const auto filter = [&](const char* words) {
    views::Filtering::of(tab.view()).add(analysis::Condition::words(words, false).value());
  };
  for (const char* words : {"kind:kernel", "dur<900s", "stream:7,8"}) filter(words);
  tab.timeline().filterBar()->focus();
  tab.timeline().rowLine()->find();
  views::hideRow(tab.view(), rowLabelled(tab.view(), "Stream 7"));
  settle();
  for (QDockWidget* dock : window->findChildren<QDockWidget*>()) {
    SCOPED_TRACE(dock->windowTitle().toStdString());
    dock->show();
    dock->raise();
    window->resize(kSmall);
    QApplication::processEvents();
    EXPECT_EQ(window->size(), kSmall) << "nothing makes it larger";
    EXPECT_GE(tab.timeline().canvas()->width(), 200);
    EXPECT_GE(tab.timeline().canvas()->height(), 64) << "under lines that filter and find";
    EXPECT_GE(dock->widget()->height(), 100);
    // Nothing lies on its neighbour, and what is read is wide enough to be read.
    const QList<QAbstractButton*> buttons = dock->widget()->findChildren<QAbstractButton*>();
    for (const QAbstractButton* one : buttons) {
      if (!one->isVisible() || one->text().isEmpty()) continue;
      EXPECT_GE(one->width(), one->fontMetrics().horizontalAdvance(one->text())) << one->text().toStdString();
      for (const QAbstractButton* other : buttons) {
        if (other == one || !other->isVisible() || other->parentWidget() != one->parentWidget()) continue;
        EXPECT_FALSE(one->geometry().intersects(other->geometry()))
            << one->text().toStdString() << " and " << other->text().toStdString();
      }
    }
    if (const auto* tree = dock->widget()->findChild<QTreeView*>("callTree")) {
      EXPECT_GE(tree->columnWidth(0), 160) << "names";
    }
  }
  tab.say({ErrorCode::kWriteFailed, std::string(150, 'x'),
           "words and words that say why, and more of them, up to the edge and beyond"});
  QApplication::processEvents();
  EXPECT_EQ(window->size(), kSmall) << "nor a path without a space";
}

}  // namespace
}  // namespace lanescope::ui
