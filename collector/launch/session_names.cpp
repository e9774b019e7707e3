// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_names.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "collector/launch/capture_control.h"
#include "collector/launch/clock.h"
#include "collector/launch/process_facts.h"
#include "collector/launch/session_folder.h"
#include "model/unique_fd.h"
#include "model/user_folders.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

using Refusal = tl::unexpected<std::string>;

/// Who changes entries holds it, so that nobody takes away what another has just made. Never held for long.
UniqueFd lock(const fs::path& place) {
  UniqueFd folder(open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  while (folder && flock(folder.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  return folder;
}

/// A number of a file of facts; 0 if it has none.
trace::Ns number(const fs::path& facts, std::string_view name) {
  return std::strtoll(readFact(facts, name).value_or("0").c_str(), nullptr, 10);
}

SessionState stateOf(const fs::path& folder, const std::optional<CaptureControl>& control) {
  if (!launcherLives(folder)) return SessionState::kOrphan;
  if (!control || control->state() == wire::Capture::kEnded) return SessionState::kEnding;
  if (control->state() == wire::Capture::kOn) return SessionState::kRecording;
  return isLaunched(folder) ? SessionState::kReady : SessionState::kWaiting;
}

/// None if the folder is gone.
std::optional<KnownSession> look(const fs::path& link) {
  std::error_code error;
  KnownSession session{.name = link.filename().string()};
  if (!fs::is_symlink(link, error)) {
    session.since = clockNow(CLOCK_REALTIME);
    struct stat found{};
    if (lstat(link.c_str(), &found) != 0) return std::nullopt;
    session.since = found.st_mtim.tv_sec * kSecond + found.st_mtim.tv_nsec;
    return session;
  }
  session.folder = fs::read_symlink(link, error);
  const fs::path facts = session.folder / "facts";
  if (error || !fs::exists(facts, error)) return std::nullopt;
  const auto control = CaptureControl::open(session.folder / "control");
  session.state = stateOf(session.folder, control);
  session.process = static_cast<pid_t>(number(facts, "program-pid"));
  session.program = readFact(facts, "command").value_or("");
  const trace::Ns changed = control ? control->changed() : 0;
  const trace::Ns started = number(facts, "start-realtime");
  session.since = changed > 0 ? clockNow(CLOCK_REALTIME) - (monotonicNow() - changed) : started;
  return session;
}

/// Entries that lead nowhere go: their launchers were killed, and what they left is recovered or removed.
std::vector<KnownSession> allIn(const fs::path& place) {
  std::vector<KnownSession> all;
  std::vector<std::string> stale;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.')) continue;
    auto session = look(entry.path());
    if (session) all.push_back(std::move(*session));
    else stale.push_back(name);
  }
  for (const std::string& name : stale) {
    unlink((place / name).c_str());
    unlink(socketOf(place, name).c_str());
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

Refusal taken(const KnownSession& session) {
  if (session.state == SessionState::kOrphan) {
    return Refusal(fmt::format("session {}: its launcher was killed; finish it with: lanescope recover '{}'",
                               session.name, session.folder.string()));
  }
  return Refusal(
      fmt::format("session {}: there is one of that name; choose another, or end it with: lanescope shutdown "
                  "--session={}",
                  session.name, session.name));
}

std::string cannot(const fs::path& path, int why) {
  return fmt::format("{}: {}; set XDG_RUNTIME_DIR to a folder that only you can look into", path.string(),
                     std::strerror(why));
}

}  // namespace

std::string_view nameOf(SessionState state) {
  constexpr std::string_view kNames[] = {"prepared", "waiting", "ready", "recording", "ending", "orphan"};
  return kNames[static_cast<std::size_t>(state)];
}

tl::expected<fs::path, std::string> sessionsFolder() {
  fs::path place = runtimeFolder("lanescope");
  if (mkdir(place.c_str(), 0700) != 0 && errno != EEXIST) return Refusal(cannot(place, errno));
  if (!isOursAlone(place)) return Refusal(cannot(place, EPERM));
  return place;
}

std::vector<KnownSession> knownSessions() {
  const auto place = sessionsFolder();
  if (!place) return {};
  const UniqueFd held = lock(*place);
  return allIn(*place);
}

std::string badSessionName(std::string_view name) {
  constexpr std::size_t kLongest = 48;  // what a socket's address has room for
  const auto isGood = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_.+@", c); };
  if (name.empty() || name.size() > kLongest || name[0] == '.' || name[0] == '-' ||
      !std::all_of(name.begin(), name.end(), isGood)) {
    return fmt::format("session {}: a name is 1 to {} letters, digits, or - _ . + @; choose another", name, kLongest);
  }
  return {};
}

tl::expected<SessionName, std::string> SessionName::enter(const std::string& name, const fs::path& folder) {
  if (std::string why = badSessionName(name); !why.empty()) return Refusal(std::move(why));
  const auto place = sessionsFolder();
  if (!place) return Refusal(place.error());
  const UniqueFd held = lock(*place);
  SessionName entry;
  const fs::path link = *place / name;
  for (int attempt = 0; symlink(folder.c_str(), link.c_str()) != 0; ++attempt) {
    if (errno != EEXIST || attempt > 0) return Refusal(cannot(link, errno));
    if (const auto known = look(link)) return taken(*known);
    unlink(link.c_str());
  }
  entry.link_ = link;
  return entry;
}

void SessionName::leave() {
  if (!link_.empty()) unlink(link_.c_str());
  link_.clear();
}

fs::path socketOf(const fs::path& sessions, const std::string& name) {
  return sessions / fmt::format(".{}.orders", name);
}

tl::expected<void, std::string> prepareSession(const std::string& name, const std::vector<std::string>& words) {
  if (std::string why = badSessionName(name); !why.empty()) return Refusal(std::move(why));
  const auto place = sessionsFolder();
  if (!place) return Refusal(place.error());
  const UniqueFd held = lock(*place);
  const fs::path path = *place / name;
  if (const auto known = look(path)) return taken(*known);
  unlink(path.c_str());
  const int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600);
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int why = errno;
  if (file >= 0) close(file);
  if (!written) return Refusal(cannot(path, why));
  return {};
}

tl::expected<Prepared, std::string> takePrepared(const std::string& name) {
  const auto place = sessionsFolder();
  if (!place) return Prepared{};  // who needs one is told when it is entered
  const UniqueFd held = lock(*place);
  std::vector<std::string> names;
  for (const KnownSession& session : allIn(*place)) {
    const bool isMeant = name.empty() || session.name == name;
    if (session.state == SessionState::kPrepared && isMeant) names.push_back(session.name);
  }
  if (names.empty()) return Prepared{};
  if (names.size() > 1) {
    return Refusal(fmt::format("sessions {} are prepared; name one with --session-new=NAME", fmt::join(names, ", ")));
  }
  const fs::path path = *place / names.front();
  Prepared prepared{names.front(), {}};
  std::ifstream in(path, std::ios::binary);
  for (std::string word; std::getline(in, word, '\0');) prepared.words.push_back(word);
  unlink(path.c_str());
  return prepared;
}

}  // namespace lanescope::launch
