// SPDX-License-Identifier: Apache-2.0
// Programs under the preloaded library: what they waited for is recorded once, within the time that they saw themselves,
// and whatever they do they do as without it.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using testing::HasSubstr;
using wire::RecordType;

const std::string kProgram = LANESCOPE_OS_PROGRAM;
const std::string kPreload = std::string("LD_PRELOAD=") + LANESCOPE_PRELOAD;

class Preload : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers stand in for the same functions, so that the library leaves their programs alone; what "
                    "is behind the calls has a program of its own for them (door_test.cpp)";
#endif
  }

  /// What the program prints, with and without the library.
  void expectTheSame(const std::string& mode) {
    TestSession bare, session("trace=osrt\nosrt-threshold=0\n");
    ASSERT_EQ(bare.run({kProgram, mode}), 0);
    ASSERT_EQ(session.run({kProgram, mode}, {kPreload}), 0);
    EXPECT_EQ(session.output(), bare.output());
    EXPECT_GT(session.streams().size(), 0u);
  }
};

struct Wait {
  std::string name;
  std::uint32_t tid = 0;
  std::uint64_t before = 0, after = 0, object = 0;
};

std::vector<Wait> waitsIn(const std::string& output) {
  std::vector<Wait> waits;
  std::istringstream lines(output);
  for (Wait wait; lines >> wait.name >> wait.tid >> wait.before >> wait.after >> wait.object;) waits.push_back(wait);
  return waits;
}

/// Calls of this name and thread that began within the wait.
std::vector<wire::OsCall> callsIn(const Stream& stream, const Wait& wait) {
  std::vector<wire::OsCall> calls;
  for (const Recorded& record : stream.all(RecordType::kOsCall)) {
    const auto call = record.as<wire::OsCall>();
    if (record.tid == wait.tid && stream.texts.at(call.name) == wait.name && call.start >= wait.before &&
        call.start <= wait.after)
      calls.push_back(call);
  }
  return calls;
}

TEST_F(Preload, CallsOfAChildTooYoungToBeRecordedAreCounted) {
  TestSession session("trace=osrt\nosrt-threshold=0\n");
  ASSERT_EQ(session.run({kProgram, "young"}, {kPreload}), 0);
  std::size_t sleeps = 0;
  for (const Stream& stream : session.streams())
    for (const Recorded& record : stream.all(RecordType::kOsCall))
      sleeps += stream.texts.at(record.as<wire::OsCall>().name) == "usleep";
  EXPECT_EQ(session.control().youngCalls + sleeps, 20u) << "recorded once it is 10 ms old";
}

TEST_F(Preload, TouchesOfFilesAreToldHoweverShort) {
  TestSession session("trace=osrt\nosrt-threshold=4000000000\nosrt-file-access=1\n");
  ASSERT_EQ(session.run({kProgram, "files"}, {kPreload}), 0);
  int descriptor = -1;
  std::string path;
  std::istringstream(session.output()) >> descriptor >> path;
  const Stream stream = session.onlyStream();
  std::vector<std::string> said;
  bool isOpen = false;
  for (const Recorded& record : stream.all(RecordType::kOsCall)) {
    const auto call = record.as<wire::OsCall>();
    const std::string& name = stream.texts.at(call.name);
    const auto about = stream.texts.find(call.about);
    const bool isIt = about != stream.texts.end() && about->second == path;
    isOpen |= isIt && name == "open";
    if (!isOpen || (!isIt && name != "close" && name != "fclose")) continue;
    said.push_back(name + ' ' + std::to_string(call.result < 1000 ? call.result : 1000) + ' ' +
                   std::to_string(record.header.aux));
  }
  const std::string number = std::to_string(descriptor), copy = std::to_string(descriptor + 1);
  EXPECT_EQ(said, (std::vector<std::string>{"open " + number + " 0", "write 8 0", "pread 4 0", "dup " + copy + " 0",
                                            "close 0 0", "read 0 0", "close 0 0", "fopen 1000 0", "fread 4 2",
                                            "fclose 0 0"}));
  EXPECT_TRUE(stream.losses.empty());
}

