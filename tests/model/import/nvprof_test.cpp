// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "tests/model/import/sums.h"
#include "tests/support/database_builder.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using test::words;
using testing::ElementsAre;
using testing::HasSubstr;
using trace::EventKind;
using Blob = test::DatabaseBuilder::Blob;

constexpr std::int64_t kProcess = 4711, kMain = 0x7E21C0;
const Blob kOnMain = {words({4711, 0x7E21C0, 0})};
const Blob kOnWorker = {words({4711, 0x99, 0})};

/// A file of nvprof with the rows of a test.
class NvprofTest : public testing::Test {
 protected:
  NvprofTest() { file_.row("StringTable", {{"_id_", 0}, {"value", "-- null --"}}); }
  test::DatabaseBuilder& row(const std::string& table, test::DatabaseBuilder::Values values) {
    return file_.row("CUPTI_ACTIVITY_KIND_" + table, values);
  }
  int string(const std::string& text) {
    file_.row("StringTable", {{"value", text}});
    return ++strings_;
  }
  void call(std::int64_t start, std::int64_t end, int correlation, int cbid = 211, std::int64_t process = kProcess) {
    row("RUNTIME", {{"cbid", cbid},
                    {"start", start},
                    {"end", end},
                    {"processId", process},
                    {"threadId", kMain},
                    {"correlationId", correlation},
                    {"returnValue", 3}});
  }
  void kernel(std::int64_t start, std::int64_t end, int correlation, int name,
              const std::string& table = "CONCURRENT_KERNEL") {
    row(table, {{"start", start},
                {"end", end},
                {"deviceId", 0},
                {"contextId", 1},
                {"streamId", 7},
                {"correlationId", correlation},
                {"name", name},
                {"gridX", 64},
                {"registersPerThread", 31}});
  }
  void marker(int flags, std::int64_t time, int id, const Blob& object, int name = 0, int domain = 0, int kind = 2) {
    row("MARKER", {{"flags", flags},
                   {"timestamp", time},
                   {"id", id},
                   {"objectKind", kind},
                   {"objectId", object},
                   {"name", name},
                   {"domain", domain}});
  }
  Recording recorded(bool details = false) {
    const auto read = imported::read(file_.write(), {.details = details}, {});
    EXPECT_TRUE(read) << sentence(read.error());
    return read ? *read : Recording();
  }
  static std::string nameOf(const Recording& recording, const trace::Event& event) {
    return std::string((*recording.names)[event.name].text);
  }
  static std::string issue(const Recording& recording, std::string_view kind) {
    for (const trace::Issue& each : recording.issues)
      if (each.kind == kind) return std::to_string(each.count) + ": " + each.text;
    return {};
  }

  test::TemporaryFolder folder_;
  test::DatabaseBuilder file_{folder_ / "a.nvvp", "_id_"};
  int strings_ = 0;
};

TEST_F(NvprofTest, KernelsAreDemangledAndTiedToTheCallThatLaunchedThem) {
  const int name = string("_Z6vecAddIfEvPT_i");
  call(100, 200, 5);
  kernel(300, 400, 5, name);
  const Recording recording = recorded(true);
  const Track& kernels = *trackOf(recording, EventKind::kKernel);
  const trace::Name& spelled = (*recording.names)[kernels.events[0].name];
  EXPECT_EQ(spelled.text, "void vecAdd<float>(T1 *, int)");
  EXPECT_EQ(spelled.label, "vecAdd");
  EXPECT_EQ(kernels.events[0].correlation, 5);
  ASSERT_EQ(kernels.work.size(), 1u);
  EXPECT_EQ(kernels.work[0].gridX, 64);
  EXPECT_EQ(kernels.work[0].blockX, -1);
  EXPECT_EQ((*recording.names)[kernels.work[0].mangled].text, "_Z6vecAddIfEvPT_i");
  EXPECT_EQ(recording.processes[kernels.process].id.number, kProcess);
  const Track& calls = *trackOf(recording, EventKind::kCudaApi);
  EXPECT_EQ(nameOf(recording, calls.events[0]), "cudaLaunchKernel_v7000");
  EXPECT_EQ((*recording.names)[calls.events[0].name].label, "cudaLaunchKernel");
  EXPECT_THAT(calls.results, ElementsAre(3));
}

