// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_folder.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/launch/process_facts.h"
#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::MatchesRegex;

TEST(SessionFolder, OnlyItsOwnerMayLookIn) {
  const test::TemporaryFolder folder;
  const auto session = SessionFolder::create(folder.path(), "a.rep");
  ASSERT_TRUE(session.has_value());
  EXPECT_THAT(session->path().filename().string(), MatchesRegex("\\.a\\.rep\\.[0-9]+\\.recording"));
  EXPECT_EQ(fs::status(session->path()).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(session->path() / "control").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(SessionFolder, TwoOfOneNameHaveFoldersOfTheirOwn) {
  const test::TemporaryFolder folder;
  const auto one = SessionFolder::create(folder.path(), "a.rep"), two = SessionFolder::create(folder.path(), "a.rep");
  ASSERT_TRUE(one && two);
  EXPECT_NE(one->path(), two->path());
}

TEST(SessionFolder, LeavesNothingBehind) {
  const test::TemporaryFolder folder;
  auto session = SessionFolder::create(folder.path(), "a.rep");
  ASSERT_TRUE(session->writeOptions(Options(), "").has_value());
  const fs::path rings = readFact(session->path() / "options", "rings").value();
  EXPECT_TRUE(fs::is_directory(rings));
  session->remove();
  EXPECT_FALSE(fs::exists(rings));
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

TEST(SessionFolder, RemovingTakesNoFolderThatItDidNotMake) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "session");
  fs::create_directory(folder / "precious");
  test::writeFile(folder / "session/options", "rings=" + (folder / "precious").string() + "\n");
  removeSession(folder / "session");
  EXPECT_THAT(folder.names(), testing::ElementsAre("precious"));
}

TEST(SessionFolder, TheOptionsSayWhatToRecord) {
  const test::TemporaryFolder folder;
  const auto written = [&](const Options& options, const std::string& cupti = "") {
    auto session = SessionFolder::create(folder.path(), "a.rep");
    EXPECT_TRUE(session->writeOptions(options, cupti).has_value());
    std::string text = test::readFile(session->path() / "options");
    session->remove();
    return text;
  };
  EXPECT_THAT(written({}), testing::StartsWith("trace=cuda,nvtx\ncuda-graph-trace=graph\ncuda-trace-all-apis=0\n"
                                               "capture=none\ncapture-end=stop-shutdown\nrepeat=0\nrings=/"));
  EXPECT_THAT(written({}), testing::Not(HasSubstr("flush")));
  Options options;
  options.cuda = false;
  EXPECT_THAT(written(options), testing::StartsWith("trace=nvtx\n"));
  options = {.graphTrace = GraphTrace::kNode,
             .allCudaApis = true,
             .flushIntervalMs = 100,
             .nvtxInclude = {"a,b", "c"},
             .range = CaptureRange::kNvtx,
             .nvtxCapture = "step@train",
             .rangeEnd = CaptureEnd::kRepeat,
             .repeat = 3};
  const std::string text = written(options, "/x/libcupti.so.13");
  for (const char* line : {"cuda-graph-trace=node\n", "cuda-trace-all-apis=1\n", "cuda-flush-interval-ms=100\n",
                           "capture=nvtx\n", "nvtx-capture=step@train\n", "capture-end=repeat\n", "repeat=3\n",
                           "nvtx-domain-include=a\\,b,c\n", "cupti=/x/libcupti.so.13\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(SessionFolder, ALineBreakInAFactBeginsNoOther) {
  const test::TemporaryFolder folder;
  auto session = SessionFolder::create(folder.path(), "a.rep");
  ASSERT_TRUE(session->addFacts({{"argument.2", "import x\nexit-code=0"}}).has_value());
  ASSERT_TRUE(session->addFacts({{"argument.3", "a=b"}, {"argument.3", "c=d"}}).has_value());
  const fs::path facts = session->path() / "facts";
  EXPECT_EQ(readFact(facts, "argument.2"), "import x\\nexit-code=0");
  EXPECT_EQ(readFact(facts, "exit-code"), std::nullopt);
  EXPECT_EQ(readFact(facts, "argument.3"), "c=d");
  EXPECT_EQ(readFact(facts, "argument"), std::nullopt);
  session->remove();
}

TEST(SessionFolder, ItsLauncherLivesUntilAnotherHasItsNumber) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(addFactsTo(folder.path(), launcherFacts()).has_value());
  EXPECT_TRUE(launcherLives(folder.path()));
  ASSERT_TRUE(addFactsTo(folder.path(), {{"launcher-start", "1"}}).has_value());
  EXPECT_FALSE(launcherLives(folder.path()));
  ASSERT_TRUE(addFactsTo(folder.path(), launcherFacts()).has_value());
  ASSERT_TRUE(addFactsTo(folder.path(), {{"boot-id", "another"}}).has_value());
  EXPECT_FALSE(launcherLives(folder.path()));
  EXPECT_FALSE(launcherLives(folder / "none"));
}

TEST(SessionFolder, CountsTheProcessesThatStillRun) {
  const test::TemporaryFolder folder;
  auto session = SessionFolder::create(folder.path(), "a.rep");
  EXPECT_EQ(livingProcesses(session->path()), 0u);
  test::writeFile(session->path() / (std::to_string(getpid()) + ".00ff.stream"), "");
  test::writeFile(session->path() / "999999999.00ff.stream", "");
  test::writeFile(session->path() / "x.stream", "");
  EXPECT_EQ(livingProcesses(session->path()), 1u);
  session->remove();
}

TEST(SessionFolder, AReportNeedsMoreRoomThanItsStreams) {
  EXPECT_GT(wire::roomForReport(0), 1u << 20);
  EXPECT_GE(wire::roomForReport(100u << 20), 150u << 20);
}

TEST(CaptureControl, BeginsOnceAndEndsForGood) {
  const test::TemporaryFolder folder;
  auto control = CaptureControl::create(folder / "control");
  ASSERT_TRUE(control.has_value());
  EXPECT_EQ(control->state(), wire::Capture::kWaiting);
  const std::uint32_t seen = control->seen();
  control->begin();
  control->begin();
  EXPECT_EQ(control->state(), wire::Capture::kOn);
  EXPECT_EQ(control->captures(), 1u);
  EXPECT_NE(control->seen(), seen);
  control->wait(seen, 3600'000'000'000);  // what changed before the wait is not waited for
  control->end();
  control->begin();
  EXPECT_EQ(control->state(), wire::Capture::kEnded);
  EXPECT_EQ(control->captures(), 1u);
}

TEST(CaptureControl, IsOpenedBySomebodyElseOnlyIfItIsOne) {
  const test::TemporaryFolder folder;
  auto mine = CaptureControl::create(folder / "control");
  auto theirs = CaptureControl::open(folder / "control");
  ASSERT_TRUE(theirs.has_value());
  theirs->begin();
  EXPECT_EQ(mine->state(), wire::Capture::kOn);
  EXPECT_FALSE(CaptureControl::open(folder / "none").has_value());
  test::writeFile(folder / "short", "LTSC");
  EXPECT_FALSE(CaptureControl::open(folder / "short").has_value());
  test::writeFile(folder / "other", std::string(4096, 'x'));
  EXPECT_FALSE(CaptureControl::open(folder / "other").has_value());
}

TEST(CaptureControl, ACaptureThatPausedBeginsAgainAndOneThatEndedDoesNot) {
  const test::TemporaryFolder folder;
  auto control = CaptureControl::create(folder / "control");
  EXPECT_EQ(control->changed(), 0);
  control->begin();
  control->pause();
  EXPECT_EQ(control->state(), wire::Capture::kWaiting);
  EXPECT_GT(control->changed(), 0);
  control->begin();
  EXPECT_EQ(control->captures(), 2u);
  control->end();
  control->begin();
  EXPECT_EQ(control->state(), wire::Capture::kEnded);
}

TEST(CaptureControl, AFlushThatNobodyHasToAnswerIsOver) {
  const test::TemporaryFolder folder;
  auto control = CaptureControl::create(folder / "control");
  EXPECT_TRUE(control->flush([] { return std::size_t{0}; }, 3600'000'000'000));
  EXPECT_FALSE(control->flush([] { return std::size_t{1}; }, 1)) << "nobody is there to answer";
  EXPECT_EQ(CaptureControl::create(folder / "none/control").error().code, ErrorCode::kWriteFailed);
  EXPECT_FALSE(CaptureControl::create(folder / "control").has_value()) << "a page is never taken over";
}

TEST(ProcessFacts, AProcessHasAStartTimeWhileItLives) {
  EXPECT_TRUE(startTimeOf(getpid()).has_value());
  EXPECT_EQ(startTimeOf(getpid()), startTimeOf(getpid()));
  EXPECT_EQ(startTimeOf(999999999), std::nullopt);
  EXPECT_EQ(bootId().size(), 36u);
}

}  // namespace
}  // namespace lanescope::launch
