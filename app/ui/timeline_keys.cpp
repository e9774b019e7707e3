// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/timeline_keys.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

#include "app/ui/compare_tab.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

bool isTypedInto(const QObject* widget) {
  if (const auto* line = qobject_cast<const QLineEdit*>(widget)) return !line->isReadOnly();
  return qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QTextEdit*>(widget) ||
         qobject_cast<const QPlainTextEdit*>(widget);
}

bool isLetter(const QKeyEvent& key) {
  return key.text().size() == 1 && key.text().front().isPrint() && !key.text().front().isSpace();
}

}  // namespace

TimelineKeys::TimelineKeys(QMainWindow& window, const ReportTabs& tabs)
    : QObject(&window), window_(window), tabs_(tabs) {
  QApplication::instance()->installEventFilter(this);
}

views::TimelineCanvas* TimelineKeys::canvas() const {
  ReportTab* tab = pointed_ && pointed_->timeline().isVisible() ? pointed_.data() : tabs_.current();
  return tab && tab->timeline().isVisible() ? tab->timeline().canvas() : nullptr;
}

ReportTab* TimelineKeys::tabOf(const QObject* watched) const {
  const auto* widget = qobject_cast<const QWidget*>(watched);
  const auto has = [widget](ReportTab& tab) {
    return widget && (widget == &tab.timeline() || tab.timeline().isAncestorOf(widget));
  };
  if (const CompareTab* compared = tabs_.comparison()) {
    for (const views::Side side : {views::kA, views::kB})
      if (has(compared->side(side))) return &compared->side(side);
    return nullptr;
  }
  ReportTab* tab = tabs_.current();
  return tab && has(*tab) ? tab : nullptr;
}

bool TimelineKeys::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Enter:
    case QEvent::MouseMove:
    case QEvent::MouseButtonPress:
      if (watched->isWidgetType() && static_cast<QWidget*>(watched)->window() == &window_ && watched != &window_)
        pointed_ = tabOf(watched);
      return false;
    case QEvent::Leave:
      if (tabOf(watched)) pointed_ = nullptr;
      return false;
    case QEvent::FocusIn: {
      // Not where the window or a menu only gives it back.
      const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
      if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason) pointed_ = nullptr;
      return false;
    }
    case QEvent::KeyPress:
      return take(watched, *static_cast<QKeyEvent*>(event));
    default:
      return false;
  }
}

bool TimelineKeys::take(QObject* watched, const QKeyEvent& key) {
  const bool unused = watched == &window_;  // by who has the keyboard, and by all around it
  const bool first = pointed_ && watched == window_.focusWidget() && !tabOf(watched);
  if ((!unused && !first) || isTypedInto(watched)) return false;
  views::TimelineCanvas* to = canvas();
  if (!to) return false;
  if (unused && key.key() == Qt::Key_Escape) {
    to->setFocus();
    return true;
  }
  return isLetter(key) && to->gestures().key(key);
}

}  // namespace lanescope::ui
