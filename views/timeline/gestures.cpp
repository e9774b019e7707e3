// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/gestures.h"

#include <QCoreApplication>
#include <QCursor>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "views/timeline/canvas.h"
#include "views/timeline/commands.h"
#include "views/timeline/go_to.h"
#include "views/timeline/trail.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

using trace::Ns;

/// What a gesture does.
enum class Gestures::Action {
  kZoomIn,
  kZoomOut,
  kPanLeft,
  kPanRight,
  kRowUp,
  kRowDown,
  kPageUp,
  kPageDown,
  kFitAll,
  kFitGpuWork,
  kZoomToSelection,
  kUndoZoom,
  kNextEvent,
  kPreviousEvent,
  kJumpToPartner,
  kToCause,
  kToEffect,
  kLongest,
  kActivity,  // with Shift backwards
  kMeasureHere,
  kSelectCurrent,
  kClear,
  kZoom,
  kScrollTime,
  kScrollRows,  // wheel
  kSelect,
  kSelectRows,
  kMeasure,
  kPan,                    // drag
};

namespace {

using Action = Gestures::Action;

// --- the table -----------------------------------------------------------------------------------------------------

struct WheelGesture {
  Qt::KeyboardModifiers modifiers;
  Action action;
};
constexpr WheelGesture kWheel[] = {
    {Qt::NoModifier, Action::kZoom},
    {Qt::ControlModifier, Action::kZoom},
    {Qt::ShiftModifier, Action::kScrollTime},
    {Qt::AltModifier, Action::kScrollRows},
};

struct DragGesture {
  Qt::MouseButton button;
  Qt::KeyboardModifiers modifiers;
  Action action;
};
constexpr DragGesture kDrags[] = {
    {Qt::LeftButton, Qt::NoModifier, Action::kSelect},
    {Qt::LeftButton, Qt::ControlModifier, Action::kSelectRows},
    {Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier, Action::kMeasure},
    {Qt::LeftButton, Qt::ShiftModifier, Action::kPan},
    {Qt::MiddleButton, Qt::NoModifier, Action::kPan},
};

struct KeyGesture {
  int key;
  Action action;
};
constexpr KeyGesture kKeys[] = {
    {Qt::Key_Plus, Action::kZoomIn},        {Qt::Key_Equal, Action::kZoomIn},    {Qt::Key_Minus, Action::kZoomOut},
    {Qt::Key_Underscore, Action::kZoomOut}, {Qt::Key_Left, Action::kPanLeft},    {Qt::Key_Right, Action::kPanRight},
    {Qt::Key_Up, Action::kRowUp},           {Qt::Key_Down, Action::kRowDown},    {Qt::Key_PageUp, Action::kPageUp},
    {Qt::Key_PageDown, Action::kPageDown},  {Qt::Key_Home, Action::kFitAll},     {Qt::Key_F, Action::kFitAll},
    {Qt::Key_Backspace, Action::kUndoZoom}, {Qt::Key_Escape, Action::kClear},    {Qt::Key_G, Action::kFitGpuWork},
    {Qt::Key_N, Action::kNextEvent},        {Qt::Key_P, Action::kPreviousEvent}, {Qt::Key_J, Action::kJumpToPartner},
    {Qt::Key_M, Action::kSelectCurrent},    {Qt::Key_L, Action::kLongest},       {Qt::Key_T, Action::kActivity},
    {Qt::Key_X, Action::kMeasureHere},
};

// Zoom and pan lie under the left hand, the steps under the right, wherever the keyboard layout puts the letters: AZERTY
// has Z where W is, and that zooms in. Brackets give way to a letter with a meaning above: Dvorak has = where ] is.
// `scanCode` is the key's place on X11 and Wayland; `key` is the letter, for a key that lies elsewhere or nobody knows
// where.
struct PlacedKey {
  quint32 scanCode;
  int key;
  Action action;
  bool givesWay = false;
};
constexpr PlacedKey kPlacedKeys[] = {
    {25, Qt::Key_W, Action::kZoomIn},
    {39, Qt::Key_S, Action::kZoomOut},
    {38, Qt::Key_A, Action::kPanLeft},
    {40, Qt::Key_D, Action::kPanRight},
    {52, Qt::Key_Z, Action::kZoomToSelection},
    {60, Qt::Key_Period, Action::kNextEvent},
    {59, Qt::Key_Comma, Action::kPreviousEvent},
    {34, Qt::Key_BracketLeft, Action::kToCause, true},
    {35, Qt::Key_BracketRight, Action::kToEffect, true},
};

constexpr double kZoomOfNotch = 0.8;  // of the visible time is left after a notch towards the screen
constexpr int kPanOfKey = 8;  // a key pans by a part of the view
constexpr int kPixelsOfNotch = 60;  // a notch scrolls time or rows
constexpr int kDegreesOfNotch = 120;  // in eighths of a degree, as Qt counts
constexpr int kTremble = 3;  // pixels a click may move
constexpr int kSnap = 4;  // pixels to an event's edge
constexpr int kEdge = 4;  // pixels to an edge of the selection
constexpr qint64 kSpin = 400;  // ms between the turns of one spin

// -------------------------------------------------------------------------------------------------------------------

constexpr Qt::KeyboardModifiers kMeant = Qt::ShiftModifier | Qt::ControlModifier | Qt::AltModifier;

QString nameOf(Action action) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("Gestures", text); };
  switch (action) {
    case Action::kZoomIn:
      return tr("Zoom in");
    case Action::kZoomOut:
      return tr("Zoom out");
    case Action::kPanLeft:
      return tr("Go left");
    case Action::kPanRight:
      return tr("Go right");
    case Action::kRowUp:
      return tr("Previous row");
    case Action::kRowDown:
      return tr("Next row");
    case Action::kPageUp:
      return tr("Rows a page up");
    case Action::kPageDown:
      return tr("Rows a page down");
    case Action::kFitAll:
      return tr("Fit all");
    case Action::kFitGpuWork:
      return tr("Fit GPU work");
    case Action::kZoomToSelection:
      return tr("Zoom to the selection");
    case Action::kUndoZoom:
      return tr("Undo zoom");
    case Action::kNextEvent:
      return tr("Next event");
    case Action::kPreviousEvent:
      return tr("Previous event");
    case Action::kJumpToPartner:
      return tr("Jump along the arrow");
    case Action::kToCause:
      return tr("To what led to the event");
    case Action::kToEffect:
      return tr("To what the event led to");
    case Action::kLongest:
      return tr("Next longest event");
    case Action::kActivity:
      return tr("Next activity");
    case Action::kMeasureHere:
      return tr("Measure from here, to here");
    case Action::kMeasure:
      return tr("Measure");
    case Action::kSelectCurrent:
      return tr("Select the event's time");
    case Action::kClear:
      return tr("Clear the selection");
    case Action::kZoom:
      return tr("Zoom at the pointer");
    case Action::kScrollTime:
      return tr("Scroll time");
    case Action::kScrollRows:
      return tr("Scroll rows");
    case Action::kSelect:
      return tr("Select time");
    case Action::kSelectRows:
      return tr("Select time and rows");
    case Action::kPan:
      return tr("Move the picture");
  }
  return {};
}

