// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "model/import/import.h"
#include "tests/model/import/sums.h"
#include "tests/support/database_builder.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using test::DatabaseBuilder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using trace::EventKind;

class AmdTest : public testing::Test {
 protected:
  Recording read(DatabaseBuilder& file) {
    const auto read = imported::read(file.write(), {.details = true}, {});
    EXPECT_TRUE(read) << sentence(read.error());
    return read ? *read : Recording();
  }
  static std::string nameOf(const Recording& recording, const Track* of, std::size_t i = 0) {
    return of ? std::string((*recording.names)[of->events[i].name].text) : std::string();
  }

  test::TemporaryFolder folder_;
};

// --- rocpd ----------------------------------------------------------------------------------------------------------

class RocpdTest : public AmdTest {
 protected:
  RocpdTest() {
    row("metadata", {{"tag", "schema_version"}, {"value", "3"}});
    row("info_node", {{"hostname", "node7"}});
    row("info_process", {{"id", 15}, {"pid", 4711}, {"command", "./train"}});
    row("info_thread", {{"id", 16}, {"pid", 15}, {"tid", 4712}, {"name", "worker"}});
    row("info_agent", {{"id", 0}, {"type", "CPU"}, {"product_name", "Xeon"}});
    row("info_agent", {{"id", 2}, {"type", "GPU"}, {"product_name", "AMD Instinct MI300X"}});
    row("info_stream", {{"id", 0}, {"name", "Default Stream"}});
    row("info_stream", {{"id", 1}, {"name", "copies"}});
    row("info_kernel_symbol", {{"id", 10}, {"display_name", "void gemm<64u>(float*)"}, {"kernel_name", "_Z.kd"}});
    row("info_kernel_symbol", {{"id", 11}, {"kernel_name", "_Z4axpyPf.kd"}});
  }
  void row(const std::string& table, DatabaseBuilder::Values values) {
    file_.row("rocpd_" + table + "_0000_1111", values);
  }
  int string(const std::string& text) {
    row("string", {{"string", text}});
    return ++strings_;
  }
  /// An event of a category, and the call or mark that it is.
  void region(int event, int category, int stack, const std::string& name, const char* extra = "{}") {
    row("event", {{"id", event}, {"category_id", category}, {"stack_id", stack}, {"extdata", extra}});
    row("region",
        {{"pid", 15}, {"tid", 16}, {"start", 100}, {"end", 200}, {"name_id", string(name)}, {"event_id", event}});
  }
  void kernel(int event, int stack, int symbol) {
    row("event", {{"id", event}, {"category_id", 0}, {"stack_id", stack}});
    row("kernel_dispatch", {{"pid", 15},
                            {"tid", 16},
                            {"agent_id", 2},
                            {"kernel_id", symbol},
                            {"queue_id", 3},
                            {"stream_id", 0},
                            {"start", 300},
                            {"end", 400},
                            {"grid_size_x", 1024},
                            {"workgroup_size_x", 256},
                            {"event_id", event}});
  }

  DatabaseBuilder file_{folder_ / "results.db", "id"};
  int strings_ = 0;
};

TEST_F(RocpdTest, KernelsBelongToTheCallOfTheirStack) {
  const int api = string("HIP_RUNTIME_API_EXT");
  region(1, api, 77, "hipLaunchKernel");
  kernel(2, 77, 10);
  kernel(3, 78, 11);
  const Recording recording = read(file_);
  EXPECT_EQ(recording.format, "rocpd");
  EXPECT_EQ(recording.version, "3");
  EXPECT_EQ(recording.host, "node7");
  const Track* calls = trackOf(recording, EventKind::kCudaApi);
  EXPECT_EQ(nameOf(recording, calls), "hipLaunchKernel");
  EXPECT_EQ(calls->events[0].correlation, 77);
  const Track* kernels = trackOf(recording, EventKind::kKernel);
  EXPECT_EQ(nameOf(recording, kernels), "void gemm<64u>(float*)");
  EXPECT_EQ((*recording.names)[kernels->events[0].name].label, "gemm");
  EXPECT_EQ(nameOf(recording, kernels, 1), "axpy(float *)");
  EXPECT_EQ(kernels->events[0].correlation, 77);
  EXPECT_EQ(kernels->work.at(0).gridX, 4) << "1024 work-items in groups of 256";
  EXPECT_EQ(kernels->work.at(0).blockX, 256);
  EXPECT_EQ(recording.gpus.at(0).name, "AMD Instinct MI300X");
  EXPECT_TRUE(recording.streams.at(0).isDefault);
  EXPECT_EQ(recording.threads.at(0).name, "worker");
  EXPECT_TRUE(recording.issues.empty());
}

