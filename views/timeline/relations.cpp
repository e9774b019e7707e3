// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/relations.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "views/timeline/hit.h"

namespace lanescope::views {
namespace {

using trace::EventRef;

constexpr std::size_t kArrows = 8;  // where more ends are in sight, an arrow leads to the first only
constexpr qreal kSign = 16;         // a sign's size
constexpr qreal kSignGap = 2;       // from the edge of the picture

/// Where an event is, seen from the picture.
struct Place {
  QRectF bar;               ///< in sight; else null
  std::optional<QPointF>
      towards;  ///< the middle of the bar, or the point at the edge nearest to it; none: no row shows it
  std::optional<Qt::Edge> beyond;  ///< the edge it lies beyond
};

class Deciding {
 public:
  Deciding(const analysis::Related& related, const Frame& frame, const trace::Trace& trace, const Layout& layout,
           const RowsOfLanes& rows)
      : related_(related),
        frame_(frame),
        trace_(trace),
        rows_(rows),
        size_(QSizeF(frame.image.size()) / frame.ratio),
        boxes_(trace.rows.size(), nullptr) {
    for (const RowBox& box : layout.boxes()) boxes_[box.row] = &box;
    for (const Strip& strip : frame.strips)
      for (const trace::LaneId lane : strip.lanes) strips_[lane].push_back(&strip);
  }

  Relations decide(std::uint32_t currentRow) {
    out_.current = barsOf(related_.event());
    const Place here = place(related_.event(), yOf(currentRow));
    std::size_t arrows = 0;
    for (const EventRef end : related_.ends()) {
      const auto bars = barsOf(end);
      out_.ends.insert(out_.ends.end(), bars.begin(), bars.end());
      const Place there = place(end, here.towards.value_or(QPointF()).y());
      if (there.beyond) addSign(*there.beyond, *there.towards, end);
      if (arrows < (related_.endCount() <= kArrows ? kArrows : 1))
        addArrow(here, there, related_.leadsTo(end)), ++arrows;
    }
    if (related_.includesMore()) addInside();
    std::sort(out_.hiding.begin(), out_.hiding.end());
    out_.hiding.erase(std::unique(out_.hiding.begin(), out_.hiding.end()), out_.hiding.end());
    return std::move(out_);
  }

 private:
  /// Every bar of an event in this frame.
  std::vector<QRectF> barsOf(EventRef event) const {
    std::vector<QRectF> bars;
    const auto found = strips_.find(event.lane);
    if (found == strips_.end()) return bars;
    const trace::TimeRange time = trace_.time(event);
    if (time.end < frame_.scale.range.begin || time.begin >= frame_.scale.range.end) return bars;
    for (const Strip* strip : found->second) bars.push_back(barIn(*strip, time));
    return bars;
  }

  QRectF barIn(const Strip& strip, trace::TimeRange time) const {
    const int left = std::max(frame_.scale.x(time.begin), -2);
    const int right = std::min(std::max(frame_.scale.x(time.end), left + 1), frame_.scale.width + 2);
    return {left / frame_.ratio, strip.band.top / frame_.ratio, (right - left) / frame_.ratio,
            strip.band.height / frame_.ratio};
  }

  const RowBox* boxOf(std::uint32_t row) const { return row < boxes_.size() ? boxes_[row] : nullptr; }

  /// The middle of an open row, in the picture's pixels; 0 where it is not open.
  qreal yOf(std::uint32_t row) const {
    const RowBox* box = boxOf(row);
    return box ? frame_.window.toView(box->y) + box->height / 2.0 : 0;
  }

  /// The open row that shows a lane, or hides it because it is collapsed: of several the one nearest to y.
  std::uint32_t openRowOf(trace::LaneId lane, qreal y, bool& hidden) const {
    std::uint32_t best = trace::kNone, collapsed = trace::kNone;
    for (const std::uint32_t row : rows_.of(lane)) {
      if (const RowBox* box = boxes_[row]) {
        if (box->heading) continue;
        if (best == trace::kNone || std::abs(yOf(row) - y) < std::abs(yOf(best) - y)) best = row;
        continue;
      }
      std::uint32_t above = row;
      while (above != trace::kNone && !boxes_[above]) above = trace_.rows[above].parent;
      if (above != trace::kNone) collapsed = above;
    }
    hidden = best == trace::kNone;
    return hidden ? collapsed : best;
  }

