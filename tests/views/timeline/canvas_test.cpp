// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/canvas.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>

#include "tests/support/trace_fixture.h"

namespace lanescope::views {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Ns;
using trace::TimeRange;
using trace::TraceFixture;

/// A canvas of 1000 x 100 over 40 rows of kernels, a microsecond long each, every two.
class Canvas : public testing::Test {
 protected:
  Canvas() {
    TraceFixture fixture;
    for (int row = 0; row < 40; ++row) {
      std::vector<Event> events;
      for (Ns i = 0; i < 500; ++i) events.push_back({2000 * i, 2000 * i + 1000, fixture.name("kernel")});
      fixture.lane(EventKind::kKernel, events);
    }
    state.setTrace(fixture.finish());
    state.setVisible({0, 100'000});
    canvas.resize(1000, 100);
    canvas.grab();
  }

  void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, canvas.mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    event.setTimestamp(now_ += soon ? 50 : 1000);
    QApplication::sendEvent(&canvas, &event);
  }
  void mouse(QEvent::Type type, QPointF at, Qt::MouseButton button = Qt::LeftButton,
             Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMouseEvent event(type, at, canvas.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : button, modifiers);
    QApplication::sendEvent(&canvas, &event);
  }
  void drag(QPointF from, QPointF to, Qt::MouseButton button = Qt::LeftButton,
            Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    mouse(QEvent::MouseButtonPress, from, button, modifiers);
    mouse(QEvent::MouseMove, to, button, modifiers);
    mouse(QEvent::MouseButtonRelease, to, button, modifiers);
  }
  void click(QPointF at) {
    mouse(QEvent::MouseButtonPress, at);
    mouse(QEvent::MouseButtonRelease, at);
  }
  void key(int key, quint32 scanCode = 0) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, scanCode, 0, 0);
    QApplication::sendEvent(&canvas, &event);
  }

  ViewState state;
  TimelineCanvas canvas{state};
  bool soon = false;  // wheel turns follow each other quickly

 private:
  quint64 now_ = 0;
};

