// SPDX-License-Identifier: Apache-2.0
// Copies of files of servers (model/kept_files.h). A copy is known by address, size, time of the last change and samples
// of the content (model/answers.h), so that another version is another copy, and one that changed in place without a
// trace in size and time is found out too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "model/job.h"
#include "model/kept_files.h"
#include "model/remote/sftp.h"

namespace lanescope::remote {

/// What a file on a server is at a time.
struct Identity {
  SshTarget target;
  FileFacts facts;
  std::string content;  ///< contentKey() of it
};

/// Under the name that the file has on the server.
using Copy = KeptFile;

class RemoteCache {
 public:
  /// `folder` empty: the user's.
  explicit RemoteCache(std::filesystem::path folder = {}, std::uintmax_t most = KeptFiles::kMost);

  /// The whole copy of this version, if there is one.
  std::optional<Copy> find(const Identity& identity) const;

  /// The place for this version; waits while another process fills it.
  Result<Copy> enter(const Identity& identity, const Job& job) const;

  /// What there was of other versions of this file.
  using Others = KeptFiles::Held;
  /// Removes them, but for those in use.
  Others dropOthers(const Identity& identity) const;

  /// Lets go of the oldest until so many bytes more have room within the bound; kDiskFull if the disk has less free.
  Result<void> makeRoom(const Copy& place, std::uintmax_t bytes) const { return files_.makeRoom(place, bytes); }

 private:
  KeptFiles files_;
};

}  // namespace lanescope::remote
