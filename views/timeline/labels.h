// SPDX-License-Identifier: GPL-3.0-or-later
// Text on bars, blitted from 8-bit masks. Plain ASCII is set glyph by glyph from a small atlas; anything else is laid
// out once by Qt (shaping, fonts, right to left) and kept in a cache bounded in bytes. Only the first kLongest
// characters of a text are ever looked at. A label never leaves its box; where fewer than five characters would show
// there is none. GUI thread, as it uses fonts. Cost: the pixels of the glyphs drawn.
#pragma once

#include <QFont>
#include <QImage>
#include <QRect>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::views {

class Labels {
 public:
  static constexpr std::size_t kLongest = 200;
  static constexpr int kFewest = 5;  ///< characters, the … included, that an elided label must show

  Labels(const QFont& font, qreal ratio);

  /// Draws `text` (UTF-8) into `box`, in device pixels, vertically centred, elided with … at its end. False if there
  /// is no room for it.
  bool draw(QImage& image, QRect box, std::string_view text, QRgb colour);

  /// No box narrower than this shows an elided label.
  int narrowest() const { return narrowest_; }

  std::size_t cachedBytes() const { return youngBytes_ + oldBytes_; }
  static constexpr std::size_t kCacheBytes = 16 << 20;

 private:
  struct Mask {
    int left = 0;  // of the first pixel, from the pen
    int top = 0;   // of the first pixel, from the top of the line
    int width = 0, height = 0;
    std::vector<std::uint8_t> alpha;
  };
  struct Laid {  // a text laid out by Qt
    Mask mask;
    std::vector<int> stops;  // widths at which it may be cut, ascending
    bool rightToLeft = false;
  };

  Mask render(const QString& text, int subpixel) const;
  const Laid& laid(std::string_view text);
  bool drawAscii(QImage& image, QRect box, std::string_view text, bool more, QRgb colour);
  bool drawLaid(QImage& image, QRect box, const Laid& text, bool more, QRgb colour);
  void blit(QImage& image, QRect clip, const Mask& mask, int x, int from, int to, QRgb colour) const;

  static constexpr int kSubpixels = 4;  // places of a glyph inside a pixel
  static constexpr int kEllipsis = 95;  // index in the atlas, after the 95 printable characters
  using Glyph = std::array<Mask, kSubpixels>;

  QFont font_;
  qreal ratio_;
  int lineHeight_ = 0;  // device pixels
  std::array<Glyph, kEllipsis + 1> atlas_;
  std::array<int, kEllipsis + 1> advance_{};  // in 1/64 of a device pixel
  int narrowest_ = 0;

  // Two generations: when the young one is full it becomes the old one, and what was old is dropped.
  std::unordered_map<std::string, Laid> young_, old_;
  std::size_t youngBytes_ = 0, oldBytes_ = 0;
};

}  // namespace lanescope::views
