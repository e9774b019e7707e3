// SPDX-License-Identifier: GPL-3.0-or-later
// What to draw of a lane at a scale, decided once; painting and hit testing replay it. Spans ascend in x and do not
// overlap. An event that covers a whole pixel column is a bar; narrower ones share columns whose fill is the busy
// fraction and whose colour is the dominant name. A column that holds any event has a span.
// Pure. Cost follows the pixels: at most kVisitsPerColumn events, or a handful of pyramid bins, a column.
#pragma once

#include <qrgb.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/trace/lane_part.h"
#include "model/trace/trace.h"
#include "views/palette.h"
#include "views/scale.h"

namespace lanescope::views {

struct Span {
  enum Flag : std::uint8_t {
    kColumn = 1,      ///< one pixel of narrow events, else a bar
    kUnfinished = 2,  ///< had no end: torn at the right
    kInstant = 4,     ///< a single zero-length event
    kOutlined = 8,    ///< a graph launched as a whole, a projection
    kHatched = 16,    ///< the profiler's own time
    kDimmed = 32,     ///< of what does not pass the filter
    kBehind = 64,     ///< a thread that waits: seen where nothing else is
  };
  static constexpr std::uint32_t kNoEvent = 0xFFFFFFFF;

  int x = 0;
  int width = 1;
  std::uint32_t event = kNoEvent;  ///< index in the lane; columns of several events have none
  trace::LaneId lane = 0;
  trace::NameId name = 0;  ///< the dominant one
  QRgb colour = 0;
  std::uint8_t fill = 255;  ///< busy fraction, at least 1
  std::uint8_t flags = 0;

  int right() const { return x + width; }
  bool isColumn() const { return (flags & kColumn) != 0; }
};

/// What deciding cost; tests hold it against the pixels.
struct SliceWork {
  std::size_t events = 0;   ///< looked at
  std::size_t bins = 0;     ///< pyramid bins read
  std::size_t searches = 0;  ///< binary searches in the lane
  SliceWork& operator+=(const SliceWork& other) {
    events += other.events, bins += other.bins, searches += other.searches;
    return *this;
  }
};

struct LaneSlice {
  std::vector<Span> spans;
  SliceWork work;
};

inline constexpr unsigned kVisitsPerColumn = 16;

/// `id` is only noted in the spans. Of a part of a lane the rest is as if it were not there, and costs nothing.
LaneSlice sliceLane(const trace::LaneView& lane, const trace::LaneInfo& info, const Scale& scale,
                    const Palette& palette, trace::LaneId id = 0);

/// Several lanes in one strip: bars lie over columns and short bars over long ones, columns add up their fill and show
/// the name of the fullest. What lies behind shows only in pixels that nothing else has. Work is not summed.
LaneSlice mergeSlices(std::span<const LaneSlice* const> slices, int width);

/// What passes a filter over all there is: pixels that show nothing of `passing` show `all`, its colours dimmed by
/// `dimmed`. Work is not summed.
template <class Dimmed>
LaneSlice overDimmed(const LaneSlice& passing, const LaneSlice& all, Dimmed dimmed) {
  LaneSlice both;
  auto over = passing.spans.begin();
  const auto end = passing.spans.end();
  int covered = 0;
  for (const Span& span : all.spans) {
    int x = std::max(span.x, covered);
    const auto addUpTo = [&](int right) {
      if (right <= x) return;
      Span& piece = both.spans.emplace_back(span);
      piece.x = x;
      piece.width = right - x;
      piece.flags |= Span::kDimmed;
      piece.colour = dimmed(span.colour);
    };
    for (; over != end && over->x < span.right(); ++over) {
      addUpTo(over->x);
      both.spans.push_back(*over);
      x = std::max(x, covered = over->right());
    }
    addUpTo(span.right());
  }
  both.spans.insert(both.spans.end(), over, end);
  return both;
}

}  // namespace lanescope::views
