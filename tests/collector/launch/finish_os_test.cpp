// SPDX-License-Identifier: Apache-2.0
// Calls into the OS runtime of a session folder made by hand: rows, what they were about, and their stacks.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using wire::RecordType;

class FinishOs : public FinishFixture {
 protected:
  struct Wait {
    std::uint64_t start = 0, end = 0;
    const char* name = "read";
    std::int64_t result = 0;
    std::uint64_t object = 0;
    const char* about = nullptr;
    std::uint32_t itemBytes = 0;
  };
  static void call(test::StreamBuilder& stream, const Wait& wait) {
    wire::OsCall record;
    record.start = cpu(wait.start), record.end = cpu(wait.end);
    record.name = stream.text(wait.name);
    record.result = wait.result;
    record.object = wait.object;
    if (wait.about != nullptr) record.about = stream.text(wait.about);
    stream.record(RecordType::kOsCall, record, wait.itemBytes);
  }
  static void module(test::StreamBuilder& stream, const char* path, std::uint64_t start, std::uint64_t end) {
    wire::Module record;
    record.time = kZero;
    record.start = start, record.end = end;
    record.path = stream.text(path);
    stream.record(RecordType::kModule, record);
  }
  /// A stack as frame pointers make it: each pair is where the caller's frame lies, and where the call returns to.
  static void stack(test::StreamBuilder& stream, std::uint64_t ip, const std::vector<std::uint64_t>& returns) {
    constexpr std::uint64_t kStack = 0x7000;
    std::string bytes;
    for (std::size_t i = 0; i < returns.size(); ++i) {
      const std::uint64_t frame[] = {i + 1 < returns.size() ? kStack + 16 * (i + 1) : 0, returns[i]};
      bytes.append(reinterpret_cast<const char*>(frame), sizeof frame);
    }
    wire::StackCopy copy;
    copy.ip = ip, copy.sp = kStack, copy.bp = kStack;
    copy.header = {RecordType::kStackCopy, static_cast<std::uint16_t>(sizeof copy + bytes.size()),
                   static_cast<std::uint32_t>(bytes.size())};
    stream.bytes({reinterpret_cast<const char*>(&copy), sizeof copy}).bytes(bytes);
  }
};

