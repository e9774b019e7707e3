// SPDX-License-Identifier: Apache-2.0
// The figures of a selection against plain SQL over the recording itself: every golden export, a hundred ranges each and
// the whole. SQL does what it can; unions, medians and deviations are worked out here in the plainest way.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "model/analysis/counter_figures.h"
#include "model/analysis/gpu_work.h"
#include "model/analysis/selection.h"
#include "model/report/database.h"
#include "model/report/load.h"
#include "tests/support/files.h"

namespace lanescope::analysis {
namespace {

using namespace lanescope::test;
using report::Database;
using report::Statement;
using trace::EventKind;
using trace::Ns;
using trace::TimeRange;

constexpr const char* kTouches = " WHERE start < ?2 AND (end > ?1 OR start >= ?1)";

/// Where the events of a kind stand, and the text a row goes by.
struct Source {
  EventKind kind;
  const char* table;
  const char* text;
  const char* which = "";
};
constexpr Source kSources[] = {
    {EventKind::kKernel, "CUPTI_ACTIVITY_KIND_KERNEL", "(SELECT value FROM StringIds WHERE id = demangledName)"},
    {EventKind::kCopy, "CUPTI_ACTIVITY_KIND_MEMCPY",
     "(SELECT '[CUDA memcpy ' || label || ']' FROM ENUM_CUDA_MEMCPY_OPER WHERE id = copyKind)"},
    {EventKind::kMemset, "CUPTI_ACTIVITY_KIND_MEMSET", "'[CUDA memset]'"},
    {EventKind::kCudaApi, "CUPTI_ACTIVITY_KIND_RUNTIME", "(SELECT value FROM StringIds WHERE id = nameId)"},
    {EventKind::kNvtxRange, "NVTX_EVENTS", "coalesce(text, (SELECT value FROM StringIds WHERE id = textId))",
     " AND eventType = 59 AND end IS NOT NULL"},
    {EventKind::kNvtxStartEnd, "NVTX_EVENTS", "coalesce(text, (SELECT value FROM StringIds WHERE id = textId))",
     " AND eventType = 60 AND end IS NOT NULL"},
    {EventKind::kOsRuntime, "OSRT_API", "(SELECT value FROM StringIds WHERE id = nameId)", " AND eventClass = 27"},
};

/// The two questions about a kind, prepared once.
struct Questions {
  EventKind kind;
  Statement sums;  // text, count, total, least, greatest, mean
  Statement times;  // text, duration; in order of both
};

struct Line {
  std::int64_t count = 0, total = 0, min = 0, max = 0;
  double mean = 0;
  std::vector<std::int64_t> times;

