// SPDX-License-Identifier: Apache-2.0
// A recording from the command line to the report: starts the program, begins and ends the capture, writes the report
// as soon as the capture is over, and waits for the program. What the user is to know comes as lines. If something
// fails before the program starts, it does not start and nothing is left behind; if the report cannot be written, the
// folder of the recording stays.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/finish.h"
#include "collector/launch/options.h"
#include "model/error.h"
#include "model/job.h"

namespace lanescope::launch {

struct Audience {
  std::function<void(const std::string& line)> say;
  std::function<void(const std::filesystem::path& report, const Options& options)> reportReady;
  Job job;  ///< of writing the report
  std::string version;
};

/// What `launch` has beyond the options of a recording.
struct Launch {
  std::vector<std::string> words;  ///< its options as typed, which every recording starts from
  std::optional<std::vector<std::string>> recordAtOnce = {};  ///< as start's order has it: a folder, options
};

/// What stands in place of GPU data where there is no driver.
inline constexpr const char* kNoDriver =
    "no GPU data: no NVIDIA driver is loaded here; record on a machine that has one (in a container: --gpus all)";

/// With `launch`, the program starts unrecorded, and other commands say when to record (launched.h).
/// The exit status of the command: the program's own, 128 + N after signal N, 2 if it could not start, 3 if there is no
/// report.
int record(const Options& options, const Audience& audience, const Launch* launch = nullptr);

/// Finishes what a killed launcher left. `output` empty: the name that the recording was to have, or one near to it.
/// The exit status of the command.
int recover(const std::filesystem::path& session, const std::filesystem::path& output, bool overwrite,
            const Audience& audience);

}  // namespace lanescope::launch
