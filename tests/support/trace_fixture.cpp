// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trace_fixture.h"

namespace lanescope::trace {

TraceFixture::TraceFixture() : names_(std::make_shared<NameTable>()), trace_(std::make_shared<Trace>()) {
  trace_->names = names_;
}

LaneId TraceFixture::add(EventKind kind, const std::vector<Event>& events, std::uint32_t depth) {
  LaneInfo info;
  info.kind = kind;
  info.depth = depth;
  info.firstEvent = events_;
  events_ += static_cast<std::uint32_t>(events.size());
  trace_->lanes.push_back(std::make_shared<const Lane>(events, true));
  trace_->laneInfo.push_back(info);
  if (!events.empty()) {
    const TimeRange span = trace_->lanes.back()->span();
    const bool first = trace_->lanes.size() == 1;
    trace_->range =
        first ? span : TimeRange{std::min(trace_->range.begin, span.begin), std::max(trace_->range.end, span.end)};
  }
  return static_cast<LaneId>(trace_->lanes.size() - 1);
}

Row& TraceFixture::addRow(RowKind kind) {
  const auto index = static_cast<std::uint32_t>(trace_->rows.size());
  Row& row = trace_->rows.emplace_back();
  row.kind = kind;
  row.key = row.label = "row " + std::to_string(index);
  trace_->rootRows.push_back(index);
  return row;
}

TraceFixture& TraceFixture::lane(EventKind kind, const std::vector<Event>& events) {
  const LaneId id = add(kind, events, 0);
  addRow(RowKind::kStream).lanes = {id};
  return *this;
}

TraceFixture& TraceFixture::stack(EventKind kind, const std::vector<std::vector<Event>>& lanes) {
  std::vector<LaneId> ids;
  for (const auto& events : lanes) ids.push_back(add(kind, events, static_cast<std::uint32_t>(ids.size())));
  Row& row = addRow(RowKind::kNvtx);
  row.lanes = ids;
  row.stacked = true;
  return *this;
}

TraceFixture& TraceFixture::heading(std::string label) {
  addRow(RowKind::kProcess).label = std::move(label);
  return *this;
}

TracePtr TraceFixture::finish(bool complete) {
  trace_->complete = complete;
  return trace_;
}

}  // namespace lanescope::trace