  double median() const {
    const std::size_t n = times.size();
    return static_cast<double>(times[(n - 1) / 2] + times[n / 2]) / 2;
  }
  double deviation() const {
    double squares = 0;
    for (const std::int64_t time : times) squares += std::pow(static_cast<double>(time) - mean, 2);
    return times.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(times.size() - 1));
  }
};

struct Interval {
  std::int64_t device, start, end, what;  // 1 compute, 2 copy, 3 memset
};

void bindRange(Statement& statement, TimeRange range) {
  statement.reset();
  statement.bind(1, range.begin);
  statement.bind(2, range.end);
}

class PlainSql : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    auto opened = Database::open(GetParam());
    ASSERT_TRUE(opened);
    database = std::make_unique<Database>(std::move(*opened));
    auto loaded = report::load(GetParam(), {}, {}, Job{});
    ASSERT_TRUE(loaded);
    trace = *loaded;
    prepareQuestions();
    readIntervals();
  }

  Statement prepare(const std::string& sql) {
    auto statement = database->prepare(sql);
    EXPECT_TRUE(statement) << sql;
    return statement ? std::move(*statement) : Statement();
  }

  void prepareQuestions() {
    for (const Source& source : kSources) {
      if (!database->has(source.table)) continue;
      const std::string times = std::string("SELECT ") + source.text +
                                " AS name, min(end, ?2) - max(start, ?1) AS time FROM " + source.table + kTouches +
                                source.which;
      questions.push_back(
          {source.kind,
           prepare("SELECT name, count(*), sum(time), min(time), max(time), avg(time) FROM (" + times + ") GROUP BY 1"),
           prepare(times + " ORDER BY 1, 2")});
    }
    if (database->has("CUPTI_ACTIVITY_KIND_MEMCPY"))
      copies = prepare(std::string("SELECT copyKind, count(*), sum(min(end, ?2) - max(start, ?1)), "
                                   "sum(CASE end - start WHEN 0 THEN bytes ELSE bytes * (min(end, ?2) - max(start, "
                                   "?1)) / (end - start) END) FROM CUPTI_ACTIVITY_KIND_MEMCPY") +
                       kTouches + " GROUP BY 1");
  }

  void readIntervals() {
    const std::pair<const char*, int> tables[] = {{"CUPTI_ACTIVITY_KIND_KERNEL", 1},
                                                  {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 1},
                                                  {"CUPTI_ACTIVITY_KIND_MEMCPY", 2},
                                                  {"CUPTI_ACTIVITY_KIND_MEMSET", 3}};
    for (const auto& [table, what] : tables) {
      if (!database->has(table)) continue;
      Statement rows = prepare(std::string("SELECT deviceId, start, end FROM ") + table);
      while (rows.step()) intervals.push_back({rows.integer(0), rows.integer(1), rows.integer(2), what});
    }
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
      return std::tie(a.device, a.start) < std::tie(b.device, b.start);
    });
  }

  /// Added up over devices; intervals are sorted by device and start.
  template <class Wanted>
  Ns unionOf(TimeRange range, Wanted wanted) const {
    Ns busy = 0, covered = 0;
    std::int64_t device = -1;
    for (const Interval& each : intervals) {
      if (!wanted(each.what)) continue;
      if (each.device != device) device = each.device, covered = range.begin;
      const Ns from = std::max(each.start, covered), to = std::min(each.end, range.end);
      if (to > from) busy += to - from, covered = to;
    }
    return busy;
  }

  std::vector<TimeRange> ranges() const {
    std::mt19937_64 random(20261128);
    const auto upTo = [&](std::int64_t n) {
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    const auto somewhere = [&] { return trace->range.begin - 10 + upTo(trace->range.length() + 20); };
    const auto atAnEvent = [&] {
      const auto& lane = *trace->lanes[static_cast<std::size_t>(upTo(static_cast<std::int64_t>(trace->lanes.size())))];
      const auto i = static_cast<std::size_t>(upTo(static_cast<std::int64_t>(lane.size())));
      return (upTo(2) == 0 ? lane.start(i) : lane.end(i)) + upTo(3) - 1;
    };
    std::vector<TimeRange> all{{trace->range.begin, trace->range.end + 1}};
    while (all.size() <= 100) {
      const Ns a = upTo(2) == 0 ? somewhere() : atAnEvent();
      const Ns b = upTo(3) == 0 ? a + 1 + upTo(1'000'000) : upTo(2) == 0 ? somewhere() : atAnEvent();
      if (a != b) all.push_back({std::min(a, b), std::max(a, b)});
    }
    return all;
  }

  static std::map<std::string, Line> answer(Questions& questions, TimeRange range) {
    std::map<std::string, Line> lines;
    bindRange(questions.sums, range);
    while (questions.sums.step()) {
      const Statement& row = questions.sums;
      lines[std::string(row.text(0))] = {row.integer(1), row.integer(2), row.integer(3),
                                         row.integer(4), row.real(5),    {}};
    }
    bindRange(questions.times, range);
    auto line = lines.end();
    while (questions.times.step()) {
      const std::string_view name = questions.times.text(0);
      if (line == lines.end() || line->first != name) line = lines.find(std::string(name));
      line->second.times.push_back(questions.times.integer(1));
    }
    return lines;
  }

  std::unique_ptr<Database> database;
  trace::TracePtr trace;
  std::vector<Questions> questions;
  Statement copies;
  std::vector<Interval> intervals;
};

TEST_P(PlainSql, GivesTheSameFiguresByName) {
  for (const TimeRange range : ranges()) {
    SCOPED_TRACE(testing::Message() << range.begin << " to " << range.end);
    const NameTable table = nameFigures(*trace, {.range = range});
    for (Questions& each : questions) {
      const std::map<std::string, Line> lines = answer(each, range);
      std::size_t seen = 0;
      for (const NameFigures& figures : table.names) {
        if (figures.kind != each.kind || figures.time.count == 0) continue;
        const std::string name((*trace->names)[figures.name].text);
        const auto found = lines.find(name);
        ASSERT_NE(found, lines.end()) << name;
        const Line& line = found->second;
        ++seen;
        ASSERT_EQ(figures.time.count, static_cast<std::uint64_t>(line.count)) << name;
        ASSERT_EQ(figures.time.total, line.total) << name;
        ASSERT_EQ(figures.time.min, line.min) << name;
        ASSERT_EQ(figures.time.max, line.max) << name;
        ASSERT_DOUBLE_EQ(figures.time.mean, line.mean) << name;
        ASSERT_DOUBLE_EQ(figures.time.median, line.median()) << name;
        ASSERT_NEAR(figures.time.deviation, line.deviation(), 1e-6 + 1e-9 * line.deviation()) << name;
      }
      ASSERT_EQ(seen, lines.size()) << trace::kindName(each.kind);
    }
  }
}

