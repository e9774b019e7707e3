// SPDX-License-Identifier: Apache-2.0
// Programs that do things with all signals, while one of them is that of the timers of CPU samples.
#include <gmock/gmock.h>

#include <set>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::RecordType;

const std::string kProgram = LANESCOPE_SIGNAL_PROGRAM;
const std::string kPreload = std::string("LD_PRELOAD=") + LANESCOPE_PRELOAD;

class PreloadWithTimers : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__x86_64__)
    GTEST_SKIP() << "sanitizers stand in for the same functions";
#endif
  }
};

TEST_P(PreloadWithTimers, KeepProgramsFromTheirSignalWhichDoWhatTheyDidBefore) {
  for (const char* trace : {"trace=\n", "trace=osrt\n"}) {
    TestSession bare, session(trace + std::string("cpu-timers=1000\n"));
    ASSERT_EQ(bare.run({kProgram, GetParam()}), 0);
    ASSERT_EQ(session.run({kProgram, GetParam()}, {kPreload}), 0) << session.output();
    EXPECT_EQ(session.output(), bare.output());
    std::set<std::uint32_t> threads;
    for (const Recorded& record : session.onlyStream().all(RecordType::kCpuSample))
      threads.insert(record.as<wire::CpuSample>().thread);
    EXPECT_LE(threads.size(), std::string(GetParam()) == "wait" ? 2u : 1u) << "the recorder's own are not sampled";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, PreloadWithTimers, testing::Values("reset", "own", "wait", "read"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace lanescope::test