/// What the key does with Shift; empty where that is the same.
QString nameWithShift(Action action) {
  if (action == Action::kLongest) return QCoreApplication::translate("Gestures", "Previous longest event");
  if (action == Action::kActivity) return QCoreApplication::translate("Gestures", "Previous activity");
  return {};
}

QString held(Qt::KeyboardModifiers modifiers) {
  return QKeySequence(static_cast<int>(modifiers.toInt())).toString(QKeySequence::NativeText);
}

std::optional<Action> actionOf(const QKeyEvent& event) {
  if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return std::nullopt;
  static const bool otherPlaces = QStringList{"windows", "cocoa"}.contains(QGuiApplication::platformName());
  const quint32 place = otherPlaces ? 0 : event.nativeScanCode();
  for (const PlacedKey& k : kPlacedKeys)
    if (place == k.scanCode && !k.givesWay) return k.action;
  for (const KeyGesture& k : kKeys)
    if (event.key() == k.key) return k.action;
  for (const PlacedKey& k : kPlacedKeys)
    if (place == k.scanCode) return k.action;
  for (const PlacedKey& k : kPlacedKeys)
    if (event.key() == k.key) return k.action;
  return std::nullopt;
}

std::optional<Action> actionOf(const QWheelEvent& event) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & kMeant;
  for (const WheelGesture& w : kWheel)
    if (w.modifiers == modifiers) return w.action;
  return std::nullopt;
}

/// How far the wheel was turned, in pixels to scroll. A touch pad says pixels; a fine wheel fractions of a notch.
QPointF scrolled(const QWheelEvent& event) {
  if (!event.pixelDelta().isNull()) return event.pixelDelta();
  return QPointF(event.angleDelta()) * kPixelsOfNotch / kDegreesOfNotch;
}

/// The axis with the greater turn: while Alt is held Qt turns the delta sideways, and some systems do with Shift.
double along(QPointF delta) { return std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y(); }

}  // namespace

