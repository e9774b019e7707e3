// SPDX-License-Identifier: GPL-3.0-or-later
// One picture of the timeline: what is decided (slices), then painted, without a widget. The strips it was painted
// from stay with it, so that hit tests answer for what is seen. Cost: the pixels; see FrameStats. GUI thread (fonts).
#pragma once

#include <QImage>
#include <memory>
#include <unordered_map>
#include <vector>

#include "views/theme.h"
#include "views/timeline/labels.h"
#include "views/timeline/layout.h"
#include "views/timeline/level_lanes.h"
#include "views/timeline/raster.h"
#include "views/timeline/slice.h"

namespace lanescope::views {

struct FrameStats {
  SliceWork work;
  int rows = 0, lanes = 0, labels = 0;
  double milliseconds = 0;
};

/// A painted strip of a row: one lane of a stack, or all lanes of a row on top of each other.
struct Strip {
  std::uint32_t row = 0;
  Band band;  ///< device pixels, from the top of the image
  std::vector<trace::LaneId> lanes;
  LaneSlice slice;  ///< of all its lanes
  bool curve = false;  ///< draws counters instead
};

struct Frame {
  QImage image;
  Scale scale;
  RowWindow window;  ///< on the rows, logical pixels
  qreal ratio = 1;  ///< device pixels a logical pixel
  std::vector<Strip> strips;  ///< ascending in y
  FrameStats stats;

  const Strip* stripAt(int deviceY) const;
};

class FramePainter {
 public:
  /// `colours` and `palette` must outlive the call of render(); the palette has learned the names of the trace.
  /// `size` is logical. Reuses the memory of `frame`.
  void render(const ViewState& state, const Layout& layout, QSize size, qreal ratio, int scroll,
              const ThemeColours& colours, const Palette& palette, Frame& frame);

 private:
  std::unique_ptr<Labels> labels_;  // for the font and ratio of the last frame
  QFont labelFont_;
  qreal labelRatio_ = 0;
  LevelLanes levels_;
};

/// The pixels of air above and below a bar, logical.
inline constexpr int kAir = 3;

}  // namespace lanescope::views
