// SPDX-License-Identifier: Apache-2.0
// Programs with NVTX under the injected library, and every way to end: what they said must be on disk or in their rings.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::LossKind;
using wire::RecordType;

const std::string kProgram = LANESCOPE_NVTX_PROGRAM;

struct End {
  std::string mode;
  int signal;
  bool inOrder;
};

class NvtxEnds : public testing::TestWithParam<End> {};

TEST_P(NvtxEnds, EveryEventIsThere) {
  TestSession session;
  const int status = session.run({kProgram, GetParam().mode, "2000"});
  if (GetParam().signal != 0) {
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), GetParam().signal);
  } else {
    ASSERT_TRUE(WIFEXITED(status)) << status;
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(session.output(), "");
  EXPECT_EQ(session.control().processes, 1u);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "work"), 2000u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPop), 2000u);
  EXPECT_EQ(stream.count(RecordType::kNvtxMark, "mark"), 2000u);
  EXPECT_EQ(stream.count(RecordType::kNvtxStart, "over all"), 1u);
  EXPECT_EQ(stream.count(RecordType::kNvtxEnd), 1u);
  EXPECT_EQ(stream.ends > 0, GetParam().inOrder);
  EXPECT_GE(stream.clocks, 1);
  EXPECT_FALSE(stream.missesText);
  EXPECT_TRUE(stream.losses.empty());
}

INSTANTIATE_TEST_SUITE_P(Modes, NvtxEnds,
                         testing::Values(End{"return", 0, true}, End{"exit", 0, true}, End{"quick_exit", 0, true},
                                         End{"_exit", 0, false}, End{"abort", SIGABRT, false},
                                         End{"kill", SIGKILL, false}, End{"segv", SIGSEGV, false}),
                         [](const auto& test) { return testName(test.param.mode); });

TEST(Nvtx, EveryFormIsRecordedAsItWasSaid) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "forms", "1"}), 0);
  const Stream stream = session.onlyStream();
  ASSERT_EQ(stream.count(RecordType::kNvtxDomain, "library"), 1u);
  const std::uint32_t domain = stream.all(RecordType::kNvtxDomain)[0].header.aux;
  EXPECT_NE(domain, 0u);
  const auto categories = stream.all(RecordType::kNvtxCategory);
  ASSERT_EQ(categories.size(), 1u);
  EXPECT_EQ(categories[0].header.aux, domain);
  EXPECT_EQ(categories[0].as<wire::Named>().key, 3u);
  EXPECT_EQ(stream.count(RecordType::kThreadName, "the first thread"), 1u);

  const auto pushes = stream.all(RecordType::kNvtxPush);
  ASSERT_GE(pushes.size(), 4u);
  const auto first = pushes[0].as<wire::NvtxEvent>();
  EXPECT_EQ(pushes[0].header.aux, domain | 3u << 24);
  EXPECT_EQ(stream.texts.at(first.text), "registered text");
  EXPECT_EQ(first.registered, 1u);
  EXPECT_EQ(first.category, 3u);
  EXPECT_EQ(first.argb, 0xFFAA0011u);
  double payload = 0;
  std::memcpy(&payload, &first.payload, sizeof payload);
  EXPECT_EQ(payload, 2.5);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "\u00e9\u4e2d\U0001F600"), 1u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPop), 6u);  // the pop too many among them
}

TEST(Nvtx, PayloadsAreKeptWithTheirSchemaAndCutAtTheirBound) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "forms", "1"}), 0);
  const Stream stream = session.onlyStream();
  ASSERT_EQ(stream.count(RecordType::kNvtxSchema, "Sent"), 1u);
  const auto schema = stream.all(RecordType::kNvtxSchema)[0].as<wire::NvtxSchema>();
  EXPECT_GE(schema.id, 1ull << 32);
  EXPECT_EQ(schema.payloadSize, 16u);
  const auto entries = stream.all(RecordType::kNvtxSchemaEntry);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(stream.texts.at(entries[1].as<wire::NvtxSchemaEntry>().name), "rank");
  EXPECT_EQ(entries[1].as<wire::NvtxSchemaEntry>().offset, 8u);
  const auto payloads = stream.all(RecordType::kNvtxPayload);
  ASSERT_EQ(payloads.size(), 2u);
  ASSERT_EQ(payloads[0].header.aux, 16u);  // its size was left to the schema
  std::int32_t root = 0;
  std::memcpy(&root, payloads[0].bytes.data() + sizeof(wire::NvtxPayload) + 12, sizeof root);
  EXPECT_EQ(root, 7);
  EXPECT_EQ(payloads[1].header.aux, 8192u);
  EXPECT_EQ(stream.losses.at(LossKind::kPayloadCut), 1u);
  EXPECT_EQ(stream.count(RecordType::kNvtxMark, std::string(16384, 'y')), 1u);
  EXPECT_EQ(stream.losses.at(LossKind::kTextCut), 1u);
}

