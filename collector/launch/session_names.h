// SPDX-License-Identifier: Apache-2.0
// The sessions of this user on this machine, by name: a folder that only its owner may look into ($XDG_RUNTIME_DIR/lanescope,
// else one in /run/user or /tmp) holds for each a link to the folder of its recording, the socket that takes orders
// (session_orders.h), or the options of a recording whose program is still to come. What a killed launcher left shows as
// an orphan as long as there is something to recover, and goes unseen after that. Any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::launch {

/// Where they are; made if it is missing. The error is a line for the user.
tl::expected<std::filesystem::path, std::string> sessionsFolder();

enum class SessionState {
  kPrepared,  ///< `start` came before `launch`
  kWaiting,  ///< of `profile`: its recording has not begun
  kReady,  ///< of `launch`: nothing is recorded now
  kRecording,
  kEnding,
  kOrphan,  ///< its launcher is gone
};
std::string_view nameOf(SessionState state);

struct KnownSession {
  std::string name;
  SessionState state = SessionState::kPrepared;
  std::filesystem::path folder = {};  ///< of the recording; none if prepared
  pid_t process = 0;  ///< the program's
  std::string program = {};
  trace::Ns since = 0;  ///< CLOCK_REALTIME; when it came into this state, 0 if nobody knows

  bool lives() const { return state != SessionState::kPrepared && state != SessionState::kOrphan; }
  bool operator==(const KnownSession&) const = default;
};

/// By name. Entries of sessions that left nothing go.
std::vector<KnownSession> knownSessions();

/// What is wrong with a name that somebody wants to give; empty if nothing.
std::string badSessionName(std::string_view name);

/// A session's entry, which goes with it.
class SessionName {
 public:
  SessionName() = default;
  /// Refuses a name that is taken. The folder must say who its launcher is.
  static tl::expected<SessionName, std::string> enter(const std::string& name, const std::filesystem::path& folder);
  SessionName(SessionName&& other) noexcept : link_(std::exchange(other.link_, {})) {}
  SessionName& operator=(SessionName&& other) noexcept {
    std::swap(link_, other.link_);
    return *this;
  }
  ~SessionName() { leave(); }

  void leave();
  std::string name() const { return link_.filename(); }

 private:
  std::filesystem::path link_;
};

std::filesystem::path socketOf(const std::filesystem::path& sessions, const std::string& name);

/// The folder that a recording's -o is meant from and its options, kept until its program starts.
tl::expected<void, std::string> prepareSession(const std::string& name, const std::vector<std::string>& words);
/// Takes what was prepared away; without a name the only one that was. None: an empty name.
struct Prepared {
  std::string name;
  std::vector<std::string> words;
};
tl::expected<Prepared, std::string> takePrepared(const std::string& name);

}  // namespace lanescope::launch