TEST_F(Canvas, AWheelTurnKeepsTheTimeUnderThePointer) {
  const Ns before = canvas.timeAt(300);
  wheel({300, 50}, {0, 120});
  EXPECT_LT(state.visible().length(), 100'000);
  EXPECT_NEAR(static_cast<double>(canvas.timeAt(300) - before), 0, 1);
  wheel({300, 50}, {0, -120}, Qt::ControlModifier);
  EXPECT_NEAR(static_cast<double>(state.visible().length()), 100'000, 1);
}

TEST_F(Canvas, AFineWheelZoomsByFractionsOfANotch) {
  for (int i = 0; i < 8; ++i) wheel({300, 50}, {0, 15});
  EXPECT_NEAR(static_cast<double>(state.visible().length()), 80'000, 2);
}

TEST_F(Canvas, AltWheelScrollsRowsThoughQtTurnsItSideways) {
  wheel({300, 50}, {-120, 0}, Qt::AltModifier);
  EXPECT_GT(canvas.scroll(), 0);
  EXPECT_EQ(state.visible(), (TimeRange{0, 100'000}));
}

TEST_F(Canvas, ShiftWheelAndASidewaysWheelScrollInTime) {
  wheel({300, 50}, {0, -120}, Qt::ShiftModifier);
  EXPECT_EQ(state.visible(), (TimeRange{6000, 106'000}));
  wheel({300, 50}, {120, 0});
  EXPECT_EQ(state.visible(), (TimeRange{0, 100'000}));
}

TEST_F(Canvas, DraggingSelectsATimeRangeThatSnapsToEventEdges) {
  drag({101, 10}, {408, 12});
  EXPECT_EQ(state.selection(), (TimeRange{10'000, 41'000}));
}

TEST_F(Canvas, MiddleDragAndShiftDragPan) {
  drag({500, 50}, {400, 50}, Qt::MiddleButton);
  EXPECT_EQ(state.visible(), (TimeRange{10'000, 110'000}));
  drag({400, 50}, {500, 40}, Qt::LeftButton, Qt::ShiftModifier);
  EXPECT_EQ(state.visible(), (TimeRange{0, 100'000}));
  EXPECT_EQ(canvas.scroll(), 10);
  EXPECT_FALSE(state.selection());
}

TEST_F(Canvas, AClickSelectsTheEventAndAClickBesideItNone) {
  click({205, 30});
  EXPECT_EQ(state.current(), (trace::EventRef{1, 10}));
  EXPECT_EQ(state.currentRow(), 1u);
  click({215, 30});
  EXPECT_FALSE(state.current());
}

TEST_F(Canvas, ADoubleClickZoomsToTheEvent) {
  mouse(QEvent::MouseButtonDblClick, {205, 30});
  EXPECT_EQ(state.visible(), (TimeRange{19'900, 21'100}));
}

TEST_F(Canvas, BackspaceUndoesOneZoomGesture) {
  wheel({300, 50}, {0, 120});
  const TimeRange once = state.visible();
  wheel({300, 50}, {0, 120});
  key(Qt::Key_Backspace);
  EXPECT_EQ(state.visible(), once);
  key(Qt::Key_Backspace);
  EXPECT_EQ(state.visible(), (TimeRange{0, 100'000}));
}

TEST_F(Canvas, KeysLieWhereTheyLieOnEveryKeyboard) {  // GUI-14
  struct Keyboard {
    const char* name;
    Qt::Key w, s, a, d, z, period, comma;  // what is written where these lie on QWERTY
  };
  for (const Keyboard& board :
       {Keyboard{"QWERTY", Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_D, Qt::Key_Z, Qt::Key_Period, Qt::Key_Comma},
        Keyboard{"AZERTY", Qt::Key_Z, Qt::Key_S, Qt::Key_Q, Qt::Key_D, Qt::Key_W, Qt::Key_Colon, Qt::Key_Semicolon},
        Keyboard{"QWERTZ", Qt::Key_W, Qt::Key_S, Qt::Key_A, Qt::Key_D, Qt::Key_Y, Qt::Key_Period, Qt::Key_Comma},
        Keyboard{"Dvorak", Qt::Key_Comma, Qt::Key_O, Qt::Key_A, Qt::Key_E, Qt::Key_Semicolon, Qt::Key_V, Qt::Key_W}}) {
    SCOPED_TRACE(board.name);
    state.clear();
    state.setCurrent(std::nullopt);
    state.setCurrentRow(0);
    state.setVisible({0, 100'000});
    key(board.w, 25);
    EXPECT_EQ(state.visible().length(), 70'000);
    key(board.s, 39);
    EXPECT_NEAR(static_cast<double>(state.visible().length()), 100'000, 1);
    const Ns before = state.visible().begin;
    key(board.d, 40);
    EXPECT_GT(state.visible().begin, before);
    key(board.a, 38);
    EXPECT_EQ(state.visible().begin, before);
    key(Qt::Key_Right, 114);
    EXPECT_GT(state.visible().begin, before);
    key(Qt::Key_Left, 113);
    EXPECT_EQ(state.visible().begin, before);
    state.setSelection(TimeRange{1000, 9000});
    key(board.z, 52);
    EXPECT_EQ(state.visible(), (TimeRange{1000, 9000}));
    state.setCurrent(trace::EventRef{0, 0});
    for (std::uint32_t i = 1; i < 20; ++i) {
      key(board.period, 60);
      EXPECT_EQ(state.current(), (trace::EventRef{0, i}));
      EXPECT_TRUE(state.visible().touches(2000 * i, 2000 * i + 1000)) << "kept in view";
    }
    key(board.comma, 59);
    EXPECT_EQ(state.current(), (trace::EventRef{0, 18}));
    EXPECT_TRUE(state.visible().touches(36'000, 37'000));
    key(Qt::Key_F, 99);  // f fits, wherever it lies
    EXPECT_GE(state.visible().length(), 999'000);
  }
}

TEST_F(Canvas, LettersOfZoomWorkWhereNoPlaceIsKnown) {
  key(Qt::Key_W);
  EXPECT_EQ(state.visible().length(), 70'000);
  key(Qt::Key_S);
  EXPECT_NEAR(static_cast<double>(state.visible().length()), 100'000, 1);
  key(Qt::Key_Equal, 35);  // Dvorak: where ] is, which leads nowhere here
  EXPECT_EQ(state.visible().length(), 70'000) << "a bracket's place gives way";
}

/// As if it lay on a screen with so many device pixels a logical one.
class ScreenedCanvas : public TimelineCanvas {
 public:
  using TimelineCanvas::TimelineCanvas;
  double ratio = 1;

 protected:
  int metric(PaintDeviceMetric which) const override {
    if (which == PdmDevicePixelRatioScaled) return static_cast<int>(ratio * devicePixelRatioFScale());
    return which == PdmDevicePixelRatio ? static_cast<int>(ratio) : TimelineCanvas::metric(which);
  }
};

TEST_F(Canvas, IsSharpAndHitTheSameOnEveryScreenItIsMovedTo) {  // GUI-12
  ScreenedCanvas moved(state);
  moved.resize(500, 100);
  state.setVisible({0, 10'000});
  const QImage first = moved.grab().toImage();
  const auto hits = [&] {
    std::vector<std::optional<trace::EventRef>> hits;
    for (int y = 1; y < 100; y += 3)
      for (int x = 2; x < 500; x += 7) {
        const auto hit = moved.hit(QPointF(x, y));
        hits.push_back(hit ? std::optional(hit->event) : std::nullopt);
      }
    return hits;
  };
  const auto atOne = hits();
  EXPECT_TRUE(std::ranges::any_of(atOne, [](const auto& hit) { return hit.has_value(); }));
  const int rowHeight = moved.rowLayout().boxes()[0].height;
  for (const double ratio : {1.25, 1.5, 2.0}) {
    SCOPED_TRACE(ratio);
    moved.ratio = ratio;
    const QImage image = moved.grab().toImage();
    EXPECT_EQ(image.devicePixelRatio(), ratio);
    EXPECT_EQ(image.width(), static_cast<int>(500 * ratio));
    EXPECT_EQ(moved.rowLayout().boxes()[0].height, rowHeight) << "the same physical height";
    EXPECT_EQ(hits(), atOne);
    const QImage blurred = first.scaled(image.size(), Qt::IgnoreAspectRatio, Qt::FastTransformation);
    int differs = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) differs += image.pixel(x, y) != blurred.pixel(x, y);
    EXPECT_GT(differs, 200) << "drawn anew, text and all, not made larger";
  }
  moved.ratio = 1;
  EXPECT_EQ(moved.grab().toImage(), first) << "back again";
}

TEST_F(Canvas, AZoomSoonAfterScrollingRowsHasItsOwnStepOfUndo) {
  wheel({300, 50}, {0, 120});
  const TimeRange once = state.visible();
  soon = true;
  wheel({300, 50}, {0, -120}, Qt::AltModifier);
  wheel({300, 50}, {0, 120});
  key(Qt::Key_Backspace);
  EXPECT_EQ(state.visible(), once);
}

TEST_F(Canvas, APanThatBeginsStraightDownIsOneStepOfUndo) {
  mouse(QEvent::MouseButtonPress, {500, 50}, Qt::MiddleButton);
  for (const QPointF at : {QPointF(500, 40), QPointF(450, 40), QPointF(400, 40)})
    mouse(QEvent::MouseMove, at, Qt::MiddleButton);
  mouse(QEvent::MouseButtonRelease, {400, 40}, Qt::MiddleButton);
  EXPECT_EQ(state.visible(), (TimeRange{10'000, 110'000}));
  key(Qt::Key_Backspace);
  EXPECT_EQ(state.visible(), (TimeRange{0, 100'000}));
}

TEST_F(Canvas, AReloadWithFewerLanesForgetsWhatWasHovered) {
  canvas.setScroll(500);
  canvas.grab();
  mouse(QEvent::MouseMove, {205, 30});
  state.setTrace(TraceFixture().lane(EventKind::kKernel, {Event{0, 10}}).finish());
  canvas.grab();
  EXPECT_EQ(canvas.stats().rows, 1);
}

TEST_F(Canvas, OnlyLevelsInSightArePaintedHoweverManyAreStacked) {
  for (const std::uint32_t deepest : {5'000u, 40'000'000u}) {
    TraceFixture fixture;
    std::vector<std::vector<Event>> levels(1000, {Event{0, 1000}});
    auto trace = std::make_shared<trace::Trace>(*fixture.stack(EventKind::kNvtxRange, levels).finish());
    trace->laneInfo.back().depth = deepest;
    state.setTrace(trace);
    canvas.grab();
    EXPECT_LE(canvas.stats().lanes, 100);
    canvas.setScroll(canvas.maximumScroll());
    canvas.grab();
    EXPECT_EQ(canvas.stats().lanes, 1) << deepest;
    canvas.setScroll(0);
  }
}

TEST_F(Canvas, KeysFitSelectClearAndWalkRows) {
  state.setSelection(TimeRange{1000, 9000});
  key(Qt::Key_Z, 52);
  EXPECT_EQ(state.visible(), (TimeRange{1000, 9000}));
  key(Qt::Key_F);
  EXPECT_GE(state.visible().end, 999'000);
  key(Qt::Key_Escape);
  EXPECT_FALSE(state.selection());
  for (int i = 0; i < 8; ++i) key(Qt::Key_Down);
  EXPECT_EQ(state.currentRow(), 7u);
  EXPECT_GT(canvas.scroll(), 0);
  key(Qt::Key_PageDown);
  EXPECT_GE(canvas.scroll(), 100);
}

TEST_F(Canvas, HoverAndSelectionDoNotSliceAgain) {
  const int painted = canvas.framesPainted();
  mouse(QEvent::MouseMove, {205, 30});
  state.setSelection(TimeRange{1000, 9000});
  click({205, 30});
  canvas.grab();
  EXPECT_EQ(canvas.framesPainted(), painted);
  state.panBy(1000);
  canvas.grab();
  EXPECT_EQ(canvas.framesPainted(), painted + 1);
}

TEST_F(Canvas, OnlyRowsInSightAreSliced) {
  EXPECT_LE(canvas.stats().rows, 6);
  EXPECT_LE(canvas.stats().lanes, 6);
}

TEST_F(Canvas, ALoneShortEventInALongViewCanBeClicked) {
  TraceFixture fixture;
  fixture.lane(EventKind::kKernel,
               {{0, 1, 0}, {300'000'000'000, 300'000'000'200, 0}, {600'000'000'000, 600'000'000'001, 0}});
  state.setTrace(fixture.finish());
  state.setVisible({0, 600'000'000'000});
  click({501, 10});
  EXPECT_EQ(state.current(), (trace::EventRef{0, 1}));
}

TEST_F(Canvas, NamesOfAnyLengthAndScriptAreDrawn) {
  TraceFixture fixture;
  std::vector<Event> events;
  for (const std::string& name :
       {std::string(512 * 1024, 'x'), std::string("שלום עולם שלום"), std::string("🙂🙂🙂🙂🙂🙂🙂"),
        std::string("内核内核内核内核"), std::string("e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301")})
    events.push_back(
        {static_cast<Ns>(events.size()) * 100, static_cast<Ns>(events.size()) * 100 + 90, fixture.name(name)});
  fixture.lane(EventKind::kNvtxRange, events);
  state.setTrace(fixture.finish());
  state.setVisible({0, 500});
  canvas.grab();
  EXPECT_EQ(canvas.stats().labels, 5);
}

TEST_F(Canvas, AnEdgeOfTheSelectionIsTakenByTheHandAndTheOtherStays) {
  state.setSelection(TimeRange{20'500, 60'500});
  drag({605, 50}, {705, 50});
  EXPECT_EQ(state.selection()->begin, 20'500);
  EXPECT_NEAR(static_cast<double>(state.selection()->end), 70'500, 600);
  drag({205, 50}, {905, 50});
  EXPECT_NEAR(static_cast<double>(state.selection()->begin), 70'500, 600) << "past the other edge";
  EXPECT_NEAR(static_cast<double>(state.selection()->end), 90'500, 600);
}

TEST_F(Canvas, CtrlDragSelectsATimeOnTheRowsItCrosses) {
  drag({100, 30}, {500, 80}, Qt::LeftButton, Qt::ControlModifier);
  EXPECT_TRUE(state.selection());
  EXPECT_EQ(state.selectedRows(), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_TRUE(state.isInSelection(2));
  EXPECT_FALSE(state.isInSelection(4));
}

TEST_F(Canvas, KeysWalkTheEventsOfARowAndSelectTheTimeOfOne) {
  click({205, 12});
  const auto first = *state.current();
  key(Qt::Key_N);
  EXPECT_EQ(state.current(), (trace::EventRef{first.lane, first.index + 1}));
  key(Qt::Key_P);
  EXPECT_EQ(state.current(), first);
  key(Qt::Key_M);
  EXPECT_EQ(state.selection(), state.trace()->time(first));
}

TEST_F(Canvas, AChosenNameKeepsItsColourAndTheOthersStepBack) {
  TraceFixture fixture;
  fixture.lane(EventKind::kKernel, {{0, 40'000, fixture.name("chosen")}, {50'000, 90'000, fixture.name("other")}});
  state.setTrace(fixture.finish());
  state.setVisible({0, 100'000});
  const auto pixel = [&](int x) { return canvas.grab().toImage().pixel(x, 12); };
  const QRgb chosen = pixel(350), other = pixel(850);
  state.setChosenName((*state.trace()->names)[state.trace()->name({0, 0})].same);
  EXPECT_EQ(pixel(350), chosen);
  EXPECT_LT(contrast(pixel(850), Theme::palette().colours().canvas),
            contrast(other, Theme::palette().colours().canvas));
  key(Qt::Key_Escape);
  EXPECT_FALSE(state.chosenName());
  EXPECT_EQ(pixel(850), other);
}

TEST_F(Canvas, HitsOfASearchAreUnderlinedInBarsAndInCrowdedColumns) {
  TraceFixture fixture;
  const auto hit = fixture.name("hit"), other = fixture.name("other");
  std::vector<Event> events{{0, 40'000, other}, {50'000, 90'000, hit}};
  for (Ns i = 0; i < 1000; ++i) events.push_back({100'000 + i * 10, 100'000 + i * 10 + 9, i == 500 ? hit : other});
  fixture.lane(EventKind::kKernel, events);
  state.setTrace(fixture.finish());
  const auto underlined = [&](Ns time) {
    const int x = static_cast<int>((time - state.visible().begin) * 1000 / state.visible().length());
    return canvas.grab().toImage().pixelColor(x, 21) == Theme::colours().marker;
  };
  state.setVisible({0, 120'000});
  state.setHits(
      std::make_shared<const analysis::Hits>(analysis::find(*state.trace(), *analysis::Query::parse("hit", false))));
  EXPECT_FALSE(underlined(20'000));
  EXPECT_TRUE(underlined(70'000));
  EXPECT_FALSE(underlined(102'000));
  EXPECT_TRUE(underlined(105'005)) << "one of a dozen events of its column";
  state.setHits(nullptr);
  EXPECT_FALSE(underlined(70'000));
}

}  // namespace
}  // namespace lanescope::views
