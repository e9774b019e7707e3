// SPDX-License-Identifier: Apache-2.0
// The name of a report from what -o says: %p the program's process, %h the host, %n (or # at the end) the smallest
// number that gives a free name, %q{VARIABLE} the environment, %% a percent sign. Looked at twice: before the program
// starts, when its process is not known yet, so that nobody records an hour for a folder that cannot be written; and
// when the report is made, because others may have taken the name. Any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/error.h"

namespace lanescope::launch {

struct NameFacts {
  std::string host;
  std::function<const char*(const char*)> environment;  ///< null: not set
};

NameFacts factsOfThisMachine();

class OutputName {
 public:
  /// What -o says, with host and environment filled in. The error is a line for who typed it.
  static tl::expected<OutputName, std::string> read(std::string_view pattern, const NameFacts& facts);

  /// Refuses what could not be written later. Makes no file.
  Result<void> check(bool overwrite) const;

  /// Where every rank of a job was told the same name: with this rank's number in it.
  void addRank(std::string_view rank);
  /// Whether the name says more than letters: a process, a number, a variable.
  bool tellsApart() const { return tellsApart_; }

  bool countsUp() const { return has(kNumber); }

  /// The folder that the report will stand in.
  std::filesystem::path folder() const;

  /// The name as far as it is known without a process and a free number: for the folder of the recording.
  std::string label() const;

  /// The report's path. With a number in it: a free one; a taken name stays as it is.
  std::filesystem::path resolve(pid_t process) const;

 private:
  std::string filled(std::string_view process, std::string_view number) const;
  bool has(char macro) const { return pattern_.find(macro) != std::string::npos; }

  // Control characters stand for what is filled in last.
  static constexpr char kProcess = '\1', kNumber = '\2';
  std::string pattern_;
  bool tellsApart_ = false;
};

/// A pattern as it is meant where it was typed: a relative one under that folder.
std::string inFolder(std::string_view pattern, const std::filesystem::path& folder);
/// The rank of this process if its launcher's variables say that there are several.
std::optional<std::string> rankAmongSeveral(const NameFacts& facts);

/// The path itself if it is free, else one that carries `tag` and a number as well.
std::filesystem::path freeNameNear(const std::filesystem::path& path, std::string_view tag);

}  // namespace lanescope::launch
