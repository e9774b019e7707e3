// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/other_users.h"

#include <gmock/gmock.h>

#include "collector/launch/clock.h"
#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class OtherUsersTest : public testing::Test {
 protected:
  void process(int number, int parent, const std::string& users) {
    const std::filesystem::path folder = folder_ / std::to_string(number);
    std::filesystem::create_directory(folder);
    test::writeFile(folder / "stat", std::to_string(number) + " (python3) S " + std::to_string(parent) + " 1 1 0");
    test::writeFile(folder / "status", "Name:\tpython3\nPid:\t1\nUid:\t" + users + "\nGid:\t0\t0\t0\t0\n");
  }

  const std::string ours_ = std::to_string(geteuid()), other_ = std::to_string(geteuid() + 1);
  test::TemporaryFolder folder_;
  OtherUsers users_{folder_.path().string()};
};

TEST_F(OtherUsersTest, WhoChangedItsUserIsToldOnceAndByTheUserThatCounts) {
  process(1, 0, other_), process(getpid(), 1, ours_);
  process(900001, getpid(), ours_ + "\t" + ours_ + "\t" + ours_ + "\t" + ours_);
  process(900002, getpid(), ours_ + "\t" + other_ + "\t" + other_ + "\t" + other_);
  EXPECT_THAT(users_.look(0), ElementsAre(Pair("other-user.900002", "python3 as user " + other_)));
  process(900001, getpid(), other_ + "\t" + other_);
  EXPECT_THAT(users_.look(kSecond / 2), IsEmpty()) << "too soon";
  EXPECT_THAT(users_.look(kSecond), ElementsAre(Pair("other-user.900001", "python3 as user " + other_)));
}

TEST_F(OtherUsersTest, WhatMakesNoSenseIsNobody) {
  process(getpid(), 1, ours_);
  process(900001, getpid(), "");
  process(900002, getpid(), "x\ty\tz");
  process(900003, getpid(), "\t");
  EXPECT_THAT(users_.look(0), IsEmpty());
}

}  // namespace
}  // namespace lanescope::launch