TEST_F(RocpdTest, MarksSayWhatTheProgramSaid) {
  region(1, string("MARKER_CORE_RANGE_API"), 5, "roctxRangePushA", R"({"message": "forward"})");
  region(2, string("RCCL_API"), 6, "ncclAllReduce");
  const Recording recording = read(file_);
  std::map<std::string, std::string> ranges;
  for (const Track& each : recording.tracks)
    if (each.kind == EventKind::kNvtxRange) ranges[recording.domains[each.domain].name] = nameOf(recording, &each);
  EXPECT_THAT(ranges, ElementsAre(Pair("RCCL_API", "ncclAllReduce"), Pair("roctx", "forward")));
}

TEST_F(RocpdTest, CopiesAreOfTheGpuOnEitherSide) {
  const auto copy = [&](const char* name, int to, int from) {
    row("memory_copy", {{"pid", 15},
                        {"tid", 16},
                        {"start", 10},
                        {"end", 20},
                        {"name_id", string(name)},
                        {"dst_agent_id", to},
                        {"src_agent_id", from},
                        {"size", 4096},
                        {"stream_id", 1},
                        {"event_id", nullptr}});
  };
  copy("MEMORY_COPY_HOST_TO_DEVICE", 2, 0);
  copy("MEMORY_COPY_DEVICE_TO_HOST", 0, 2);
  const Recording recording = read(file_);
  std::map<int, std::int64_t> devices;
  for (const Track& each : recording.tracks) devices[each.copyKind] = recording.gpus[each.gpu].device;
  EXPECT_THAT(devices, ElementsAre(Pair(1, 2), Pair(2, 2)));
  EXPECT_EQ(sumOf(recording, EventKind::kCopy).bytes, 8192u);
  EXPECT_EQ(recording.streams.at(0).name, "copies");
}

TEST_F(RocpdTest, AllocationsAndCountersAreCurves) {
  string("");
  kernel(1, 7, 10);
  const auto allocate = [&](const char* type, std::int64_t time, int address, int size) {
    row("memory_allocate", {{"pid", 15},
                            {"agent_id", 2},
                            {"type", type},
                            {"start", time},
                            {"end", time},
                            {"address", address},
                            {"size", size}});
  };
  allocate("ALLOC", 10, 0x1000, 100);
  allocate("ALLOC", 20, 0x2000, 50);
  allocate("FREE", 30, 0x1000, 0);
  allocate("FREE", 40, 0x9000, 0);
  row("info_pmc", {{"id", 1}, {"pid", 15}, {"agent_id", 2}, {"name", "SQ_WAVES"}});
  row("pmc_event", {{"event_id", 1}, {"pmc_id", 1}, {"value", 12.5}});
  row("pmc_event", {{"event_id", 99}, {"pmc_id", 1}, {"value", 1.0}});
  const Recording recording = read(file_);
  std::map<std::string, std::vector<double>> values;
  for (const Curve& curve : recording.curves) values[curve.name] = curve.values;
  EXPECT_THAT(values,
              ElementsAre(Pair("Memory in use", ElementsAre(100, 150, 50)), Pair("SQ_WAVES", ElementsAre(12.5))));
  ASSERT_EQ(recording.issues.size(), 1u);
  EXPECT_THAT(recording.issues[0].text, HasSubstr("(1)"));
}

TEST_F(RocpdTest, SeveralSessionsInOneFileKeepTheirRowsApart) {
  string("");
  kernel(1, 7, 10);
  file_.row("rocpd_string_2222", {{"string", ""}});
  file_.row("rocpd_info_process_2222", {{"id", 1}, {"pid", 99}});
  file_.row("rocpd_kernel_dispatch_2222",
            {{"pid", 1}, {"agent_id", 2}, {"stream_id", 0}, {"start", 1}, {"end", 2}, {"kernel_id", 5}});
  const Recording recording = read(file_);
  std::map<std::int64_t, std::uint64_t> rows;
  for (const Track& each : recording.tracks)
    rows[recording.processes[each.process].id.number] = each.events[0].sourceRow;
  EXPECT_THAT(rows, ElementsAre(Pair(99, 2), Pair(4711, 1)));
}

// --- rpd ------------------------------------------------------------------------------------------------------------

