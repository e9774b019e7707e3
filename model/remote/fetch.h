// SPDX-License-Identifier: Apache-2.0
// A file of a server, as a whole and unchanged copy on this machine's disk. What is opened is never half of a file: it is
// copied beside, held against size, time and samples of the content that it had when it was asked for, flushed, and only
// then gets its name. What came over before a connection broke is kept and compared at its end before the rest follows.
// Memory: Sftp::kWindow and the samples, whatever the file.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "model/remote/cache.h"

namespace lanescope::remote {

/// How far a transfer is, in bytes.
struct Transfer {
  std::uint64_t done = 0, whole = 0;
  std::uint64_t before = 0;  ///< of `done`, what was there from an earlier try
};

/// Copied, or found in the cache.
struct Fetched {
  Copy copy;
  std::string address;
  bool wasKept = false;
  std::string remark = {};  ///< what the user ought to know: that it changed since, that it went on; may be empty
};

/// What the file is now. Refuses folders, devices, and what an SQLite journal beside it says is being written.
/// The file stays open in `sftp`.
Result<Identity> identify(Sftp& sftp, const std::string& path);

/// `identity` as identify() has just given it.
Result<Fetched> fetch(Sftp& sftp, const Identity& identity, const RemoteCache& cache,
                      const std::function<void(const Transfer&)>& progress, const Job& job);

/// From the first word to the server on, into the user's cache.
Result<Fetched> fetch(const Ssh& ssh, const SshTarget& target, const std::function<void(const Transfer&)>& progress,
                      const Job& job);

/// Rate and time left, from what came within the last five seconds. Times in ns of a clock that goes on.
class Pace {
 public:
  /// "412 MB of 1.20 GB, 85.0 MB/s, 9 s left".
  std::string text(const Transfer& transfer, std::int64_t now);

 private:
  struct Mark {
    std::int64_t time;
    std::uint64_t done;
  };
  std::deque<Mark> marks_;
};

}  // namespace lanescope::remote
