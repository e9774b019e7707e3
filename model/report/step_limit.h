// SPDX-License-Identifier: Apache-2.0
// How much work SQLite may do for somebody who waits: while it lives, the statements of a database take at most so many
// steps of SQLite's machine together, and none once the job is cancelled. One that would go beyond fails, as if the file
// were damaged there; statements of less than a thousand steps always pass. A file without its indexes therefore costs
// a moment, not minutes. One thread, one at a time for a database.
#pragma once

#include <cstdint>

#include "model/job.h"
#include "model/report/database.h"

namespace lanescope::report {

class StepLimit {
 public:
  static constexpr std::uint64_t kMost = 10'000'000;  ///< some 0.1 s

  explicit StepLimit(const Database& database, Job job = {}, std::uint64_t most = kMost);
  ~StepLimit();
  StepLimit(const StepLimit&) = delete;
  StepLimit& operator=(const StepLimit&) = delete;

  bool exceeded() const { return steps_ >= most_ || job_.cancelled(); }

 private:
  static int look(void* self);

  const Database& database_;
  const Job job_;
  const std::uint64_t most_;
  std::uint64_t steps_ = 0;
};

}  // namespace lanescope::report
