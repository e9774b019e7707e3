// SPDX-License-Identifier: Apache-2.0
// What is asked of the stacks of CUDA calls and of Python.
#include <gmock/gmock.h>

#include "collector/launch/options.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Options good(const std::string& line) {
  std::vector<std::string> words = splitWords(line);
  words.emplace_back("./program");
  const auto read = readCommandLine(words);
  EXPECT_TRUE(read.has_value()) << line;
  return read ? read->options : Options();
}

TEST(OptionsOfStacks, StacksOfCudaCallsAreByKindFromALengthOn) {
  EXPECT_THAT(good("").cudaStacks, IsEmpty());
  EXPECT_THAT(good("--cudabacktrace=none").cudaStacks, IsEmpty());
  EXPECT_THAT(good("--cudabacktrace=kernel,sync:5000").cudaStacks,
              ElementsAre(Pair("kernel", 1000), Pair("sync", 5000)));
  EXPECT_THAT(good("--cudabacktrace=all:0").cudaStacks,
              ElementsAre(Pair("kernel", 0), Pair("memory", 0), Pair("sync", 0), Pair("other", 0)));
  for (const char* bad : {"kernels", "kernel:", "kernel:x", "none,all", "sync:-1"}) {
    EXPECT_FALSE(readCommandLine({std::string("--cudabacktrace=") + bad, "./program"})) << bad;
  }
}

TEST(OptionsOfStacks, PythonIsSampledWhereAskedFor) {
  EXPECT_EQ(good("").pythonHertz, 0u);
  EXPECT_EQ(good("--python-sampling=true").pythonHertz, 1000u);
  EXPECT_EQ(good("--python-sampling=true --python-sampling-frequency=50").pythonHertz, 50u);
  EXPECT_EQ(good("--python-sampling-frequency=50").pythonHertz, 0u);
  EXPECT_FALSE(good("--python-backtrace=none").pythonStacks);
  EXPECT_TRUE(good("--python-backtrace=cuda").pythonStacks);
  EXPECT_TRUE(good("-t python-gil").pythonGil);
  EXPECT_FALSE(good("-t python-gil").osRuntime);
}

}  // namespace
}  // namespace lanescope::launch