TEST_F(Preload, EveryWaitIsRecordedOnceWithinTheTimeThatTheProgramSaw) {
  TestSession session("trace=osrt\n");
  ASSERT_EQ(session.run({kProgram, "waits"}, {kPreload}), 0);
  const std::vector<Wait> waits = waitsIn(session.output());
  ASSERT_EQ(waits.size(), 22u) << session.output();
  const Stream stream = session.streams().front();
  EXPECT_FALSE(stream.missesText);
  EXPECT_TRUE(stream.losses.empty());
  double worst = 0;
  for (const Wait& wait : waits) {
    const std::vector<wire::OsCall> calls = callsIn(stream, wait);
    ASSERT_GE(calls.size(), 1u) << wait.name;
    // A condition may wake for nothing, a futex too; all others wait once.
    const bool mayRepeat = wait.name.starts_with("pthread_cond") || wait.name == "futex";
    EXPECT_TRUE(calls.size() == 1 || mayRepeat) << wait.name;
    for (const wire::OsCall& call : calls) {
      EXPECT_LE(call.end, wait.after) << wait.name;
      EXPECT_GE(call.end, call.start) << wait.name;
      EXPECT_TRUE(call.object == wait.object || wait.object == 0) << wait.name;
    }
    const auto seen = static_cast<double>(wait.after - wait.before);
    worst = std::max(worst, 1 - static_cast<double>(calls.front().end - calls.front().start) / seen);
  }
  RecordProperty("WorstDifferencePercent", std::to_string(100 * worst));
  std::printf("waits differ by at most %.2f %% from the program's own clock\n", 100 * worst);
}

TEST_F(Preload, DescriptorsAreToldByWhatTheyAre) {
  TestSession session("trace=osrt\n");
  ASSERT_EQ(session.run({kProgram, "waits"}, {kPreload}), 0);
  const Stream stream = session.streams().front();
  std::set<std::string> told;
  for (const Recorded& record : stream.all(RecordType::kOsCall)) {
    const auto call = record.as<wire::OsCall>();
    const std::string about = call.about != 0 ? stream.texts.at(call.about) : "";
    told.insert(stream.texts.at(call.name) + " " + about.substr(0, about.find(':')));
  }
  for (const char* one : {"read pipe", "readv pipe", "recv socket", "epoll_wait anon_inode", "poll ", "usleep "})
    EXPECT_THAT(told, testing::Contains(one));
}

TEST_F(Preload, LongCallsHaveTheirStackAndTheModulesOfItAreKnown) {
  TestSession session("trace=osrt\nosrt-backtrace-threshold=500000\nosrt-backtrace-stack-size=2048\n");
  ASSERT_EQ(session.run({kProgram, "waits"}, {kPreload}), 0);
  const Stream stream = session.streams().front();
  EXPECT_GE(stream.count(RecordType::kStackCopy), 19u);
  for (std::size_t i = 0; i < stream.records.size(); ++i) {
    if (stream.records[i].header.type != RecordType::kStackCopy) continue;
    const auto copy = stream.records[i].as<wire::StackCopy>();
    EXPECT_GT(copy.header.aux, 500u);
    EXPECT_LE(copy.header.aux, 2048u);
    ASSERT_GT(i, 0u);
    ASSERT_EQ(stream.records[i - 1].header.type, RecordType::kOsCall);
    const auto call = stream.records[i - 1].as<wire::OsCall>();
    EXPECT_GE(call.end - call.start, 500000u);
    // The place that the call returns to stands in the stack.
    const std::string bytes = stream.records[i].bytes.substr(sizeof copy);
    EXPECT_NE(bytes.find(std::string(reinterpret_cast<const char*>(&call.caller), 8)), std::string::npos);
  }
  std::vector<std::string> paths;
  for (const Recorded& record : stream.all(RecordType::kModule)) {
    const auto module = record.as<wire::Module>();
    EXPECT_LT(module.start, module.end);
    paths.push_back(stream.texts.at(module.path));
  }
  EXPECT_THAT(paths, testing::Contains(kProgram));
  EXPECT_THAT(paths, testing::Contains(HasSubstr("libc.so.6")));
  EXPECT_THAT(paths, testing::Contains(HasSubstr("liblanescope-preload.so")));
  EXPECT_THAT(paths, testing::Contains("[vdso]"));
}

