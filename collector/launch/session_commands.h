// SPDX-License-Identifier: Apache-2.0
// The commands that tell a session something: which one is meant, the order, and what comes of it. None waits longer
// than its session's launcher lives, nor than seconds for one that does not answer. One thread.
#pragma once

#include <functional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "collector/launch/session_names.h"

namespace lanescope::launch {

/// The session of that name; without one the only session that lives. The error says which there are.
tl::expected<KnownSession, std::string> chosenSession(const std::string& name, const std::vector<KnownSession>& known);

enum class Patience {
  kShort,  ///< for the first answer, and a moment longer for what follows
  kLong,   ///< until all is done
};

/// Gives the order, says the last answer. The exit status of the command.
int tellSession(const std::string& name, const std::vector<std::string>& order, Patience patience,
                const std::function<void(const std::string&)>& say);

/// `lanescope start`: with `newName` a session whose program is still to come. `words`: options of the recording.
struct StartRequest {
  std::string name, newName;
  std::vector<std::string> words;
};
int startRecording(const StartRequest& request, const std::function<void(const std::string&)>& say);

/// What is wrong with the options of `launch` or `start`, which take only some of those of `profile`; empty if nothing.
std::string badLaunchOptions(const std::vector<std::string>& words);
std::string badStartOptions(const std::vector<std::string>& words);

/// Ends what a killed launcher left without a report, or what was only prepared.
int discardSession(const KnownSession& session, const std::function<void(const std::string&)>& say);

/// Rows of NAME, STATE, PID, PROGRAM, SINCE, and how to finish orphans; times in UTC.
std::string sessionList(const std::vector<KnownSession>& known);

}  // namespace lanescope::launch