TEST_F(NvprofTest, RowsOfTwoTablesKeepApartInOneTableOfAReport) {
  const int name = string("k");
  kernel(1, 2, 1, name);
  kernel(3, 4, 2, name);
  kernel(5, 6, 3, name, "KERNEL");
  call(1, 2, 1);
  row("DRIVER", {{"cbid", 307}, {"start", 1}, {"end", 2}, {"processId", kProcess}, {"threadId", kMain}});
  const Recording recording = recorded();
  const Track& kernels = *trackOf(recording, EventKind::kKernel);
  ASSERT_EQ(kernels.events.size(), 3u);
  EXPECT_EQ(kernels.events[1].sourceRow, 2u);
  EXPECT_EQ(kernels.events[2].sourceRow, 3u);
  const Track& calls = *trackOf(recording, EventKind::kCudaApi);
  ASSERT_EQ(calls.events.size(), 2u);
  EXPECT_EQ(calls.events[1].sourceRow, 2u);
  EXPECT_EQ(nameOf(recording, calls.events[1]), "cuLaunchKernel");
}

TEST_F(NvprofTest, ThreadsAreTheSameWhetherTheirNumberIsSignedOrNot) {
  call(1, 2, 1);
  row("RUNTIME", {{"cbid", 3}, {"start", 3}, {"end", 4}, {"processId", kProcess}, {"threadId", -2}});
  marker(1, 5, 1, {words({4711, 0xFFFFFFFE, 0})}, string("here"));
  const Recording recording = recorded();
  EXPECT_EQ(recording.threads.size(), 2u);
  EXPECT_EQ(trackOf(recording, EventKind::kNvtxMark)->thread, 1u);
}

TEST_F(NvprofTest, AnUnknownFunctionIsCalledByItsNumber) {
  call(1, 2, 1, 99999);
  const Recording recording = recorded();
  EXPECT_EQ(nameOf(recording, trackOf(recording, EventKind::kCudaApi)->events[0]), "runtime call 99999");
}

TEST_F(NvprofTest, MarkersAreRangesFromTheirTwoRows) {
  const int outer = string("outer"), inner = string("inner"), domain = string("NCCL");
  marker(2, 100, 1, kOnMain, outer, domain);
  marker(2, 200, 2, kOnMain, inner, domain);
  marker(4, 300, 2, kOnMain, 0, domain);
  marker(4, 400, 1, kOnMain, 0, domain);
  row("MARKER_DATA", {{"flags", 2}, {"id", 2}, {"color", 0xFF112233}, {"category", 0}});
  const Recording recording = recorded();
  const Track& ranges = *trackOf(recording, EventKind::kNvtxRange);
  ASSERT_EQ(ranges.events.size(), 2u);
  EXPECT_EQ(ranges.events[0].end, 400);
  EXPECT_EQ(nameOf(recording, ranges.events[0]), "outer");
  EXPECT_EQ(ranges.events[1].end, 300);
  EXPECT_EQ((*recording.names)[ranges.events[1].name].argb, 0xFF112233);
  EXPECT_FALSE(ranges.events[1].unfinished);
  EXPECT_EQ(recording.domains[ranges.domain].name, "NCCL");
  EXPECT_TRUE(recording.domains[ranges.domain].isNvtx);
}

TEST_F(NvprofTest, ARangeThatEndsOnAnotherThreadIsOfTheProcess) {
  const int name = string("moves");
  marker(2, 100, 1, kOnMain, name);
  marker(2, 110, 2, kOnMain, string("stays"));
  marker(4, 120, 2, kOnMain);
  marker(4, 200, 1, kOnWorker);
  marker(2, 300, 3, {words({4711, 0, 0})}, string("of the process"), 0, 1);
  marker(4, 400, 3, {words({4711, 0, 0})}, 0, 0, 1);
  const Recording recording = recorded();
  const Sum ranges = sumOf(recording, EventKind::kNvtxRange), spans = sumOf(recording, EventKind::kNvtxStartEnd);
  EXPECT_THAT(ranges.names, ElementsAre("stays"));
  EXPECT_THAT(spans.names, ElementsAre("moves", "of the process"));
  EXPECT_EQ(spans.ns, 200);
}

