// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/cpu_recorder.h"

#include <gmock/gmock.h>

#include <cerrno>

#include "collector/launch/perf_records.h"
#include "collector/sample/cpu_existing.h"
#include "tests/support/files.h"
#include "tests/support/perf_builder.h"

namespace lanescope::sample {
namespace {

using launch::PerfRecord;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::uint64_t> numbers(const launch::PerfNumbers& of) {
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < of.size(); ++i) all.push_back(of[i]);
  return all;
}

/// A sample as the kernel writes it: the whole copy of the stack, of which `filled` bytes are.
std::string sampleOf(std::uint32_t thread, std::uint64_t filled, std::size_t copied = 64) {
  test::PerfBuilder builder("/nowhere", test::PerfBuilder::kStacks);
  const std::size_t before = builder.stream().size();
  builder.sample({.time = 5,
                  .ip = 0x1234,
                  .process = 7,
                  .thread = thread,
                  .chain = {1, 2},
                  .registers = {1, 2, 3, 4, 5, 6, 7, 8},
                  .stack = std::string(copied, 's')});
  std::string record = builder.stream().substr(before + sizeof(wire::ChunkHeader));
  record.replace(record.size() - sizeof filled, sizeof filled, reinterpret_cast<const char*>(&filled), sizeof filled);
  return record;
}

std::vector<launch::PerfSample> read(const std::string& records) {
  std::vector<launch::PerfSample> samples;
  EXPECT_TRUE(launch::forEachPerfRecord(records, [&](const PerfRecord& record) {
    samples.push_back(readSample(record, {test::PerfBuilder::kStacks, wire::kPerfRegisters}));
  }));
  return samples;
}

perf_event_attr withStacks() {
  perf_event_attr attr{};
  attr.sample_type = test::PerfBuilder::kStacks;
  attr.sample_regs_user = wire::kPerfRegisters;
  return attr;
}

TEST(StackThinner, EveryNthSampleOfEachThreadKeepsItsStack) {
  StackThinner thinner(withStacks(), 2);
  std::string records;
  for (const std::uint32_t thread : {10u, 11u, 10u, 10u, 11u}) thinner.add(sampleOf(thread, 64), records);
  std::vector<std::size_t> stacks, chains, registers;
  for (const launch::PerfSample& sample : read(records)) {
    EXPECT_EQ(sample.ip, 0x1234u);
    stacks.push_back(sample.stack.size());
    chains.push_back(sample.chain.size());
    registers.push_back(sample.registers.size());
  }
  EXPECT_THAT(stacks, ElementsAre(64, 64, 0, 64, 0));
  EXPECT_THAT(chains, ElementsAre(2, 2, 0, 2, 0));
  EXPECT_THAT(registers, ElementsAre(8, 8, 0, 8, 0));
}

TEST(StackThinner, OfAStackOnlyWhatTheKernelFilledIsKept) {
  StackThinner thinner(withStacks(), 1);
  std::string records;
  thinner.add(sampleOf(10, 24), records);
  thinner.add(sampleOf(10, 0), records);
  thinner.add(sampleOf(10, 1000), records);
  const auto samples = read(records);
  ASSERT_EQ(samples.size(), 3u);
  EXPECT_EQ(samples[0].stack, std::string(24, 's'));
  EXPECT_THAT(numbers(samples[0].registers), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(samples[1].stack, IsEmpty());
  EXPECT_EQ(samples[2].stack.size(), 64u);
}

TEST(StackThinner, OtherRecordsStayAsTheyAre) {
  test::PerfBuilder builder("/nowhere");
  const std::size_t before = builder.stream().size();
  builder.comm(1, 7, 7, "app").out(2, 7, 7);
  const std::string records = builder.stream().substr(before + sizeof(wire::ChunkHeader));
  StackThinner thinner(withStacks(), 4);
  std::string kept;
  launch::forEachPerfRecord(records, [&](const PerfRecord& record) { thinner.add(record.whole, kept); });
  EXPECT_EQ(kept, records);
}

TEST(CpuEvents, ListsOfCpusAreNumbersAndRanges) {
  EXPECT_THAT(cpusOf("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(cpusOf("5"), ElementsAre(5));
  EXPECT_THAT(cpusOf(""), IsEmpty());
  EXPECT_THAT(cpusOf("x,2"), ElementsAre(2));
  EXPECT_LE(cpusOf("0-4294967295").size(), 8192u);
}

TEST(CpuEvents, ARefusalNamesItsReasonAndItsRemedy) {
  const Place strict{"3", "/opt/my/lanescope", false}, usual{"2", "/opt/my/lanescope", false}, loose{"1", "x", false};
  EXPECT_THAT(whyRefused(EACCES, strict, CpuRight::kProgram),
              HasSubstr("paranoid is 3: sudo sysctl kernel.perf_event_paranoid=2, or give the capability: sudo setcap "
                        "cap_perfmon,cap_syslog+ep /opt/my/lanescope"));
  EXPECT_THAT(whyRefused(EACCES, usual, CpuRight::kKernel), HasSubstr("sudo sysctl kernel.perf_event_paranoid=1"));
  EXPECT_THAT(whyRefused(EACCES, loose, CpuRight::kEverything), HasSubstr("sudo sysctl kernel.perf_event_paranoid=0"));
  EXPECT_THAT(whyRefused(EPERM, usual, CpuRight::kProgram), HasSubstr("--cap-add=PERFMON"));
  EXPECT_THAT(whyRefused(EPERM, usual, CpuRight::kKernel), HasSubstr("locked down"));
  EXPECT_THAT(whyRefused(ENOSYS, usual, CpuRight::kProgram), HasSubstr("without perf events"));
}

TEST(CpuEvents, ARemedyIsNotWhatIsSoAlready) {
  Place place{"2", "/opt/my/lanescope", false};
  EXPECT_THAT(whyRefused(EACCES, place, CpuRight::kProgram),
              testing::AllOf(Not(HasSubstr("sysctl")), HasSubstr("a security module")));
  place.isContainer = true;
  EXPECT_THAT(whyRefused(EACCES, place, CpuRight::kProgram),
              testing::AllOf(Not(HasSubstr("sysctl")), HasSubstr("--security-opt seccomp=unconfined")));
}

TEST(CpuEvents, SettingsOfTheKernelAreMadeOnTheHost) {
  const Place place{"4", "/usr/bin/lanescope", true};
  EXPECT_THAT(whyRefused(EACCES, place, CpuRight::kProgram),
              testing::AllOf(HasSubstr("on the host: sudo sysctl"), Not(HasSubstr("setcap"))));
}

TEST(CpuEvents, TheKernelNamesItsFunctionsToNobodyOrToUs) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "kallsyms").string();
  test::writeFile(file, "0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n");
  EXPECT_FALSE(namesKernel(file));
  test::writeFile(file, "0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\n");
  EXPECT_TRUE(namesKernel(file));
  EXPECT_TRUE(namesKernel((folder / "missing").string()));
}

TEST(CpuEvents, WhyThereAreNoSamplesIsKnownApart) {
  constexpr pid_t kNobody = 0x7FFFFFFF;
  CpuSettings settings{.samples = CpuScope::kProcessTree, .switches = CpuScope::kProcessTree};
  EXPECT_NE(CpuEvents::open(settings, kNobody, true, false).whyNoSamples(), "");
  settings.samples = CpuScope::kNone;
  EXPECT_EQ(CpuEvents::open(settings, kNobody, true, false).whyNoSamples(), "");
}

TEST(CpuEvents, NothingAskedForOpensNothing) {
  EXPECT_TRUE(CpuEvents::open({}, getpid(), true, false).empty());
  CpuRecorder recorder;
  recorder.record("/nowhere");
  EXPECT_EQ(recorder.sources(), 0u);
  EXPECT_THAT(recorder.troubles(), IsEmpty());
  recorder.finish();
}

TEST(CpuEvents, AProcessThatIsNotThereIsATroubleInWords) {
  CpuSettings settings{.samples = CpuScope::kProcessTree, .switches = CpuScope::kProcessTree};
  constexpr pid_t kNobody = 0x7FFFFFFF;
  const CpuEvents events = CpuEvents::open(settings, kNobody, true, false);
  EXPECT_TRUE(events.empty());
  ASSERT_THAT(events.troubles(), Not(IsEmpty()));
  EXPECT_THAT(events.troubles().front().text, HasSubstr("no CPU samples and no context switches: "));
}

TEST(ExistingProcesses, AreToldAsIfTheyHadBeenSeenToBegin) {
  const test::TemporaryFolder proc;
  std::filesystem::create_directories(proc / "42/task/42");
  std::filesystem::create_directories(proc / "42/task/43");
  std::filesystem::create_directories(proc / "self");
  test::writeFile(proc / "42/task/42/comm", "server\n");
  test::writeFile(proc / "42/task/43/comm", "pool\n");
  test::writeFile(proc / "42/maps",
                  "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/my server\n"
                  "00651000-00652000 r--p 00051000 08:02 173521      /usr/bin/my server\n"
                  "7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n"
                  "nonsense\n");
  std::vector<std::string> told;
  EXPECT_TRUE(launch::forEachPerfRecord(recordsOfExisting(proc.path()), [&](const PerfRecord& record) {
    const bool isMap = record.type == PERF_RECORD_MMAP2;
    std::string line(launch::textAt(record.body, isMap ? 64 : 8));
    line += " " + std::to_string(record.id.process) + "/" + std::to_string(record.id.thread);
    if (isMap) {
      for (const std::size_t at : {8, 16, 24})
        line += " " + std::to_string(launch::numberAt<std::uint64_t>(record.body, at));
    }
    told.push_back(line);
  }));
  EXPECT_THAT(
      told, testing::UnorderedElementsAre("server 42/42", "pool 42/43", "/usr/bin/my server 42/42 4194304 335872 4096",
                                          "//anon 42/42 139637976727552 4096 0"));
}

}  // namespace
}  // namespace lanescope::sample
