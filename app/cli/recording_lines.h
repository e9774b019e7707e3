// SPDX-License-Identifier: Apache-2.0
// What the commands that write files say to the user meanwhile, on stderr.
#pragma once

#include <string>

#include "collector/launch/options.h"
#include "collector/launch/recording.h"
#include "model/job.h"

namespace lanescope::cli {

/// One line, beginning "lanescope: ".
void say(const std::string& line);

/// What was asked for and has no effect.
void warn(const launch::CommandLine& line);

/// Hears `profile` and `launch`, and makes of reports what --stats and --export say.
launch::Audience audience(Job job = {});

/// A line without an end on the terminal in place of the one before; goes with "" or the next say().
void showForNow(const std::string& text);

/// A line that counts up on a terminal and goes at the end; nothing elsewhere.
/// `doing` is what takes its time: "writing the report".
Job showProgress(std::string doing = "writing the report");

}  // namespace lanescope::cli
