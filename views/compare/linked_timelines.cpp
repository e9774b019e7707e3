// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/linked_timelines.h"

#include <QEvent>
#include <QScopedValueRollback>

namespace lanescope::views {

LinkedTimelines::LinkedTimelines(LinkedViews& links, PerSide<Timeline*> timelines, QObject* parent)
    : QObject(parent), links_(links), timelines_(timelines) {
  for (const Side side : {kA, kB}) {
    Timeline* timeline = timelines_[side];
    timeline->canvas()->installEventFilter(this);
    connect(timeline->canvas(), &TimelineCanvas::scrollChanged, this, [this, side] { follow(side); });
    connect(timeline->canvas(), &TimelineCanvas::layoutChanged, this, [this] { follow(links_.leader()); });
    connect(timeline->canvas(), &TimelineCanvas::hoveredChanged, this, [this, side] {
      const auto event = timelines_[side]->canvas()->hovered();
      timelines_[otherThan(side)]->canvas()->setEchoed(event ? links_.twinOf(side, *event) : std::nullopt);
    });
    connect(timeline, &Timeline::headerWidthChosen, this,
            [this, side] { timelines_[otherThan(side)]->setHeaderWidth(timelines_[side]->headerWidth()); });
  }
  connect(&links_, &LinkedViews::linkedChanged, this, [this] { follow(links_.leader()); });
  connect(&links_, &LinkedViews::matchedChanged, this, [this] { follow(links_.leader()); });
}

bool LinkedTimelines::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize)
    links_.setWidths({timelines_[kA]->canvas()->width(), timelines_[kB]->canvas()->width()});
  return QObject::eventFilter(watched, event);
}

/// Brings the row that the other side has in place of the first one seen to the same height.
void LinkedTimelines::follow(Side side) {
  if (!links_.linked() || following_) return;
  const QScopedValueRollback guard(following_, true);
  const TimelineCanvas& from = *timelines_[side]->canvas();
  TimelineCanvas& to = *timelines_[otherThan(side)]->canvas();
  const RowWindow window = from.window();
  const auto [still, moving] = from.rowLayout().seen(window);
  for (const RowBox& box : moving) {
    const std::uint32_t across = links_.rowAcross(side, box.row);
    const int index = across == trace::kNone ? -1 : to.rowLayout().boxOf(across);
    if (index < 0) continue;
    return to.setScroll(to.rowLayout().boxes()[static_cast<std::size_t>(index)].y - window.toView(box.y));
  }
}

}  // namespace lanescope::views