class RpdTest : public AmdTest {
 protected:
  RpdTest() {
    for (const char* text :
         {"", "KernelExecution", "CopyHostToDevice", "FillBuffer", "BarrierAnd", "UserMarker", "hipLaunchKernel",
          "OpTable::writeRows", "void gemm<int>(int*)", "forward", "hipExtModuleLaunchKernel"})
      file_.row("rocpd_string", {{"string", text}});
    api(100, 200, 7);
  }
  void api(int start, int end, int name, int args = 1) {
    file_.row("rocpd_api",
              {{"pid", 4711}, {"tid", 4712}, {"start", start}, {"end", end}, {"apiName_id", name}, {"args_id", args}});
  }
  void op(int type, int description, int call) {
    file_.row("rocpd_op", {{"gpuId", 2},
                           {"queueId", 5},
                           {"start", 300},
                           {"end", 400},
                           {"description_id", description},
                           {"opType_id", type}});
    file_.row("rocpd_api_ops", {{"api_id", call}, {"op_id", ++ops_}});
  }

  DatabaseBuilder file_{folder_ / "trace.rpd", "id"};
  int ops_ = 0;
};

TEST_F(RpdTest, WorkBelongsToTheCallThatStartedIt) {
  op(2, 9, 1);
  op(3, 1, 1);
  op(4, 1, 1);
  op(5, 1, 1);
  file_.row("rocpd_copyapi", {{"api_ptr_id", 1}, {"size", 4096}});
  file_.row("rocpd_kernelapi", {{"api_ptr_id", 1}, {"gridX", 7}, {"workgroupX", 256}});
  const Recording recording = read(file_);
  EXPECT_EQ(recording.format, "rpd");
  const Track* kernels = trackOf(recording, EventKind::kKernel);
  EXPECT_EQ(nameOf(recording, kernels), "void gemm<int>(int*)");
  EXPECT_EQ(kernels->events[0].correlation, 1);
  EXPECT_EQ(kernels->work.at(0).gridX, 7);
  EXPECT_EQ(recording.gpus[kernels->gpu].device, 2);
  EXPECT_EQ(recording.streams[kernels->stream].stream, 5);
  EXPECT_EQ(trackOf(recording, EventKind::kCopy)->copyKind, 1);
  EXPECT_EQ(trackOf(recording, EventKind::kCopy)->events[0].amount, 4096u);
  EXPECT_EQ(sumOf(recording, EventKind::kMemset).count, 1u);
  ASSERT_EQ(recording.issues.size(), 1u);
  EXPECT_EQ(recording.issues[0].text, "Rows that are not shown: op (1)");
}

TEST_F(RpdTest, OneCallTellsItsGridInWorkItems) {
  api(200, 300, 11);
  op(2, 9, 2);
  file_.row("rocpd_kernelapi",
            {{"api_ptr_id", 2}, {"gridX", 1792}, {"gridY", 782}, {"workgroupX", 256}, {"workgroupY", 1}});
  const Recording recording = read(file_);
  const WorkDetails& work = trackOf(recording, EventKind::kKernel)->work.at(0);
  EXPECT_EQ(work.gridX, 7);
  EXPECT_EQ(work.gridY, 782);
}

TEST_F(RpdTest, MarksAreRangesAndTheProfilersOwnTimeIsOverhead) {
  api(10, 20, 6, 10);
  api(30, 40, 8);
  op(2, 9, 1);
  const Recording recording = read(file_);
  const Track* ranges = trackOf(recording, EventKind::kNvtxRange);
  EXPECT_EQ(nameOf(recording, ranges), "forward");
  EXPECT_EQ(recording.domains[ranges->domain].name, "roctx");
  EXPECT_EQ(nameOf(recording, trackOf(recording, EventKind::kOverhead)), "OpTable::writeRows");
  EXPECT_EQ(sumOf(recording, EventKind::kCudaApi).count, 1u);
}

TEST_F(RpdTest, WhatTheDriverToldIsACurveOfNoGpuSinceItCountsThemOtherwise) {
  op(2, 9, 1);
  const auto sample = [&](const char* kind, DatabaseBuilder::Value value) {
    file_.row(
        "rocpd_monitor",
        {{"deviceType", "gpu"}, {"deviceId", 0}, {"monitorType", kind}, {"start", 5}, {"end", 6}, {"value", value}});
  };
  sample("sclk", "1700");
  sample("power", 250.5);
  sample("power", "much");
  const Recording recording = read(file_);
  std::map<std::string, std::vector<double>> values;
  for (const Curve& curve : recording.curves) values[curve.name] = curve.values;
  EXPECT_THAT(values, ElementsAre(Pair("GPU 0 power", ElementsAre(250.5)), Pair("GPU 0 sclk", ElementsAre(1700e6))));
  EXPECT_EQ(recording.curves[0].gpu, trace::kNone);
}

