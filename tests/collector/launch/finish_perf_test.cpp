// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_perf.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "model/report/info.h"
#include "tests/collector/launch/finish_fixture.h"
#include "tests/support/perf_builder.h"

namespace lanescope::launch {
namespace {

using test::PerfBuilder;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FinishPerf : public FinishFixture {
 protected:
  FinishPerf() { test::writeFile(folder_ / "options", "trace=\n"); }

  PerfBuilder perf(std::uint64_t type = PerfBuilder::kChains) { return PerfBuilder(folder_.path(), type); }

  static constexpr std::uint64_t kUser = static_cast<std::uint64_t>(PERF_CONTEXT_USER);
  static constexpr std::uint64_t kKernel = static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL);
};

TEST_F(FinishPerf, ASampleHasItsThreadItsCpuAndTheCallsThatLedThere) {
  perf()
      .comm(cpu(0), 200, 200, "worker", true)
      .map(cpu(1), 200, 0x400000, 0x10000, "/no/such/program")
      .sample({.time = cpu(50),
               .ip = 0x401000,
               .process = 200,
               .thread = 201,
               .cpu = 3,
               .chain = {kUser, 0x401000, 0x402000, 0x403000}})
      .ended()
      .write();
  finished();
  EXPECT_EQ(result_.events, 0u);
  EXPECT_THAT(rows("SELECT start, cpu, threadState, globalTid, cpuCycles FROM COMPOSITE_EVENTS"),
              ElementsAre("50|3|1|" + std::to_string((1ll << 48) + (200ll << 24) + 201) + "|1"));
  EXPECT_THAT(rows("SELECT s.value, m.value, kernelMode, unresolved, originalIP, unwindMethod, stackDepth FROM "
                   "SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = symbol JOIN StringIds m ON m.id = module"),
              ElementsAre("0x401000|/no/such/program|0|1|4198400|1|0", "0x402000|/no/such/program|0|1|4202496|1|1",
                          "0x403000|/no/such/program|0|1|4206592|1|2"));
  EXPECT_THAT(rows("SELECT pid, name FROM PROCESSES"), ElementsAre("200|program"));
  EXPECT_TRUE(trace());
}

TEST_F(FinishPerf, CodeThatAProgramMadeHasTheNamesThatItGave) {
  const auto process = static_cast<std::uint32_t>(getpid());  // whose file of names is nobody else's
  const std::filesystem::path names = "/tmp/perf-" + std::to_string(process) + ".map";
  test::writeFile(names, "700010 10 py::train:/a.py\n");
  perf()
      .map(cpu(1), process, 0x700000, 0x1000, "//anon")
      .sample({.time = cpu(2), .ip = 0x700018, .process = process, .thread = process, .chain = {kUser, 0x700018}})
      .write();
  finished();
  std::filesystem::remove(names);
  EXPECT_THAT(rows("SELECT s.value, unresolved FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = symbol"),
              ElementsAre("py::train:/a.py|0"));
}

TEST_F(FinishPerf, WhatIsToBeResolvedLaterHasAddressesOfTheFile) {
  test::writeFile(folder_ / "options", "resolve-symbols=0\n");
  perf()
      .map(cpu(1), 100, 0x700000000000, 0x100000, std::filesystem::read_symlink("/proc/self/exe").native())
      .sample({.time = cpu(2), .ip = 0x7000000A0000, .chain = {kUser, 0x7000000A0000}})
      .write();
  finished();
  EXPECT_THAT(
      rows("SELECT s.value LIKE '0x%' AND length(s.value) < 10, originalIP, unresolved FROM SAMPLING_CALLCHAINS c "
           "JOIN StringIds s ON s.id = symbol"),
      ElementsAre("1|" + std::to_string(0x7000000A0000) + "|1"));
}

TEST_F(FinishPerf, SaysOfWhichBuildTheFilesOfStacksAre) {
  perf()
      .map(cpu(1), 100, 0x700000, 0x100000, std::filesystem::read_symlink("/proc/self/exe").native())
      .sample({.time = cpu(2), .ip = 0x7A0000, .chain = {kUser, 0x7A0000, 0x7B0000}})
      .write();
  finished();
  EXPECT_THAT(rows("SELECT length(buildId) > 15, value = (SELECT value FROM SAMPLING_CALLCHAINS c JOIN StringIds m ON "
                   "m.id = c.module LIMIT 1) FROM LANESCOPE_MODULES JOIN StringIds ON id = moduleId"),
              ElementsAre("1|1"));
}

TEST_F(FinishPerf, FramesOfTheKernelStandBeforeThoseOfTheProgram) {
  perf()
      .sample({.time = cpu(50),
               .ip = 0xffffffff81000010,
               .inKernel = true,
               .chain = {kKernel, 0xffffffff81000010, 0xffffffff81000020, kUser, 0x401000}})
      .write();
  finished();
  EXPECT_THAT(rows("SELECT kernelMode, unwindMethod, stackDepth FROM SAMPLING_CALLCHAINS"),
              ElementsAre("1|5|0", "1|5|1", "0|1|2"));
}

TEST_F(FinishPerf, ASampleWithoutAStackHasTheFrameOfItsAddress) {
  perf(PerfBuilder::kStacks).sample({.time = cpu(50), .ip = 0x1234}).write();
  finished();
  EXPECT_THAT(rows("SELECT originalIP, unwindMethod, stackDepth FROM SAMPLING_CALLCHAINS"), ElementsAre("4660|0|0"));
}

TEST_F(FinishPerf, WhereTheUnwinderKnowsNoWayTheFramePointersLead) {
  perf(PerfBuilder::kStacks)
      .sample({.time = cpu(50),
               .ip = 0x1234,
               .chain = {kUser, 0x1234, 0x5678},
               .registers = {0, 0, 0x7000, 0x1234, 0, 0, 0, 0},
               .stack = std::string(64, '\0')})
      .write();
  finished();
  EXPECT_THAT(rows("SELECT originalIP, stackDepth FROM SAMPLING_CALLCHAINS"), ElementsAre("4660|0", "22136|1"));
}

TEST_F(FinishPerf, AProgramThatTheLibraryDidNotGetIntoIsNamedByWhatTheKernelTold) {
  test::writeFile(folder_ / "facts", "program-pid=200\nstart-monotonic=1000000\nended.200=code 0\n");
  process(200).thread(200).mark({.time = cpu(1), .text = "m"}).write();
  perf().comm(cpu(5), 200, 200, "python3", true).map(cpu(6), 200, 0x400000, 0x1000, "/usr/bin/python3").write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("became-unrecorded"));
  EXPECT_THAT(result_.notes, Contains(HasSubstr("did not get into (200: python3); ")));
}

