// SPDX-License-Identifier: Apache-2.0
// The process that samples GPU metrics for a recording: this program again, as a stranger to the launcher, so that neither
// what waits for the program's children nor its signals see it. It ends with the recording, and when the launcher does.
// One thread; start() forks, so before any other thread is made.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "collector/launch/options.h"

namespace lanescope::launch {

class SamplerProcess {
 public:
  SamplerProcess() = default;  ///< none
  /// Waits until it samples or will at the begin of the capture, some seconds at most. `cupti` is the program's, may be
  /// empty. The error is what is wrong with the options.
  static tl::expected<SamplerProcess, std::string> start(const Options& options, const std::filesystem::path& session,
                                                         const std::filesystem::path& cupti,
                                                         const std::function<void(const std::string&)>& say);
  SamplerProcess(SamplerProcess&& other) noexcept;
  SamplerProcess& operator=(SamplerProcess&& other) noexcept;
  ~SamplerProcess();

  /// Whether this line was said at the start; the report has it too.
  bool hasSaid(std::string_view line) const;

  /// How many answer when everything is to be on disk, while the capture has not ended.
  std::size_t sources() const { return sources_; }

  /// After the capture has ended: until all samples are on disk.
  void finish();

 private:
  /// The next line it tells, without its end; empty at its end or after the time.
  std::string hear(std::int64_t until);

  int socket_ = -1;
  pid_t process_ = 0;
  std::size_t sources_ = 0;
  std::string heard_;
  std::vector<std::string> said_;
};

/// What that process does; the words behind "sample-gpu". Returns its exit status.
int sampleGpus(const std::vector<std::string>& words);

}  // namespace lanescope::launch
