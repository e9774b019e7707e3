// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/elided.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStyleOptionButton>
#include <QStyleOptionToolButton>
#include <QStylePainter>
#include <QToolTip>
#include <algorithm>
#include <type_traits>

namespace lanescope::views {
namespace {

constexpr int kLeastCharacters = 6, kMostCharacters = 50;

int inCharacters(const QWidget& widget, int count) { return count * widget.fontMetrics().averageCharWidth(); }

/// `hint` is what the button wants for all of its text.
QString cutText(const QAbstractButton& button, const QSize& hint) {
  const QFontMetrics metrics = button.fontMetrics();
  const int text = metrics.size(Qt::TextShowMnemonic, button.text()).width();
  const int room = button.width() - (hint.width() - text);
  return text <= room ? button.text()
                      : metrics.elidedText(button.text(), Qt::ElideMiddle, std::max(room, 0), Qt::TextShowMnemonic);
}

QSize bounded(const QAbstractButton& button, QSize hint, int characters) {
  const int text = button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width();
  return {hint.width() - text + std::min(text, inCharacters(button, characters)), hint.height()};
}

/// Shows the whole text, where it is cut and the tooltip does not say more anyway.
bool showWhole(QWidget& widget, QEvent* event, const QString& shown, QString whole) {
  if (event->type() != QEvent::ToolTip || !widget.toolTip().isEmpty() || shown == whole) return false;
  whole.replace("&&", "&");
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), whole.toHtmlEscaped(), &widget);
  return true;
}

}  // namespace

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { setTextFormat(Qt::PlainText); }

QString ElidedLabel::shown() const { return fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()); }

QSize ElidedLabel::minimumSizeHint() const {
  const QSize whole = QLabel::minimumSizeHint();
  return {std::min(whole.width(), inCharacters(*this, kLeastCharacters)), whole.height()};
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shown() == text()) return QLabel::event(event);
  const QString more = toolTip().isEmpty() ? QString() : u'\n' + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                     "<p style='white-space:pre-wrap'>" + (text() + more).toHtmlEscaped() + "</p>", this);
  return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  style()->drawItemText(&painter, contentsRect(), static_cast<int>(alignment()), palette(), isEnabled(), shown(),
                        foregroundRole());
}

template <class Button>
QString Elided<Button>::shown() const {
  return cutText(*this, Button::sizeHint());
}

template <class Button>
QSize Elided<Button>::sizeHint() const {
  return bounded(*this, Button::sizeHint(), kMostCharacters);
}

template <class Button>
QSize Elided<Button>::minimumSizeHint() const {
  return bounded(*this, Button::sizeHint(), kLeastCharacters);
}

template <class Button>
bool Elided<Button>::event(QEvent* event) {
  return showWhole(*this, event, shown(), this->text()) || Button::event(event);
}

template <class Button>
void Elided<Button>::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  constexpr bool kTool = std::is_same_v<Button, QToolButton>;
  std::conditional_t<kTool, QStyleOptionToolButton, QStyleOptionButton> option;
  this->initStyleOption(&option);
  option.text = shown();
  if constexpr (kTool) painter.drawComplexControl(QStyle::CC_ToolButton, option);
  else painter.drawControl(QStyle::CE_PushButton, option);
}

template class Elided<QToolButton>;
template class Elided<QPushButton>;

}  // namespace lanescope::views