TEST_F(FinishPerf, ThreadsAreSwitchedInAndOutOfCpus) {
  perf()
      .in(cpu(10), 200, 201, 1)
      .out(cpu(20), 200, 201, 1)
      .in(cpu(30), 200, 201, 2)
      .out(cpu(40), 200, 201, 2, true)
      .in(cpu(50), 200, 201, 2)
      .exit(cpu(60), 200, 201, 2)
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, cpu, isSchedIn, globalTid & 16777215, threadState, threadBlock FROM SCHED_EVENTS"),
              ElementsAre("10|1|1|201|1|NULL", "20|1|0|201|7|NULL", "30|2|1|201|1|NULL", "40|2|0|201|6|44",
                          "50|2|1|201|1|NULL", "60|2|0|201|5|NULL"));
  EXPECT_TRUE(trace());
}

TEST_F(FinishPerf, TheProgramRunsFromItsExecOn) {
  perf().comm(cpu(5), 100, 100, "app", true).comm(cpu(7), 100, 100, "renamed").out(cpu(9), 100, 100).write();
  finished();
  EXPECT_THAT(rows("SELECT start, isSchedIn FROM SCHED_EVENTS"), ElementsAre("5|1", "9|0"));
}

TEST_F(FinishPerf, TheIdleThreadAndWhatHasNoNumberAnyMoreAreNobody) {
  perf()
      .in(cpu(10), 0, 0)
      .sample({.time = cpu(20), .process = 0, .thread = 0})
      .sample({.time = cpu(20), .process = 0xFFFFFFFF, .thread = 0xFFFFFFFF})
      .write();
  finished();
  EXPECT_FALSE(database_->has("COMPOSITE_EVENTS") || database_->has("SCHED_EVENTS"));
}

