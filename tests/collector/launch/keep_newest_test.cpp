// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/keep_newest.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "collector/sample/python_file.h"
#include "tests/collector/launch/finish_fixture.h"
#include "tests/support/perf_builder.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t kMost = 1'000'000;
constexpr std::uint32_t kLaunches = 20'000;  // 5 MB

class KeepNewestOfFinish : public FinishFixture {
 protected:
  /// A process that launches kernels, all of one name that only the first chunk defines, a microsecond apart.
  std::filesystem::path launches(std::uint32_t pid, std::uint64_t time = 1) {
    test::StreamBuilder stream = process(pid, time);
    stream.thread(101).named(wire::RecordType::kThreadName, 101, 0, "worker");
    stream.cupti().record(wire::RecordType::kContext, wire::Context{.nullStream = 7}, 1);
    for (std::uint32_t first = 1; first <= kLaunches; first += 500) {
      stream.thread(101).writtenAt(cpu((first + 500) * std::uint64_t{1'000'000}));
      for (std::uint32_t id = first; id < first + 500; ++id)
        stream.push({.time = cpu(id * 1000), .text = "step"})
            .call({.start = cpu(id * 1000), .end = cpu(id * 1000 + 100), .correlation = id})
            .pop(cpu(id * 1000 + 200));
      stream.cupti();
      for (std::uint32_t id = first; id < first + 500; ++id)
        stream.kernel({.start = gpu(id * 1000 + 300), .end = gpu(id * 1000 + 600), .correlation = id});
    }
    stream.ended().write();
    return stream.path(".stream");
  }
  bool makesHoles() {
    test::writeFile(folder_ / "hole", std::string(8192, 'x'));
    const int file = open((folder_ / "hole").c_str(), O_WRONLY | O_CLOEXEC);
    const bool made = fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096) == 0;
    close(file);
    return made;
  }
  void limit(const char* size) { test::writeFile(folder_ / "options", std::string("max-size=") + size + "\n"); }
};

TEST_F(KeepNewestOfFinish, LeavesARecordingBelowItsSizeAlone) {
  const auto stream = launches(100);
  EXPECT_TRUE(KeepNewest(folder_.path(), 1000 * kMost).look());
  EXPECT_FALSE(std::filesystem::exists(keptBeside(stream)));
  finished();
  EXPECT_THAT(rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre(std::to_string(kLaunches)));
}

TEST_F(KeepNewestOfFinish, KeepsTheLastRecordsWithAllThatTheyReferTo) {
  launches(100);
  limit("1000000");
  ASSERT_GT(recordedBytes(folder_.path()), 4 * kMost);
  KeepNewest newest(folder_.path(), kMost);
  if (!newest.look()) GTEST_SKIP() << "this file system makes no holes";
  EXPECT_LE(recordedBytes(folder_.path()), kMost);
  finished();
  const std::string last = std::to_string(kLaunches);
  EXPECT_THAT(rows("SELECT max(correlationId), min(correlationId) > 10000, count(*) = max(correlationId) - "
                   "min(correlationId) + 1 FROM CUPTI_ACTIVITY_KIND_KERNEL"),
              ElementsAre(last + "|1|1"));
  EXPECT_THAT(rows("SELECT DISTINCT s.value FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = k.shortName"),
              ElementsAre("spin"));
  EXPECT_THAT(rows("SELECT DISTINCT text FROM NVTX_EVENTS WHERE eventType = 59"), ElementsAre("step"));
  EXPECT_THAT(rows("SELECT s.value FROM ThreadNames t JOIN StringIds s ON s.id = t.nameId"), ElementsAre("worker"));
  EXPECT_THAT(rows("SELECT nullStreamId FROM TARGET_INFO_CUDA_CONTEXT_INFO"), ElementsAre("7"));
  EXPECT_THAT(issues(), ElementsAre("kept-newest")) << "what is gone was not lost";
  EXPECT_THAT(rows("SELECT text FROM LANESCOPE_ISSUES"),
              ElementsAre(testing::MatchesRegex(
                  "--max-size=1.00 MB kept the newest of the recording: .* earlier records are not here; it is "
                  "whole from 1[0-9].* s on")));
  ASSERT_TRUE(trace());
}

TEST_F(KeepNewestOfFinish, LooksAgainAndAgainAndTakesTurnsAmongProcesses) {
  launches(100), launches(200, 2);
  KeepNewest newest(folder_.path(), 2 * kMost);
  if (!newest.look()) GTEST_SKIP() << "this file system makes no holes";
  EXPECT_TRUE(newest.look());
  EXPECT_LE(recordedBytes(folder_.path()), 2 * kMost);
  finished();
  EXPECT_THAT(rows("SELECT count(*) > 500 FROM CUPTI_ACTIVITY_KIND_KERNEL GROUP BY globalPid"), ElementsAre("1", "1"));
}

TEST_F(KeepNewestOfFinish, AnotherLauncherThatWasKilledBeforeTheHoleLeavesAllToRead) {
  const auto stream = launches(100);
  const std::string whole = test::readFile(stream);
  if (!KeepNewest(folder_.path(), kMost).look()) GTEST_SKIP() << "this file system makes no holes";
  // Definitions were kept, but neither the mark nor the hole came to be.
  std::string kept = test::readFile(keptBeside(stream));
  kept.resize(kept.size() - sizeof(wire::ChunkHeader) - sizeof(wire::Cut));
  test::writeFile(keptBeside(stream), kept);
  test::writeFile(stream, whole);
  finished();
  EXPECT_THAT(rows("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"), ElementsAre(std::to_string(kLaunches)));
  EXPECT_THAT(issues(), ElementsAre());
}

