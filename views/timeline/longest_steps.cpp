// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/longest_steps.h"

#include <QScopedValueRollback>
#include <utility>

#include "model/analysis/longest.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {

LongestSteps& LongestSteps::of(ViewState& view) {
  auto* steps = view.findChild<LongestSteps*>(QString(), Qt::FindDirectChildrenOnly);
  return steps ? *steps : *new LongestSteps(view);
}

LongestSteps::LongestSteps(ViewState& view) : QObject(&view), view_(view) {
  for (auto other : {&ViewState::traceChanged, &ViewState::passingChanged, &ViewState::currentChanged,
                     &ViewState::currentRowChanged})
    connect(&view, other, this, &LongestSteps::stop);
}

/// Somebody went elsewhere.
void LongestSteps::stop() {
  if (arriving_) return;
  waiting_ = 0;
  searching_ = false;
  job_.cancel();
}

void LongestSteps::step(bool forward) {
  if (searching_) {
    waiting_ += forward ? 1 : -1;
    return;
  }
  const trace::TracePtr& trace = view_.trace();
  const auto current = view_.current();
  const std::uint32_t row = current ? rowOf(view_, current->lane) : view_.currentRow();
  if (row == trace::kNone) return;
  const std::vector<trace::LaneId>& lanes = trace->rows[row].lanes;
  const auto find = [trace, lanes, current, forward, passing = view_.passing()](const Job& job) {
    return analysis::nextLongest(*trace, lanes, current, forward, passing.get(), job);
  };
  const auto arrive = [this](std::optional<trace::EventRef> next) {
    const QScopedValueRollback arriving(arriving_, true);
    if (next) stepTo(view_, *next);
  };
  std::size_t count = 0;
  for (const trace::LaneId lane : lanes) count += trace->lanes[lane]->size();
  if (count <= kAtOnce) return arrive(find({}));
  searching_ = true;
  job_.start(find, [this, arrive](std::optional<trace::EventRef> next) {
    searching_ = false;
    arrive(next);
    if (waiting_ == 0) return;
    const bool on = waiting_ > 0;
    waiting_ += on ? -1 : 1;
    step(on);
  });
}

}  // namespace lanescope::views
