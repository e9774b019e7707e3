// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/selection_tables.h"

#include <gtest/gtest.h>

#include "tests/support/trace_fixture.h"
#include "views/tables/hit_table.h"
#include "views/tables/row_path.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using trace::EventKind;

/// A trace whose one row holds events with these names, labels and colours, 10 ns each.
std::shared_ptr<trace::Trace> traceOf(std::initializer_list<trace::Name> names, EventKind kind) {
  auto trace = std::make_shared<trace::Trace>();
  auto table = std::make_shared<trace::NameTable>();
  std::vector<trace::Event> events;
  for (const trace::Name& name : names) {
    const auto start = static_cast<trace::Ns>(events.size()) * 10;
    events.push_back({.start = start, .end = start + 10, .name = table->intern(name.text, name.label, name.argb)});
  }
  trace->names = table;
  trace->lanes.push_back(std::make_shared<const trace::Lane>(events, false));
  trace->laneInfo.push_back({.kind = kind});
  trace->rows = {{.key = "p", .label = "process", .children = {1}},
                 {.key = "s", .label = "stream", .parent = 0, .depth = 1, .lanes = {0}}};
  trace->rootRows = {0};
  trace->range = {0, static_cast<trace::Ns>(events.size()) * 10};
  return trace;
}

std::vector<QString> labelsOf(const trace::Trace& trace) {
  return nameLabels(trace, analysis::nameFigures(trace, {.range = trace.range}));
}

TEST(SelectionTables, ALabelThatTwoNamesHaveGivesWayToTheirTexts) {
  const auto trace = traceOf(
      {{.text = "f<int>()", .label = "f"}, {.text = "g<int>()", .label = "g"}, {.text = "f<char>()", .label = "f"}},
      EventKind::kKernel);
  std::vector<QString> labels = labelsOf(*trace);
  std::sort(labels.begin(), labels.end());
  EXPECT_EQ(labels, (std::vector<QString>{"f<char>()", "f<int>()", "g"}));
}

TEST(SelectionTables, CopiesAreCalledByTheirTexts) {
  EXPECT_EQ(labelsOf(*traceOf({{.text = "[CUDA memcpy Host-to-Device]", .label = "HtoD"}}, EventKind::kCopy)),
            (std::vector<QString>{"[CUDA memcpy Host-to-Device]"}));
}

TEST(SelectionTables, ALineHasTheColourThatItsAuthorChoseForAnyOfItsEvents) {
  const auto trace = traceOf({{.text = "step"}, {.text = "step", .argb = 0xFF22AA66}}, EventKind::kNvtxRange);
  const trace::NameId first = trace->lanes[0]->name(0), coloured = trace->lanes[0]->name(1);
  ASSERT_NE(first, coloured);
  ASSERT_EQ((*trace->names)[coloured].same, first);
  const LineColours colours(Theme::palette(), *trace);
  EXPECT_EQ(colours.of({first, EventKind::kNvtxRange, 0}),
            colours.palette().colour({.kind = EventKind::kNvtxRange}, coloured));
  EXPECT_NE(colours.of({first, EventKind::kNvtxRange, 0}),
            colours.palette().colour({.kind = EventKind::kNvtxRange}, first));
}

TEST(SelectionTables, ARowIsNamedWithAllThatIsAboveIt) {
  const auto trace = traceOf({{.text = "a"}}, EventKind::kKernel);
  EXPECT_EQ(rowPath(*trace, 1), "process › stream");
  const TableContent hits =
      hitContent(trace, std::make_shared<const std::vector<trace::EventRef>>(1), Theme::palette());
  EXPECT_EQ(hits.cell(0, static_cast<std::size_t>(HitColumn::kWhere)), analysis::Cell(std::string("process › stream")));
}

}  // namespace
}  // namespace lanescope::views
