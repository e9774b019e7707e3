// SPDX-License-Identifier: Apache-2.0
// A recording from the command line to the report: starts the program, begins and ends the capture, writes the report
// as soon as the capture is over, and waits for the program. What the user is to know comes as lines. If something
// fails before the program starts, it does not start and nothing is left behind; if the report cannot be written, the
// folder of the recording stays.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "collector/launch/finish.h"
#include "collector/launch/options.h"
#include "model/error.h"
#include "model/job.h"

namespace lanescope::launch {

struct Audience {
  std::function<void(const std::string& line)> say;
  std::function<void(const std::filesystem::path& report)> reportReady;
  Job job;  ///< of writing the report
  std::string version;
};

/// The exit status of the command: the program's own, 128 + N after signal N, 2 if it could not start, 3 if there is no
/// report.
int record(const Options& options, const Audience& audience);

/// Finishes what a killed launcher left. `output` empty: the name that the recording was to have, or one near to it.
/// The exit status of the command.
int recover(const std::filesystem::path& session, const std::filesystem::path& output, bool overwrite,
            const Audience& audience);

}  // namespace lanescope::launch
