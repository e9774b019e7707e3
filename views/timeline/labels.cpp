// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/labels.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "views/text.h"
#include "views/timeline/raster.h"

namespace lanescope::views {
namespace {

constexpr int kFixed = 64;  // of a device pixel, for advances
constexpr int kFirst = 0x20, kLast = 0x7E;

bool isPlain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= kFirst && c <= kLast; });
}

/// The first characters of a text, never half of one.
std::string_view head(std::string_view text) {
  if (text.size() <= Labels::kLongest) return text;
  std::size_t end = Labels::kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

/// White on transparent, to be read as coverage.
QImage canvasFor(int width, int height, qreal ratio) {
  QImage image(std::max(width, 1), std::max(height, 1), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(0);
  return image;
}

}  // namespace

Labels::Labels(const QFont& font, qreal ratio) : font_(font), ratio_(ratio) {
  const QFontMetricsF metrics(font_);
  lineHeight_ = static_cast<int>(std::ceil(metrics.height() * ratio_));
  for (int i = 0; i <= kEllipsis; ++i) {
    const QString text(i == kEllipsis ? QChar(0x2026) : QChar(kFirst + i));
    const auto index = static_cast<std::size_t>(i);
    advance_[index] = static_cast<int>(std::lround(metrics.horizontalAdvance(text) * ratio_ * kFixed));
    for (int s = 0; s < kSubpixels; ++s) atlas_[index][static_cast<std::size_t>(s)] = render(text, s);
  }
  narrowest_ = ((kFewest - 1) * advance_['i' - kFirst] + advance_[kEllipsis]) / kFixed;
}

Labels::Mask Labels::render(const QString& text, int subpixel) const {
  constexpr int kMargin = 2;  // glyphs reach over their advance
  const QFontMetricsF metrics(font_);
  const int width = static_cast<int>(std::ceil(metrics.horizontalAdvance(text) * ratio_)) + 2 * kMargin + 1;
  QImage image = canvasFor(width, lineHeight_, ratio_);
  {
    QPainter painter(&image);
    painter.setFont(font_);
    painter.setPen(Qt::white);
    painter.drawText(QPointF((kMargin + subpixel / qreal(kSubpixels)) / ratio_, metrics.ascent()), text);
  }
  // Only the pixels with ink are kept.
  int left = width, right = 0, top = lineHeight_, bottom = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < width; ++x)
      if (qAlpha(image.pixel(x, y)) != 0)
        left = std::min(left, x), right = std::max(right, x + 1), top = std::min(top, y), bottom = y + 1;
  Mask mask;
  if (left >= right) return mask;
  mask = {left - kMargin, top, right - left, bottom - top, {}};
  mask.alpha.reserve(static_cast<std::size_t>(mask.width * mask.height));
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) mask.alpha.push_back(static_cast<std::uint8_t>(qAlpha(image.pixel(x, y))));
  return mask;
}

const Labels::Laid& Labels::laid(std::string_view text) {
  const std::string key(text);
  if (const auto found = young_.find(key); found != young_.end()) return found->second;
  if (const auto found = old_.find(key); found != old_.end()) {
    const std::size_t bytes = found->second.mask.alpha.size() + key.size();
    oldBytes_ -= bytes;
    youngBytes_ += bytes;
    return young_.insert(old_.extract(found)).position->second;
  }

  const QString string = toQt(text);
  Laid result;
  result.mask = render(string, 0);
  result.rightToLeft = string.isRightToLeft();
  QTextLayout layout(string, font_);
  layout.beginLayout();
  QTextLine line = layout.createLine();
  layout.endLayout();
  if (line.isValid()) {
    const qreal whole = line.naturalTextWidth();
    for (int i = 1; i < string.size(); ++i)
      if (layout.isValidCursorPosition(i)) {
        const qreal x = line.cursorToX(i);
        result.stops.push_back(static_cast<int>((result.rightToLeft ? whole - x : x) * ratio_));
      }
  }
  std::sort(result.stops.begin(), result.stops.end());

  if (youngBytes_ > kCacheBytes / 2) {
    old_ = std::move(young_);
    oldBytes_ = youngBytes_;
    young_.clear();
    youngBytes_ = 0;
  }
  youngBytes_ += result.mask.alpha.size() + key.size();
  return young_.emplace(key, std::move(result)).first->second;
}