std::vector<GestureLine> gestureSheet() {
  std::vector<std::pair<Action, QStringList>> lines;
  const auto add = [&](Action action, const QString& how) {
    const auto line = std::ranges::find(lines, action, [](const auto& each) { return each.first; });
    if (line == lines.end()) lines.push_back({action, {how}});
    else line->second += how;
  };
  const auto keyText = [](int key) { return QKeySequence(key).toString(QKeySequence::NativeText); };
  for (const PlacedKey& k : kPlacedKeys) add(k.action, keyText(k.key));
  for (const KeyGesture& k : kKeys) add(k.action, keyText(k.key));
  for (const WheelGesture& w : kWheel)
    add(w.action, held(w.modifiers) + QCoreApplication::translate("Gestures", "wheel"));
  for (const DragGesture& d : kDrags)
    add(d.action, held(d.modifiers) + (d.button == Qt::LeftButton
                                           ? QCoreApplication::translate("Gestures", "drag")
                                           : QCoreApplication::translate("Gestures", "drag with the middle button")));
  std::vector<GestureLine> sheet;
  for (const auto& [action, how] : lines) {
    sheet.push_back({how.join(QStringLiteral(" · ")), nameOf(action)});
    if (const QString backwards = nameWithShift(action); !backwards.isEmpty())
      sheet.push_back({held(Qt::ShiftModifier) + how.front(), backwards});
  }
  return sheet;
}

bool Gestures::wheel(const QWheelEvent& event) {
  std::optional<Action> action = actionOf(event);
  if (!action) return false;
  const QPointF turn = event.angleDelta();
  const QPointF pixels = scrolled(event);
  const bool sideways = std::abs(turn.x()) > std::abs(turn.y());
  if (*action == Action::kZoom && sideways) action = Action::kScrollTime;

  const auto now = static_cast<qint64>(event.timestamp());
  const bool sameGesture = lastWheel_ >= 0 && now - lastWheel_ < kSpin && now >= lastWheel_;
  lastWheel_ = *action == Action::kScrollRows ? -1 : now;  // rows have no undo, and scrolling them ends a spin
  switch (*action) {
    case Action::kZoom: {
      const double notches = turn.y() != 0 ? turn.y() / kDegreesOfNotch : pixels.y() / kPixelsOfNotch;
      state_.zoomAround(canvas_.timeAt(event.position().x()), std::pow(kZoomOfNotch, notches), sameGesture);
      break;
    }
    case Action::kScrollTime:
      state_.panBy(-canvas_.timeOf(along(pixels)), sameGesture);
      break;
    case Action::kScrollRows:
      canvas_.setScroll(canvas_.scroll() - static_cast<int>(std::lround(along(pixels))));
      break;
    default:
      return false;
  }
  return true;
}

bool Gestures::press(const QMouseEvent& event) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & kMeant;
  const bool plain = event.button() == Qt::LeftButton && modifiers == Qt::NoModifier;
  const EdgeSign* sign = plain ? canvas_.signAt(event.position()) : nullptr;
  pressedSign_ = sign != nullptr;
  if (sign) {
    revealEvent(state_, trace::EventRef(sign->event));
    return true;
  }
  for (const DragGesture& d : kDrags) {
    if (d.button != event.button() || d.modifiers != modifiers) continue;
    drag_ = Drag{d.action,         event.position(), canvas_.snapped(event.position(), kSnap),
                 state_.visible(), canvas_.scroll(), false};
    // An edge of the selection is taken by the hand: the other one stays.
    if (const auto fixed = plain ? otherEdge(event.position().x()) : std::nullopt) drag_->pressedTime = *fixed;
    return true;
  }
  return false;
}

std::optional<Ns> Gestures::otherEdge(qreal x) const {
  const auto selection = state_.selection();
  if (!selection) return std::nullopt;
  const auto away = [&](Ns edge) { return std::abs(canvas_.timeAt(x) - edge); };
  const Ns reach = std::max<Ns>(canvas_.timeOf(kEdge), 1), begin = away(selection->begin), end = away(selection->end);
  if (std::min(begin, end) > reach) return std::nullopt;
  return begin < end ? selection->end : selection->begin;
}

bool Gestures::move(const QMouseEvent& event) {
  if (!drag_) return false;
  dragTo(event.position());
  return true;
}

