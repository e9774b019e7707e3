// SPDX-License-Identifier: Apache-2.0
// The system's OpenSSH client as a child, without a shell between: everything in ~/.ssh/config, agents, jump hosts,
// known hosts, passwords and second factors are its business and work as they do at the prompt. It asks on the terminal,
// or, where `askpass` is set, through that program. We never see what it is told, and keep nothing of it.
//
// The first connection to a host is kept for two minutes after its last use (ControlMaster, its socket in a folder of
// this user alone), so that browsing, fetching and running ask for one login.
//
// One thread at a time; it waits in receive(), and a stop of the job wakes it. The child ends with its object.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"
#include "model/remote/ssh_target.h"
#include "model/unique_fd.h"

namespace lanescope::remote {

/// How ssh is to be run.
struct Ssh {
  std::string program = "ssh";
  /// A program that asks the user in a window, told the question as its only word, with LANESCOPE_ASKPASS=1 in its
  /// environment. Empty: ssh asks on the terminal.
  std::string askpass = {};
  /// "NAME=VALUE", for the environment of that program.
  std::vector<std::string> forAskpass = {};
  /// A line that the server or ssh says to the user: a banner, what a second factor wants.
  std::function<void(std::string_view line)> onNotice = {};

  /// $LANESCOPE_SSH is the program, if set.
  static Ssh fromEnvironment();
};

class SshProcess {
 public:
  /// `command` is for the user's shell there; a subsystem's name if `subsystem`.
  static Result<SshProcess> start(const Ssh& ssh, const SshTarget& host, const std::string& command, bool subsystem,
                                  const Job& job);
  SshProcess(SshProcess&&) noexcept;
  SshProcess& operator=(SshProcess&&) noexcept;
  ~SshProcess();  ///< ends ssh, and with it what it ran if that reads or writes

  /// Takes it at once; goes out in receive().
  void send(std::string_view bytes);
  /// No more comes from us, once what was sent is out.
  void closeInput();

  /// Waits for something and appends it: to `into` what came over, to `errors` what the program there wrote to its
  /// stderr (where null, its lines are notices). False: it has ended, and all of it is there.
  Result<bool> receive(std::string& into, std::string* errors = nullptr);

  /// Of what has ended: ssh's exit status, the command's own or 255.
  int exitStatus() const;

  /// Why it ended before its time, as ssh says.
  Error failure() const;

 private:
  struct Child;
  explicit SshProcess(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

/// What a command there writes comes as it is written, in pieces of any size.
struct Streams {
  std::string input = {};  ///< all that it can read
  std::function<void(std::string_view bytes)> onOutput = {}, onErrors = {};
};

/// Runs a command there and returns its exit status; of a signal 128 + its number, as shells have it. The words reach it
/// as they are, whatever shell the user has there; ~ and $ mean nothing in them. A lost connection is an error and
/// leaves running what neither reads nor writes.
Result<int> run(const Ssh& ssh, const SshTarget& host, const std::vector<std::string>& words, const Streams& streams,
                const Job& job);

/// What ssh's own words mean for this address.
Error explain(const std::string& address, std::string_view log);

}  // namespace lanescope::remote