TEST(Nvtx, FiftyThreadsThatComeAndGoKeepTheirEventsApart) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "threads", "300"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "thread"), 4u * 50 * 300);
  EXPECT_EQ(stream.count(RecordType::kNvtxPop), 4u * 50 * 300);
  EXPECT_TRUE(stream.losses.empty());
  EXPECT_FALSE(stream.missesText);
  std::map<std::uint32_t, std::size_t> ofThread;
  for (const Recorded& push : stream.all(RecordType::kNvtxPush)) ++ofThread[push.tid];
  EXPECT_EQ(ofThread.size(), 200u);
  for (const auto& [tid, count] : ofThread) EXPECT_EQ(count, 300u) << tid;
}

TEST(Nvtx, ThreadsHaveTheNamesThatTheSystemCallsThem) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "named"}), 0);
  const Stream stream = session.onlyStream();
  std::map<std::string, std::uint32_t> named;
  for (const Recorded& record : stream.all(RecordType::kThreadComm))
    named[record.as<wire::ThreadComm>().name] = record.header.aux;
  std::istringstream printed(session.output());
  int lines = 0;
  std::uint32_t tid = 0;
  for (std::string name; printed >> name >> tid; ++lines) EXPECT_EQ(named[name], tid) << name;
  EXPECT_EQ(lines, 3);
}

class NvtxPlaces : public testing::TestWithParam<std::string> {};

TEST_P(NvtxPlaces, Col31EveryRangeIsRecordedByItsExactName) {
  TestSession session("trace=cuda,nvtx\ncupti=" LANESCOPE_MOCK_CUPTI "\n");
  std::vector<std::string> command{LANESCOPE_NVTX_PLACES, LANESCOPE_NVTX_LATER};
  if (!GetParam().empty()) command.push_back(GetParam());
  ASSERT_EQ(session.run(command), 0);
  const Stream stream = session.onlyStream();
  for (const char* name : {"before main", "b\u00e4r \u4e16\u754c \U0001F600", "b\u00e4r \u4e16", "left open", "closed",
                           "in a library opened later"})
    EXPECT_EQ(stream.count(RecordType::kNvtxPush, name), 1u) << name;
  EXPECT_EQ(stream.count(RecordType::kNvtxMark, "last"), 1u);
  const std::vector<Recorded> ends = stream.all(RecordType::kThreadEnd);
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_EQ(ends[0].tid, ends[0].header.aux);
  EXPECT_NE(ends[0].as<wire::ThreadEnd>().time, 0u);
  EXPECT_FALSE(stream.missesText);
  EXPECT_TRUE(stream.losses.empty());
}

INSTANTIATE_TEST_SUITE_P(Modes, NvtxPlaces, testing::Values("", "cuda"),
                         [](const auto& test) { return test.param.empty() ? "WithoutCuda" : "BeforeCuda"; });

class NvtxForks : public testing::TestWithParam<std::string> {};

TEST_P(NvtxForks, ParentAndChildEachHaveTheirOwn) {
#if defined(__SANITIZE_THREAD__)
  if (GetParam() == "rawfork") GTEST_SKIP() << "the thread sanitizer does not survive a fork without its handlers";
#endif
  TestSession session;
  ASSERT_EQ(session.run({kProgram, GetParam(), "500"}), 0);
  EXPECT_EQ(session.control().processes, 2u);
  std::vector<Stream> streams = session.streams();
  ASSERT_EQ(streams.size(), 2u);
  if (streams[0].fact("ppid") == streams[1].fact("pid")) std::swap(streams[0], streams[1]);
  EXPECT_EQ(streams[1].fact("ppid"), streams[0].fact("pid"));
  EXPECT_EQ(streams[0].count(RecordType::kNvtxPush, "work"), 500u);
  EXPECT_EQ(streams[0].count(RecordType::kNvtxPush, "after"), 1u);
  EXPECT_EQ(streams[0].count(RecordType::kNvtxPush, "child"), 0u);
  EXPECT_EQ(streams[1].count(RecordType::kNvtxPush, "child"), 250u);
  EXPECT_EQ(streams[1].count(RecordType::kNvtxPush, "work"), 0u);
  EXPECT_FALSE(streams[0].missesText || streams[1].missesText);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NvtxForks, testing::Values("fork", "rawfork"),
                         [](const auto& test) { return testName(test.param); });

TEST(Nvtx, AForkedChildNamesTheDomainsThatItInherited) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "fork", "10"}), 0);
  for (const Stream& stream : session.streams()) EXPECT_EQ(stream.count(RecordType::kNvtxDomain, "inherited"), 1u);
}

TEST(Nvtx, ForksAmongBusyThreadsNeitherHangNorLoseWhatChildrenSay) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "forkstorm", "10"}), 0);
  const std::vector<Stream> streams = session.streams();
  EXPECT_EQ(streams.size(), 41u);
  EXPECT_EQ(std::count_if(streams.begin(), streams.end(),
                          [](const Stream& stream) { return stream.count(RecordType::kNvtxPush, "child") == 20; }),
            40);
}