void Gestures::dragTo(QPointF point) {
  const QPointF moved = point - drag_->pressed;
  const bool first = !drag_->moved;
  if (first && moved.manhattanLength() <= kTremble) return;
  drag_->moved = true;
  if (drag_->action != Action::kPan) {
    if (drag_->action == Action::kMeasure) {
      const std::uint32_t row = canvas_.rowAt(drag_->pressed.y());
      return state_.setMeasure(Measure{row, drag_->pressedTime, canvas_.snapped(point, kSnap)});
    }
    const auto [begin, end] = std::minmax({drag_->pressedTime, canvas_.snapped(point, kSnap)});
    state_.setSelection(trace::TimeRange{begin, end});
    if (drag_->action == Action::kSelectRows) selectRows(drag_->pressed.y(), point.y());
    return;
  }
  const Ns delta = canvas_.timeOf(moved.x());
  state_.setVisible({drag_->visible.begin - delta, drag_->visible.end - delta}, !first);
  canvas_.setScroll(drag_->scroll - static_cast<int>(std::lround(moved.y())));
}

void Gestures::selectRows(qreal y, qreal otherY) {
  const auto [top, bottom] = std::minmax({y, otherY});
  std::vector<std::uint32_t> rows;
  const RowWindow window = canvas_.window();
  for (const RowBox& box :
       canvas_.rowLayout().between(window.toRows(static_cast<int>(top)), window.toRows(static_cast<int>(bottom)) + 1))
    if (!box.heading) rows.push_back(box.row);
  state_.setSelectedRows(std::move(rows));
}

bool Gestures::release(const QMouseEvent& event) {
  if (!drag_) return false;
  const Drag drag = *drag_;
  drag_.reset();
  if (drag.moved || drag.action != Action::kSelect) return true;
  const std::optional<Hit> hit = canvas_.hit(event.position());
  state_.setCurrent(hit ? std::optional(hit->event) : std::nullopt);
  if (const std::uint32_t row = canvas_.rowAt(event.position().y()); row != trace::kNone) state_.setCurrentRow(row);
  return true;
}

bool Gestures::doubleClick(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return false;
  drag_.reset();
  if (pressedSign_) return true;
  if (const std::optional<Hit> hit = canvas_.hit(event.position())) state_.zoomTo(state_.trace()->time(hit->event));
  return true;
}

bool Gestures::knows(const QKeyEvent& event) const { return actionOf(event).has_value(); }

void Gestures::cancelDrag() { drag_.reset(); }

bool Gestures::key(const QKeyEvent& event) {
  const std::optional<Action> action = actionOf(event);
  if (!action) return false;
  const bool repeated = event.isAutoRepeat();  // a held key is one gesture
  const bool backwards = event.modifiers() & Qt::ShiftModifier;
  const std::optional<Ns> anchor =
      canvas_.underMouse() ? std::optional(canvas_.timeAt(canvas_.mapFromGlobal(QCursor::pos()).x())) : state_.guide();
  const Ns step = std::max<Ns>(state_.visible().length() / kPanOfKey, 1);
  switch (*action) {
    case Action::kZoomIn:
      zoomIn(state_, anchor, repeated);
      break;
    case Action::kZoomOut:
      zoomOut(state_, anchor, repeated);
      break;
    case Action::kPanLeft:
      state_.panBy(-step, repeated);
      break;
    case Action::kPanRight:
      state_.panBy(step, repeated);
      break;
    case Action::kRowUp:
      stepRow(state_, -1);
      break;
    case Action::kRowDown:
      stepRow(state_, 1);
      break;
    case Action::kPageUp:
      canvas_.setScroll(canvas_.scroll() - canvas_.height());
      break;
    case Action::kPageDown:
      canvas_.setScroll(canvas_.scroll() + canvas_.height());
      break;
    case Action::kFitGpuWork:
      fitGpuWork(state_);
      break;
    case Action::kFitAll:
      state_.fitAll();
      break;
    case Action::kZoomToSelection:
      state_.zoomToSelection();
      break;
    case Action::kUndoZoom:
      Trail::of(state_).undoZoom();
      break;
    case Action::kNextEvent:
      stepEvent(state_, true);
      break;
    case Action::kPreviousEvent:
      stepEvent(state_, false);
      break;
    case Action::kJumpToPartner:
      jumpToPartner(state_);
      break;
    case Action::kToCause:
      followCorrelation(state_, false);
      break;
    case Action::kToEffect:
      followCorrelation(state_, true);
      break;
    case Action::kLongest:
      stepLongest(state_, !backwards);
      break;
    case Action::kActivity:
      stepActivity(state_, !backwards);
      break;
    case Action::kMeasureHere:
      measureHere(state_);
      break;
    case Action::kSelectCurrent:
      selectCurrent(state_);
      break;
    case Action::kClear:
      if (!drag_) {
        state_.clear();
        break;
      }
      if (drag_->action == Action::kMeasure) state_.setMeasure(std::nullopt);
      else state_.setSelection(std::nullopt);
      cancelDrag();
      break;
    default:
      return false;
  }
  return true;
}

}  // namespace lanescope::views
