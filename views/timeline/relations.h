// SPDX-License-Identifier: GPL-3.0-or-later
// What to draw of the events that belong to the current one: outlines, arrows, and signs where a partner is out of
// sight. Decided for a frame, then painted and hit as decided. Points are logical pixels of the canvas. Pure; cost:
// the strips and spans of the frame, for at most Related::kMost partners.
#pragma once

#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <vector>

#include "model/analysis/related.h"
#include "views/timeline/frame.h"

namespace lanescope::views {

/// From a cause to its effect: a launch to its work, a record to a wait, a range to its projection.
struct Arrow {
  QPointF from, to;
  bool sideways = true;  ///< ends at the left edge of a bar; else it points to a sign beyond the edge of the picture
};

/// A sign at the edge of the picture: partners lie beyond it.
struct EdgeSign {
  Qt::Edge edge = Qt::LeftEdge;
  QRectF box;
  trace::EventRef event;  ///< the nearest of them
  std::size_t count = 0;
};

struct Relations {
  std::vector<QRectF> current, ends, inside;  ///< bars in sight
  std::vector<Arrow> arrows;
  std::vector<EdgeSign> signs;
  std::vector<std::uint32_t> hiding;  ///< collapsed rows that hide a partner, ascending

  const EdgeSign* signAt(QPointF point) const;
};

/// Which rows show a lane; made once a trace, in O(rows and their lanes).
class RowsOfLanes {
 public:
  RowsOfLanes() = default;
  explicit RowsOfLanes(const trace::Trace& trace);
  std::span<const std::uint32_t> of(trace::LaneId lane) const {
    return lane < rows_.size() ? std::span<const std::uint32_t>(rows_[lane]) : std::span<const std::uint32_t>();
  }

 private:
  std::vector<std::vector<std::uint32_t>> rows_;
};

/// `currentRow` tells which of several rows the current event was chosen in. Nothing leads to what a filter leaves out.
Relations relationsOf(const analysis::Related& related, const Frame& frame, const trace::Trace& trace,
                      const Layout& layout, const RowsOfLanes& rows, std::uint32_t currentRow,
                      const analysis::Passing* passing = nullptr);

}  // namespace lanescope::views
