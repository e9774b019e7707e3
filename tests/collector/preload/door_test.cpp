// SPDX-License-Identifier: Apache-2.0
// The recorder as preloaded libraries use it, from many threads and in children. Thread sanitizers look on.
#include <gtest/gtest.h>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::RecordType;

TEST(PreloadDoor, EveryCallOfEveryThreadAndChildIsThere) {
  TestSession session("trace=osrt,mpi\n");
  ASSERT_EQ(session.run({LANESCOPE_DOOR_PROGRAM}), 0) << session.output();
  EXPECT_EQ(session.output(), "");
  const std::vector<Stream> streams = session.streams();
  ASSERT_EQ(streams.size(), 4u);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::size_t calls = i == 0 ? 8u * 500 : 8u * 100;
    EXPECT_EQ(streams[i].count(RecordType::kOsCall, "read"), calls) << i;
    EXPECT_EQ(streams[i].count(RecordType::kMpiCall, "MPI_Send"), calls) << i;
    EXPECT_EQ(streams[i].count(RecordType::kStackCopy), calls / 100) << i;
    EXPECT_FALSE(streams[i].missesText);
    EXPECT_TRUE(streams[i].losses.empty());
  }
  EXPECT_EQ(streams[0].count(RecordType::kMpiRank), 1u);
  EXPECT_GT(streams[0].count(RecordType::kModule), 2u);
  EXPECT_EQ(streams[0].ends, 1);
}

}  // namespace
}  // namespace lanescope::test
