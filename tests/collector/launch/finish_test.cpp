// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <random>

#include "collector/wire/session.h"
#include "model/report/info.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::RecordType;

class Finish : public FinishFixture {};

TEST_F(Finish, AProcessWithACallAKernelAndARangeBecomesAReport) {
  process()
      .thread(101)
      .push({.time = cpu(100), .text = "step"})
      .call({.start = cpu(110), .end = cpu(120), .correlation = 9})
      .pop(cpu(500))
      .cupti()
      .kernel({.start = gpu(200), .end = gpu(400), .correlation = 9})
      .ended()
      .write();
  finished();
  EXPECT_EQ(result_.events, 3u);
  EXPECT_EQ(result_.lost, 0u);
  EXPECT_THAT(result_.notes, IsEmpty());

  const trace::TracePtr loaded = trace();
  ASSERT_TRUE(loaded);
  const report::Info info = report::readInfo(*database_, loaded->issues);
  EXPECT_EQ(info.kernels.count, 1u);
  EXPECT_EQ(info.kernels.totalNs, 200);
  EXPECT_EQ(info.cudaCalls, 1u);
  EXPECT_EQ(info.nvtxRanges, 1u);
  EXPECT_EQ(info.processes, 1u);
  EXPECT_EQ(info.span, std::pair(trace::Ns{100}, trace::Ns{500}));
  EXPECT_THAT(info.issues, IsEmpty());
  EXPECT_THAT(rows("SELECT start, end, correlationId, globalPid >> 24 & 16777215, streamId, launchType, d.value, "
                   "s.value, m.value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds d ON d.id = demangledName JOIN "
                   "StringIds s ON s.id = shortName JOIN StringIds m ON m.id = mangledName"),
              ElementsAre("200|400|9|100|7|1|spin(float *, int, int)|spin|_Z4spinPfii"));
  EXPECT_THAT(rows("SELECT start, end, eventClass, globalTid & 16777215, correlationId, value, returnValue FROM "
                   "CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId"),
              ElementsAre("110|120|0|101|9|cudaLaunchKernel_v7000|0"));
  EXPECT_THAT(rows("SELECT start, end, eventType, text, textId, domainId, globalTid FROM NVTX_EVENTS"),
              ElementsAre("100|500|59|step|NULL|0|" + std::to_string((1ll << 48) + (100ll << 24) + 101)));
  EXPECT_THAT(rows("SELECT pid, name FROM PROCESSES"), ElementsAre("100|app"));
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name LIKE 'PROCESS_0:%'"), ElementsAre("./app", "-n"));
}

TEST_F(Finish, ATextDefinedInOneRingIsKnownInAnotherAndBeforeIt) {
  auto stream = process();
  stream.thread(101, 0).record(RecordType::kNvtxPush, wire::NvtxEvent{{}, cpu(1), stream.undefinedText("late")});
  stream.pop(cpu(2)).thread(102, 1).mark({.time = cpu(3), .text = "late"}).ended().write();
  finished();
  EXPECT_THAT(rows("SELECT text FROM NVTX_EVENTS"), ElementsAre("late", "late"));
}

TEST_F(Finish, ATextThatIsNowhereIsCountedAndItsEventKept) {
  auto stream = process();
  wire::Kernel kernel;
  kernel.start = gpu(1), kernel.end = gpu(2), kernel.name = 77;
  stream.cupti().record(RecordType::kKernel, kernel);
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT value FROM StringIds JOIN CUPTI_ACTIVITY_KIND_KERNEL ON id = shortName"),
              ElementsAre("(name missing)"));
  EXPECT_THAT(issues(), ElementsAre("text-missing"));
}

