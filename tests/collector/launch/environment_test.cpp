// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/environment.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

using testing::HasSubstr;

class Environment : public testing::Test {
 protected:
  Environment() {
    around_.root = folder_.path();
    around_.folder = folder_.path();
    around_.recorder = "/opt/lanescope/liblanescope-inject.so";
    around_.environment = [this](const std::string& name) {
      const auto found = variables_.find(name);
      return found != variables_.end() ? std::optional(found->second) : std::nullopt;
    };
  }
  void file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void machineWithGpu() {
    file("sys/module/nvidia/version", "580.159.04\n");
    file("proc/driver/nvidia/params", "Other: 1\nRmProfilingAdminOnly: 0\n");
    file("proc/sys/kernel/perf_event_paranoid", "1\n");
    for (const char* device : {"dev/nvidia0", "dev/nvidia1", "dev/nvidiactl"}) file(device, "");
    file("dev/shm/x", "");
    file("usr/local/cuda-13.0/extras/CUPTI/lib64/libcupti.so.13", "");
  }
  Finding of(const std::string& what) {
    for (const Finding& finding : examine(around_))
      if (finding.what == what) return finding;
    ADD_FAILURE() << what;
    return {};
  }

  test::TemporaryFolder folder_;
  std::map<std::string, std::string> variables_;
  Surroundings around_;
};

TEST_F(Environment, AMachineThatCanRecordHasNoProblem) {
  machineWithGpu();
  for (const Finding& finding : examine(around_))
    EXPECT_NE(finding.level, Finding::kProblem) << finding.what << finding.text;
  EXPECT_EQ(of("CUDA driver").text, "580.159.04, serves CUDA 13");
  EXPECT_EQ(of("GPUs").text, "2 device files");
  EXPECT_THAT(of("CUPTI").text, HasSubstr("libcupti.so.13"));
  EXPECT_EQ(of("GPU counters").level, Finding::kGood);
}

TEST_F(Environment, WhatIsMissingHasItsRemedy) {
  around_.recorder.clear();
  for (const char* what : {"CUDA driver", "GPUs", "CUPTI", "Recorder"}) {
    EXPECT_EQ(of(what).level, Finding::kProblem) << what;
    EXPECT_NE(of(what).remedy, "") << what;
  }
  EXPECT_EQ(of("Shared memory").level, Finding::kNote);
}

TEST_F(Environment, LimitsOfTheContainerAreTold) {
  file("sys/fs/cgroup/memory.max", "536870912\n");
  EXPECT_EQ(of("Memory limit").level, Finding::kNote);
  EXPECT_EQ(of("Memory limit").text, "537 MB");
  file("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(of("Memory limit").level, Finding::kGood);
}

TEST_F(Environment, WhetherTheCpuCanBeRecordedDependsOnTheKernelsParanoia) {
  file("proc/sys/kernel/perf_event_paranoid", "2\n");
  for (const char* what : {"CPU samples", "Context switches"}) EXPECT_EQ(of(what).level, Finding::kGood) << what;
  if (geteuid() == 0) GTEST_SKIP() << "root may all the same";
  file("proc/sys/kernel/perf_event_paranoid", "4\n");
  for (const char* what : {"CPU samples", "Context switches"}) {
    EXPECT_EQ(of(what).level, Finding::kNote) << what;
    EXPECT_THAT(of(what).remedy, HasSubstr("sudo sysctl kernel.perf_event_paranoid=2")) << what;
  }
}

TEST_F(Environment, ReadingPythonsMemoryMayBeForbidden) {
  EXPECT_EQ(of("Python stacks").level, Finding::kGood);
  file("proc/sys/kernel/yama/ptrace_scope", "1\n");
  EXPECT_EQ(of("Python stacks").level, Finding::kGood);
  file("proc/sys/kernel/yama/ptrace_scope", "3\n");
  EXPECT_EQ(of("Python stacks").level, Finding::kNote);
  EXPECT_THAT(of("Python stacks").remedy, HasSubstr("kernel.yama.ptrace_scope=1"));
}

TEST_F(Environment, AFolderThatIsNotThereIsAProblem) {
  around_.folder = folder_ / "missing";
  EXPECT_EQ(of("Disk").level, Finding::kProblem);
  EXPECT_THAT(of("Disk").text, HasSubstr("cannot be written to"));
}

TEST_F(Environment, AnotherProfilerStandsInTheWay) {
  variables_["CUDA_INJECTION64_PATH"] = "/opt/other/libother.so";
  EXPECT_EQ(of("Other profilers").level, Finding::kProblem);
  EXPECT_THAT(of("Other profilers").text, HasSubstr("CUDA_INJECTION64_PATH is already set, to /opt/other/libother.so"));
}

}  // namespace
}  // namespace lanescope::launch
