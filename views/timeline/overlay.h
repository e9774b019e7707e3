// SPDX-License-Identifier: GPL-3.0-or-later
// What moves often and is painted over the picture of the rows: the selection's band, outlines, arrows, signs. Painting
// only; what there is to paint is decided elsewhere. Logical pixels of the canvas.
#pragma once

#include <QPainter>
#include <optional>

#include "views/timeline/frame.h"
#include "views/timeline/marks.h"
#include "views/timeline/relations.h"

namespace lanescope::views {

/// The band stands on the rows that are of the selection, its edges on all.
void paintSelection(QPainter& painter, const Frame& frame, const ViewState& state, const Layout& layout);

/// Marks: lines over all rows, ranges lightly filled.
void paintMarks(QPainter& painter, const Frame& frame, const std::vector<Mark>& marks);

/// Both points of what is measured, with the text on its row.
void paintMeasure(QPainter& painter, const Frame& frame, const ViewState& state, const Layout& layout);

/// Hits of a search, underlined.
void paintFound(QPainter& painter, const std::vector<QRectF>& bars);

/// `hovered` is one of the signs, or null.
void paintRelations(QPainter& painter, const Relations& relations, const EdgeSign* hovered);

/// The outline of a bar that fills a strip, with the air that bars have.
void paintOutline(QPainter& painter, const QRectF& strip, const QPen& pen);

}  // namespace lanescope::views
