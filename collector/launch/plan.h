// SPDX-License-Identifier: Apache-2.0
// What a recording is to be, decided before anything is made or started, so that what cannot work is refused for
// nothing. Looks at files and the environment. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "collector/launch/options.h"
#include "collector/launch/output_name.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/target.h"

namespace lanescope::launch {

struct Plan {
  OutputName name;
  Command command;
  std::filesystem::path recorder = {};  ///< empty: there is none
  std::string whyNotInto = {};  ///< why it does not get into the program; empty if it does
  std::optional<std::string> preload = {};  ///< LD_PRELOAD for the program, if it is to have one of ours
  std::string whyNotPreloaded = {};  ///< why calls of the OS runtime cannot be had of it; empty if they can
  std::string whyNoSamples = {};  ///< why the kernel gives no CPU samples away, which somebody wants; else empty
  bool cpuTimers = false;  ///< the program takes them itself
  std::string whyNoTimers = {};  ///< why it does not
  bool isSetUserId = false;  ///< and we may not look into what it becomes
  std::string cupti = {};
  std::string note = {};  ///< about the name, for the user
  trace::Ns began = 0;    ///< CLOCK_REALTIME
};

/// The error is a line for the user.
tl::expected<Plan, std::string> plan(const Options& options);

/// What the report says about the recording, as far as it is known now.
Facts factsAtStart(const Options& options, const Plan& plan, std::string_view version);

}  // namespace lanescope::launch