TEST_F(NvprofTest, ARangeWithoutAnEndIsUnfinishedAndAnEndWithoutARangeIsCounted) {
  marker(2, 100, 1, kOnMain, string("open"));
  marker(4, 200, 9, kOnMain);
  const Recording recording = recorded();
  EXPECT_TRUE(trackOf(recording, EventKind::kNvtxRange)->events[0].unfinished);
  EXPECT_EQ(issue(recording, "import-unmatched"), "1: 1 NVTX range ends without a beginning");
}

TEST_F(NvprofTest, CopiesHaveTheirDirectionAndThoseBetweenGpusToo) {
  const auto copy = [&](const char* table, int kind, std::int64_t bytes) {
    row(table, {{"copyKind", kind},
                {"srcKind", 1},
                {"dstKind", 3},
                {"bytes", bytes},
                {"start", 10},
                {"end", 20},
                {"deviceId", 0},
                {"contextId", 1},
                {"streamId", 7},
                {"correlationId", 1}});
  };
  copy("MEMCPY", 1, 4096);
  copy("MEMCPY", 77, 1);
  copy("MEMCPY2", 10, 512);
  const Recording recording = recorded(true);
  std::map<int, std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const Track& each : recording.tracks)
    if (each.kind == EventKind::kCopy) seen[each.copyKind] = {each.events[0].amount, each.events[0].sourceRow};
  EXPECT_THAT(seen, ElementsAre(testing::Pair(0, testing::Pair(1, 2)), testing::Pair(1, testing::Pair(4096, 1)),
                                testing::Pair(10, testing::Pair(512, 3))));
}

TEST_F(NvprofTest, KindsOfMemoryAreTheExportsWhichCountsThemFromAnotherBeginning) {
  using Value = test::DatabaseBuilder::Value;
  const auto copy = [&](std::int64_t start, const Value& source, const Value& target) {
    row("MEMCPY", {{"copyKind", 1},
                   {"srcKind", source},
                   {"dstKind", target},
                   {"bytes", 8},
                   {"start", start},
                   {"end", start + 1},
                   {"streamId", 7}});
  };
  copy(10, 1, 3), copy(20, 2, 5), copy(30, 0, 99), copy(40, nullptr, 7);
  const Recording recording = recorded(true);
  std::vector<std::pair<std::int64_t, std::int64_t>> kinds;
  for (const WorkDetails& each : trackOf(recording, EventKind::kCopy)->work)
    kinds.emplace_back(each.sourceKind, each.destinationKind);
  EXPECT_THAT(kinds, ElementsAre(testing::Pair(0, 2), testing::Pair(1, 4), testing::Pair(7, 7), testing::Pair(-1, 6)));
}

TEST_F(NvprofTest, MovesOfUnifiedMemoryAreCopiesAndFaultsAreFaults) {
  const auto counter = [&](int kind, std::int64_t value, int source, int destination) {
    row("UNIFIED_MEMORY_COUNTER", {{"counterKind", kind},
                                   {"value", value},
                                   {"start", 10},
                                   {"end", 20},
                                   {"srcId", source},
                                   {"dstId", destination},
                                   {"streamId", 7},
                                   {"processId", kProcess}});
  };
  counter(1, 4096, -1, 2);
  counter(2, 8192, 3, -1);
  counter(3, 1, 0, 0);
  counter(4, 5, 1, 0);
  counter(5, 1, 3, 0);
  const Recording recording = recorded();
  const auto moves = [&](int kind) {
    return sumOf(recording, [&](const Track& each) { return each.kind == EventKind::kCopy && each.copyKind == kind; });
  };
  EXPECT_EQ(moves(11).bytes, 4096u);
  EXPECT_THAT(moves(11).devices, ElementsAre(2));
  EXPECT_EQ(moves(12).bytes, 8192u);
  EXPECT_THAT(moves(12).devices, ElementsAre(3));
  EXPECT_EQ(sumOf(recording, EventKind::kCpuPageFault).count, 1u);
  EXPECT_THAT(sumOf(recording, EventKind::kGpuPageFault).devices, ElementsAre(1));
  EXPECT_THAT(issue(recording, "import-not-shown"), HasSubstr("UNIFIED_MEMORY_COUNTER (1)"));
}

