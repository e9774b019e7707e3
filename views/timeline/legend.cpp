// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/legend.h"

#include <QPainter>
#include <algorithm>

#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kPad = 12, kGap = 6, kBetween = 18;
constexpr int kWidest = 800;
constexpr qsizetype kLongestLabel = 40;

QString labelOf(const LegendEntry& entry) { return toQt(entry.label, 400).left(kLongestLabel); }

}  // namespace

Legend::Legend(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("What the colours mean"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(&Theme::instance(), &Theme::changed, this, &Legend::follow);
  follow();
}

void Legend::follow() {
  QStringList labels;
  for (const LegendEntry& entry : Theme::palette().legend()) labels += toQt(entry.label);
  setAccessibleDescription(labels.join(", "));
  setVisible(!labels.isEmpty());
  updateGeometry();
  update();
}

QSize Legend::sizeHint() const {
  const QFontMetrics metrics(Theme::font(-1));
  int width = 2 * kPad;
  for (const LegendEntry& entry : Theme::palette().legend())
    width += metrics.height() - 4 + kGap + metrics.horizontalAdvance(labelOf(entry)) + kBetween;
  return {std::min(width, kWidest), metrics.height() + 8};
}

void Legend::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::colours().panel);
  painter.setFont(Theme::font(-1));
  painter.setPen(Theme::colours().text);
  const int side = painter.fontMetrics().height() - 4;
  int x = kPad;
  for (const LegendEntry& entry : Theme::palette().legend()) {
    const QString label = labelOf(entry);
    const int width = side + kGap + painter.fontMetrics().horizontalAdvance(label);
    if (x + width > this->width()) break;
    painter.fillRect(x, (height() - side) / 2, side, side, QColor::fromRgb(entry.colour));
    painter.drawText(QRect(x + side + kGap, 0, width, height()), Qt::AlignLeft | Qt::AlignVCenter, label);
    x += width + kBetween;
  }
}

}  // namespace lanescope::views
