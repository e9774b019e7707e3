// SPDX-License-Identifier: Apache-2.0
// A GPU's metrics by CUPTI's PM sampling into its file, with what went wrong and what was lost. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "collector/sample/gaps.h"
#include "collector/sample/metric_file.h"
#include "collector/sample/metric_table.h"
#include "collector/sample/pm_session.h"
#include "collector/sample/sample_clock.h"

namespace lanescope::sample {

/// CUPTI's profiler, initialised once for the process with the first of these libraries that has PM sampling.
class PmAccess {
 public:
  explicit PmAccess(const std::vector<std::string>& libraries);
  PmAccess(const PmAccess&) = delete;
  PmAccess& operator=(const PmAccess&) = delete;
  ~PmAccess();

  const PmLibrary* library() const { return library_.get(); }
  const std::string& path() const { return path_; }
  const std::string& why() const { return why_; }  ///< there is none, for the user

 private:
  std::unique_ptr<PmLibrary> library_;
  std::string path_, why_;
};

class PmSource {
 public:
  /// Says into the file what the samples will hold. The error says why not and what would help. `access` outlives this.
  static tl::expected<std::unique_ptr<PmSource>, std::string> open(const PmAccess& access, std::size_t device,
                                                                   const MetricSet& set, std::uint64_t interval,
                                                                   MetricFile& file);
  ~PmSource();

  void start(MetricFile& file);
  void stop(MetricFile& file);
  bool drain(MetricFile& file);  ///< true if there is more to read at once
  std::uint64_t between() const;  ///< two drains, in ns

  const SampleClock& clock() const { return clock_; }

 private:
  PmSource(std::unique_ptr<PmSession> session, std::size_t device, std::uint64_t interval);
  /// Puts what the session hands over into the file, and copes where it cannot.
  void take(MetricFile& file, const std::function<PmResult<void>(const PmSession::Take&)>& from);
  void gaveUp(MetricFile& file, const std::string& what);

  std::unique_ptr<PmSession> session_;  ///< null once it gave up
  std::size_t device_;
  std::uint64_t interval_;
  std::uint64_t lost_ = 0;  ///< as the file says
  int restarts_ = 0;
  bool saidFull_ = false;
  Gaps gaps_;
  SampleClock clock_;
};

}  // namespace lanescope::sample