TEST_F(FinishPerf, ProcessesThatDidNothingElseAreListedOnceWithTheirNames) {
  process().thread(101).push({.time = cpu(1), .text = "step"}).pop(cpu(2)).ended().write();
  perf()
      .comm(cpu(0), 100, 100, "app", true)
      .in(cpu(1), 100, 101)
      .fork(cpu(2), 100, 100, 300, 300)
      .in(cpu(3), 300, 300)
      .comm(cpu(4), 300, 300, "helper", true)
      .map(cpu(5), 300, 0x400000, 0x1000, "/usr/bin/helper")
      .map(cpu(5), 300, 0x700000, 0x1000, "/lib/libc.so.6")
      .fork(cpu(6), 300, 300, 300, 301)
      .comm(cpu(7), 300, 301, "pool")
      .in(cpu(8), 300, 301)
      .fork(cpu(8), 100, 100, 400, 400)
      .exit(cpu(9), 300, 300)
      .write();
  finished();
  EXPECT_THAT(rows("SELECT pid, name FROM PROCESSES"), ElementsAre("100|app", "300|helper"));
  EXPECT_THAT(
      rows("SELECT globalTid >> 24 & 16777215, globalTid & 16777215, value FROM ThreadNames JOIN StringIds ON id "
           "= nameId ORDER BY 2"),
      ElementsAre("100|100|app", "300|300|helper", "300|301|pool"));
  EXPECT_THAT(rows("SELECT name, value FROM META_DATA_CAPTURE WHERE name LIKE 'LANESCOPE:PROCESS_1:%'"),
              ElementsAre("LANESCOPE:PROCESS_1:PID|300", "LANESCOPE:PROCESS_1:PPID|100",
                          "LANESCOPE:PROCESS_1:EXE|/usr/bin/helper", "LANESCOPE:PROCESS_1:ENDED|ended"));
}

TEST_F(FinishPerf, ANameThatTheProgramGaveAThreadIsNotTakenFromIt) {
  process().thread(101).named(wire::RecordType::kThreadName, 101, 0, "mine").ended().write();
  perf().comm(cpu(1), 100, 101, "kernels").in(cpu(2), 100, 101).write();
  finished();
  EXPECT_THAT(rows("SELECT value FROM ThreadNames JOIN StringIds ON id = nameId"), ElementsAre("mine"));
}

TEST_F(FinishPerf, RecordsOfSeveralRingsComeInAnyOrder) {
  perf()
      .sample({.time = cpu(90), .ip = 0x401000, .chain = {kUser, 0x401000}})
      .sample({.time = cpu(40), .ip = 0x401000, .chain = {kUser, 0x401000}})
      .map(cpu(60), 100, 0x400000, 0x10000, "/new")
      .comm(cpu(50), 100, 100, "new", true)
      .map(cpu(20), 100, 0x400000, 0x10000, "/old")
      .comm(cpu(10), 100, 100, "old", true)
      .write();
  finished();
  EXPECT_THAT(rows("SELECT e.start, m.value FROM COMPOSITE_EVENTS e JOIN SAMPLING_CALLCHAINS c USING (id) JOIN "
                   "StringIds m ON m.id = c.module"),
              ElementsAre("90|/new", "40|/old"));
}

TEST_F(FinishPerf, AChildHasWhatItsParentHadMappedUntilItsOwnExec) {
  perf()
      .map(cpu(1), 100, 0x400000, 0x10000, "/parent")
      .fork(cpu(2), 100, 100, 300, 300)
      .sample({.time = cpu(3), .ip = 0x401000, .process = 300, .thread = 300, .chain = {kUser, 0x401000}})
      .comm(cpu(4), 300, 300, "child", true)
      .sample({.time = cpu(5), .ip = 0x401000, .process = 300, .thread = 300, .chain = {kUser, 0x401000}})
      .write();
  finished();
  EXPECT_THAT(rows("SELECT m.value FROM SAMPLING_CALLCHAINS c JOIN StringIds m ON m.id = c.module"),
              ElementsAre("/parent", "[unknown]"));
}

TEST_F(FinishPerf, OnlyWhatWasWithinTheCaptureCounts) {
  perf()
      .facts("ended=" + std::to_string(cpu(50)) + "\nbegan=" + std::to_string(cpu(80)) + "\n")
      .in(cpu(40), 100, 100)
      .in(cpu(60), 100, 100)
      .in(cpu(90), 100, 100)
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM SCHED_EVENTS"), ElementsAre("40", "90"));
}

TEST_F(FinishPerf, ATakeHasItsOwnStretchAndKnowsWhatWasMappedBefore) {
  perf()
      .map(cpu(1), 100, 0x400000, 0x10000, "/mapped/before")
      .sample({.time = cpu(10), .ip = 0x401000, .chain = {kUser, 0x401000}})
      .sample({.time = cpu(30), .ip = 0x401000, .chain = {kUser, 0x401000}})
      .write();
  Take take{.begin = static_cast<trace::Ns>(cpu(20)), .end = static_cast<trace::Ns>(cpu(40))};
  take.facts = {{"start-monotonic", std::to_string(cpu(20))}};
  const auto done = finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job(), {.take = take});
  ASSERT_TRUE(done);
  database_.emplace(std::move(*Database::open(folder_ / "out.rep")));
  EXPECT_THAT(rows("SELECT start FROM COMPOSITE_EVENTS"), ElementsAre("10"));
  EXPECT_THAT(rows("SELECT m.value FROM SAMPLING_CALLCHAINS c JOIN StringIds m ON m.id = c.module"),
              ElementsAre("/mapped/before"));
}