// --- hipprof and rocprof --------------------------------------------------------------------------------------------

class HipprofTest : public AmdTest {
 protected:
  DatabaseBuilder file_{folder_ / "results.db"};
};

TEST_F(HipprofTest, NamesAsTextsAndColumnsWithADash) {
  const auto call = [&](const char* name, const char* args, int index) {
    file_.row("HIP",
              {{"BeginNs", 1}, {"EndNs", 2}, {"pid", 5}, {"tid", 6}, {"Name", name}, {"args", args}, {"Index", index}});
  };
  const auto work = [&](const char* table, const char* name, int index) {
    file_.row(table, {{"BeginNs", 3},
                      {"EndNs", 4},
                      {"dev-id", 2},
                      {"queue-id", 0},
                      {"stream-id", 1},
                      {"Name", name},
                      {"pid", 5},
                      {"Index", index}});
  };
  call("hipMemcpy", "( dst(0x7f) src(0x7e) sizeBytes(8388608) kind(1))", 4);
  call("hipLaunchKernel", "( kernel(axpy))", 5);
  work("OPS", "axpy(float*)", 5);
  work("COPY", "CopyHostToDevice", 4);
  file_.row("rocTX", {{"BeginNs", 1}, {"EndNs", 9}, {"pid", 5}, {"tid", 6}, {"Name", "step"}});
  file_.row("KERN", {{"Index", 1}, {"KernelName", "axpy"}});
  const Recording recording = read(file_);
  EXPECT_EQ(nameOf(recording, trackOf(recording, EventKind::kKernel)), "axpy(float*)");
  EXPECT_EQ(trackOf(recording, EventKind::kKernel)->events[0].correlation, 5);
  EXPECT_EQ(recording.streams.at(0).stream, 1);
  EXPECT_EQ(trackOf(recording, EventKind::kCopy)->copyKind, 1);
  EXPECT_EQ(trackOf(recording, EventKind::kCopy)->events[0].amount, 8388608u);
  EXPECT_EQ(nameOf(recording, trackOf(recording, EventKind::kNvtxRange)), "step");
  EXPECT_TRUE(recording.issues.empty());
}

TEST_F(HipprofTest, NamesAsNumbersOfATable) {
  file_.row("STR_TABLE", {{"PID", 5}, {"STR_ID", 1}, {"STR_NAME", "_Z4axpyPf"}});
  file_.row("HIP", {{"BeginNs", 1},
                    {"EndNs", 2},
                    {"pid", 5},
                    {"tid", 6},
                    {"Name", 205},
                    {"args", "hipGetDeviceCount(count=8)"},
                    {"_Index", 1}});
  file_.row("HIP", {{"BeginNs", 1}, {"EndNs", 2}, {"pid", 5}, {"tid", 6}, {"Name", 9}, {"args", ""}, {"_Index", 2}});
  file_.row("OPS",
            {{"BeginNs", 3}, {"EndNs", 4}, {"dev_id", 2}, {"queue_id", "9"}, {"Name", "1"}, {"pid", 5}, {"_Index", 2}});
  for (const int kind : {4595, 4596, 4597, 4615})
    file_.row(
        "COPY",
        {{"BeginNs", 3}, {"EndNs", 4}, {"dev_id", 2}, {"queue_id", "9"}, {"Kind", kind}, {"pid", 5}, {"_Index", 1}});
  file_.row("CONFIG", {{"PID", 5}, {"KEY", 0}, {"VALUE", "1000000000"}});
  file_.row("CONFIG", {{"PID", 5}, {"KEY", 1}, {"VALUE", "1706153617.5"}});
  const Recording recording = read(file_);
  EXPECT_THAT(sumOf(recording, EventKind::kCudaApi).names, ElementsAre("HIP call 9", "hipGetDeviceCount"));
  EXPECT_EQ(nameOf(recording, trackOf(recording, EventKind::kKernel)), "axpy(float *)");
  EXPECT_EQ(recording.streams.at(0).stream, 9);
  std::set<int> kinds;
  for (const Track& each : recording.tracks)
    if (each.kind == EventKind::kCopy) kinds.insert(each.copyKind);
  EXPECT_THAT(kinds, ElementsAre(1, 2, 8));
  EXPECT_EQ(sumOf(recording, EventKind::kMemset).count, 1u);
  EXPECT_EQ(recording.utcOfZero, 1706153616500000000);
}

}  // namespace
}  // namespace lanescope::imported
