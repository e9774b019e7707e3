// SPDX-License-Identifier: GPL-3.0-or-later
// What stands under a point of a frame: answered from the strips that were drawn, so that what is seen is what is hit.
// Points are logical pixels of the canvas. What a filter leaves out is not there, unless it is drawn dimmed. Cost: O(log spans + log events).
#pragma once

#include <QPointF>
#include <QRect>
#include <optional>

#include "views/timeline/frame.h"

namespace lanescope::views {

struct Hit {
  const Strip* strip = nullptr;
  Span span;
  trace::EventRef event;  ///< of a column of many, the one nearest to the pixel
};

/// Bars where they are, columns also from a few pixels beside them. None on empty ground and on curves.
std::optional<Hit> hitAt(const Frame& frame, const ViewState& state, QPointF point);

/// What a pixel column of a strip stands for.
struct ColumnSummary {
  std::size_t events = 0;
  trace::Ns busy = 0;  ///< of all its lanes; more than the length when they overlap
  trace::Ns length = 0;
};
ColumnSummary summarize(const Frame& frame, const ViewState& state, const Strip& strip, int column);

/// Where an event is drawn, one rectangle for every strip that shows its lane; empty when out of sight.
std::vector<QRectF> boxesOf(const Frame& frame, const trace::Trace& trace, trace::EventRef event);

/// The event edge nearest to t within `reach` in a strip, for a selection to snap to.
std::optional<trace::Ns> edgeNear(const ViewState& state, const Strip& strip, trace::Ns t, trace::Ns reach);

}  // namespace lanescope::views
