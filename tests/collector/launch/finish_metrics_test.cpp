// SPDX-License-Identifier: Apache-2.0
// Files of GPU metrics, written as the sampler writes them, become the tables that Nsight Systems exports.
#include <gmock/gmock.h>

#include <limits>
#include <memory>

#include "collector/sample/metric_file.h"
#include "collector/sample/metric_header.h"
#include "model/report/info.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using sample::MetricFile;
using sample::MetricName;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

class FinishMetrics : public FinishFixture {
 protected:
  static wire::Device device(std::uint8_t uuid) {
    wire::Device device;
    std::fill(std::begin(device.uuid), std::end(device.uuid), uuid);
    return device;
  }

  /// The file of GPU `number`, with the names of its metrics.
  std::unique_ptr<MetricFile> gpu(std::size_t number, const std::vector<MetricName>& metrics,
                                  wire::MetricSourceKind kind = wire::MetricSourceKind::kCupti) {
    auto file = std::make_unique<MetricFile>();
    EXPECT_TRUE(file->create((folder_ / (std::to_string(number) + ".metrics")).string()));
    wire::Device described = device(static_cast<std::uint8_t>(number + 1));
    described.name = file->text("H100");
    file->record(wire::RecordType::kDevice, described, static_cast<std::uint32_t>(number));
    sample::writeHeader(*file, kind, "general", 100'000, metrics);
    file->clocks({kZero, kZero + kOffset, 30, 0});
    return file;
  }
  void sample(MetricFile& file, std::uint64_t time, const std::vector<double>& values) {
    file.sample(FinishFixture::gpu(time), FinishFixture::gpu(time + 100'000), values);
  }
  std::vector<std::string> samples() {
    return rows("SELECT rawTimestamp, timestamp, typeId - 281479271677952, metricId, value FROM GPU_METRICS");
  }

  const std::vector<MetricName> two_ = {{"GPC Clock Frequency [MHz]", "gpc__cycles_elapsed.avg.per_second"},
                                        {"SMs Active [Throughput %]", "sm__cycles_active.avg"}};
};

TEST_F(FinishMetrics, SamplesBecomeRowsAtTheirStartWithRoundedValues) {
  auto file = gpu(0, two_);
  sample(*file, 500, {1'995'032'500, 45.5});
  sample(*file, 100'500, {1'995'032'500.4, 0.49});
  file->facts("sampler-cpu-ms=12\n");
  file->end();
  finished();
  EXPECT_THAT(samples(), ElementsAre("500|500|0|0|1995032500", "500|500|0|1|46", "100500|100500|0|0|1995032500",
                                     "100500|100500|0|1|0"));
  EXPECT_EQ(result_.events, 2u);
  EXPECT_THAT(rows("SELECT * FROM TARGET_INFO_GPU_METRICS"),
              ElementsAre("281479271677952|281479271677952||0|GPC Clock Frequency [MHz]",
                          "281479271677952|281479271677952||1|SMs Active [Throughput %]"));
  EXPECT_THAT(rows("SELECT sourceId, value, timeSourceId, sourceGroupId FROM GENERIC_EVENT_SOURCES JOIN StringIds ON "
                   "id = nameId"),
              ElementsAre("281479271677952|GpuMetrics|3|0"));
  EXPECT_THAT(rows("SELECT typeId, sourceId, value FROM GENERIC_EVENT_TYPES JOIN StringIds ON id = nameId"),
              ElementsAre("281479271677952|281479271677952|"));
  EXPECT_THAT(rows("SELECT fieldIdx, value FROM GENERIC_EVENT_TYPE_FIELDS JOIN StringIds ON id = fieldNameId"),
              ElementsAre("0|GPC Clock Frequency [MHz]", "1|SMs Active [Throughput %]"));
  EXPECT_THAT(
      rows("SELECT name, value FROM META_DATA_CAPTURE WHERE name LIKE 'GPU_METRICS%' ORDER BY name"),
      ElementsAre("GPU_METRICS_OPTIONS:GPU_0:ID|0", "GPU_METRICS_OPTIONS:GPU_0:METRIC_SET|general",
                  "GPU_METRICS_OPTIONS:GPU_0:SAMPLER_CPU_MS|12", "GPU_METRICS_OPTIONS:GPU_0:SAMPLING_FREQUENCY|10000",
                  "GPU_METRICS_OPTIONS:GPU_0:SOURCE|CUPTI"));
  EXPECT_THAT(issues(), ElementsAre("nothing-attached"));

  const trace::TracePtr loaded = trace();
  ASSERT_TRUE(loaded);
  const report::Info info = report::readInfo(*database_, loaded->issues);
  EXPECT_EQ(info.metricSamples, 4u);
  EXPECT_EQ(info.metrics, 2u);
  ASSERT_THAT(loaded->counters, SizeIs(2));
  EXPECT_EQ(loaded->counters[0]->unit(), trace::Counter::Unit::kHertz);
  EXPECT_EQ(loaded->counters[1]->unit(), trace::Counter::Unit::kPercent);
}

TEST_F(FinishMetrics, TheTablesHaveTheColumnsThatNsightSystemsExports) {
  const std::filesystem::path golden = test::sharedFolder() / "golden/metrics/nsys.sqlite";
  if (!std::filesystem::exists(golden)) GTEST_SKIP() << "needs ../shared/golden";
  auto file = gpu(0, two_);
  sample(*file, 0, {1, 2});
  file->end();
  finished();
  auto theirs = Database::open(golden);
  ASSERT_TRUE(theirs);
  for (const char* table : {"GPU_METRICS", "TARGET_INFO_GPU_METRICS"}) {
    const std::string sql = std::string("SELECT name, type FROM pragma_table_info('") + table + "')";
    std::vector<std::string> columns;
    for (auto query = theirs->prepare(sql); query->step();)
      columns.push_back(std::string(query->text(0)) + "|" + std::string(query->text(1)));
    EXPECT_EQ(rows(sql), columns) << table;
  }
}

TEST_F(FinishMetrics, AGpuIsTheSameForTheProgramAndTheSampler) {
  auto stream = process();
  stream.cupti().record(wire::RecordType::kDevice, device(2), 0).ended().write();
  for (const std::size_t number : {0, 1}) {
    auto file = gpu(number, two_);
    sample(*file, 10, {static_cast<double>(number), 0});
    file->end();
  }
  finished();
  // The program's only GPU comes first; the sampler knows it as its second.
  EXPECT_THAT(rows("SELECT id, uuid FROM TARGET_INFO_GPU ORDER BY id"),
              ElementsAre("0|02020202-0202-0202-0202-020202020202", "1|01010101-0101-0101-0101-010101010101"));
  EXPECT_THAT(rows("SELECT typeId & 255, value FROM GPU_METRICS WHERE metricId = 0 ORDER BY 1"),
              ElementsAre("0|1", "1|0"));
  EXPECT_THAT(rows("SELECT count(*) FROM TARGET_INFO_CUDA_DEVICE"), ElementsAre("1"));
  EXPECT_THAT(rows("SELECT count(*) FROM GENERIC_EVENT_SOURCES"), ElementsAre("1"));
}

TEST_F(FinishMetrics, ValuesThatWereNotToBeHadHaveNoRow) {
  auto file = gpu(0, two_, wire::MetricSourceKind::kNvml);
  sample(*file, 0, {kNone, 3});
  sample(*file, 1, {std::numeric_limits<double>::infinity(), 1e300});
  file->end();
  finished();
  EXPECT_THAT(samples(), ElementsAre("0|0|0|1|3"));
}

TEST_F(FinishMetrics, WhatNvmlTellsHasItsUnitInTheFigureOrTheName) {
  auto file = gpu(0, {{"Memory Used [bytes]", "x"}, {"Power [W]", "y"}, {"GPU Utilization [Throughput %]", "z"}},
                  wire::MetricSourceKind::kNvml);
  sample(*file, 0, {1 << 30, 123, 42});
  file->end();
  finished();
  const trace::TracePtr loaded = trace();
  ASSERT_TRUE(loaded);
  std::vector<std::string> labels;
  for (const trace::Row& row : loaded->rows) {
    if (row.kind == trace::RowKind::kMetric) labels.push_back(row.label);
  }
  EXPECT_THAT(labels, ElementsAre("Memory Used", "Power [W]", "GPU Utilization"));
  EXPECT_EQ(loaded->counters[0]->unit(), trace::Counter::Unit::kBytes);
}

TEST_F(FinishMetrics, WhatTheSamplerSaysAndLosesIsKept) {
  auto file = gpu(0, two_);
  file->message(0, "GH100 has no C2C");
  file->message(1, "GPU 0: only what NVML tells");
  file->losses(wire::LossKind::kMetricSamples, 3);
  file->losses(wire::LossKind::kMetricSamples, 7);
  file->end();
  finished();
  EXPECT_THAT(issues(), ElementsAre("gpu-metrics", "lost-metric-samples", "nothing-attached"));
  EXPECT_EQ(result_.lost, 7u);
  EXPECT_THAT(result_.notes, testing::Contains("GPU 0: only what NVML tells"));
  EXPECT_THAT(result_.notes, testing::Contains("7 samples of GPU metrics that were overwritten before they were read"));
  EXPECT_THAT(rows("SELECT severity, text FROM DIAGNOSTIC_EVENT WHERE text LIKE 'GH100%'"),
              ElementsAre("1|GH100 has no C2C"));
}

TEST_F(FinishMetrics, ASamplerThatWasKilledLeavesWhatItWrote) {
  auto file = gpu(0, two_);
  sample(*file, 0, {1, 2});
  file->flush();
  finished();
  EXPECT_THAT(samples(), SizeIs(2));
  EXPECT_THAT(issues(), ElementsAre("nothing-attached", "sampler-killed"));
}

TEST_F(FinishMetrics, OfOneCaptureOnlyItsSamplesAreKept) {
  process().thread(1).capture(cpu(0), true).capture(cpu(300'000), false).ended().write();
  process(200, 2).thread(1).capture(cpu(1'000'000), true).capture(cpu(1'300'000), false).ended().write();
  auto file = gpu(0, {{"SMs Active [Throughput %]", "x"}});
  for (std::uint64_t t = 0; t < 2'000'000; t += 200'000) sample(*file, t, {static_cast<double>(t / 100'000)});
  file->end();
  auto result = finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job(), {.capture = 1});
  ASSERT_TRUE(result);
  database_.emplace(*Database::open(folder_ / "out.rep"));
  EXPECT_THAT(rows("SELECT value FROM GPU_METRICS"), ElementsAre("10", "12"));
}

TEST_F(FinishMetrics, DamagedFilesGiveWhatIsWholeAndNeverMore) {
  auto file = gpu(0, two_);
  for (std::uint64_t i = 0; i < 50; ++i) {
    sample(*file, i * 100'000, {1, 2});
    file->flush();
  }
  file->end();
  const std::string whole = test::readFile(folder_ / "0.metrics");
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    test::writeFile(folder_ / "0.metrics", damaged);
    finished();
    if (!database_->has("GPU_METRICS")) continue;
    EXPECT_LE(std::stoi(rows("SELECT count(*) FROM GPU_METRICS")[0]), 100) << at;
  }
  test::writeFile(folder_ / "0.metrics", whole.substr(0, whole.size() / 2));
  finished();
  EXPECT_THAT(issues(), testing::Contains("sampler-killed"));
}

TEST_F(FinishMetrics, ARecordThatClaimsTooMuchIsTakenForWhatItHolds) {
  auto file = gpu(0, two_);
  const double value = 5;
  const std::string_view bytes(reinterpret_cast<const char*>(&value), sizeof value);
  file->record(wire::RecordType::kMetricSample, wire::MetricSample{{}, FinishFixture::gpu(7), FinishFixture::gpu(8)},
               4'000'000'000, bytes);
  file->record(wire::RecordType::kMetric, wire::Metric{{}, 1, 2}, 4'000'000'000);
  file->record(wire::RecordType::kMetric, wire::Metric{{}, 77, 0}, 2);
  file->end();
  finished();
  EXPECT_THAT(samples(), ElementsAre("7|7|0|0|5"));
  EXPECT_THAT(rows("SELECT metricName FROM TARGET_INFO_GPU_METRICS WHERE metricId = 2"), ElementsAre("Metric 2"));
}

}  // namespace
}  // namespace lanescope::launch