TEST_F(KeepNewestOfFinish, OfTheCpuWhoThereWasAndWhatWasMappedIsKept) {
  constexpr int kSamples = 40'000;
  test::PerfBuilder perf(folder_.path());
  perf.writtenAt(1).comm(cpu(0), 100, 100, "app", true).map(cpu(1), 100, 0x400000, 0x10000, "/mapped/early");
  for (int i = 0; i < kSamples; ++i) {
    const std::uint64_t time = cpu(10 + i);
    if (i % 100 == 0) perf.writtenAt(time);
    perf.sample({.time = time, .ip = 0x401000, .chain = {static_cast<std::uint64_t>(PERF_CONTEXT_USER), 0x401000}});
  }
  perf.write();
  limit("1000000");
  if (!KeepNewest(folder_.path(), kMost).look()) GTEST_SKIP() << "this file system makes no holes";
  EXPECT_LE(recordedBytes(folder_.path()), kMost);
  finished();
  EXPECT_THAT(rows("SELECT count(*) BETWEEN 1000 AND 39000, max(start) FROM COMPOSITE_EVENTS"),
              ElementsAre("1|" + std::to_string(10 + kSamples - 1)));
  EXPECT_THAT(rows("SELECT DISTINCT value FROM SAMPLING_CALLCHAINS c JOIN StringIds s ON s.id = c.module"),
              ElementsAre("/mapped/early"));
  EXPECT_THAT(rows("SELECT name FROM PROCESSES"), ElementsAre("early"));
  EXPECT_THAT(issues(), ElementsAre("kept-newest", "nothing-attached"));
}

TEST_F(KeepNewestOfFinish, OfPythonTheFunctionsAndTheStackOfAThreadThatRestsAreKept) {
  constexpr std::uint64_t kSamples = 40'000;
  const std::vector<wire::PythonFrame> busy = {{1, 12, 0}, {2, 25, 1}}, resting = {{3, 40, 1}};
  sample::PythonFile file;
  ASSERT_TRUE(file.create((folder_ / "python.samples").string()));
  file.facts("hertz=1000\nexe.300=/usr/bin/python3.11\n");
  file.code(1, "load", "/app/data.py", 10);
  file.code(2, "step", "/app/train.py", 20);
  file.code(3, "wait", "/app/train.py", 1);
  const auto sample = [&](std::uint32_t thread, const std::vector<wire::PythonFrame>& frames) {
    wire::PythonStack stack;
    stack.time = sample::readClock(CLOCK_MONOTONIC), stack.process = 300, stack.thread = thread;
    stack.cut = frames.empty() ? wire::kSameFrames : 0;
    file.stack(stack, frames);
  };
  sample(302, resting);
  for (std::uint64_t i = 1; i < kSamples; ++i) {
    sample(301, busy);
    if (i % 10 == 0) sample(302, {});
    if (i % 100 == 0) file.flush();
  }
  file.end();
  limit("1000000");
  const std::uint64_t before = recordedBytes(folder_.path());
  ASSERT_GT(before, 2 * kMost);
  if (!makesHoles()) GTEST_SKIP() << "this file system makes no holes";
  KeepNewest newest(folder_.path(), kMost);
  EXPECT_TRUE(newest.look());
  EXPECT_LE(recordedBytes(folder_.path()), kMost);
  finished();
  EXPECT_THAT(issues(), testing::Contains("kept-newest"));
  EXPECT_THAT(rows("SELECT globalTid & 16777215, count(*) BETWEEN 100 AND 39000, group_concat(DISTINCT value) FROM "
                   "LANESCOPE_PYTHON_SAMPLES s JOIN LANESCOPE_PYTHON_CALLCHAINS c ON c.id = s.callchainId JOIN "
                   "StringIds t ON t.id = c.symbol WHERE stackDepth = 0 GROUP BY globalTid"),
              ElementsAre("301|1|load", "302|1|wait"));
  // What is kept of earlier stacks is no sample.
  EXPECT_THAT(rows("SELECT count(*) FROM LANESCOPE_PYTHON_SAMPLES WHERE start < (SELECT min(start) FROM "
                   "LANESCOPE_PYTHON_SAMPLES WHERE globalTid & 16777215 = 301)"),
              ElementsAre("0"));
}

TEST_F(KeepNewestOfFinish, SaysWhenWhatMustBeKeptTakesTheRoom) {
  test::StreamBuilder stream = process();
  stream.thread(101);
  for (int i = 0; i < 4000; ++i) stream.push({.time = cpu(1), .text = std::to_string(i) + std::string(1000, 'x')});
  stream.write();
  EXPECT_FALSE(KeepNewest(folder_.path(), kMost).look());
}

TEST_F(KeepNewestOfFinish, ARecordingThatStoppedAtItsSizeSaysSo) {
  process().thread(101).push({.time = cpu(1), .text = "step"}).pop(cpu(2)).ended().write();
  limit("1000000");
  test::writeFile(folder_ / "facts", "start-monotonic=1000000\nstopped-by=max size\n");
  finished();
  EXPECT_THAT(issues(), ElementsAre("max-size"));
}

}  // namespace
}  // namespace lanescope::launch
