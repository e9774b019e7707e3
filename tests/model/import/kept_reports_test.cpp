// SPDX-License-Identifier: Apache-2.0
#include "model/import/kept_reports.h"

#include <gtest/gtest.h>

#include "tests/model/import/hand_made.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

namespace fs = std::filesystem;

class KeptReportsTest : public testing::Test {
 protected:
  KeptReportsTest() { test::writeFile(file_, "[]"); }
  bool nothingIsKept() const { return !fs::exists(folder_.path() / "kept") || fs::is_empty(folder_.path() / "kept"); }

  test::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "trace.json";
  KeptReports kept_{"0.1", folder_.path() / "kept"};
};

TEST_F(KeptReportsTest, AReportIsMadeOnceForAState) {
  EXPECT_FALSE(kept_.find(file_, {}));
  const auto made = kept_.keep(smallTraining(), file_, {}, Job());
  ASSERT_TRUE(made) << sentence(made.error());
  EXPECT_TRUE(made->isImported);
  EXPECT_EQ(made->path.filename(), "trace.json.rep");
  const auto again = kept_.find(file_, {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->path, made->path);
  EXPECT_FALSE(kept_.find(file_, {.timesAreNanoseconds = true}));
  EXPECT_FALSE(KeptReports("0.2", folder_.path() / "kept").find(file_, {}));
  test::writeFile(file_, "[1]");
  EXPECT_FALSE(kept_.find(file_, {}));
}

TEST_F(KeptReportsTest, AStoppedImportLeavesNothing) {
  std::stop_source stop;
  stop.request_stop();
  const auto made = kept_.keep(smallTraining(), file_, {}, Job(stop.get_token()));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(nothingIsKept());
}

TEST_F(KeptReportsTest, WhatIsInUseIsNotTheOldestThatGoes) {
  const KeptFiles files(folder_.path() / "few", 1);
  auto place = files.enter({.of = "a", .name = "a"}, "a", Job());
  ASSERT_TRUE(place);
  test::writeFile(place->part(), "text");
  ASSERT_TRUE(place->finish());
  const auto next = files.enter({.of = "b", .name = "b"}, "b", Job());
  ASSERT_TRUE(next);
  ASSERT_TRUE(files.makeRoom(*next, 1000));
  EXPECT_TRUE(fs::exists(place->file));
  const fs::path file = place->file;
  *place = {};
  ASSERT_TRUE(files.makeRoom(*next, 1000));
  EXPECT_FALSE(fs::exists(file));
}

}  // namespace
}  // namespace lanescope::imported
