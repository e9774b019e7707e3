// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/format.h"
#include "model/markup.h"
#include "model/page/picture.h"
#include "model/utf8.h"

namespace lanescope::page {

using trace::EventKind;
using trace::Ns;

namespace {

constexpr int kLabels = 190, kWidth = 1200, kAxis = 22, kStrip = 16, kGap = 3, kHeading = 22;
constexpr int kHeights = 8;  // steps of a bar's height
constexpr double kCharacter = 6.2;  // of a label in a bar

/// The colours of the viewer's light theme, which read on dark, too.
std::string_view colourOf(const PictureColumn& column) {
  static constexpr std::array kKernels = {"#4f8ef7", "#8b6cf0", "#6f82f5", "#3f9bea", "#a386f2"};
  static constexpr std::array kRanges = {"#7fb069", "#e0a458", "#6aa7d8", "#a5b86a", "#c99c62", "#62b3a6"};
  switch (column.kind) {
    case EventKind::kCopy:
      return column.copyKind == 2 || column.copyKind == 12 ? "#e0668c" : column.copyKind == 8 ? "#9a7cf0" : "#3fae7a";
    case EventKind::kMemset:
      return "#a3a847";
    case EventKind::kCudaApi:
      return "#3fb0bc";
    case EventKind::kNvtxRange:
    case EventKind::kNvtxStartEnd:
      return kRanges[column.name % kRanges.size()];
    default:
      return kKernels[column.name % kKernels.size()];
  }
}

int heightOf(const PictureColumn& column) {
  return column.busy == 0 ? 0 : std::max(1, (column.busy * kHeights + 65534) / 65535);
}

bool sameLook(const PictureColumn& a, const PictureColumn& b) {
  return heightOf(a) == heightOf(b) && a.name == b.name && a.kind == b.kind && a.copyKind == b.copyKind;
}

/// Ticks at 1, 2 or 5 times a power of ten, eight or fewer of them.
Ns tickStep(Ns length) {
  for (Ns decade = 1; decade <= length; decade *= 10) {
    for (const Ns step : {decade, 2 * decade, 5 * decade}) {
      if (length / step <= 8) return step;
    }
  }
  return std::max<Ns>(1, length);
}

void appendAxis(const Picture& picture, int height, std::string& out) {
  const Ns length = picture.range.length(), step = tickStep(length);
  for (Ns at = 0; at <= length; at += step) {
    const double x = kLabels + static_cast<double>(at) * (kWidth - kLabels) / static_cast<double>(length);
    out += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='currentColor' opacity='.15'/>", x,
                       kAxis - 6, height);
    if (x < kWidth - 60) {
      out += fmt::format("<text x='{:.1f}' y='{}' opacity='.65'>{}</text>", x + 4, kAxis - 8,
                         at == 0 ? "0" : formatDuration(at));
    }
  }
}

void appendStrip(const Strip& strip, int top, const trace::NameTable& names, std::string& out) {
  const double width = double{kWidth - kLabels} / static_cast<double>(strip.columns.size());
  for (std::size_t i = 0, end = 0; i < strip.columns.size(); i = end) {
    const PictureColumn& column = strip.columns[i];
    for (end = i + 1; end < strip.columns.size() && sameLook(strip.columns[end], column);) ++end;
    if (column.busy == 0) continue;
    const int height = kStrip * heightOf(column) / kHeights;
    const double x = kLabels + static_cast<double>(i) * width, wide = static_cast<double>(end - i) * width;
    const std::string_view text = names[column.name].text, label = names[column.name].label;
    out += fmt::format("<rect x='{:.1f}' y='{}' width='{:.1f}' height='{}' fill='{}'><title>{}</title></rect>", x,
                       top + kStrip - height, wide, height, colourOf(column), escaped(shownText(text, 300)));
    if (height == kStrip && wide >= kCharacter * static_cast<double>(std::min<std::size_t>(label.size(), 40)) + 6 &&
        label.size() <= 40) {
      out += fmt::format("<text x='{:.1f}' y='{}' class='in'>{}</text>", x + 4, top + kStrip - 4, escaped(label));
    }
  }
}

}  // namespace

std::string toSvg(const Picture& picture, const trace::NameTable& names) {
  int height = kAxis;
  for (const Strip& strip : picture.strips) height += strip.isHeading ? kHeading : kStrip + kGap;
  std::string out = fmt::format(
      "<svg viewBox='0 0 {} {}' role='img' aria-label='Timeline' font-size='11' fill='currentColor'>", kWidth, height);
  appendAxis(picture, height, out);
  int top = kAxis;
  for (const Strip& strip : picture.strips) {
    if (strip.isHeading) {
      out += fmt::format("<text x='0' y='{}' font-weight='600'>{}</text>", top + kHeading - 6, escaped(strip.label));
      top += kHeading;
      continue;
    }
    out += fmt::format("<text x='12' y='{}' opacity='.8'>{}</text>", top + kStrip - 4,
                       escaped(shownText(strip.label, 60)));
    appendStrip(strip, top, names, out);
    top += kStrip + kGap;
  }
  return out + "</svg>\n";
}

}  // namespace lanescope::page