TEST_F(Preload, LocksAnswerAsWithoutIt) { expectTheSame("semantics"); }
TEST_F(Preload, ThreadsAreCancelledWhereTheyWereBefore) { expectTheSame("cancellation"); }
TEST_F(Preload, SignalHandlersMayCallWhatTheyInterrupt) { expectTheSame("signals"); }
TEST_F(Preload, ChildrenOfBusyProgramsRun) { expectTheSame("forks"); }
TEST_F(Preload, ProgramsStartedByVforkRun) { expectTheSame("vforks"); }

TEST_F(Preload, ACallLeftByAJumpHidesNoneAfterIt) {
  TestSession session("trace=osrt\n");
  ASSERT_EQ(session.run({kProgram, "jump"}, {kPreload}), 0);
  EXPECT_EQ(session.output(), "jumped\n");
  const Stream stream = session.onlyStream();
  std::size_t sleeps = 0;
  for (const Recorded& record : stream.all(RecordType::kOsCall))
    sleeps += stream.texts.at(record.as<wire::OsCall>().name) == "usleep";
  EXPECT_EQ(sleeps, 1u);
}

class PreloadWithAllocator : public Preload, public testing::WithParamInterface<const char*> {};

TEST_P(PreloadWithAllocator, ManyThreadsAllocateAndLock) {
  const std::string allocator = GetParam();
  if (!std::filesystem::exists(allocator)) GTEST_SKIP() << "not on this machine: " << allocator;
  TestSession session("trace=osrt\nosrt-threshold=0\nosrt-backtrace-threshold=20000\n");
  ASSERT_EQ(session.run({kProgram, "allocate"}, {kPreload + ":" + allocator}), 0) << session.output();
  EXPECT_EQ(session.output(), "sum 806400\n");
  ASSERT_EQ(session.run({kProgram, "forks"}, {kPreload + ":" + allocator}), 0) << session.output();
  EXPECT_EQ(session.output(), "children 100\n");
}
INSTANTIATE_TEST_SUITE_P(Allocators, PreloadWithAllocator,
                         testing::Values("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2",
                                         "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"),
                         [](const auto& test) { return testName(std::string(test.param).substr(30, 8)); });

TEST_F(Preload, WhoEndsAbruptlyLeavesWhatWasRecorded) {
  for (const char* mode : {"_exit", "kill"}) {
    TestSession session("trace=osrt\n");
    session.run({kProgram, mode}, {kPreload});
    const Stream stream = session.onlyStream();
    std::size_t sleeps = 0;
    for (const Recorded& record : stream.all(RecordType::kOsCall))
      sleeps += stream.texts.at(record.as<wire::OsCall>().name) == "usleep";
    EXPECT_EQ(sleeps, 1u) << mode;
    EXPECT_EQ(stream.ends, std::string(mode) == "_exit" ? 1 : 0);
  }
}

TEST_F(Preload, WithoutASessionOrWhileNothingIsCapturedNothingIsRecorded) {
  TestSession session("trace=osrt\n", wire::Capture::kWaiting);
  ASSERT_EQ(session.run({kProgram, "_exit"}, {kPreload}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kOsCall), 0u);
  TestSession other("trace=cuda,nvtx\n");
  ASSERT_EQ(other.run({kProgram, "_exit"}, {kPreload}), 0);
  for (const Stream& stream : other.streams()) EXPECT_EQ(stream.count(RecordType::kOsCall), 0u);
  ASSERT_EQ(session.run({kProgram, "semantics"}, {kPreload, "LANESCOPE_SESSION=/nonexistent"}), 0);
}

TEST_F(Preload, AProgramWithOneThreadKeepsToIt) {
  TestSession session("trace=osrt\n");
  ASSERT_EQ(session.run({"/bin/sh", "-c", "ls /proc/self/task | wc -l"}, {kPreload}), 0);
  EXPECT_THAT(session.output(), HasSubstr("1\n"));
}

}  // namespace
}  // namespace lanescope::test