bool Labels::draw(QImage& image, QRect box, std::string_view text, QRgb colour) {
  const std::string_view shown = head(text);
  if (shown.empty() || box.width() <= 0) return false;
  const bool more = shown.size() < text.size();
  return isPlain(shown) ? drawAscii(image, box, shown, more, colour) : drawLaid(image, box, laid(shown), more, colour);
}

bool Labels::drawAscii(QImage& image, QRect box, std::string_view text, bool more, QRgb colour) {
  const int room = box.width() * kFixed;
  const auto glyphOf = [](char c) { return static_cast<std::size_t>(c - kFirst); };
  int width = 0;
  std::size_t fits = 0;     // characters that fit
  std::size_t elided = 0;   // characters that fit before an ellipsis
  for (; fits < text.size(); ++fits) {
    width += advance_[glyphOf(text[fits])];
    if (width > room) break;
    if (width + advance_[kEllipsis] <= room) elided = fits + 1;
  }
  const bool cut = more || fits < text.size();
  if (cut && elided + 1 < kFewest) return false;
  if (cut)
    while (elided > 1 && text[elided - 1] == ' ') --elided;

  int pen = box.left() * kFixed;
  const auto set = [&](std::size_t glyph) {
    const auto subpixel = static_cast<std::size_t>(pen % kFixed * kSubpixels / kFixed);
    const Mask& mask = atlas_[glyph][subpixel];
    blit(image, box, mask, pen / kFixed, 0, mask.width, colour);
    pen += advance_[glyph];
  };
  for (const char c : text.substr(0, cut ? elided : fits)) set(glyphOf(c));
  if (cut) set(kEllipsis);
  return true;
}

bool Labels::drawLaid(QImage& image, QRect box, const Laid& text, bool more, QRgb colour) {
  const int whole = text.mask.left + text.mask.width;
  if (!more && whole <= box.width()) {
    blit(image, box, text.mask, box.left(), 0, text.mask.width, colour);
    return true;
  }
  const int ellipsis = advance_[kEllipsis] / kFixed + 1;
  const auto beyond = std::upper_bound(text.stops.begin(), text.stops.end(), box.width() - ellipsis);
  if (beyond - text.stops.begin() + 1 < kFewest) return false;
  const int kept = *(beyond - 1);
  const Mask& dots = atlas_[kEllipsis][0];
  if (text.rightToLeft) {  // its end is at the left
    blit(image, box, text.mask, box.left() + ellipsis + kept - whole, whole - kept - text.mask.left, text.mask.width,
         colour);
    blit(image, box, dots, box.left(), 0, dots.width, colour);
  } else {
    blit(image, box, text.mask, box.left(), 0, kept - text.mask.left, colour);
    blit(image, box, dots, box.left() + kept, 0, dots.width, colour);
  }
  return true;
}

/// Columns [from, to) of a mask whose pen stands at x, on a line centred in `clip`; nothing outside `clip` or the image.
void Labels::blit(QImage& image, QRect clip, const Mask& mask, int x, int from, int to, QRgb colour) const {
  const QRect inside = clip.intersected(image.rect());
  const int left = x + mask.left;
  const int top = clip.top() + (clip.height() - lineHeight_ + 1) / 2 + mask.top;
  from = std::max({from, 0, inside.left() - left});
  to = std::min({to, mask.width, inside.right() + 1 - left});
  const int firstRow = std::max(0, inside.top() - top);
  const int lastRow = std::min(mask.height, inside.bottom() + 1 - top);
  for (int row = firstRow; row < lastRow; ++row) {
    const std::uint8_t* alpha = mask.alpha.data() + static_cast<std::ptrdiff_t>(row) * mask.width;
    QRgb* line = reinterpret_cast<QRgb*>(image.scanLine(top + row)) + left;
    for (int i = from; i < to; ++i)
      if (alpha[i] != 0) line[i] = mix(line[i], colour, alpha[i] + (alpha[i] >> 7));
  }
}

}  // namespace lanescope::views
