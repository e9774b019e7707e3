// SPDX-License-Identifier: Apache-2.0
// Files on a server, through SFTP version 3 (draft-ietf-secsh-filexfer-02) spoken over `ssh -s HOST sftp`. Why not
// commands there: it needs nothing of the server but what scp and rsync's users already have, also where no command may
// run; names need no quoting, whatever the shell; sizes and times are exact numbers; any part of a file can be read, so
// that a broken transfer goes on where it stopped.
//
// Nothing that the server says is trusted: packets, counts and names have limits. Reading keeps at most `kWindow` bytes
// in flight, whatever the file. One thread at a time; waits, and is woken when the job is stopped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/answers.h"
#include "model/remote/ssh_process.h"

namespace lanescope::remote {

struct FileFacts {
  std::uint64_t size = 0;  ///< bytes
  std::int64_t time = 0;  ///< of the last change, seconds since 1970
  bool isFolder = false, isFile = false;

  friend bool operator==(const FileFacts&, const FileFacts&) = default;
};

struct FolderEntry {
  std::string name;
  FileFacts facts = {};  ///< of what a link leads to
};

class Sftp {
 public:
  static constexpr std::size_t kPiece = 32u << 10, kWindow = 64 * kPiece;  ///< bytes
  static constexpr std::size_t kMostEntries = 100'000;

  /// Logs in to the target's host. The job is that of everything asked through it.
  static Result<Sftp> connect(const Ssh& ssh, const SshTarget& host, const Job& job);
  Sftp(Sftp&&) noexcept;
  Sftp& operator=(Sftp&&) noexcept;
  ~Sftp();

  const SshTarget& host() const;
  /// The most bytes of answers that lay in memory at once.
  std::size_t mostHeld() const;

  /// Whole, from the root on; of "." the user's home.
  Result<std::string> realPath(const std::string& path);
  Result<FileFacts> look(const std::string& path);
  /// Of a folder, without "." and ".."; sorted by name, at most kMostEntries.
  Result<std::vector<FolderEntry>> list(const std::string& path);

  /// A file open for reading, until the next one is.
  Result<FileFacts> open(const std::string& path);
  /// As it is by now.
  Result<FileFacts> lookAtOpen();
  /// The bytes of these parts of it, in order, in pieces of at most kPiece; fewer where it ends before. What `take` says
  /// is wrong ends it.
  Result<void> read(const std::vector<FilePart>& parts,
                    const std::function<Result<void>(std::string_view bytes)>& take);

  /// Copies a file there: under a name of its own, then moved over what is there. Makes the folders above it.
  Result<void> put(const std::string& localFile, const std::string& path, unsigned mode,
                   const std::function<void(std::uint64_t done, std::uint64_t whole)>& progress = {});
  /// Makes a folder and those above it.
  Result<void> makeFolder(const std::string& path);
  Result<void> remove(const std::string& path);

 private:
  struct Link;
  explicit Sftp(std::unique_ptr<Link> link);
  std::unique_ptr<Link> link_;
};

}  // namespace lanescope::remote
