// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace lanescope::views {
namespace {

constexpr int kRoundFrom = 6;         // logical pixels a bar needs to show a rounded corner
constexpr unsigned kTint = 72;        // of 256: the part of a column that was not busy
constexpr unsigned kOutlineFill = 64; // of 256: inside of an outlined bar
constexpr unsigned kHatch = 70;  // of 256: how much of the ground shows in the other stripes; text must read on both

QRgb* scanline(QImage& image, int y) { return reinterpret_cast<QRgb*>(image.scanLine(y)); }

/// How each pixel column of a strip looks: `full` from `top` down, `rest` above.
struct Columns {
  std::vector<QRgb> full, rest;
  std::vector<int> top;

  void paint(QRgb* line, int y) const {
    const std::size_t width = full.size();
    const QRgb* f = full.data();
    const QRgb* r = rest.data();
    const int* t = top.data();
    for (std::size_t x = 0; x < width; ++x) line[x] = y >= t[x] ? f[x] : r[x];
  }
};

/// Decorates single bars after the strip is filled. y counts from the top of the bars.
class Marks {
 public:
  Marks(QImage& image, Band bars, Background background, qreal ratio)
      : background_(background),
        unseen_(background.size()),
        height_(bars.height),
        unit_(std::max(1, static_cast<int>(std::lround(ratio)))) {
    lines_.reserve(static_cast<std::size_t>(height_));
    for (int y = bars.top; y < bars.top + height_; ++y)
      lines_.push_back(y >= 0 && y < image.height() ? scanline(image, y) : unseen_.data());
  }

  void decorate(const Span& span) {
    if (span.flags & Span::kHatched) hatch(span);
    if (span.isColumn()) {
      if (span.flags & Span::kInstant) diamond(span);
      return;
    }
    if (span.flags & Span::kOutlined) outline(span);
    if (span.flags & Span::kUnfinished) tear(span);
    else if (span.width > 2 * unit_) edge(span);
    if (span.width >= kRoundFrom * unit_) round(span);
  }

 private:
  QRgb& at(int x, int y) { return lines_[static_cast<std::size_t>(y)][x]; }
  bool inside(int x, int y) const {
    return x >= 0 && x < static_cast<int>(background_.size()) && y >= 0 && y < height_;
  }
  QRgb behind(int x) const { return background_[static_cast<std::size_t>(x)]; }

  // A gap at the right, so that events that touch are told apart.
  void edge(const Span& span) {
    const int x = span.right() - 1;
    for (int y = 0; y < height_; ++y) at(x, y) = mix(behind(x), span.colour, 90);
  }

  void round(const Span& span) {
    const int right = span.right() - 2;  // the last column is the gap
    for (const int y : {0, height_ - 1}) {
      const int inner = y == 0 ? 1 : height_ - 2;
      for (const int x : {span.x, right}) {
        const int next = x == span.x ? x + 1 : x - 1;
        at(x, y) = mix(behind(x), span.colour, 60);
        if (unit_ == 1 || inner < 0 || inner >= height_) continue;
        at(x, y) = behind(x);
        at(next, y) = mix(behind(next), span.colour, 140);
        at(x, inner) = mix(behind(x), span.colour, 140);
      }
    }
  }

  void outline(const Span& span) {
    for (int y = 0; y < height_; ++y)
      for (int x = span.x; x < span.right(); ++x) {
        const bool border = y < unit_ || y >= height_ - unit_ || x < span.x + unit_ || x >= span.right() - 1 - unit_;
        if (!border) at(x, y) = mix(behind(x), span.colour, kOutlineFill);
      }
  }

  void hatch(const Span& span) {
    const int period = 6 * unit_;
    for (int y = 0; y < height_; ++y)
      for (int x = span.x; x < span.right(); ++x)
        if ((x + y) % period >= period / 2) at(x, y) = mix(at(x, y), behind(x), kHatch);
  }

  // Teeth bitten out of the right edge.
  void tear(const Span& span) {
    const int depth = std::min(4 * unit_, span.width / 2);
    for (int y = 0; y < height_; ++y) {
      const int phase = y % (2 * std::max(depth, 1));
      const int bite = phase < depth ? phase : 2 * depth - phase;
      for (int x = span.right() - bite; x < span.right(); ++x) at(x, y) = behind(x);
    }
  }

  void diamond(const Span& span) {
    const int radius = std::min(3 * unit_, height_ / 2);
    const int centre = height_ / 2;
    for (int y = 0; y < height_; ++y) at(span.x, y) = span.colour;
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -(radius - std::abs(dy)); dx <= radius - std::abs(dy); ++dx)
        if (inside(span.x + dx, centre + dy)) at(span.x + dx, centre + dy) = span.colour;
  }

  Background background_;
  std::vector<QRgb> unseen_;  // takes what lies above or below the image
  std::vector<QRgb*> lines_;
  const int height_;
  const int unit_;
};

constexpr std::uint8_t kDecorated = Span::kUnfinished | Span::kInstant | Span::kOutlined | Span::kHatched;

}  // namespace

void paintBackground(QImage& image, Band band, Background background) {
  const int bottom = std::min(band.top + band.height, image.height());
  for (int y = std::max(band.top, 0); y < bottom; ++y)
    std::memcpy(image.scanLine(y), background.data(), background.size_bytes());
}

void paintSlice(QImage& image, Band band, int air, const LaneSlice& slice, Background background, qreal ratio) {
  air = std::min(air, (band.height - 1) / 2);  // a thin band is all bar
  const Band whole{band.top + air, std::max(band.height - 2 * air, 1)};
  const int barsTop = std::max(whole.top, 0);
  const int barsBottom = std::min(whole.top + whole.height, image.height());
  paintBackground(image, {band.top, whole.top - band.top}, background);
  paintBackground(image, {whole.top + whole.height, band.top + band.height - whole.top - whole.height}, background);
  if (barsTop >= barsBottom) return;
  if (slice.spans.empty()) return paintBackground(image, whole, background);

  Columns columns;
  columns.full.assign(background.begin(), background.end());
  columns.rest.assign(background.begin(), background.end());
  columns.top.assign(background.size(), 0);
  for (const Span& span : slice.spans) {
    const auto x = static_cast<std::size_t>(span.x);
    if (span.isColumn()) {
      columns.full[x] = span.colour;
      columns.rest[x] = mix(background[x], span.colour, kTint);
      columns.top[x] = whole.height - std::max(1, span.fill * whole.height / 255);
    } else {
      std::fill_n(columns.full.begin() + span.x, span.width, span.colour);
    }
  }
  for (int y = barsTop; y < barsBottom; ++y) columns.paint(scanline(image, y), y - whole.top);

  Marks marks(image, whole, background, ratio);
  for (const Span& span : slice.spans)
    if ((span.flags & kDecorated) != 0 || (!span.isColumn() && span.width > 2)) marks.decorate(span);
}

}  // namespace lanescope::views
