// SPDX-License-Identifier: Apache-2.0
// Can this machine record? Looks at files and variables and asks the kernel whether it would; runs nothing, needs no GPU:
// the driver, CUPTI, the recording library, permissions for counters, CPU samples and Python's memory, the container's
// memory, room on the disk; a remedy for each that is not as it should be. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/launch/injection.h"

namespace lanescope::launch {

struct Finding {
  enum Level {
    kGood,
    kNote,  ///< something is missing that not every recording needs
    kProblem,  ///< a recording of CUDA would fail or be empty
  };
  Level level = kGood;
  std::string what;  ///< "CUPTI"
  std::string text;  ///< "13.0, /usr/local/cuda/lib64/libcupti.so.13"
  std::string remedy;  ///< empty where all is well
};

struct Surroundings {
  std::filesystem::path root = "/";  ///< under which the driver, the kernel and the toolkit are looked at
  std::filesystem::path recorder;  ///< findRecorder()
  std::filesystem::path folder = ".";  ///< where the report would go
  ReadVariable environment;
};

/// In the order to read them in.
std::vector<Finding> examine(const Surroundings& surroundings);

}  // namespace lanescope::launch
