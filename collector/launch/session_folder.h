// SPDX-License-Identifier: Apache-2.0
// The folder of a recording under way (wire/session.h), as the launcher has it: made beside the report so that all lies
// on one disk, only its owner may look in, and it stays until remove(), so that what a killed launcher leaves can be
// recovered. The rings lie in memory where that has room, which survives every process. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/launch/capture_control.h"
#include "collector/launch/options.h"
#include "model/error.h"

namespace lanescope::launch {

using Facts = std::vector<std::pair<std::string, std::string>>;

class SessionFolder {
 public:
  /// ".LABEL.PID.recording" in `folder`, with its control page.
  static Result<SessionFolder> create(const std::filesystem::path& folder, std::string_view label);

  const std::filesystem::path& path() const { return path_; }
  CaptureControl& control() { return control_; }

  /// What the processes are to record; before the program starts.
  Result<void> writeOptions(const Options& options, const std::string& cupti, const Facts& more = {});

  /// Adds to the facts; a later line of a name replaces an earlier one.
  Result<void> addFacts(const Facts& facts);

  /// Whether the disk could take one more chunk, and a report of all that is recorded then.
  bool leavesRoom() const;

  void remove();

 private:
  std::filesystem::path path_;
  CaptureControl control_;
};

/// The processes that record into a folder and still run.
std::size_t livingProcesses(const std::filesystem::path& session);

/// Adds to the facts of any folder.
Result<void> addFactsTo(const std::filesystem::path& session, const Facts& facts);

/// The "name=value" lines of a file; the last of a name counts.
std::optional<std::string> readFact(const std::filesystem::path& file, std::string_view name);

/// What a launcher writes about itself, and whether the one that wrote them still runs.
Facts launcherFacts();
bool launcherLives(const std::filesystem::path& session);

/// Whether it is of `launch`, so that it may have several recordings.
bool isLaunched(const std::filesystem::path& session);

/// How long the files are that are being written, by name. What is left by processes that are gone counts as endless:
/// nobody changes it any more, and part of it may be in their rings.
std::map<std::string, std::uint64_t> sizesOfStreams(const std::filesystem::path& session);

/// The folder and its rings in memory.
void removeSession(const std::filesystem::path& session);

}  // namespace lanescope::launch
