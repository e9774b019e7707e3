// SPDX-License-Identifier: GPL-3.0-or-later
// Steps through the events of a row from the longest on. Rows of many events are looked through away from the GUI
// thread; what is pressed meanwhile is done after that, a step for each. There is one a ViewState, of which it is a
// child. GUI thread only.
#pragma once

#include <QObject>

#include "views/latest_job.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

class LongestSteps : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kAtOnce = 65'536;  ///< events that the GUI thread looks through itself

  /// The one of this view.
  static LongestSteps& of(ViewState& view);

  /// To the next longest event of the current one's row, or of the current row; or back. Of those that pass the filter.
  void step(bool forward);
  bool running() const { return searching_; }

 private:
  explicit LongestSteps(ViewState& view);
  void stop();

  ViewState& view_;
  int waiting_ = 0;  // steps forward that were asked for meanwhile, negative: back
  bool searching_ = false, arriving_ = false;
  LatestJob job_{this};
};

}  // namespace lanescope::views