  Place place(EventRef event, qreal y) {
    Place place;
    const auto bars = barsOf(event);
    const auto nearer = [y](const QRectF& a, const QRectF& b) {
      return std::abs(a.center().y() - y) < std::abs(b.center().y() - y);
    };
    if (!bars.empty()) {
      place.bar = *std::min_element(bars.begin(), bars.end(), nearer);
      place.towards = place.bar.center();
      return place;
    }
    const trace::TimeRange time = trace_.time(event);
    const bool left = time.end < frame_.scale.range.begin, right = time.begin >= frame_.scale.range.end;
    bool hidden = false;
    const std::uint32_t row = openRowOf(event.lane, y, hidden);
    if (row == trace::kNone) return place;
    if (hidden) out_.hiding.push_back(row);
    const qreal at = yOf(row);
    const qreal top = boxOf(row) ? frame_.window.topFor(*boxOf(row)) : 0;
    place.towards = QPointF(left    ? 0
                            : right ? size_.width()
                                    : frame_.scale.x(time.begin) / frame_.ratio,
                            std::clamp(at, top, std::max(top, size_.height())));
    if (left || right) place.beyond = left ? Qt::LeftEdge : Qt::RightEdge;
    else if (at < top || at >= size_.height()) place.beyond = at < top ? Qt::TopEdge : Qt::BottomEdge;
    return place;
  }

  void addArrow(const Place& here, const Place& there, bool forth) {
    if (!here.towards || !there.towards) return;
    const Place& cause = forth ? here : there;
    const Place& effect = forth ? there : here;
    Arrow arrow;
    arrow.from = *cause.towards;
    arrow.to = *effect.towards;
    if (!cause.bar.isNull()) {  // it leaves the side of the bar that faces the effect
      const QRectF bar = cause.bar.intersected(QRectF(QPointF(0, 0), size_));
      arrow.from = {std::clamp(arrow.to.x(), bar.left(), bar.center().x()),
                    arrow.to.y() < bar.center().y() ? bar.top() + kAir : bar.bottom() - kAir};
    }
    arrow.sideways = !effect.bar.isNull() && effect.bar.left() >= 0;
    if (arrow.sideways) arrow.to = {effect.bar.left(), effect.bar.center().y()};
    out_.arrows.push_back(arrow);
  }

  void addSign(Qt::Edge edge, QPointF at, EventRef event) {
    QRectF box(0, 0, kSign, kSign);
    box.moveCenter(at);
    box.moveLeft(std::clamp(box.left(), kSignGap, size_.width() - kSign - kSignGap));
    box.moveTop(std::clamp(box.top(), kSignGap, size_.height() - kSign - kSignGap));
    for (EdgeSign& sign : out_.signs) {
      if (sign.edge != edge || !sign.box.intersects(box)) continue;
      ++sign.count;
      if (edge == Qt::LeftEdge) sign.event = event;  // ends come in order of start: the last is the nearest
      return;
    }
    out_.signs.push_back({edge, box, event, 1});
  }

  /// What nests in a range, and the other work of a launch, wherever it has a bar of its own.
  void addInside() {
    std::unordered_set<trace::EventId> ends{trace_.id(related_.event())};
    for (const EventRef end : related_.ends()) ends.insert(trace_.id(end));
    for (const Strip& strip : frame_.strips)
      for (const Span& span : strip.slice.spans) {
        if (span.event == Span::kNoEvent) continue;
        const EventRef event{span.lane, span.event};
        if (ends.contains(trace_.id(event)) || !related_.includes(event)) continue;
        out_.inside.emplace_back(span.x / frame_.ratio, strip.band.top / frame_.ratio, span.width / frame_.ratio,
                                 strip.band.height / frame_.ratio);
      }
  }

  const analysis::Related& related_;
  const Frame& frame_;
  const trace::Trace& trace_;
  const RowsOfLanes& rows_;
  const QSizeF size_;
  std::vector<const RowBox*> boxes_;  // by row; null where a row is not open
  std::unordered_map<trace::LaneId, std::vector<const Strip*>> strips_;
  Relations out_;
};

}  // namespace

const EdgeSign* Relations::signAt(QPointF point) const {
  const auto found =
      std::find_if(signs.begin(), signs.end(), [&](const EdgeSign& sign) { return sign.box.contains(point); });
  return found == signs.end() ? nullptr : &*found;
}

RowsOfLanes::RowsOfLanes(const trace::Trace& trace) : rows_(trace.lanes.size()) {
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row)
    for (const trace::LaneId lane : trace.rows[row].lanes) rows_[lane].push_back(row);
}

Relations relationsOf(const analysis::Related& related, const Frame& frame, const trace::Trace& trace,
                      const Layout& layout, const RowsOfLanes& rows, std::uint32_t currentRow) {
  return Deciding(related, frame, trace, layout, rows).decide(currentRow);
}

}  // namespace lanescope::views
