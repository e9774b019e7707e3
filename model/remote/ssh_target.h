// SPDX-License-Identifier: Apache-2.0
// ssh://[user@]host[:port]/path: a file, a folder or only a host (an empty path). /~/x is below the user's home there;
// %20 is a space. The host is whatever ~/.ssh/config knows too. What is typed or read from a list may be hostile: hosts
// and users that ssh or its ProxyCommand could take for an option or a command are refused, as are control characters
// and passwords, which would stand in histories and lists of processes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"

namespace lanescope::remote {

struct SshTarget {
  std::string user = {};  ///< empty: as ssh decides
  std::string host = {};  ///< a name or an IP address, without brackets
  int port = 0;  ///< 0: as ssh decides
  std::string path = {};  ///< as the server takes it: decoded, not beginning with ~/ but relative to the home

  /// An address that parses to the same.
  std::string address() const;
  /// "user@host:port", for people.
  std::string place() const;
  /// The last part of the path; empty of a folder's that ends in a slash.
  std::string fileName() const;
  SshTarget at(std::string_view otherPath) const;

  friend bool operator==(const SshTarget&, const SshTarget&) = default;
};

bool isSshAddress(std::string_view text);

Result<SshTarget> parseSshTarget(std::string_view text);

/// What people type to name a host, where ssh:// may be left out.
Result<SshTarget> parseSshHost(const std::string& text);

/// Why ssh must not be given this host or user; empty if it may.
std::string_view whyNoHost(std::string_view host);

/// The words as any POSIX shell reads them back; lanescope::shellLine() is for people, whose shells know $'…'.
std::string shellWords(const std::vector<std::string>& words);

}  // namespace lanescope::remote
