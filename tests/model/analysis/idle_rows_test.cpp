// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/idle_rows.h"

#include <algorithm>

#include "model/analysis/filter.h"
#include "model/analysis/find.h"
#include "model/analysis/selection.h"
#include "model/report/details.h"
#include "tests/support/analysed.h"

namespace lanescope::analysis {
namespace {

using test::us;
using trace::EventRef;

/// Two kernels with 810 µs between them, most of which the host waits.
class IdleRows : public test::HostAndGpu {
 protected:
  IdleRows() {
    twoKernelsAndAWait();
    range(0, 950, "step");
    file = builder.write();
    before = report::load(file, {.projections = true}, {}, Job{}).value();
    auto values = report::RowValues::open(file);
    trace = withIdleRows(before, *values);
  }
  std::uint32_t idleRow() const {
    for (std::uint32_t row = 0; row < trace->rows.size(); ++row)
      if (trace->rows[row].kind == trace::RowKind::kIdle) return row;
    return trace::kNone;
  }
  EventRef gap() const { return {trace->rows[idleRow()].lanes.front(), 0}; }

  std::filesystem::path file;
  trace::TracePtr before, trace;
};

TEST_F(IdleRows, EachGpuHasARowOfItsGapsCalledByTheirCause) {
  ASSERT_NE(idleRow(), trace::kNone);
  const trace::Row& row = trace->rows[idleRow()];
  EXPECT_EQ(trace->rows[row.parent].kind, trace::RowKind::kGpu);
  EXPECT_EQ(trace->rows[row.parent].children.front(), idleRow());
  ASSERT_EQ(trace->lanes[gap().lane]->size(), 1u);
  EXPECT_EQ(trace->time(gap()), (trace::TimeRange{us(120), us(930)}));
  EXPECT_EQ((*trace->names)[trace->name(gap())].text, "host in a synchronization call");
  EXPECT_EQ(row.busy->busy({0, us(2000)}), us(810));
}

TEST_F(IdleRows, WhatIsToBlameIsTheOtherEndOfItsArrow) {
  ASSERT_EQ(trace->partners(gap()).size(), 1u);
  const EventRef culprit = trace->ref(trace->partners(gap()).front());
  EXPECT_EQ((*trace->names)[trace->name(culprit)].text, "cudaStreamSynchronize_v3020");
  EXPECT_TRUE(trace->partners(culprit).empty()) << "a call is not the gap's";
  EXPECT_TRUE(trace->links(gap()).empty());
}

TEST_F(IdleRows, DetailsSayTheCauseAndWhoIsToBlame) {
  auto details = report::Details::open(file);
  const auto fields = details->of(*trace, gap());
  const auto value = [&](std::string_view label) {
    const auto found = std::ranges::find(fields, label, &report::Field::label);
    return found == fields.end() ? std::string() : found->value;
  };
  EXPECT_EQ(value("Name"), "host in a synchronization call");
  EXPECT_EQ(value("Culprit"), "cudaStreamSynchronize on thread 1");
  EXPECT_EQ(value("Covers").substr(value("Covers").find(" of")), " of the gap");
  EXPECT_EQ(value("Duration"), "810.000 µs");
}

class SeveralCalls : public test::HostAndGpu {};

TEST_F(SeveralCalls, NoneOfWhichFillsMostOfTheGapAreTheCauseByTheLongest) {
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  call(1205, 1290, "cudaStreamCreateWithFlags");
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const auto file = builder.write();
  auto values = report::RowValues::open(file);
  const trace::TracePtr trace = withIdleRows(report::load(file, {}, {}, Job{}).value(), *values);
  const auto row = std::ranges::find(trace->rows, trace::RowKind::kIdle, &trace::Row::kind);
  ASSERT_NE(row, trace->rows.end());
  std::string said;
  for (const report::Field& field : report::Details::open(file)->of(*trace, {row->lanes.front(), 0}))
    if (field.main) said += field.label + ": " + field.value + "\n";
  EXPECT_NE(said.find("Longest of the cause: cudaStreamCreateWithFlags on thread 1\nCovers: 38.6 % of the gap\n"),
            std::string::npos)
      << said;
}

TEST_F(SeveralCalls, DetailsOfAGapTellTheLineOfPythonAndTheLock) {
  builder.add(test::O{.start = us(1110), .end = us(1290), .name = "sem_wait"});
  builder.insert("LANESCOPE_OSRT_OBJECTS", {{"osrtRow", 1}, {"object", std::int64_t{16}}});
  builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", 1}, {"start", us(1200)}, {"globalTid", test::gtid(1, 1)}});
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 1, {{"main", "/opt/train.py", 55}});
  launch(1000, 1010, 1), kernel(1020, 1100, 1);
  launch(1300, 1310, 2), kernel(1320, 1400, 2);
  const auto file = builder.write();
  auto values = report::RowValues::open(file);
  const trace::TracePtr trace = withIdleRows(report::load(file, {}, {}, Job{}).value(), *values);
  const auto row = std::ranges::find(trace->rows, trace::RowKind::kIdle, &trace::Row::kind);
  std::string said;
  for (const report::Field& field : report::Details::open(file)->of(*trace, {row->lanes.front(), 0}))
    if (field.main) said += field.label + ": " + field.value + "\n";
  EXPECT_NE(said.find("Host code: main (train.py:55), in sem_wait of semaphore 0x10\n"), std::string::npos) << said;
}

TEST_F(IdleRows, NothingCountsGapsAsEventsOfTheFile) {
  EXPECT_EQ(trace->eventCount(), before->eventCount());
  EXPECT_EQ(trace->projectionCount(), before->projectionCount());
  const Selection all{{0, us(2000)}, {}};
  EXPECT_EQ(nameFigures(*trace, all).names.size(), nameFigures(*before, all).names.size());
  EXPECT_EQ(find(*trace, *Query::parse("synchronization", false)).count, 0u);
  EXPECT_EQ(find(*trace, *Query::parse("kind:idle", false)).count, 1u) << "unless somebody asks";
}

TEST_F(IdleRows, AFilterCountsNoGapsButHidesThem) {
  const Passing kept(trace, {Condition::words("gemm", false).value()}),
      hidden(trace, {Condition::words("gemm", false, true).value()});
  EXPECT_EQ(kept.events(), 2u);
  EXPECT_FALSE(kept.shows(idleRow()));
  EXPECT_EQ(kept.events() + hidden.events(), trace->eventCount());
  EXPECT_TRUE(hidden.shows(idleRow()));
}

TEST_F(IdleRows, IdsOfAllOtherEventsStay) {
  for (trace::LaneId lane = 0; lane < before->lanes.size(); ++lane) {
    EXPECT_EQ(trace->lanes[lane], before->lanes[lane]);
    EXPECT_EQ(trace->laneInfo[lane].firstEvent, before->laneInfo[lane].firstEvent);
  }
  EXPECT_EQ(trace->ref(trace->id(gap())), gap());
}

TEST_F(IdleRows, WithoutGpuWorkTheTraceIsTheSame) {
  test::ReportBuilder other(folder / "other.sqlite");
  other.add(test::R{.start = 0, .end = 10, .name = "cudaMalloc"});
  const auto path = other.write();
  const auto plain = report::load(path, {}, {}, Job{}).value();
  auto values = report::RowValues::open(path);
  EXPECT_EQ(withIdleRows(plain, *values), plain);
}

}  // namespace
}  // namespace lanescope::analysis
