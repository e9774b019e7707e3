// SPDX-License-Identifier: Apache-2.0
// What stands between a program and its C library, from many threads and in a storm of children. Thread sanitizers look on.
#include <gtest/gtest.h>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

TEST(PreloadCalled, ManyThreadsAndAStormOfChildrenLoseNoCall) {
  TestSession session("trace=osrt\nosrt-threshold=0\n");
  // Children have no threads of their parent to be waited for.
  const std::string ofThreadSanitizer = "TSAN_OPTIONS=halt_on_error=1:report_thread_leaks=0";
  ASSERT_EQ(session.run({LANESCOPE_CALLED_PROGRAM}, {ofThreadSanitizer}), 0) << session.output();
  EXPECT_EQ(session.output(), "");
  const std::vector<Stream> streams = session.streams();
  ASSERT_EQ(streams.size(), 41u) << "the program and 40 children";
  std::size_t slept = 0;
  for (const Stream& stream : streams) {
    EXPECT_FALSE(stream.missesText);
    EXPECT_TRUE(stream.losses.empty());
    EXPECT_EQ(stream.ends, 1);
    slept += stream.count(wire::RecordType::kOsCall, "usleep");
  }
  EXPECT_EQ(slept, 40u + 16 * 10);
  EXPECT_EQ(streams.front().count(wire::RecordType::kOsCall, "write"), 16u * 100);
  EXPECT_EQ(streams.front().count(wire::RecordType::kOsCall, "read"), 16u * 100);
}

}  // namespace
}  // namespace lanescope::test
