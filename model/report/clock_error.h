// SPDX-License-Identifier: Apache-2.0
// How far times of the GPU and of the CPU in a report may be apart, because they were taken of two clocks: what the
// recorder measured of each process. Nsight Systems' exports do not tell it. O(facts), a few thousand at most. Any
// thread.
#pragma once

#include <optional>
#include <string>

#include "model/report/database.h"
#include "model/trace/time.h"

namespace lanescope::report {

struct ClockError {
  trace::Ns ahead =
      0;  ///< the wall clock, which GPU times are taken of, of the clock of the report; of the first process
  trace::Ns error = 0;  ///< of that offset at most, of the process where it is largest
  bool isOfGpu = false;  ///< whether there are times of one at all
  std::uint64_t steps = 0;  ///< of the wall clock meanwhile, of the process that saw the most
};

std::optional<ClockError> clockError(const Database& database);

/// "Times of the GPU and of the CPU agree within 45 ns: …", for a person.
std::string sentence(const ClockError& clocks);

}  // namespace lanescope::report
