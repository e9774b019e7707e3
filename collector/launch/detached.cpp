// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/detached.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "collector/launch/clock.h"
#include "collector/launch/session_commands.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/session_names.h"
#include "model/shell_words.h"
#include "model/user_folders.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

using Refusal = tl::unexpected<std::string>;
using Done = tl::expected<void, std::string>;

fs::path placeOfRecordings() { return cacheFolder("recordings"); }

bool isId(std::string_view id) {
  return !id.empty() && std::ranges::all_of(id, [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
}

std::string sessionOf(std::string_view id) { return fmt::format("recording-{}", id); }

fs::path sessionFolderOf(const std::string& id) {
  for (const KnownSession& known : knownSessions()) {
    if (known.name == sessionOf(id)) return known.folder;
  }
  return {};
}

std::vector<std::string> linesOf(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Detached read(const fs::path& folder) {
  const fs::path facts = folder / "facts";
  Detached found{.id = folder.filename(), .folder = folder};
  const bool lives = launcherLives(folder);  // asked first: it may end meanwhile
  const auto status = readFact(facts, "status");
  found.state = status ? DetachedState::kEnded : lives ? DetachedState::kRuns : DetachedState::kKilled;
  found.status = status ? std::atoi(status->c_str()) : 0;
  found.command = readFact(facts, "command").value_or("");
  found.from = readFact(facts, "from").value_or("");
  found.began = std::strtoll(readFact(facts, "began").value_or("0").c_str(), nullptr, 10);
  found.reports = linesOf(folder / "reports");
  if (found.state != DetachedState::kEnded) found.left = sessionFolderOf(found.id);
  return found;
}

tl::expected<fs::path, std::string> makeFolder() {
  const fs::path place = placeOfRecordings();
  if (place.empty()) return Refusal("neither XDG_CACHE_HOME nor HOME is set; set one of them");
  std::error_code error;
  fs::create_directories(place, error);
  fs::path folder = place / fmt::format("{:%Y%m%d-%H%M%S}-{}", fmt::localtime(std::time(nullptr)), getpid());
  if (error || !fs::create_directory(folder, error)) {
    return Refusal(fmt::format("{}: cannot be made: {}; check its rights and the disk", folder.string(),
                               error ? error.message() : "it is there already"));
  }
  fs::permissions(folder, fs::perms::owner_all, error);
  return folder;
}

/// Out of the terminal, the connection and the signals that end with them.
bool standAlone(const fs::path& output) {
  setsid();
  for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int in = open("/dev/null", O_RDONLY);
  const int out = open(output.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  return in >= 0 && out >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0 &&
         (in <= 2 || close(in) == 0) && (out <= 2 || close(out) == 0);
}

Audience withReports(const Audience& audience, const fs::path& folder) {
  Audience all = audience;
  all.reportReady = [folder, then = audience.reportReady](const fs::path& report, const Options& options) {
    std::ofstream(folder / "reports", std::ios::app) << fs::absolute(report).lexically_normal().string() << '\n';
    then(report, options);
  };
  return all;
}

[[noreturn]] void runAlone(const Options& options, const Audience& audience, const fs::path& folder) {
  constexpr int kNoOutput = 3;
  if (!standAlone(folder / "output")) _exit(kNoOutput);
  const int status = record(options, withReports(audience, folder));
  [[maybe_unused]] const auto ended = addFactsTo(folder, {{"status", std::to_string(status)}});
  std::fflush(nullptr);
  _exit(0);
}

Done signalTo(const Detached& recording, int signal) {
  if (recording.state != DetachedState::kRuns || !launcherLives(recording.folder)) {
    return Refusal(fmt::format("recording {} has ended", recording.id));
  }
  const int process = std::atoi(readFact(recording.folder / "facts", "launcher-pid").value_or("0").c_str());
  if (process <= 1 || kill(process, signal) != 0) {
    return Refusal(fmt::format("recording {}: {}", recording.id, std::strerror(errno)));
  }
  return {};
}

bool isGone(const fs::path& file) {
  std::error_code error;
  return fs::status(file, error).type() == fs::file_type::not_found;
}

bool isOfNoUse(const Detached& recording) {
  constexpr std::chrono::hours kKept(24 * 30);
  if (recording.state == DetachedState::kRuns || !recording.left.empty()) return false;
  std::error_code error;
  const auto ended = fs::last_write_time(recording.folder / "facts", error);  // the status was written last
  if (error) return false;
  if (fs::file_time_type::clock::now() - ended > kKept) return true;
  return !recording.reports.empty() && std::ranges::all_of(recording.reports, isGone);
}

}  // namespace

std::string_view nameOf(DetachedState state) {
  switch (state) {
    case DetachedState::kRuns:
      return "runs";
    case DetachedState::kEnded:
      return "ended";
    case DetachedState::kKilled:
      return "killed";
  }
  return "";
}

std::vector<Detached> detachedRecordings() {
  std::vector<Detached> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(placeOfRecordings(), error)) {
    if (isId(entry.path().filename().string())) all.push_back(read(entry.path()));
  }
  std::ranges::sort(all, std::ranges::greater(), [](const Detached& one) { return std::pair(one.began, one.id); });
  return all;
}

tl::expected<Detached, std::string> detachedRecording(const std::string& id) {
  std::error_code error;
  const fs::path folder = placeOfRecordings() / id;
  if (!isId(id) || !fs::is_directory(folder, error)) {
    return Refusal(fmt::format("recording {}: there is none of that number; see: lanescope recordings list", id));
  }
  return read(folder);
}

void pruneDetached() {
  for (const Detached& recording : detachedRecordings()) {
    if (isOfNoUse(recording)) [[maybe_unused]]
      const auto gone = removeDetached(recording);
  }
}

tl::expected<std::string, std::string> beginDetached(Options options, const Audience& audience) {
  const auto folder = makeFolder();
  if (!folder) return Refusal(folder.error());
  std::string id = folder->filename();
  options.session = sessionOf(id);
  std::error_code error;
  // This process until the other has said that it is it: nobody shall find the recording killed before it begins.
  Facts facts = launcherFacts();
  facts.emplace_back("command", shellLine(options.program));
  facts.emplace_back("from", fs::current_path(error).string());
  facts.emplace_back("began", std::to_string(clockNow(CLOCK_REALTIME)));
  if (const auto done = addFactsTo(*folder, facts); !done) return Refusal(sentence(done.error()));
  std::fflush(nullptr);
  int told[2];
  if (pipe2(told, O_CLOEXEC) != 0) return Refusal(fmt::format("no pipe: {}", std::strerror(errno)));
  const pid_t between = fork();  // so that it is nobody's child: what ends all that a connection started spares it
  if (between == 0) {
    const pid_t alone = fork();
    if (alone != 0) _exit(alone < 0 ? 1 : 0);
    [[maybe_unused]] const auto begun = addFactsTo(*folder, launcherFacts());
    close(told[1]);
    runAlone(options, audience, *folder);
  }
  close(told[1]);
  char end = 0;
  while (between > 0 && ::read(told[0], &end, 1) < 0 && errno == EINTR) {
  }
  close(told[0]);
  int status = 0;
  if (between < 0 || waitpid(between, &status, 0) != between || status != 0) {
    fs::remove_all(*folder, error);
    return Refusal("no process can be started for the recording; end some");
  }
  return id;
}

Done stopDetached(const Detached& recording) { return signalTo(recording, SIGINT); }

Done cancelDetached(const Detached& recording) {
  constexpr useconds_t kMoment = 50'000;
  // It may be so young that it takes no orders yet.
  while (launcherLives(recording.folder) && sessionFolderOf(recording.id).empty() &&
         !readFact(recording.folder / "facts", "status")) {
    usleep(kMoment);
  }
  std::string answer;
  const int status = tellSession(sessionOf(recording.id), {"cancel"}, Patience::kLong,
                                 [&](const std::string& line) { answer = line; });
  if (status != 0) return Refusal(answer);
  // Its program may have ended by itself.
  [[maybe_unused]] const auto asked = signalTo(recording, SIGTERM);
  return {};
}

int finishDetached(const Detached& recording, const Audience& audience) {
  if (recording.state != DetachedState::kKilled || recording.left.empty()) {
    audience.say(fmt::format("recording {}: nothing is left to recover", recording.id));
    return 2;
  }
  const int status = recover(recording.left, {}, false, withReports(audience, recording.folder));
  [[maybe_unused]] const auto ended = addFactsTo(recording.folder, {{"status", std::to_string(status)}});
  return status;
}

Done removeDetached(const Detached& recording) {
  if (recording.state == DetachedState::kRuns) {
    return Refusal(
        fmt::format("recording {} runs; end it with: lanescope recordings stop {}", recording.id, recording.id));
  }
  if (!recording.left.empty()) removeSession(recording.left);
  std::error_code error;
  fs::remove_all(recording.folder, error);
  if (error) return Refusal(fmt::format("{}: {}", recording.folder.string(), error.message()));
  return {};
}

}  // namespace lanescope::launch
