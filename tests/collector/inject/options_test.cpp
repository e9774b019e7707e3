// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/options.h"

#include <gtest/gtest.h>

#include <string>

namespace lanescope::inject {
namespace {

Options parsed(const std::string& text, char separator = '\n') {
  Options options;
  parseOptions(text.data(), text.size(), separator, options);
  return options;
}

TEST(InjectOptions, AreTakenByName) {
  const Options options = parsed(
      "trace=nvtx\napi=activity\ncuda-graph-trace=node\ncuda-flush-interval-ms=20\ncapture=nvtx\nnvtx-capture=a@b\n"
      "capture-end=repeat:3\ncupti=/x/libcupti.so.13\nrings=/dev/shm\ncupti-kinds=kernel,graph\n");
  EXPECT_FALSE(options.cuda);
  EXPECT_TRUE(options.nvtx);
  EXPECT_FALSE(options.apiByCallbacks);
  EXPECT_TRUE(options.graphNodes);
  EXPECT_EQ(options.flushMs, 20u);
  EXPECT_EQ(options.captureBy, CaptureBy::kNvtx);
  EXPECT_STREQ(options.nvtxCapture, "a@b");
  EXPECT_EQ(options.captureEnd, CaptureEnd::kRepeat);
  EXPECT_EQ(options.captures, 3u);
  EXPECT_STREQ(options.cupti, "/x/libcupti.so.13");
  EXPECT_STREQ(options.rings, "/dev/shm");
  EXPECT_EQ(options.kinds, kKindKernel | kKindGraph);
}

TEST(InjectOptions, KeepTheirDefaultsForWhatIsNotSaidOrNotKnown) {
  const Options options = parsed("future=1\nnonsense\n=\ncapture-end\n");
  EXPECT_TRUE(options.cuda && options.nvtx && options.apiByCallbacks);
  EXPECT_EQ(options.flushMs, 200u);
  EXPECT_EQ(options.captureBy, CaptureBy::kNone);
}

TEST(InjectOptions, MoreOfThemCanComeFromTheEnvironment) {
  EXPECT_EQ(parsed("cuda-flush-interval-ms=5;api=none", ';').flushMs, 5u);
  EXPECT_FALSE(parsed("cuda-flush-interval-ms=5;api=none", ';').apiRecorded);
}

TEST(InjectOptions, NumbersStayWithinTheirBounds) {
  const Options options = parsed("cupti-buffer-kb=99999999999999999999\nwrite-interval-ms=0\ncupti-device-pool=0\n");
  EXPECT_EQ(options.bufferKb, 16384u);
  EXPECT_EQ(options.writeMs, 1u);
  EXPECT_EQ(options.devicePool, 1u);
}

TEST(InjectOptions, LongValuesAreCutAtTheirRoom) {
  EXPECT_EQ(std::string(parsed("cupti=" + std::string(5000, 'x')).cupti).size(), Options::kLongest - 1);
}

TEST(InjectOptions, AListNamesWholeNamesAndCommasCanBeEscaped) {
  EXPECT_TRUE(listNames("a,b c,d", "b c"));
  EXPECT_TRUE(listNames("one\\,two,three", "one,two"));
  EXPECT_TRUE(listNames("NCCL", "NCCL"));
  EXPECT_FALSE(listNames("NCCL", "NCC"));
  EXPECT_FALSE(listNames("NCC", "NCCL"));
  EXPECT_FALSE(listNames("a,b", ""));
  EXPECT_FALSE(listNames("", "a"));
  EXPECT_FALSE(listNames("a\\", "a"));
}

}  // namespace
}  // namespace lanescope::inject