TEST_P(PlainSql, GivesTheSameGpuFigures) {
  const GpuWork work(*trace);
  for (const TimeRange range : ranges()) {
    SCOPED_TRACE(testing::Message() << range.begin << " to " << range.end);
    const GpuFigures figures = work.figures(range);
    const Ns compute = unionOf(range, [](std::int64_t what) { return what == 1; });
    const Ns copying = unionOf(range, [](std::int64_t what) { return what == 2; });
    const Ns either = unionOf(range, [](std::int64_t what) { return what != 3; });
    ASSERT_EQ(figures.busy, unionOf(range, [](std::int64_t) { return true; }));
    ASSERT_EQ(figures.compute, compute);
    ASSERT_EQ(figures.copying, copying);
    ASSERT_EQ(figures.hidden, compute + copying - either);
  }
}

TEST_P(PlainSql, GivesTheSameBytesByDirection) {
  if (copies.raw() == nullptr) GTEST_SKIP() << "no copies";
  for (const TimeRange range : ranges()) {
    SCOPED_TRACE(testing::Message() << range.begin << " to " << range.end);
    std::map<std::int64_t, CopyFigures> byKind;
    for (const CopyFigures& each : copyFigures(*trace, {.range = range})) byKind[each.copyKind] = each;
    std::size_t seen = 0;
    bindRange(copies, range);
    for (; copies.step(); ++seen) {
      const CopyFigures& figures = byKind[copies.integer(0)];
      ASSERT_EQ(figures.count, static_cast<std::uint64_t>(copies.integer(1)));
      ASSERT_EQ(figures.time, copies.integer(2));
      ASSERT_EQ(figures.bytes, static_cast<std::uint64_t>(copies.integer(3)));
    }
    ASSERT_EQ(byKind.size(), seen);
  }
}

TEST_P(PlainSql, MetricsOverARangeAreWeightedByTime) {
  if (!database->has("GPU_METRICS")) GTEST_SKIP() << "no GPU metrics in it";
  Statement sql = prepare(
      "SELECT name, sum(value * (min(until, ?2) - max(timestamp, ?1))) * 1.0 / sum(min(until, ?2) - max(timestamp, "
      "?1)), "
      "min(value), max(value) FROM (SELECT (SELECT metricName FROM TARGET_INFO_GPU_METRICS AS names WHERE names.typeId "
      "= samples.typeId AND names.metricId = samples.metricId) AS name, timestamp, value, lead(timestamp) OVER "
      "(PARTITION BY typeId, metricId ORDER BY timestamp) AS until FROM GPU_METRICS AS samples) "
      "WHERE timestamp < ?2 AND until > ?1 GROUP BY name");
  std::map<std::string, std::uint32_t> counters;
  for (std::uint32_t i = 0; i < trace->counters.size(); ++i)
    if (!trace->counterInfo[i].group.empty()) counters[trace->counters[i]->name()] = i;
  const TimeRange all = trace->counters[counters.begin()->second]->span();
  for (const int part : {7, 40, 2000}) {
    const Ns length = all.length() / part;
    const TimeRange range{all.begin + length + 1, all.begin + 2 * length};
    bindRange(sql, range);
    std::size_t seen = 0;
    for (; sql.step(); ++seen) {
      const CounterFigures figures = counterFigures(*trace, counters.at(std::string(sql.text(0))), range);
      ASSERT_TRUE(figures.any);
      ASSERT_NEAR(figures.mean, sql.real(1), 1e-9 * std::abs(sql.real(1))) << sql.text(0);
      ASSERT_EQ(figures.min, sql.real(2)) << sql.text(0);
      ASSERT_EQ(figures.max, sql.real(3)) << sql.text(0);
    }
    ASSERT_EQ(seen, counters.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Recordings, PlainSql, testing::ValuesIn(goldenExports()),
                         [](const auto& each) { return testName(each.param.parent_path().filename().string()); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PlainSql);

}  // namespace
}  // namespace lanescope::analysis