TEST_F(FinishOs, CallsAreRowsWithTheirResultAndWhatTheyWereAbout) {
  auto stream = process();
  stream.thread(101);
  call(stream, {100, 5'100, "read", 12, 3, "/data/train.bin"});
  call(stream, {6'000, 9'000, "pthread_mutex_lock", 0, 0x5555'0000'1000});
  call(stream, {9'500, 9'900, "usleep", -1});
  stream.ended().write();
  finished();
  EXPECT_THAT(
      rows("SELECT start, end, eventClass, globalTid & 0xFFFFFF, (SELECT value FROM StringIds WHERE id = nameId), "
           "returnValue, nestingLevel, callchainId FROM OSRT_API ORDER BY start"),
      ElementsAre("100|5100|27|101|read|12|0|0", "6000|9000|27|101|pthread_mutex_lock|0|0|0",
                  "9500|9900|27|101|usleep|-1|0|0"));
  EXPECT_THAT(rows("SELECT o.object, (SELECT value FROM StringIds WHERE id = o.nameId), "
                   "(SELECT value FROM StringIds WHERE id = a.nameId) FROM LANESCOPE_OSRT_OBJECTS o "
                   "JOIN OSRT_API a ON a.rowid = o.osrtRow ORDER BY a.start"),
              ElementsAre("3|/data/train.bin|read", "93823560585216|0x555500001000|pthread_mutex_lock"));
  EXPECT_EQ(result_.events, 3u);
  EXPECT_THAT(issues(), IsEmpty());
}

TEST_F(FinishOs, AStackIsOfTheCallBeforeItInItsRingWithoutTheFramesOfTheRecorder) {
  auto stream = process();
  stream.thread(101, 0);
  module(stream, "/opt/nowhere/app", 0x1000, 0x2000);
  module(stream, "/opt/nowhere/liblanescope-preload.so", 0x3000, 0x4000);
  call(stream, {100, 5'100});
  stack(stream, 0x3100, {0x3200, 0x1200, 0x1300});
  call(stream, {6'000, 7'000});
  stream.thread(102, 1);
  call(stream, {200, 5'200, "poll"});
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT start, callchainId FROM OSRT_API ORDER BY start"), ElementsAre("100|1", "200|0", "6000|0"));
  EXPECT_THAT(rows("SELECT id, stackDepth, unresolved, (SELECT value FROM StringIds WHERE id = module), originalIP "
                   "FROM OSRT_CALLCHAINS ORDER BY stackDepth"),
              ElementsAre("1|0|1|/opt/nowhere/app|4608", "1|1|1|/opt/nowhere/app|4864"));
}

TEST_F(FinishOs, AChildThatNotedNoModulesHasThoseOfItsParent) {
  auto parent = process(100, 1);
  parent.thread(100);
  module(parent, "/opt/nowhere/app", 0x1000, 0x2000);
  parent.ended().write();
  auto child = process(200, 2);
  child.facts("ppid=100\n").thread(200);
  call(child, {100, 5'100});
  stack(child, 0x1100, {0x1200});
  child.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT (SELECT value FROM StringIds WHERE id = module) FROM OSRT_CALLCHAINS ORDER BY stackDepth"),
              ElementsAre("/opt/nowhere/app", "/opt/nowhere/app"));
}

TEST_F(FinishOs, AStackHasAsManyFramesAsWereAskedFor) {
  test::writeFile(folder_ / "options", "trace=osrt\nosrt-backtrace-depth=1\n");
  auto stream = process();
  stream.thread(101);
  module(stream, "/opt/nowhere/app", 0x1000, 0x2000);
  call(stream, {100, 5'100});
  stack(stream, 0x1100, {0x1200, 0x1300});
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT stackDepth, originalIP FROM OSRT_CALLCHAINS"), ElementsAre("0|4352"));
}

TEST_F(FinishOs, WhatLiesOutsideOfTheCaptureIsLeftOut) {
  auto stream = process();
  stream.thread(101).capture(cpu(1'000), true);
  call(stream, {100, 500});
  call(stream, {1'100, 1'500});
  stream.capture(cpu(2'000), false);
  call(stream, {2'500, 2'600});
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT start FROM OSRT_API"), ElementsAre("1100"));
}

TEST_F(FinishOs, EachAccessIsOfTheFileThatItsDescriptorWasThen) {
  test::writeFile(folder_ / "options", "trace=osrt\nosrt-file-access=1\n");
  auto stream = process();
  stream.thread(102, 1);  // another thread, whose ring is read before that of the one that opens
  call(stream, {200, 210, "read", 64, 3, "/data/a"});
  stream.thread(101, 0);
  call(stream, {100, 110, "open", 3, 3, "/data/a"});
  call(stream, {120, 130, "dup", 4, 3, "/data/a"});
  call(stream, {300, 310, "close", 0, 3});
  call(stream, {400, 410, "fwrite", 5, 4, "/data/a", 8});
  call(stream, {500, 510, "open64", 3, 3, "/data/b"});
  call(stream, {600, 610, "pread64", -1, 3, "/data/b"});
  call(stream, {700, 710, "fclose", 0, 4});
  call(stream, {800, 810, "write", 9, 5, "socket:[7]"});
  call(stream, {820, 830, "close", 0, 5});
  call(stream, {900, 910, "openat", -1});
  call(stream, {950, 960, "write", 3, 1, "/dev/null"});
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT filePath, openedAt, closedAt, processId >> 24 & 0xFFFFFF FROM OSRT_FILE_ACCESS_DESCRIPTORS "
                   "ORDER BY openedAt"),
              ElementsAre("/data/a|100|710|100", "/data/b|500|610|100", "/dev/null|950|960|100"));
  EXPECT_THAT(rows("SELECT filePath, label, startedAt, endedAt, bytesProcessed, threadId & 0xFFFFFF FROM "
                   "OSRT_FILE_ACCESS_EVENTS JOIN OSRT_FILE_ACCESS_DESCRIPTORS USING (fileAccessId) JOIN "
                   "ENUM_OSRT_FILE_ACCESS_EVENT_TYPE ON id = eventType ORDER BY startedAt"),
              ElementsAre("/data/a|Open|100|110|0|101", "/data/a|Read|200|210|64|102", "/data/a|Close|300|310|0|101",
                          "/data/a|Write|400|410|40|101", "/data/b|Open|500|510|0|101", "/data/b|Read|600|610|0|101",
                          "/data/a|Close|700|710|0|101", "/dev/null|Write|950|960|3|101"));
  EXPECT_THAT(
      rows("SELECT count(*) FROM OSRT_FILE_ACCESS_EVENTS f JOIN OSRT_API a ON a.rowid = apiCallId AND a.start = "
           "startedAt"),
      ElementsAre("8"));
  EXPECT_THAT(issues(), IsEmpty());
  EXPECT_TRUE(trace());
}

TEST_F(FinishOs, RowsOfSeveralProcessesKeepTheirObjects) {
  for (const std::uint32_t pid : {100u, 200u}) {
    auto stream = process(pid, pid);
    stream.thread(pid);
    call(stream, {pid, pid + 50, "read", 0, 3, pid == 100 ? "first" : "second"});
    stream.ended().write();
  }
  finished();
  EXPECT_THAT(rows("SELECT a.start, (SELECT value FROM StringIds WHERE id = o.nameId) FROM LANESCOPE_OSRT_OBJECTS o "
                   "JOIN OSRT_API a ON a.rowid = o.osrtRow ORDER BY a.start"),
              ElementsAre("100|first", "200|second"));
}

TEST_F(FinishOs, DamagedStacksAndModulesHarmNobody) {
  auto stream = process();
  stream.thread(101);
  module(stream, "/opt/nowhere/app", 0x2000, 0x1000);
  module(stream, "", 0, ~0ull);
  wire::Module huge;
  huge.end = ~0ull;
  stream.record(RecordType::kModule, huge, 0xFFFFFFFF);
  call(stream, {100, 5'100});
  stack(stream, ~0ull, {~0ull, 0, 0x7000});
  stack(stream, 0x1100, {0x1200});  // of no call
  call(stream, {~0ull, 0});
  stream.ended().write();
  finished();
  EXPECT_GE(rows("SELECT start FROM OSRT_API").size(), 1u);
}

}  // namespace
}  // namespace lanescope::launch
