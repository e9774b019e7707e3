// SPDX-License-Identifier: Apache-2.0
// A report where there is little room for it: a limit on the size of files stands for the disk.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// While one lives, no file of this process grows beyond so many bytes.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

class FinishOnAFullDisk : public FinishFixture {
 protected:
  FinishOnAFullDisk() {
    test::StreamBuilder stream = process();
    for (int chunk = 0; chunk < 100; ++chunk) {
      stream.thread(101);
      for (int i = 0; i < 500; ++i) stream.push({.time = cpu(time_++), .text = "step"}).pop(cpu(time_++));
    }
    stream.ended().write();
  }
  Result<FinishResult> finishWithin(rlim_t bytes) {
    const FileLimit limit(bytes);
    return finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job());
  }

  std::uint64_t time_ = 100;
};

TEST_F(FinishOnAFullDisk, TheReportHoldsTheBeginningAndSaysHowMuchIsMissing) {
  const Result<FinishResult> done = finishWithin(1u << 20);
  ASSERT_TRUE(done) << sentence(done.error());
  EXPECT_TRUE(done->isCut);
  EXPECT_GT(done->events, 1000u);
  EXPECT_LT(done->events, 50'000u);
  EXPECT_EQ(2 * done->events + done->lost, 100'000u) << "of each range a push and a pop";
  EXPECT_THAT(done->notes, Contains(HasSubstr("records are not in this report")));
  finished();  // with the limit gone
  EXPECT_EQ(result_.events, 50'000u);
  EXPECT_FALSE(result_.isCut);
}

TEST_F(FinishOnAFullDisk, TheFactsAloneAreAReportToo) {
  const Result<FinishResult> done = finishWithin(160u << 10);
  ASSERT_TRUE(done) << sentence(done.error());
  EXPECT_TRUE(done->isCut);
  auto database = Database::open(folder_ / "out.rep");
  ASSERT_TRUE(database);
  EXPECT_EQ(database->integer("SELECT count(*) FROM LANESCOPE_ISSUES WHERE kind = 'report-cut'"), 1);
}

TEST_F(FinishOnAFullDisk, WhereNotEvenThoseFitNothingIsLeftAndTheReasonIsTold) {
  const Result<FinishResult> done = finishWithin(8u << 10);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::kDiskFull);
  EXPECT_THAT(sentence(done.error()), HasSubstr("limit on file sizes"));
  for (const std::string& name : folder_.names()) EXPECT_EQ(name.find("out.rep"), std::string::npos) << name;
}

TEST_F(FinishOnAFullDisk, ARecordingThatStoppedForWantOfRoomSaysSo) {
  process(200, 2).facts("disk-full=1\n").ended().write();
  finished();
  EXPECT_THAT(issues(), Contains("disk-full"));
}

}  // namespace
}  // namespace lanescope::launch
