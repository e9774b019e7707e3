// SPDX-License-Identifier: Apache-2.0
// Two traces that ought to be one: everything that a person sees of them, and what ties events together.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::imported {

inline std::string textOf(const trace::Trace& trace, trace::EventRef event) {
  const trace::Lane& lane = *trace.lanes[event.lane];
  const trace::Name& name = (*trace.names)[lane.name(event.index)];
  return fmt::format("{} to {}{} \"{}\" drawn \"{}\" colour {:x} row {} of {} amount {}", lane.start(event.index),
                     lane.end(event.index), lane.unfinished(event.index) ? " (open)" : "", name.text, name.label,
                     name.argb, lane.sourceRow(event.index), trace.tables[trace.laneInfo[event.lane].table],
                     lane.amount(event.index));
}

inline std::vector<std::string> rowsOf(const trace::Trace& trace) {
  std::vector<std::string> rows;
  for (const trace::Row& row : trace.rows) {
    std::string text =
        fmt::format("{} | {} | kind {} depth {}{}{} lanes", row.key, row.label, static_cast<int>(row.kind), row.depth,
                    row.stacked ? " stacked" : "", row.expanded ? " open" : "");
    for (const trace::LaneId lane : row.lanes) text += fmt::format(" {}", lane);
    for (const std::uint32_t counter : row.counters) text += " curve " + trace.counters[counter]->name();
    rows.push_back(std::move(text));
  }
  return rows;
}

inline std::vector<std::string> issuesOf(const trace::Trace& trace) {
  std::vector<std::string> issues;
  for (const trace::Issue& issue : trace.issues)
    issues.push_back(fmt::format("{} {} {} {}", issue.kind, issue.count, issue.text,
                                 issue.about ? trace::kindName(*issue.about) : ""));
  return issues;
}

inline void expectSame(const trace::Trace& a, const trace::Trace& b) {
  EXPECT_EQ(rowsOf(a), rowsOf(b));
  EXPECT_EQ(issuesOf(a), issuesOf(b));
  EXPECT_EQ(a.range, b.range);
  ASSERT_EQ(a.lanes.size(), b.lanes.size());
  const auto ids = [](std::span<const trace::EventId> span) {
    return std::vector<trace::EventId>(span.begin(), span.end());
  };
  std::size_t differing = 0;
  for (trace::LaneId lane = 0; lane < a.lanes.size() && differing < 5; ++lane) {
    ASSERT_EQ(a.lanes[lane]->size(), b.lanes[lane]->size()) << "lane " << lane;
    EXPECT_EQ(a.laneInfo[lane].kind, b.laneInfo[lane].kind);
    EXPECT_EQ(a.laneInfo[lane].copyKind, b.laneInfo[lane].copyKind);
    EXPECT_EQ(a.laneInfo[lane].depth, b.laneInfo[lane].depth);
    for (std::uint32_t i = 0; i < a.lanes[lane]->size() && differing < 5; ++i) {
      const trace::EventRef event{lane, i};
      const bool same = textOf(a, event) == textOf(b, event) && ids(a.partners(event)) == ids(b.partners(event)) &&
                        ids(a.tied(event)) == ids(b.tied(event));
      if (same) continue;
      ++differing;
      EXPECT_EQ(textOf(a, event), textOf(b, event)) << "lane " << lane << ", event " << i;
      EXPECT_EQ(ids(a.partners(event)), ids(b.partners(event))) << textOf(a, event);
      EXPECT_EQ(ids(a.tied(event)), ids(b.tied(event))) << textOf(a, event);
    }
  }
  ASSERT_EQ(a.counters.size(), b.counters.size());
  for (std::size_t c = 0; c < a.counters.size(); ++c) {
    const trace::Counter &left = *a.counters[c], &right = *b.counters[c];
    EXPECT_EQ(left.name(), right.name());
    EXPECT_EQ(left.unit(), right.unit());
    ASSERT_EQ(left.size(), right.size()) << left.name();
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left.time(i) != right.time(i) || left.value(i) != right.value(i)) {
        ADD_FAILURE() << left.name() << " at " << left.time(i);
        break;
      }
  }
}

}  // namespace lanescope::imported