TEST_F(Finish, DriverCallsInsideARuntimeCallAreLeftOutUnlessAllWereAskedFor) {
  process()
      .thread(101)
      .call({.start = cpu(1), .end = cpu(2), .name = "cuCtxGet", .driver = true})
      .call({.start = cpu(11), .end = cpu(12), .name = "cuInner", .driver = true})
      .call({.start = cpu(13), .end = cpu(20), .name = "cuLaunch", .driver = true})
      .call({.start = cpu(10), .end = cpu(20), .name = "cudaLaunch"})
      .thread(102, 1)
      .call({.start = cpu(14), .end = cpu(15), .name = "cuOther", .driver = true})
      .ended()
      .write();
  finished();
  const char* kNames =
      "SELECT start, eventClass, value FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId ORDER BY start";
  EXPECT_THAT(rows(kNames), ElementsAre("1|1|cuCtxGet", "10|0|cudaLaunch", "14|1|cuOther"));
  test::writeFile(folder_ / "options", "cuda-trace-all-apis=1\n");
  finished();
  EXPECT_EQ(rows(kNames).size(), 5u);
}

TEST_F(Finish, MoreDriverCallsThanAreHeldBackAreAllWritten) {
  auto stream = process();
  stream.thread(101);
  for (std::uint64_t i = 0; i < 10'000; ++i)
    stream.call({.start = cpu(10 * i), .end = cpu(10 * i + 5), .name = "cuLaunchKernel", .driver = true});
  stream.ended().write();
  finished();
  EXPECT_EQ(result_.events, 10'000u);
}

TEST_F(Finish, OnlyWhatOverlapsACaptureIsKept) {
  process()
      .thread(101)
      .capture(cpu(100), true)
      .capture(cpu(200), false)
      .mark({.time = cpu(50), .text = "before"})
      .mark({.time = cpu(150), .text = "inside"})
      .push({.time = cpu(60), .text = "across"})
      .push({.time = cpu(70), .text = "early"})
      .pop(cpu(90))
      .pop(cpu(300))
      .call({.start = cpu(10), .end = cpu(20)})
      .call({.start = cpu(199), .end = cpu(220)})
      .cupti()
      .kernel({.start = gpu(50), .end = gpu(99)})
      .kernel({.start = gpu(50), .end = gpu(120)})
      .kernel({.start = gpu(201), .end = gpu(220)})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("50"));
  EXPECT_THAT(rows("SELECT start FROM CUPTI_ACTIVITY_KIND_RUNTIME"), ElementsAre("199"));
  EXPECT_THAT(rows("SELECT text FROM NVTX_EVENTS ORDER BY start"), ElementsAre("across", "inside"));
}

TEST_F(Finish, ACaptureOfWhichOnlyTheEndIsKnownWasOnFromTheBeginning) {
  process()
      .thread(101)
      .mark({.time = cpu(50), .text = "inside"})
      .capture(cpu(100), false)
      .mark({.time = cpu(150), .text = "behind"})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT text FROM NVTX_EVENTS"), ElementsAre("inside"));
}

TEST_F(Finish, ACaptureRangeThatNeverOpenedLeavesNoEventsAndSaysSo) {
  test::writeFile(folder_ / "options", "capture=cudaProfilerApi\n");
  std::string control(64, '\0');
  const std::uint64_t magic = 0x31524E4F4354534Cull;
  std::memcpy(control.data(), &magic, sizeof magic);
  test::writeFile(folder_ / "control", control);
  process()
      .thread(101)
      .mark({.time = cpu(5), .text = "m"})
      .cupti()
      .kernel({.start = gpu(1), .end = gpu(2)})
      .ended()
      .write();
  finished();
  EXPECT_EQ(result_.events, 0u);
  EXPECT_THAT(issues(), ElementsAre("capture-never-opened"));
  EXPECT_THAT(result_.notes, ElementsAre(HasSubstr("cudaProfilerStart")));
}

TEST_F(Finish, NumbersOfCuptiBecomeThoseOfTheExport) {
  auto stream = process();
  stream.cupti();
  wire::Copy copy;
  copy.start = gpu(1), copy.end = gpu(2), copy.bytes = 64, copy.copyKind = 1, copy.sourceKind = 1, copy.targetKind = 3;
  stream.record(RecordType::kCopy, copy, 5);
  copy.isPeer = 1, copy.copyKind = 10, copy.sourceDevice = 0, copy.targetDevice = 1, copy.sourceKind = 0;
  stream.record(RecordType::kCopy, copy, 6);
  wire::Memset memset;
  memset.start = gpu(3), memset.end = gpu(4), memset.bytes = 8, memset.value = 255, memset.memoryKind = 3;
  stream.record(RecordType::kMemset, memset, 7);
  stream.record(RecordType::kContext, wire::Context{{}, 1, 7, 0, 0}, 2);
  wire::Sync sync;
  sync.start = gpu(5), sync.end = gpu(6), sync.context = 2, sync.stream = 13, sync.type = 3, sync.event = ~0u;
  stream.record(RecordType::kSync, sync, 8);
  stream.record(RecordType::kGraph, wire::Graph{{}, gpu(7), gpu(8), 0, 1, 13, 4, 5, 0}, 9);
  stream.record(RecordType::kOverhead, wire::Overhead{{}, gpu(9), gpu(10), 4u << 16, 101}, 10);
  stream.record(RecordType::kJit, wire::Jit{{}, gpu(11), gpu(12), 101, 3, 1, 0}, 11);
  stream.record(RecordType::kCudaEvent, wire::CudaEvent{{}, 2, 13, 4, 0, 6, gpu(13), 0}, 12);
  stream.ended().write();
  finished();
  EXPECT_EQ(result_.events, 8u);
  EXPECT_THAT(
      rows("SELECT bytes, copyKind, srcKind, dstKind, srcDeviceId, dstDeviceId FROM CUPTI_ACTIVITY_KIND_MEMCPY"),
      ElementsAre("64|1|0|2|NULL|NULL", "64|10|7|2|0|1"));
  EXPECT_THAT(rows("SELECT value, bytes, memKind FROM CUPTI_ACTIVITY_KIND_MEMSET"), ElementsAre("255|8|2"));
  EXPECT_THAT(rows("SELECT deviceId, streamId, syncType, eventId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"),
              ElementsAre("1|13|3|4294967295"));
  EXPECT_THAT(rows("SELECT start, graphId, graphExecId FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"), ElementsAre("7|4|5"));
  EXPECT_THAT(rows("SELECT start, eventClass, overheadType, value FROM CUPTI_ACTIVITY_KIND_OVERHEAD JOIN StringIds ON "
                   "id = nameId"),
              ElementsAre("9|103|6|Runtime module loading (CUDA)"));
  EXPECT_THAT(rows("SELECT start, jitEntryType, jitOperationType FROM CUPTI_ACTIVITY_KIND_JIT"), ElementsAre("11|1|3"));
  EXPECT_THAT(rows("SELECT timestamp, deviceId, eventId, eventSyncId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT"),
              ElementsAre("13|1|4|6"));
  ASSERT_TRUE(trace());
}

TEST_F(Finish, MemoryAllocatedMovedAndMissingHasItsTables) {
  auto stream = process();
  stream.cupti();
  wire::Memory memory;
  memory.time = gpu(1), memory.address = 4096, memory.bytes = 64, memory.memoryKind = 3, memory.operation = 1;
  memory.device = 1, memory.context = 2;
  stream.record(RecordType::kMemory, memory, 5);
  memory.time = gpu(2), memory.operation = 2, memory.isAsync = 1, memory.stream = 13, memory.poolType = 1;
  memory.poolAddress = 8, memory.poolSize = 100, memory.poolUtilized = 36, memory.poolReleaseThreshold = 7;
  stream.record(RecordType::kMemory, memory, 6);
  constexpr std::uint32_t kCpu = 0xFFFFFFFFu;
  const std::uint64_t function = stream.text("main"), module = stream.text("/bin/app");
  for (const std::uint32_t kind : {1u, 2u, 3u, 4u, 8u, 5u}) {
    wire::UnifiedMemory moved;
    moved.start = gpu(10 * kind), moved.end = gpu(10 * kind + 4), moved.value = 4096, moved.address = 65536;
    moved.kind = kind, moved.flags = 2, moved.source = kind == 1 ? kCpu : 1, moved.target = kind == 2 ? kCpu : 0;
    if (kind == 3) moved.function = function, moved.module = module;
    stream.record(RecordType::kUnifiedMemory, moved, 0);
  }
  stream.ended().write();
  finished();
  EXPECT_EQ(result_.events, 7u) << "thrashing has no place in the report";
  EXPECT_THAT(
      rows("SELECT start, deviceId, contextId, address, bytes, memKind, memoryOperationType, correlationId, "
           "streamId, localMemoryPoolAddress, localMemoryPoolSize, localMemoryPoolUtilizedSize, "
           "localMemoryPoolReleaseThreshold, importedMemoryPoolAddress FROM CUDA_GPU_MEMORY_USAGE_EVENTS"),
      ElementsAre("1|1|2|4096|64|2|0|5|NULL|NULL|NULL|NULL|NULL|NULL", "2|1|2|4096|64|2|1|6|13|8|100|36|7|NULL"));
  EXPECT_THAT(rows("SELECT start, end, deviceId, streamId, bytes, copyKind, srcKind, dstKind, migrationCause, "
                   "virtualAddress, correlationId FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY start"),
              ElementsAre("10|14|0|0|4096|11|7|7|2|65536|NULL", "20|24|1|0|4096|12|7|7|2|65536|NULL",
                          "80|84|0|0|4096|13|7|7|2|65536|NULL"));
  EXPECT_THAT(rows("SELECT start, address, originalFaultPc, f.value, m.value, unresolvedFaultPc FROM "
                   "CUDA_UM_CPU_PAGE_FAULT_EVENTS JOIN StringIds f ON f.id = CpuInstruction JOIN StringIds m ON "
                   "m.id = module"),
              ElementsAre("30|65536|4096|main|/bin/app|NULL"));
  EXPECT_THAT(rows("SELECT start, end, deviceId, address, numberOfPageFaults, faultAccessType FROM "
                   "CUDA_UM_GPU_PAGE_FAULT_EVENTS"),
              ElementsAre("40|44|1|65536|4096|2"));
  ASSERT_TRUE(trace());
}

[[gnu::noinline]] int touchesMemory(int x) {
  asm volatile("" ::: "memory");
  return x + 1;
}

TEST_F(Finish, FunctionsThatTouchMissingMemoryHaveTheirNames) {
  const auto pc = reinterpret_cast<std::uint64_t>(&touchesMemory);
  Dl_info place{};
  ASSERT_NE(dladdr(reinterpret_cast<const void*>(pc), &place), 0);
  const fs::path program = fs::read_symlink("/proc/self/exe");
  int time = 0;
  const auto fault = [&](test::StreamBuilder& stream, const std::string& module, const char* function = nullptr) {
    wire::UnifiedMemory fields;
    fields.kind = 3, fields.start = gpu(++time);
    fields.value = pc, fields.moduleBase = reinterpret_cast<std::uint64_t>(place.dli_fbase);
    fields.module = stream.text(module), fields.function = function ? stream.text(function) : 0;
    stream.record(RecordType::kUnifiedMemory, fields, 0);
  };
  auto stream = process();
  stream.facts("exe=" + program.string() + "\n").cupti();
  fault(stream, program);
  fault(stream, "./" + program.filename().string());
  fault(stream, "./other.so");
  fault(stream, "./other.so", "_ZN3app4initEPfi");
  stream.ended().write();
  auto earlier = process(200, 2);
  earlier.cupti();
  fault(earlier, program);
  earlier.ended().write();
  fs::last_write_time(folder_ / "200.2.stream", fs::last_write_time(program) - std::chrono::hours(1));
  finished();
  const std::string nameless = fmt::format("{:#x}|1", pc), name = "touchesMemory(int)|NULL";
  EXPECT_THAT(rows("SELECT value, unresolvedFaultPc FROM CUDA_UM_CPU_PAGE_FAULT_EVENTS JOIN StringIds ON id = "
                   "CpuInstruction ORDER BY start"),
              ElementsAre(EndsWith(name), EndsWith(name), nameless, "app::init(float *, int)|NULL", nameless));
}

TEST_F(Finish, GpusAreListedOnceAndStreamsByName) {
  for (const std::uint32_t pid : {100, 200}) {
    auto stream = process(pid);
    stream.cupti();
    wire::Device device;
    device.name = stream.text("H100");
    device.uuid[0] = 0x8a, device.uuid[15] = 0x35;
    device.pciBus = 6, device.coreClockKHz = 1'980'000, device.multiprocessors = 132, device.computeMajor = 9;
    stream.record(RecordType::kDevice, device, pid == 100 ? 0u : 3u)
        .record(RecordType::kContext, wire::Context{{}, 0, 7, 0, 0}, 1)
        .record(RecordType::kStream, wire::Stream{{}, 1, 3, 0, 0}, 7)
        .record(RecordType::kStream, wire::Stream{{}, 1, 2, -5, 0}, 13)
        .named(RecordType::kStreamName, 13, 1, "compute")
        .named(RecordType::kResourceName, 1, 0, "default")
        .named(RecordType::kResourceName, pid == 100 ? 2u : 0x50000u, 3, "left GPU");
    stream.ended().write();
  }
  finished();
  EXPECT_THAT(rows("SELECT id, name, busLocation, uuid, clockRate, smCount, computeMajor FROM TARGET_INFO_GPU"),
              ElementsAre("0|H100|0000:06:00.0|8a000000-0000-0000-0000-000000000035|1980000000|132|9"));
  EXPECT_THAT(rows("SELECT gpuId, cudaId, pid FROM TARGET_INFO_CUDA_DEVICE ORDER BY pid"),
              ElementsAre("0|0|100", "0|3|200"));
  EXPECT_THAT(rows("SELECT streamId, contextId, priority, flag FROM TARGET_INFO_CUDA_STREAM WHERE processId = 100"),
              ElementsAre("7|1|0|3", "13|1|4294967291|2"));
  EXPECT_THAT(rows("SELECT name, streamId FROM TARGET_INFO_NVTX_CUDA_STREAM WHERE processId = 200 ORDER BY streamId"),
              ElementsAre("default|7", "compute|13"));
  EXPECT_THAT(rows("SELECT name, deviceId FROM TARGET_INFO_NVTX_CUDA_DEVICE"), ElementsAre("left GPU|3", "left GPU|3"));
}

TEST_F(Finish, GpuWorkWithoutATimeIsKeptAndCounted) {
  process().cupti().kernel({.start = 0, .end = 0}).kernel({.start = gpu(1), .end = gpu(2)}).ended().write();
  finished();
  EXPECT_THAT(rows("SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre("0|0", "1|2"));
  EXPECT_THAT(issues(), ElementsAre("untimed"));
}

TEST_F(Finish, LossesReachTheReportInfoAndTheUser) {
  process()
      .losses()
      .loss(wire::LossKind::kRingFull, 5)
      .losses()
      .loss(wire::LossKind::kRingFull, 1234)
      .loss(wire::LossKind::kCuptiDropped, 6)
      .loss(wire::LossKind::kTextCut, 2)
      .thread(101)
      .message(1, "another profiler holds CUPTI")
      .message(0, "CUPTI 13.0")
      .ended()
      .write();
  finished();
  EXPECT_EQ(result_.lost, 1240u);
  EXPECT_THAT(issues(), ElementsAre("lost-cupti", "lost-ring-full", "text-cut"));
  EXPECT_THAT(result_.notes, Contains("1 234 events came faster than they could be written"));
  EXPECT_THAT(result_.notes, Contains("another profiler holds CUPTI"));
  EXPECT_THAT(rows("SELECT severity FROM DIAGNOSTIC_EVENT WHERE text = 'CUPTI 13.0'"), ElementsAre("1"));
  EXPECT_THAT(rows("SELECT count(*) FROM DIAGNOSTIC_EVENT"), ElementsAre("5"));
  const trace::TracePtr loaded = trace();
  ASSERT_TRUE(loaded);
  EXPECT_THAT(toText(report::readInfo(*database_, loaded->issues)), HasSubstr("events came faster"));
}

TEST_F(Finish, RingsAreFoundWhereTheFactsOfTheProcessSay) {
  const test::TemporaryFolder elsewhere;
  auto stream = process();
  stream.facts("rings=" + (elsewhere / "r").string() + "\n").unflushed(101).mark({.time = cpu(1), .text = "m"}).write();
  std::filesystem::rename(stream.path(".rings"), elsewhere / "r");
  finished();
  EXPECT_EQ(result_.events, 1u);
}

TEST_F(Finish, CuptiTimesFollowAStepOfTheWallClock) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  process()
      .clock(kZero + kSecond, kZero + kSecond + kOffset)
      .clock(kZero + 2 * kSecond, kZero + 2 * kSecond + kOffset + 60 * kSecond, 90)
      .clock(kZero + 9 * kSecond, kZero + 9 * kSecond + kOffset + 60 * kSecond, 90)
      .cupti()
      .kernel({.start = gpu(500), .end = gpu(600)})
      .kernel({.start = gpu(63 * kSecond), .end = gpu(63 * kSecond + 100)})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL"),
              ElementsAre("500|600", "3000000000|3000000100"));
  EXPECT_THAT(issues(), ElementsAre("clock-stepped"));
  EXPECT_THAT(
      rows("SELECT value FROM META_DATA_CAPTURE WHERE name GLOB 'LANESCOPE:PROCESS_0:WALL_CLOCK_*' ORDER BY name"),
      ElementsAre(std::to_string(kOffset), "90", "1"));
}

TEST_F(Finish, WithoutFactsTheFirstProcessSaysWhenTheSessionBegan) {
  std::filesystem::remove(folder_ / "facts");
  process().thread(101).mark({.time = cpu(7), .text = "m"}).ended().write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM NVTX_EVENTS"), ElementsAre("7"));
  EXPECT_THAT(rows("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME"),
              ElementsAre(std::to_string(kZero + kOffset)));
}

TEST_F(Finish, AnEmptySessionIsAReportThatSaysSo) {
  finished();
  EXPECT_EQ(result_.events, 0u);
  EXPECT_THAT(issues(), ElementsAre("nothing-attached"));
  EXPECT_THAT(result_.notes, ElementsAre(HasSubstr("sudo")));
  ASSERT_TRUE(trace());
}

TEST_F(Finish, AMissingFolderAnExistingReportAndAStoppedJobAreErrorsThatLeaveNothing) {
  EXPECT_FALSE(finish(folder_ / "none", folder_ / "a.rep", report::IfExists::kRefuse, Job()));
  process().thread(101).mark({.time = cpu(7), .text = "m"}).ended().write();
  test::writeFile(folder_ / "mine.rep", "mine");
  const auto refused = finish(folder_.path(), folder_ / "mine.rep", report::IfExists::kRefuse, Job());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kExists);
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = finish(folder_.path(), folder_ / "a.rep", report::IfExists::kRefuse, Job(stop.get_token()));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.rep"));
}