TEST_F(NvprofTest, WaitsAreOfTheGpuOfTheirContext) {
  row("CONTEXT", {{"contextId", 4}, {"deviceId", 2}, {"nullStreamId", 7}});
  row("SYNCHRONIZATION",
      {{"type", 3}, {"start", 1}, {"end", 9}, {"correlationId", 5}, {"contextId", 4}, {"streamId", 7}});
  row("SYNCHRONIZATION",
      {{"type", 4}, {"start", 1}, {"end", 9}, {"correlationId", 6}, {"contextId", 4}, {"streamId", -1}});
  const Recording recording = recorded();
  const Sum waits = sumOf(recording, EventKind::kSync);
  EXPECT_THAT(waits.devices, ElementsAre(2));
  EXPECT_THAT(waits.names, ElementsAre("Context Synchronize", "Stream Synchronize"));
  ASSERT_EQ(recording.streams.size(), 1u);
  EXPECT_TRUE(recording.streams[0].isDefault);
}

TEST_F(NvprofTest, AWaitIsTiedToTheLatestRecordOfItsEventBeforeIt) {
  call(100, 110, 1, 135);
  call(200, 210, 2, 135);
  call(300, 310, 3, 147);
  call(400, 410, 4, 135);
  call(500, 510, 5, 147);
  const auto record = [&](int correlation, int event) {
    row("CUDA_EVENT", {{"correlationId", correlation}, {"contextId", 1}, {"streamId", 7}, {"eventId", event}});
  };
  const auto wait = [&](int correlation, int event) {
    row("SYNCHRONIZATION", {{"type", 2},
                            {"start", 1},
                            {"end", 2},
                            {"correlationId", correlation},
                            {"contextId", 1},
                            {"streamId", 9},
                            {"cudaEventId", event}});
  };
  record(1, 42);
  record(2, 42);
  record(4, 42);
  wait(3, 42);
  wait(5, 43);
  wait(99, 42);
  const Recording recording = recorded();
  ASSERT_EQ(recording.links.size(), 1u);
  const auto callOf = [&](EventAt at) { return recording.tracks[at.track].events[at.index].correlation; };
  EXPECT_EQ(callOf(recording.links[0].from), 2);
  EXPECT_EQ(callOf(recording.links[0].to), 3);
}

TEST_F(NvprofTest, TheProfilersOwnTimeAndOpenAccStandOnTheirThreads) {
  row("OVERHEAD", {{"overheadKind", 4 << 16}, {"objectKind", 2}, {"objectId", kOnMain}, {"start", 1}, {"end", 5}});
  row("OVERHEAD", {{"overheadKind", 1}, {"objectKind", 2}, {"objectId", kOnMain}, {"start", 6}, {"end", 7}});
  row("OPENACC_LAUNCH", {{"eventKind", 4},
                         {"start", 2},
                         {"end", 3},
                         {"cuProcessId", kProcess},
                         {"cuThreadId", kMain},
                         {"kernelName", string("main_12_gpu")}});
  const Recording recording = recorded();
  EXPECT_EQ(recording.threads.size(), 1u);
  EXPECT_THAT(sumOf(recording, EventKind::kOverhead).names,
              ElementsAre("Driver JIT compiler (CUDA)", "Runtime module loading (CUDA)"));
  const Track& ranges = *trackOf(recording, EventKind::kNvtxRange);
  EXPECT_EQ(nameOf(recording, ranges.events[0]), "acc_enqueue_launch main_12_gpu");
  EXPECT_EQ(recording.domains[ranges.domain].name, "OpenACC");
  EXPECT_FALSE(recording.domains[ranges.domain].isNvtx);
}

