// SPDX-License-Identifier: Apache-2.0
// Copies of files of servers, under the user's cache folder. A copy is known by address, size, time of the last change and
// samples of the content (model/answers.h), so that another version is another copy, and one that changed in place
// without a trace in size and time is found out too. Bounded: those used longest ago go first, but none that somebody
// uses. What is on its way lies apart under "part", where it survives a broken transfer; under its name a file is whole.
//
// Any number of processes: each copy has a lock, exclusive for who fills or removes it, shared for who uses it, held as
// long as the object lives and gone with its process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "model/job.h"
#include "model/remote/sftp.h"
#include "model/unique_fd.h"

namespace lanescope::remote {

/// What a file on a server is at a time.
struct Identity {
  SshTarget target;
  FileFacts facts;
  std::string content;  ///< contentKey() of it
};

/// A place of the cache, locked: of a whole file for its use, else for filling it.
struct Copy {
  std::filesystem::path folder;
  std::filesystem::path file = {};  ///< under the name that it has on the server
  bool whole = false;
  UniqueFd lock = UniqueFd();

  std::filesystem::path part() const { return folder / "part"; }
  /// Flushes what lies under part() to the disk and gives it its name. The lock becomes one for use.
  Result<void> finish();
};

class RemoteCache {
 public:
  static constexpr std::uintmax_t kMost = std::uintmax_t{20} << 30;  ///< bytes

  /// `folder` empty: the user's.
  explicit RemoteCache(std::filesystem::path folder = {}, std::uintmax_t most = kMost);

  /// The whole copy of this version, if there is one.
  std::optional<Copy> find(const Identity& identity) const;

  /// The place for this version; waits while another process fills it.
  Result<Copy> enter(const Identity& identity, const Job& job) const;

  /// What there was of other versions of this file.
  struct Others {
    bool whole = false, part = false;
  };
  /// Removes them, but for those in use.
  Others dropOthers(const Identity& identity) const;

  /// Lets go of the oldest until so many bytes more have room within the bound; kDiskFull if the disk has less free.
  Result<void> makeRoom(const Copy& place, std::uintmax_t bytes) const;

 private:
  std::filesystem::path placeOf(const Identity& identity) const;

  std::filesystem::path folder_;  // empty: nowhere
  std::uintmax_t most_;
};

}  // namespace lanescope::remote
