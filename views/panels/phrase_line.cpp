// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/phrase_line.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include "views/theme.h"

namespace lanescope::views {
namespace {

const QString kDot = QStringLiteral("  ·  ");
const QString kMore = QStringLiteral("…");

}  // namespace

PhraseLine::PhraseLine(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void PhraseLine::setPhrases(std::vector<Phrase> phrases) {
  phrases_ = std::move(phrases);
  setAccessibleDescription(text());
  update();
}

QString PhraseLine::text() const {
  QStringList texts;
  for (const Phrase& phrase : phrases_) texts += phrase.text;
  return texts.join(QStringLiteral(" · "));
}

QFont PhraseLine::fontOf(const Phrase& phrase) const { return Theme::font(0, phrase.bold); }

std::vector<PhraseLine::Place> PhraseLine::places() const {
  const int dot = QFontMetrics(Theme::font()).horizontalAdvance(kDot);
  const int more = QFontMetrics(Theme::font()).horizontalAdvance(kMore);
  std::vector<Place> places;
  int x = 0;
  for (std::size_t i = 0; i < phrases_.size(); ++i) {
    if (i != 0) x += dot;
    const int right = x + QFontMetrics(fontOf(phrases_[i])).horizontalAdvance(phrases_[i].text);
    const bool last = i + 1 == phrases_.size();
    if (right + (last ? 0 : dot + more) > width()) {
      places.push_back({x, width(), i, true});
      break;
    }
    places.push_back({x, right, i, false});
    x = right;
  }
  return places;
}

QString PhraseLine::meaningAt(int x) const {
  for (const Place& place : places()) {
    if (x < place.left || x >= place.right) continue;
    if (!place.rest) return phrases_[place.phrase].meaning;
    QStringList rest;
    for (std::size_t i = place.phrase; i < phrases_.size(); ++i)
      rest += phrases_[i].meaning.isEmpty() ? phrases_[i].text : phrases_[i].text + u'\n' + phrases_[i].meaning;
    return rest.join(QStringLiteral("\n\n"));
  }
  return {};
}

QSize PhraseLine::sizeHint() const { return {400, QFontMetrics(Theme::font()).height() + 4}; }

bool PhraseLine::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString meaning = meaningAt(help->pos().x());
  if (meaning.isEmpty()) QToolTip::hideText();
  else QToolTip::showText(help->globalPos(), meaning, this);
  return true;
}

void PhraseLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColours& colours = Theme::colours();
  const auto draw = [&](int x, const QString& text, const QFont& font, const QColor& colour) {
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
  };
  int end = 0;
  for (const Place& place : places()) {
    if (place.phrase != 0) draw(end, kDot, Theme::font(), colours.textFaint);
    const Phrase& phrase = phrases_[place.phrase];
    if (place.rest) draw(place.left, kMore, Theme::font(), colours.textDim);
    else draw(place.left, phrase.text, fontOf(phrase), phrase.warns ? colours.warning : colours.text);
    end = place.right;
  }
}

}  // namespace lanescope::views