TEST_F(NvprofTest, SensorsAreCurves) {
  row("ENVIRONMENT",
      {{"deviceId", 0}, {"timestamp", 10}, {"environmentKind", 1}, {"data", Blob{words({1380, 877, 3, 16, 0})}}});
  row("ENVIRONMENT",
      {{"deviceId", 0}, {"timestamp", 10}, {"environmentKind", 3}, {"data", Blob{words({250000, 300000})}}});
  row("ENVIRONMENT", {{"deviceId", 0}, {"timestamp", 10}, {"environmentKind", 9}, {"data", Blob{words({1})}}});
  const Recording recording = recorded();
  std::map<std::string, double> values;
  for (const Curve& curve : recording.curves) values[curve.name] = curve.values.at(0);
  EXPECT_THAT(values, ElementsAre(testing::Pair("Memory clock", 877e6), testing::Pair("Power [W]", 250),
                                  testing::Pair("SM clock", 1380e6)));
  EXPECT_THAT(issue(recording, "import-not-shown"), HasSubstr("ENVIRONMENT (1)"));
}

TEST_F(NvprofTest, NamesAndHardwareAreTakenOver) {
  const std::string uuid(16, 'u'), other(16, 'v');
  call(1, 2, 1);
  kernel(3, 4, 1, string("k"));
  row("NAME", {{"objectKind", 1}, {"objectId", Blob{words({4711, 0, 0})}}, {"name", string("trainer")}});
  row("NAME", {{"objectKind", 2}, {"objectId", kOnMain}, {"name", string("main thread")}});
  row("NAME", {{"objectKind", 5}, {"objectId", Blob{words({0, 1, 7})}}, {"name", string("compute")}});
  row("DEVICE", {{"id", 0},
                 {"name", string("Tesla P100")},
                 {"uuid", Blob{uuid}},
                 {"coreClockRate", 1328500},
                 {"globalMemorySize", 17179738112},
                 {"computeCapabilityMajor", 6}});
  row("DEVICE", {{"id", 1}, {"name", string("Tesla P100")}, {"uuid", Blob{other}}});
  row("NVLINK",
      {{"idDev0", Blob{uuid + "rest"}}, {"idDev1", Blob{other}}, {"physicalNvLinkCount", 2}, {"bandwidth", 50000000}});
  row("PCIE", {{"type", 0}, {"id", Blob{words({0})}}, {"pcieGeneration", 3}, {"linkRate", 8000}, {"linkWidth", 16}});
  const Recording recording = recorded();
  EXPECT_EQ(recording.processes.at(0).name, "trainer");
  EXPECT_EQ(recording.threads.at(0).name, "main thread");
  EXPECT_EQ(recording.streams.at(0).name, "compute");
  ASSERT_EQ(recording.gpus.size(), 2u);
  EXPECT_EQ(recording.gpus[0].name, "Tesla P100");
  EXPECT_THAT(recording.gpus[0].facts,
              testing::IsSupersetOf({std::pair<std::string, std::int64_t>("clockRate", 1328500000),
                                     std::pair<std::string, std::int64_t>("totalMemory", 17179738112),
                                     std::pair<std::string, std::int64_t>("computeMajor", 6)}));
  EXPECT_THAT(recording.facts,
              ElementsAre(testing::Pair("NVLink of GPU 0 and GPU 1", "2 links of 50000000 kB/s together"),
                          testing::Pair("PCIe of GPU 0", "generation 3, 16 lanes of 8000 MT/s")));
}

TEST_F(NvprofTest, OfSeveralProcessesGpuWorkIsOfTheOneThatCalled) {
  call(1, 2, 1);
  call(1, 2, 2, 211, 4712);
  kernel(3, 4, 2, string("k"));
  const Recording recording = recorded();
  EXPECT_EQ(recording.processes[trackOf(recording, EventKind::kKernel)->process].id.number, 4712);
}