TEST_F(Finish, ProgressGrowsToTheWhole) {
  process().thread(101).mark({.time = cpu(7), .text = "m"}).ended().write();
  std::vector<double> fractions;
  ASSERT_TRUE(finish(folder_.path(), folder_ / "a.rep", report::IfExists::kRefuse,
                     Job({}, [&](double fraction, std::string_view) { fractions.push_back(fraction); })));
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
}

TEST_F(Finish, RecordsOfNonsenseNeverHarm) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    auto stream = process();
    for (int chunk = 0; chunk < 6; ++chunk) {
      random() % 2 == 0
          ? stream.thread(static_cast<std::uint32_t>(random() % 3), static_cast<std::uint32_t>(random() % 2))
          : stream.cupti();
      for (int i = 0; i < 40; ++i) {
        constexpr std::uint16_t kTypes[] = {1,  16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 32,
                                            33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 60, 61, 62, 99};
        const auto size = static_cast<std::uint16_t>(8 + random() % 24 * 8);
        const wire::RecordHeader header{static_cast<RecordType>(kTypes[random() % std::size(kTypes)]), size,
                                        static_cast<std::uint32_t>(random() % 4 == 0 ? random() : random() % 3)};
        std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
        while (bytes.size() < size) {
          const std::uint64_t value = random() % 3 == 0 ? random() : random() % 5;
          bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        stream.bytes(bytes);
      }
    }
    stream.write();
    finished();
    EXPECT_TRUE(report::load(folder_ / "out.rep", {}, {}, Job()));
  }
}

}  // namespace
}  // namespace lanescope::launch
