// SPDX-License-Identifier: GPL-3.0-or-later
// What two linked timelines share beyond their view states: which rows are scrolled to, row by matched row, how wide the
// row headers are, how long a pixel is where their canvases differ in width, and the outline of the event that is
// pointed at, which its twin has too. GUI thread only.
#pragma once

#include "views/compare/linked_views.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {

class LinkedTimelines : public QObject {
 public:
  /// All must outlive this.
  LinkedTimelines(LinkedViews& links, PerSide<Timeline*> timelines, QObject* parent = nullptr);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow(Side side);

  LinkedViews& links_;
  PerSide<Timeline*> timelines_;
  bool following_ = false;
};

}  // namespace lanescope::views
