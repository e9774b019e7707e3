// SPDX-License-Identifier: Apache-2.0
// The process that samples the metrics of GPUs for a recording: a file for each GPU in the session folder, while the
// control page says that the recording is on. Ends with the recording, the launcher, or a signal. Counters of the hardware
// where they may be read, else NVML. A thread for each GPU.
#pragma once

#include <string>
#include <vector>

namespace lanescope::sample {

/// `launcher`: a socket that hears "say TEXT", "refuse TEXT" (nothing is sampled and nothing should be recorded) and
/// "ready COUNT"; -1 if nobody listens. `cuptis`: libraries to try, in this order. Returns the exit status.
int sampleGpus(const std::string& folder, int launcher, const std::vector<std::string>& cuptis);

}  // namespace lanescope::sample