TEST_F(NvprofTest, WorkWithoutAnyCallIsShownAllTheSame) {  // IMP-33
  kernel(3, 4, 2, string("k"));
  const Recording recording = recorded();
  EXPECT_EQ(sumOf(recording, EventKind::kKernel).count, 1u);
  EXPECT_EQ(recording.processes.size(), 1u);
}

TEST_F(NvprofTest, TablesThatAreNotShownAreNamed) {
  row("PC_SAMPLING", {{"pcOffset", 1}});
  row("PC_SAMPLING", {{"pcOffset", 2}});
  row("METRIC", {{"id", 1}});
  file_.row("SomethingElse", {{"a", 1}});
  EXPECT_EQ(issue(recorded(), "import-not-shown"), "3: Rows that are not shown: METRIC (1), PC_SAMPLING (2)");
}

TEST_F(NvprofTest, WhatDevicesAndCodeAreIsNotMissed) {
  row("DEVICE_ATTRIBUTE", {{"deviceId", 0}, {"attribute", 7}});
  row("MODULE", {{"contextId", 1}, {"id", 7}});
  row("FUNCTION", {{"contextId", 1}, {"id", 7}});
  EXPECT_TRUE(recorded().issues.empty());
}

TEST_F(NvprofTest, GpuWorkHoursBehindEachOfItsCallsIsOfAnotherClock) {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  const int name = string("k");
  call(100, 200, 5), kernel(100 + 51 * kHour, 200 + 51 * kHour, 5, name);
  call(300, 400, 6), kernel(300 + 52 * kHour, 400 + 52 * kHour, 6, name);
  EXPECT_THAT(issue(recorded(), "import-clocks-apart"), HasSubstr("GPU times lie 51.0 h after the calls"));
}

TEST_F(NvprofTest, WhereOneLaunchIsRightTheClocksAre) {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  const int name = string("k");
  call(100, 200, 5), kernel(100 + 51 * kHour, 200 + 51 * kHour, 5, name);
  call(300, 400, 6), kernel(500, 600, 6, name);
  EXPECT_EQ(issue(recorded(), "import-clocks-apart"), "");
}

TEST_F(NvprofTest, TimesStayAsTheyStandAndOnlyThoseThatAreNoneAreLeftOut) {
  const int name = string("k");
  kernel(0, 0, 1, name);
  kernel(300, 250, 2, name);
  kernel(1722646267494115689, 1722646267494518052, 3, name);
  row("CONCURRENT_KERNEL", {{"start", "soon"}, {"end", 5}, {"name", name}});
  const Recording recording = recorded();
  const Track& kernels = *trackOf(recording, EventKind::kKernel);
  ASSERT_EQ(kernels.events.size(), 3u);
  EXPECT_EQ(kernels.events[2].start, 1722646267494115689);
  EXPECT_EQ(issue(recording, "time-not-a-number"), "1: 1 rows whose times are not whole numbers");
  EXPECT_EQ(recording.utcOfZero, std::nullopt);  // the first time that is known decides
}

TEST_F(NvprofTest, ClocksThatCountFrom1970GiveUtc) {
  kernel(1722646267494115689, 1722646267494518052, 3, string("k"));
  EXPECT_EQ(recorded().utcOfZero, 0);
}

TEST_F(NvprofTest, AFileWithoutRowsIsAnEmptyRecording) {
  file_.row("Version", {{"version", 22}});
  const Recording recording = recorded();
  EXPECT_EQ(recording.version, "22");
  EXPECT_TRUE(recording.tracks.empty());
  EXPECT_TRUE(recording.issues.empty());
}

TEST_F(NvprofTest, AStoppedReadingSaysSo) {
  kernel(1, 2, 3, string("k"));
  std::stop_source stop;
  stop.request_stop();
  const auto read = imported::read(file_.write(), {}, Job(stop.get_token()));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace lanescope::imported