TEST_F(FinishPerf, WhatTheKernelLostIsSaidAndCounted) {
  perf().in(cpu(1), 100, 100).lost(cpu(2), 7).lost(cpu(3), 5).throttled(cpu(4)).write();
  finished();
  EXPECT_EQ(result_.lost, 12u);
  EXPECT_THAT(issues(), ElementsAre("cpu-throttled", "lost-cpu-records"));
  EXPECT_THAT(result_.notes, Contains(HasSubstr("12 CPU samples")));
}

TEST_F(FinishPerf, WhatCouldNotBeRecordedIsAnIssueOnlyToWhoAskedForIt) {
  const auto write = [&] { perf().facts("missing=no CPU samples: why\nfallback=by the clock\n").write(); };
  write();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_THAT(rows("SELECT severity, text FROM DIAGNOSTIC_EVENT ORDER BY text"),
              ElementsAre("1|by the clock", "1|no CPU samples: why"));
  test::writeFile(folder_ / "options", "trace=\ncpu-asked=1\n");
  write();
  finished();
  EXPECT_THAT(issues(), ElementsAre("no-cpu-recording"));
}

TEST_F(FinishPerf, ARecordingThatWasCutOffHasWhatIsWhole) {
  auto recording = perf();
  recording.in(cpu(1), 100, 100).writtenAt(1).out(cpu(2), 100, 100);
  recording.stream().resize(recording.stream().size() - 3);
  recording.write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM SCHED_EVENTS"), ElementsAre("1"));
  EXPECT_THAT(issues(), ElementsAre("cpu-stream-damaged"));
}

TEST_F(FinishPerf, RecordsOfImpossibleSizesEndTheirPartOnly) {
  perf()
      .in(cpu(1), 100, 100)
      .raw(std::string(8, '\xff'))
      .in(cpu(2), 100, 100)
      .writtenAt(1)
      .in(cpu(3), 100, 100)
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM SCHED_EVENTS"), ElementsAre("1", "3"));
  EXPECT_THAT(issues(), ElementsAre("cpu-records-damaged"));
}

TEST_F(FinishPerf, SamplesThatTheProgramTookItselfAreSamplesToo) {
  process()
      .cupti()
      .record(wire::RecordType::kCpuSample,
              wire::CpuSample{.time = cpu(5), .thread = 101, .cpu = 2, .ip = 0x401000, .sp = 0x7000}, 16,
              std::string(16, '\1'))
      .record(wire::RecordType::kCpuSample, wire::CpuSample{.time = cpu(6), .thread = 101, .ip = 0x402000})
      .ended()
      .write();
  perf().sample({.time = cpu(7), .ip = 0x403000}).write();
  finished();
  EXPECT_THAT(rows("SELECT id, start, cpu, globalTid & 16777215 FROM COMPOSITE_EVENTS"),
              ElementsAre("1|5|2|101", "2|6|0|101", "3|7|0|100"));
  EXPECT_THAT(rows("SELECT id, originalIP FROM SAMPLING_CALLCHAINS WHERE stackDepth = 0"),
              ElementsAre("1|4198400", "2|4202496", "3|4206592"));
}

TEST_F(FinishPerf, AnyBytesBecomeAReport) {
  auto recording = perf(PerfBuilder::kStacks);
  recording.comm(cpu(0), 100, 100, "app", true)
      .map(cpu(1), 100, 0x400000, 0x10000, "/app")
      .fork(cpu(2), 100, 100, 300, 300)
      .sample({.time = cpu(3),
               .ip = 0x401000,
               .chain = {kUser, 0x401000},
               .registers = {0, 0, 0x7000, 0x401000, 0, 0, 0, 0},
               .stack = std::string(128, '\1')})
      .exit(cpu(4), 300, 300)
      .lost(cpu(5), 1);
  const std::string sound = recording.stream();
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = sound;
    for (int i = 0; i < 6; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    // Checksums put right, or nothing behind them would be reached.
    PerfBuilder damaged(folder_.path(), round % 2 == 0 ? ~std::uint64_t{0} : PerfBuilder::kStacks);
    damaged.raw(bytes.substr(random() % 200)).write();
    ASSERT_TRUE(finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job()));
  }
}

}  // namespace
}  // namespace lanescope::launch
