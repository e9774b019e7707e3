// SPDX-License-Identifier: GPL-3.0-or-later
// Paints slices straight into the pixels of an image: one pass of scanlines a strip, then the corners, outlines and
// marks of the bars that have them. Knows nothing of lanes or themes. Cost: the pixels of the strip, plus the spans.
// The image must be Format_RGB32 or ARGB32_Premultiplied and as wide as the background.
#pragma once

#include <QImage>
#include <span>

#include "views/timeline/slice.h"

namespace lanescope::views {

/// Rows of an image, in device pixels.
struct Band {
  int top = 0;
  int height = 0;
};

/// Colours of one empty scanline: the row's tint with the grid lines in it.
using Background = std::span<const QRgb>;

void paintBackground(QImage& image, Band band, Background background);

/// `air` is left free above and below where there is room; the whole band is painted.
void paintSlice(QImage& image, Band band, int air, const LaneSlice& slice, Background background, qreal ratio);

/// `part` of 256 of `over` on `under`.
constexpr QRgb mix(QRgb under, QRgb over, unsigned part) {
  const auto channel = [&](unsigned shift) {
    const unsigned a = (under >> shift) & 0xFF, b = (over >> shift) & 0xFF;
    return ((a * (256 - part) + b * part) >> 8) << shift;
  };
  return 0xFF000000u | channel(16) | channel(8) | channel(0);
}

}  // namespace lanescope::views
