// SPDX-License-Identifier: Apache-2.0
// Recordings that outlive whoever began them, as a viewer or a connection that may be gone before they end: each in a
// process of its own and with a folder under the user's cache folder that tells how it stands.
//
//   ID/facts    "name=value" lines: who runs it, what, where, since when, its exit status at the end
//   ID/output   what the program and the recorder wrote
//   ID/reports  a path a line
//
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "collector/launch/options.h"
#include "collector/launch/recording.h"

namespace lanescope::launch {

enum class DetachedState {
  kRuns,
  kEnded,
  kKilled,  ///< whoever ran it is gone without a last word
};
std::string_view nameOf(DetachedState state);

struct Detached {
  std::string id;
  std::filesystem::path folder;  ///< its own
  DetachedState state = DetachedState::kRuns;
  std::string command = {};  ///< of the program, as a shell reads it
  std::string from = {};  ///< the folder it was begun in
  trace::Ns began = 0;  ///< CLOCK_REALTIME
  int status = 0;  ///< of kEnded
  std::vector<std::string> reports = {};  ///< absolute paths
  std::string left = {};  ///< what `recover` takes, of kKilled; or of kRuns, while it records
};

/// Newest first.
std::vector<Detached> detachedRecordings();
/// The error is a line for the user.
tl::expected<Detached, std::string> detachedRecording(const std::string& id);

/// Begins one in a new session of processes and returns its id; `audience` speaks there, into its output.
tl::expected<std::string, std::string> beginDetached(Options options, const Audience& audience);

/// As a terminal's Ctrl+C does: the program is asked to end, what was recorded becomes a report.
tl::expected<void, std::string> stopDetached(const Detached& recording);
/// No report; the program is asked to end.
tl::expected<void, std::string> cancelDetached(const Detached& recording);
/// A report of what a killed one left. The exit status of `recover`.
int finishDetached(const Detached& recording, const Audience& audience);
/// Forgets one that has ended, with its output; its reports stay.
tl::expected<void, std::string> removeDetached(const Detached& recording);

/// Forgets those that have ended and are of no more use: all their reports are gone, or they ended 30 days ago. What
/// `finish` could make a report of stays.
void pruneDetached();

/// What there is new about one, told as it comes until it has ended: a JSON object a line with one of the members
/// "output" (text), "skipped" (bytes of output before it), "bytes" and "events" (so far), "report" (a path), "status"
/// (the last one), "left" (likewise, of a killed one).
void followDetached(const std::string& id, const std::function<void(const std::string& line)>& tell);

}  // namespace lanescope::launch