TEST(Nvtx, AForkedChildThatSaysNothingLeavesNothing) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "quietfork", "10"}), 0);
  EXPECT_EQ(session.streams().size(), 1u);
  EXPECT_EQ(session.control().processes, 1u);
}

TEST(Nvtx, AnotherProgramInTheSameProcessHasAStreamOfItsOwn) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "exec", "50"}), 0);
  const std::vector<Stream> streams = session.streams();
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_EQ(streams[0].fact("pid"), streams[1].fact("pid"));
  EXPECT_EQ(streams[0].count(RecordType::kNvtxPush, "work") + streams[1].count(RecordType::kNvtxPush, "work"), 57u);
}

TEST(Nvtx, AHandlerThatInterruptsAWriteIsCountedAndNothingBreaks) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "signals", "300000"}), 0);
  const Stream stream = session.onlyStream();
  std::uint64_t lost = 0;
  for (const auto& [kind, count] : stream.losses) lost += count;
  EXPECT_LE(stream.count(RecordType::kNvtxPush, "work"), 300000u);
  EXPECT_GE(stream.count(RecordType::kNvtxPush, "work") + lost, 300000u);
  EXPECT_FALSE(stream.missesText && lost == 0);
}

TEST(Nvtx, ABurstFasterThanTheWriterIsThereOrCounted) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "return", "100000"}), 0);
  const Stream stream = session.onlyStream();
  const auto lost = stream.losses.find(LossKind::kRingFull);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush) + stream.count(RecordType::kNvtxPop) +
                stream.count(RecordType::kNvtxMark) + (lost != stream.losses.end() ? lost->second : 0),
            300000u);
}

TEST(Nvtx, AProgramThatSaysNothingIsNotTouched) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "nothing"}), 0);
  EXPECT_TRUE(session.streams().empty());
}

TEST(Nvtx, WithoutASessionTheProgramRunsAsEver) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "return", "10"}, {"LANESCOPE_SESSION="}), 0);
  ASSERT_EQ(session.run({kProgram, "return", "10"}, {"LANESCOPE_SESSION=/nonexistent/folder"}), 0);
  EXPECT_EQ(session.output(), "");
  EXPECT_TRUE(session.streams().empty());
}

TEST(Nvtx, AFullDiskCostsEventsAndNothingElse) {
  TestSession session("rings=/dev/shm\n");
  ASSERT_EQ(session.run({kProgram, "limit", "3000"}), 0);
  EXPECT_EQ(session.output(), "");
  const Stream stream = session.onlyStream();
  // Beyond the limit all stays in the ring, whose file is as large from the start.
  EXPECT_LE(std::filesystem::file_size(filesIn(session.folder(), ".stream").at(0)), 64u << 10);
  EXPECT_EQ(stream.tornBytes, 0);
  EXPECT_LE(stream.count(RecordType::kNvtxPush, "work"), 3000u);
  // The limit keeps the rings out of files as well: what they hold at the end is lost, and told.
  EXPECT_GT(stream.losses.at(LossKind::kWriteFailed), 0u);
}

TEST(Nvtx, AProgramThatClosesOurFilesKeepsItsOwn) {
  TestSession session;
  const std::string own = session.folder() / "own.txt";
  ASSERT_EQ(session.run({kProgram, "closed", "5000", own}), 0);
  EXPECT_EQ(readFile(own), "mine");
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush, "work"), 5001u);
}

TEST(Nvtx, OnlyTheDomainsAskedForAreRecorded) {
  TestSession without("nvtx-domain-exclude=default,other\n"), only("nvtx-domain-include=default\n");
  ASSERT_EQ(without.run({kProgram, "forms", "5"}), 0);
  ASSERT_EQ(only.run({kProgram, "forms", "5"}), 0);
  EXPECT_EQ(without.onlyStream().count(RecordType::kNvtxPush, "work"), 0u);
  EXPECT_EQ(without.onlyStream().count(RecordType::kNvtxPush, "registered text"), 1u);
  EXPECT_EQ(only.onlyStream().count(RecordType::kNvtxPush, "work"), 5u);
  EXPECT_EQ(only.onlyStream().count(RecordType::kNvtxPush, "registered text"), 0u);
}

TEST(Nvtx, TheFactsOfTheProcessAreThereAndOnlyTheAllowedOfItsEnvironment) {
  TestSession session;
  ASSERT_EQ(session.run({kProgram, "return", "1", "two\nlines"}, {"RANK=3", "SECRET_TOKEN=abc"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.fact("argument.3"), "two\\nlines");
  EXPECT_EQ(stream.fact("exe"), std::filesystem::canonical(kProgram));
  EXPECT_EQ(stream.fact("RANK"), "3");
  for (const char* name : {"pid", "ppid", "nspid", "start-time", "host", "boot-id", "clock-cost-ns", "rings"}) {
    EXPECT_NE(stream.fact(name), "") << name;
  }
  EXPECT_EQ(readFile(filesIn(session.folder(), ".stream").at(0)).find("abc"), std::string::npos);
}

}  // namespace
}  // namespace lanescope::test
