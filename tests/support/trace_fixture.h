// SPDX-License-Identifier: Apache-2.0
// Small traces made by hand: lanes of events written as times, in rows without a report behind them.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::trace {

/// Collects lanes, one row each, until finish() hands the trace out.
class TraceFixture {
 public:
  TraceFixture();

  NameId name(std::string_view text) { return names_->intern(text); }
  /// A row with one lane; events may come in any order that keeps the invariants of Lane.
  TraceFixture& lane(EventKind kind, const std::vector<Event>& events);
  /// A row whose lanes are stacked by depth.
  TraceFixture& stack(EventKind kind, const std::vector<std::vector<Event>>& lanes);
  TraceFixture& heading(std::string label);

  TracePtr finish(bool complete = true);

 private:
  LaneId add(EventKind kind, const std::vector<Event>& events, std::uint32_t depth);
  Row& addRow(RowKind kind);

  std::shared_ptr<NameTable> names_;
  std::shared_ptr<Trace> trace_;
  std::uint32_t events_ = 0;
};

}  // namespace lanescope::trace
