// SPDX-License-Identifier: Apache-2.0
// A real OpenSSH server on loopback, with keys, port and configuration of its own in a folder that goes with it, and the
// client to reach it with. Nothing of the user's ~/.ssh is read or written. Logs in as the user who runs the test; as
// root also by the password "open sesame". The client finds it as host "lanescope-test", or by any other name that is
// given to it; $XDG_RUNTIME_DIR and $XDG_CACHE_HOME lead into the folder while it lives, and $HOME of what it runs, so that
// nothing the user's shell sets up slows or fails a test.
//
//   LANESCOPE_NEEDS_SSHD();
//   test::SshServer server;
//   remote::run(server.client(), server.target(), {"echo", "hello"}, {}, Job());
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "model/remote/ssh_process.h"
#include "tests/support/files.h"

namespace lanescope::test {

/// Why there can be none here; empty if it can.
std::string whyNoSshServer();

#define LANESCOPE_NEEDS_SSHD() \
  if (const std::string why = lanescope::test::whyNoSshServer(); !why.empty()) GTEST_SKIP() << why

class SshServer {
 public:
  /// `configuration`: lines for sshd_config, before ours, of which the first counts.
  explicit SshServer(const std::string& configuration = "");
  ~SshServer();
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;

  int port() const { return port_; }
  std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
  std::filesystem::path key() const { return folder_ / "user_key"; }

  /// A client that is let in. `configuration`: lines of ssh_config for this host, before ours.
  remote::Ssh client(const std::string& configuration = "") const;
  /// Of the client: what $LANESCOPE_SSH is to be.
  std::string program(const std::string& configuration = "") const { return client(configuration).program; }
  /// Lines for another client's configuration, which make this server known under that name.
  std::string hostEntry(const std::string& name, const std::string& configuration = "") const;

  remote::SshTarget target(const std::filesystem::path& path = {}) const;

  /// With SIGKILL, and every connection with it; what it served stays in its folder.
  void kill();
  /// Again on its port.
  void start();
  /// ssh-keygen: the server is another from the next start() on, or the key takes this pass phrase.
  void changeHostKey();
  void protectKey(const std::string& passPhrase);

  /// What sshd wrote on its stderr, once it has ended.
  std::string log();

 private:
  bool tryToStart();

  TemporaryFolder folder_;
  int port_ = 0;
  pid_t process_ = 0;
  std::string log_;
  std::jthread reader_;
  std::map<std::string, std::string> environment_;  // as it was before
};

}  // namespace lanescope::test
