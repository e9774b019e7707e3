// SPDX-License-Identifier: Apache-2.0
// When events are kept: captures begun by the launcher, by calls of the profiler interface and by NVTX ranges.
#include <gtest/gtest.h>

#include "tests/collector/inject/recorded.h"

namespace lanescope::test {
namespace {

using wire::Capture;
using wire::RecordType;

const std::string kNvtx = LANESCOPE_NVTX_PROGRAM;
const std::string kCuda = LANESCOPE_CUDA_PROGRAM;
const std::string kMock = LANESCOPE_MOCK_CUPTI;

std::vector<std::uint32_t> marksOf(const Stream& stream) {
  std::vector<std::uint32_t> marks;
  for (const Recorded& mark : stream.all(RecordType::kCapture)) marks.push_back(mark.header.aux);
  return marks;
}

TEST(CaptureOf, NothingIsKeptBeforeItBeginsButNames) {
  TestSession session("capture=none\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "forms", "50"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kNvtxPush), 0u);
  EXPECT_EQ(stream.count(RecordType::kNvtxMark), 0u);
  EXPECT_EQ(stream.count(RecordType::kNvtxDomain, "library"), 1u);
  EXPECT_EQ(stream.count(RecordType::kNvtxSchema), 1u);
  EXPECT_TRUE(marksOf(stream).empty());
}

TEST(CaptureOf, ARegisteredRangeOfANamedDomainOpensAndClosesIt) {
  TestSession session("capture=nvtx\nnvtx-capture=train@app\ncapture-end=stop\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "trigger", "10"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "inside"), 10u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "train"), 2u) << "the nested one neither opens nor closes it";
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "before"), 0u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "between"), 0u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "plain"), 0u);
  EXPECT_EQ(marksOf(stream), (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(session.control().capture, Capture::kEnded);
  EXPECT_EQ(session.control().captures, 1u);
}

TEST(CaptureOf, APlainStartAndEndRangeOfTheDefaultDomainDoesItAsWell) {
  TestSession session("capture=nvtx\nnvtx-capture=train\ncapture-end=repeat:2\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "trigger", "10"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "plain"), 20u);
  EXPECT_EQ(stream.count(RecordType::kNvtxPush, "inside"), 0u);
  EXPECT_EQ(marksOf(stream), (std::vector<std::uint32_t>{1, 0, 1, 0}));
  EXPECT_EQ(session.control().capture, Capture::kEnded);
}

TEST(CaptureOf, AStarTakesRangesOfEveryDomain) {
  TestSession session("capture=nvtx\nnvtx-capture=train@*\ncapture-end=repeat\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "trigger", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush, "inside"), 30u);
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush, "plain"), 30u);
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush, "between"), 0u);
  EXPECT_EQ(session.control().captures, 6u);
  EXPECT_EQ(session.control().capture, Capture::kWaiting);
}

TEST(CaptureOf, ItsEndCanBeIgnored) {
  TestSession session("capture=nvtx\nnvtx-capture=train\ncapture-end=none\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "trigger", "10"}), 0);
  EXPECT_EQ(session.onlyStream().count(RecordType::kNvtxPush, "between"), 20u);
  EXPECT_EQ(session.control().capture, Capture::kOn);
}

TEST(CaptureOf, ARangeThatNeverOpensLeavesWhatWasSeenInstead) {
  TestSession session("capture=nvtx\nnvtx-capture=Train\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kNvtx, "trigger", "1"}), 0);
  EXPECT_EQ(session.onlyStream().fact("range-seen"), "before|train@app|inside|between|plain");
  EXPECT_EQ(session.control().capture, Capture::kWaiting);
}

TEST(CaptureOf, CallsOfTheProfilerInterfaceRepeatIt) {
  TestSession session("trace=cuda\ncapture=cudaProfilerApi\ncapture-end=repeat:2\ncupti=" + kMock + "\n",
                      Capture::kWaiting);
  ASSERT_EQ(session.run({kCuda, kMock, "profiler", "100"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaLaunchKernel_v7000"), 200u);
  EXPECT_EQ(marksOf(stream), (std::vector<std::uint32_t>{1, 0, 1, 0}));
  EXPECT_EQ(session.control().capture, Capture::kEnded);
}

TEST(CaptureOf, GpuWorkBeforeAnyCaptureIsNotWritten) {
  TestSession session("trace=cuda\ncapture=cudaProfilerApi\ncupti=" + kMock + "\n", Capture::kWaiting);
  ASSERT_EQ(session.run({kCuda, kMock, "return", "100"}), 0);
  const Stream stream = session.onlyStream();
  EXPECT_EQ(stream.count(RecordType::kKernel), 0u);
  EXPECT_EQ(stream.count(RecordType::kDevice), 1u);
}

}  // namespace
}  // namespace lanescope::test
