// SPDX-License-Identifier: Apache-2.0
// Samples the Python stacks of a program's processes while the recording is on, from a thread of the launcher, which is
// their ancestor and so may read them; nothing is stopped. The file python.samples in the session folder has them. What a
// process cannot be read for is said in it, once each. It costs some tens of
// microseconds a sample and process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <thread>

namespace lanescope::sample {

class PythonSampler {
 public:
  struct Settings {
    std::string session;  ///< folder
    pid_t root = 0;  ///< whose descendants are sampled
    std::uint32_t hertz = 1000;
  };

  /// Begins; forks must lie before. It ends by itself with the recording.
  explicit PythonSampler(Settings settings);
  /// Waits for the end of the recording.
  ~PythonSampler();
  PythonSampler(const PythonSampler&) = delete;
  PythonSampler& operator=(const PythonSampler&) = delete;

  /// After the recording has ended: until all samples are on disk.
  void finish();

 private:
  std::thread thread_;
};

}  // namespace lanescope::sample
