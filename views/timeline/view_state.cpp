// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/view_state.h"

#include <algorithm>
#include <utility>

#include "views/theme.h"
#include "views/timeline/layout.h"
#include "views/timeline/marks.h"

namespace lanescope::views {
namespace {

using trace::kNone;
using trace::Ns;
using trace::TimeRange;

constexpr std::size_t kHistory = 200;
constexpr long double kLongest = 0x1p120L;  // what a Wide can hold; every view is shorter
constexpr double kSmallestRow = 0.5, kLargestRow = 8;

/// A reload numbers lanes anew, so the same numbers must mean an event of the same time and name.
bool isIn(const trace::Trace& later, trace::EventRef event, const trace::Trace& earlier) {
  return event.lane < later.lanes.size() && event.index < later.lanes[event.lane]->size() &&
         later.time(event) == earlier.time(event) &&
         (*later.names)[later.name(event)].text == (*earlier.names)[earlier.name(event)].text;
}

}  // namespace

int levelsOf(const trace::Trace& trace, const trace::Row& row) {
  if (row.lanes.empty()) return 0;
  std::uint32_t deepest = 0;
  if (row.stacked)
    for (const trace::LaneId lane : row.lanes) deepest = std::max(deepest, trace.laneInfo[lane].depth);
  return static_cast<int>(deepest) + 1;
}

ViewState::ViewState(QObject* parent)
    : QObject(parent), trace_(std::make_shared<const trace::Trace>()), marks_(new Marks(this)) {}

void ViewState::setTrace(trace::TracePtr trace) {
  const bool fits =
      trace_->lanes.empty() && trace_->counters.empty() ? true : !trace_->complete && visible_ == wholeTrace();
  const trace::TracePtr earlier = std::exchange(trace_, std::move(trace));
  layout_.reset();
  rowsByKey_.clear();
  for (std::uint32_t i = 0; i < trace_->rows.size(); ++i) rowsByKey_.emplace(trace_->rows[i].key, i);
  if (trace_->complete) loadingLevels_.clear();
  else
    for (const trace::Row& each : trace_->rows) loadingLevels_.try_emplace(each.key, levelsOf(*trace_, each));
  const auto event = current_;
  const std::uint32_t row = currentRow_;
  // All that points into the trace is right before anyone hears of it.
  if (event && !isIn(*trace_, *event, *earlier)) current_.reset();
  if (row != kNone) currentRow_ = rowWithKey(earlier->rows[row].key);
  std::vector<std::uint32_t> selected;
  for (const std::uint32_t each : selectedRows_) selected.push_back(rowWithKey(earlier->rows[each].key));
  std::erase(selected, kNone);
  if (measure_ && measure_->row != kNone) measure_->row = rowWithKey(earlier->rows[measure_->row].key);
  const bool sameNames = trace_->names == earlier->names;  // else ids mean something else
  const bool sameRows = selected == selectedRows_;
  selectedRows_ = std::move(selected);
  const bool losesName = chosenName_ && !sameNames, losesHits = hits_ && !sameNames;
  if (losesName) chosenName_.reset();
  if (losesHits) hits_.reset();
  const bool losesPassing = passing_ && !sameNames;
  const bool losesChanges = changes_ && trace_ != earlier;
  if (losesChanges) changes_.reset();
  if (losesPassing) passing_.reset();
  emit traceChanged();
  if (losesPassing) emit passingChanged();
  if (losesChanges) emit changesChanged();
  if (event != current_) emit currentChanged();
  if (row != currentRow_) emit currentRowChanged();
  if (!sameRows) emit selectedRowsChanged();
  if (losesName) emit chosenNameChanged();
  if (losesHits) emit hitsChanged();
  if (fits && (!trace_->lanes.empty() || !trace_->counters.empty())) show(fine(wholeTrace()));
}

// --- visible range -------------------------------------------------------------------------------------------------

ViewState::Fine ViewState::fine(TimeRange range) {
  return {static_cast<Wide>(range.begin) << kFineBits, static_cast<Wide>(range.length()) << kFineBits};
}

/// The trace with a little air; a trace of one instant gets a microsecond.
TimeRange ViewState::wholeTrace() const {
  if (reach_) return reach_->whole;
  const TimeRange range = trace_->range;
  const Ns air = std::max<Ns>(range.length() / 50, range.length() < kShortestView ? 500 : 1);
  return {range.begin - air, range.end + air};
}

ViewState::Fine ViewState::clamped(Fine range) const {
  const TimeRange all = reach_ ? trace::hull(trace_->range, reach_->bounds) : trace_->range;
  const Ns margin = std::max<Ns>(all.length() / 8, 1000);
  const Fine bounds = fine({all.begin - margin, all.end + margin});
  range.length = std::clamp(range.length, static_cast<Wide>(kShortestView) << kFineBits, bounds.length);
  range.begin = std::clamp(range.begin, bounds.begin, bounds.begin + bounds.length - range.length);
  return range;
}

void ViewState::setReach(std::optional<Reach> reach) {
  if (reach == reach_) return;
  const bool fits = visible_ == wholeTrace();
  reach_ = reach;
  if (fits) show(fine(wholeTrace()));
}

void ViewState::follow(TimeRange range, const ViewState& leader) {
  if (history_.size() < leader.history_.size()) history_.push_back(visible_);
  if (history_.size() > leader.history_.size()) history_.resize(leader.history_.size());
  if (range != visible_) showAnywhere(fine(range));
}

void ViewState::show(Fine range) { showAnywhere(clamped(range)); }

void ViewState::showAnywhere(Fine range) {
  if (range == fine_) return;
  const auto rounded = [](Wide t) { return static_cast<Ns>((t + (Wide{1} << (kFineBits - 1))) >> kFineBits); };
  const Ns begin = rounded(range.begin);
  const TimeRange visible{begin, begin + rounded(range.length)};
  fine_ = range;
  if (visible == visible_) return;
  visible_ = visible;
  emit visibleChanged();
}

void ViewState::change(Fine range, bool sameGesture) {
  if (!sameGesture) gestureHasStep_ = false;
  if (range == fine_ || clamped(range) == fine_) return;
  if (!gestureHasStep_) {
    if (history_.size() == kHistory) history_.erase(history_.begin());
    history_.push_back(visible_);
    gestureHasStep_ = true;
  }
  show(range);
}

void ViewState::setVisible(TimeRange range, bool sameGesture) {
  change(range == visible_ ? fine_ : fine(range), sameGesture);
}

void ViewState::zoomAround(Ns anchor, double factor, bool sameGesture) {
  // Only ratios go through the long double, whose 64 bits are far finer than a pixel of any screen; times do not.
  const Wide offset = std::clamp<Wide>((static_cast<Wide>(anchor) << kFineBits) - fine_.begin, 0, fine_.length);
  const long double place = static_cast<long double>(offset) / static_cast<long double>(fine_.length);
  Fine range;
  range.length = static_cast<Wide>(std::min(static_cast<long double>(fine_.length) * factor, kLongest));
  range.length = clamped({fine_.begin, range.length}).length;
  range.begin = fine_.begin + offset - static_cast<Wide>(place * static_cast<long double>(range.length));
  change(range, sameGesture);
}

void ViewState::panBy(Ns delta, bool sameGesture) {
  change({fine_.begin + (static_cast<Wide>(delta) << kFineBits), fine_.length}, sameGesture);
}

void ViewState::fitAll() { setVisible(wholeTrace()); }

trace::TimeRange ViewState::visibleRecorded() const {
  const TimeRange recorded{std::max(visible_.begin, trace_->range.begin), std::min(visible_.end, trace_->range.end)};
  return recorded.empty() ? TimeRange{visible_.begin, visible_.begin} : recorded;
}

void ViewState::zoomToSelection() {
  if (selection_) setVisible(*selection_);
  else if (current_) zoomTo(trace_->time(*current_));
}

void ViewState::zoomTo(TimeRange range) {
  if (range.empty()) {  // an instant has no length to go by
    const Ns length = visible_.length(), begin = range.begin - length / 2;
    return setVisible({begin, begin + length});
  }
  const Ns air = std::max<Ns>(range.length() / 10, (kShortestView - range.length()) / 2 + 1);
  setVisible({range.begin - air, range.end + air});
}

void ViewState::undoZoom() {
  if (history_.empty()) return;
  const TimeRange range = history_.back();
  history_.pop_back();
  gestureHasStep_ = false;  // a gesture that goes on after it takes a new step
  show(fine(range));
}

// --- selection, current row and event ------------------------------------------------------------------------------

void ViewState::setSelection(std::optional<TimeRange> range) {
  if (range && range->empty()) range.reset();
  if (range == selection_) return;
  selection_ = range;
  emit selectionChanged();
}

void ViewState::setCurrent(std::optional<trace::EventRef> event) {
  if (event == current_) return;
  current_ = event;
  emit currentChanged();
}

void ViewState::setCurrentRow(std::uint32_t row) {
  if (row == currentRow_ || (row != kNone && row >= trace_->rows.size())) return;
  currentRow_ = row;
  emit currentRowChanged();
}

void ViewState::clear() {
  if (hits_) {
    setHits(nullptr);
    emit hitsDismissed();
  } else if (chosenName_) setChosenName(std::nullopt);
  else if (measure_) setMeasure(std::nullopt);
  else if (selection_) setSelection(std::nullopt);
  else if (current_) setCurrent(std::nullopt);
  else setSelectedRows({});
}

bool ViewState::isSelected(std::uint32_t row) const {
  return std::binary_search(selectedRows_.begin(), selectedRows_.end(), row);
}

bool ViewState::isInSelection(std::uint32_t row) const {
  if (selectedRows_.empty()) return true;
  while (row != kNone && !isSelected(row)) row = trace_->rows[row].parent;
  return row != kNone;
}

void ViewState::setSelectedRows(std::vector<std::uint32_t> rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  std::erase_if(rows, [this](std::uint32_t row) { return row >= trace_->rows.size(); });
  if (rows == selectedRows_) return;
  selectedRows_ = std::move(rows);
  emit selectedRowsChanged();
}

void ViewState::toggleSelectedRow(std::uint32_t row) {
  std::vector<std::uint32_t> rows = selectedRows_;
  if (std::erase(rows, row) == 0) rows.push_back(row);
  setSelectedRows(std::move(rows));
}

void ViewState::setChosenName(std::optional<trace::NameId> name) {
  if (name == chosenName_) return;
  chosenName_ = name;
  emit chosenNameChanged();
}

void ViewState::setMeasure(std::optional<Measure> measure) {
  if (measure == measure_) return;
  measure_ = measure;
  emit measureChanged();
}

void ViewState::setPointerTime(std::optional<Ns> time) {
  if (time == pointerTime_) return;
  pointerTime_ = time;
  emit pointerTimeChanged();
}

void ViewState::setGuide(std::optional<Ns> time) {
  if (time == guide_) return;
  guide_ = time;
  emit guideChanged();
}

void ViewState::setHits(std::shared_ptr<const analysis::Hits> hits) {
  if (hits == hits_) return;
  hits_ = std::move(hits);
  emit hitsChanged();
}

// --- what is left out ----------------------------------------------------------------------------------------------

void ViewState::setPassing(analysis::PassingPtr passing) {
  if (passing == passing_) return;
  passing_ = std::move(passing);
  layout_.reset();
  if (current_ && !isShown(*current_)) setCurrent(std::nullopt);
  emit passingChanged();
  if (!countsAll_) emit countedChanged();
}

void ViewState::setCountsAll(bool all) {
  if (all == countsAll_) return;
  countsAll_ = all;
  emit countsAllChanged();
  if (passing_) emit countedChanged();
}

void ViewState::setDimsRest(bool dims) {
  if (dims == dimsRest_) return;
  dimsRest_ = dims;
  layout_.reset();
  emit dimsRestChanged();
  if (!passing_) return;
  if (current_ && !isShown(*current_)) setCurrent(std::nullopt);
  emit passingChanged();
}

void ViewState::setColourBy(std::optional<Colouring::By> by) {
  if (by == colourBy_) return;
  colourBy_ = by;
  emit colourByChanged();
}

void ViewState::setChanges(std::shared_ptr<const Changes> changes) {
  if (changes == changes_) return;
  changes_ = std::move(changes);
  emit changesChanged();
}

// --- rows ----------------------------------------------------------------------------------------------------------

void ViewState::changeRows() {
  layout_.reset();
  emit rowsChanged();
}

std::shared_ptr<const Layout> ViewState::layout() const {
  if (!layout_ || layout_->textScale() != Theme::instance().fontScale()) {
    layout_ = std::make_shared<const Layout>(*this);
    ++layoutsMade_;
  }
  return layout_;
}

bool ViewState::isExpanded(std::uint32_t row) const {
  const trace::Row& r = trace_->rows[row];
  const auto found = expanded_.find(r.key);
  return found == expanded_.end() ? r.expanded : found->second;
}

void ViewState::setExpanded(std::uint32_t row, bool expanded) {
  if (isExpanded(row) == expanded) return;
  expanded_[trace_->rows[row].key] = expanded;
  changeRows();
}

void ViewState::setAllExpanded(bool expanded) {
  for (const trace::Row& row : trace_->rows)
    if (!row.children.empty()) expanded_[row.key] = expanded;
  changeRows();
}

void ViewState::setExpandedBelow(std::uint32_t row, bool expanded) {
  std::vector<std::uint32_t> pending{row};
  while (!pending.empty()) {
    const trace::Row& each = trace_->rows[pending.back()];
    pending.pop_back();
    if (each.children.empty()) continue;
    expanded_[each.key] = expanded;
    pending.insert(pending.end(), each.children.begin(), each.children.end());
  }
  changeRows();
}

void ViewState::setArrangement(RowArrangement arrangement) {
  if (arrangement == arrangement_) return;
  arrangement_ = std::move(arrangement);
  changeRows();
}

std::uint32_t ViewState::rowWithKey(std::string_view key) const {
  const auto found = rowsByKey_.find(key);
  return found == rowsByKey_.end() ? kNone : found->second;
}

void ViewState::setByKey(std::unordered_map<std::string, bool> expanded,
                         std::unordered_map<std::string, double> scales) {
  expanded_ = std::move(expanded);
  rowScale_.clear();
  for (const auto& [key, scale] : scales) rowScale_[key] = std::clamp(scale, kSmallestRow, kLargestRow);
  changeRows();
}

std::optional<int> ViewState::levelsWhileLoading(std::uint32_t row) const {
  const auto found = loadingLevels_.find(trace_->rows[row].key);
  return found == loadingLevels_.end() ? std::nullopt : std::optional(found->second);
}

double ViewState::rowScale(std::uint32_t row) const {
  const auto found = rowScale_.find(trace_->rows[row].key);
  return found == rowScale_.end() ? 1 : found->second;
}

void ViewState::setRowScale(std::uint32_t row, double scale) {
  rowScale_[trace_->rows[row].key] = std::clamp(scale, kSmallestRow, kLargestRow);
  changeRows();
}

void ViewState::setAllRowsScale(double scale) {
  scale = std::clamp(scale, kSmallestRow, kLargestRow);
  if (scale == allRowsScale_) return;
  allRowsScale_ = scale;
  changeRows();
}

}  // namespace lanescope::views
