// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_commands.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "collector/launch/capture_control.h"
#include "collector/launch/clock.h"
#include "collector/launch/given.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/session_orders.h"
#include "model/utf8.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

using Refusal = tl::unexpected<std::string>;
using Say = std::function<void(const std::string&)>;

constexpr int kBadUsage = 2, kNotFinished = 3;

std::string namesOf(const std::vector<KnownSession>& sessions) {
  std::string names;
  for (const KnownSession& session : sessions) names += (names.empty() ? "" : ", ") + session.name;
  return names;
}

std::string noneOfThatName(const std::string& name, const std::vector<KnownSession>& known) {
  constexpr const char* kBegin = "begin one with: lanescope launch --session-new=NAME PROGRAM";
  if (known.empty()) return fmt::format("session {}: there is none of that name; {}", name, kBegin);
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const KnownSession& session : known) names.push_back(session.name);
  const std::string_view close = nearest(name, names);
  if (!close.empty()) return fmt::format("session {}: there is none of that name; did you mean {}?", name, close);
  return fmt::format("session {}: there is none of that name; there are: {}", name, namesOf(known));
}

std::string orphaned(const KnownSession& session) {
  return fmt::format("session {}: its launcher was killed; finish it with: lanescope recover '{}'", session.name,
                     session.folder.string());
}

std::string utc(trace::Ns time) {
  return time > 0 ? fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(time / kSecond))) : "-";
}

std::string refused(const std::vector<std::string>& words, const std::function<std::string(const OptionRow&)>& why) {
  const auto given = readGiven(words);
  if (!given) return given.error();
  for (const Given& one : given->options) {
    if (std::string reason = why(*one.row); !reason.empty()) return fmt::format("{}: {}", nameOf(one), reason);
  }
  return {};
}

std::string whyNoRange(const OptionRow& row) {
  constexpr std::string_view kOfRanges[] = {"capture-range", "capture-range-end", "nvtx-capture", "hotkey-capture"};
  if (std::find(std::begin(kOfRanges), std::end(kOfRanges), row.name) == std::end(kOfRanges)) return {};
  return "a range cannot begin a recording of a session yet; use: lanescope profile --capture-range";
}

}  // namespace

tl::expected<KnownSession, std::string> chosenSession(const std::string& name, const std::vector<KnownSession>& known) {
  if (!name.empty()) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == name; });
    if (found == known.end()) return Refusal(noneOfThatName(name, known));
    return *found;
  }
  std::vector<KnownSession> living, others;
  for (const KnownSession& session : known) (session.lives() ? living : others).push_back(session);
  if (living.empty() && others.size() == 1) return others.front();
  if (living.size() == 1) return living.front();
  if (living.empty()) {
    return Refusal(others.empty() ? "no session is there; begin one with: lanescope launch PROGRAM"
                                  : fmt::format("no session runs, but there are {}; see: lanescope sessions list",
                                                namesOf(others)));
  }
  return Refusal(fmt::format("several sessions run: {}; name one with --session=NAME", namesOf(living)));
}

int tellSession(const std::string& name, const std::vector<std::string>& order, Patience patience, const Say& say) {
  const auto refuse = [&](const std::string& why, int status = kBadUsage) {
    say(why);
    return status;
  };
  const auto session = chosenSession(name, knownSessions());
  if (!session) return refuse(session.error());
  if (session->state == SessionState::kOrphan) return refuse(orphaned(*session));
  if (session->state == SessionState::kPrepared) {
    return refuse(fmt::format("session {} has no program yet; start it with: lanescope launch --session={} PROGRAM",
                              session->name, session->name));
  }
  const auto place = sessionsFolder();
  if (!place) return refuse(place.error());
  constexpr trace::Ns kFirstAnswer = 5 * kSecond, kMoment = 700'000'000, kLong = 30 * 24 * 3600 * kSecond;
  const Answer answer = giveOrder(
      socketOf(*place, session->name), order, [](const std::string&) {},
      [&](int lines) { return lines == 0                    ? kFirstAnswer
                              : patience == Patience::kLong ? kLong
                                                            : kMoment; });
  // Silent after it said what it does, that goes on.
  const bool goesOn = answer.end == Answer::kSilent && !answer.line.empty();
  if (answer.end == Answer::kDone || goesOn) {
    say(answer.line);
    return answer.status;
  }
  if (answer.end == Answer::kSilent) {
    return refuse(fmt::format("session {} does not answer: its launcher writes a report or is stopped; see: lanescope "
                              "sessions list",
                              session->name),
                  kNotFinished);
  }
  for (const KnownSession& known : knownSessions()) {
    if (known.name == session->name && known.state == SessionState::kOrphan)
      return refuse(orphaned(known), kNotFinished);
  }
  return refuse(fmt::format("session {} ended meanwhile; what it recorded is told where it was started", session->name),
                kNotFinished);
}

int startRecording(const StartRequest& request, const Say& say) {
  const auto refuse = [&](const std::string& why) {
    say(why);
    return kBadUsage;
  };
  if (std::string why = badStartOptions(request.words); !why.empty()) return refuse(why);
  std::error_code error;
  std::vector<std::string> fromHere{fs::current_path(error).string()};
  fromHere.insert(fromHere.end(), request.words.begin(), request.words.end());
  if (!request.newName.empty()) {
    if (!request.name.empty()) return refuse("--session and --session-new: only one of them");
    const auto done = prepareSession(request.newName, fromHere);
    if (!done) return refuse(done.error());
    say(fmt::format("session {} is prepared and records as soon as: lanescope launch --session={} PROGRAM",
                    request.newName, request.newName));
    return 0;
  }
  std::vector<std::string> order{"start"};
  order.insert(order.end(), fromHere.begin(), fromHere.end());
  return tellSession(request.name, order, Patience::kShort, say);
}

std::string badLaunchOptions(const std::vector<std::string>& words) {
  return refused(words, [](const OptionRow& row) -> std::string {
    for (const std::string_view name : {"delay", "duration", "stop-on-exit", "start-later"}) {
      if (row.name == name) return "when to record is said to: lanescope start";
    }
    if (row.name == "kill") return "how to end the program is said to: lanescope shutdown";
    if (row.name == "max-size") return "a session is not bounded yet; use: lanescope profile --max-size";
    return whyNoRange(row);
  });
}

std::string badStartOptions(const std::vector<std::string>& words) {
  constexpr auto kTaken = std::to_array<std::string_view>(
      {"output", "force-overwrite", "stats", "export", "delay", "duration", "stop-on-exit"});
  const auto given = readGiven(words);
  if (given && !given->program.empty()) {
    return fmt::format("{}: start takes no program; start it with: lanescope launch PROGRAM", given->program.front());
  }
  return refused(words, [&](const OptionRow& row) -> std::string {
    if (std::string why = whyNoRange(row); !why.empty()) return why;
    if (std::find(kTaken.begin(), kTaken.end(), row.name) != kTaken.end()) return {};
    return "what to record is said before the program starts, to: lanescope launch";
  });
}

int discardSession(const KnownSession& session, const Say& say) {
  if (session.state == SessionState::kPrepared) {
    if (const auto taken = takePrepared(session.name); !taken) return say(taken.error()), kBadUsage;
    say(fmt::format("session {} is no longer prepared", session.name));
    return 0;
  }
  if (auto control = CaptureControl::open(session.folder / "control")) control->end();
  removeSession(session.folder);
  say(fmt::format("session {}: what its killed launcher left is discarded", session.name));
  return 0;
}

std::string sessionList(const std::vector<KnownSession>& known) {
  if (known.empty()) return "no session is there; begin one with: lanescope launch PROGRAM\n";
  std::size_t width = 4;
  for (const KnownSession& session : known) width = std::max(width, session.name.size());
  const auto row = [&](std::string_view name, std::string_view state, std::string_view since, std::string_view process,
                       std::string_view program) {
    return fmt::format("{:<{}}  {:<9}  {:<19}  {:>7}  {}\n", name, width, state, since, process, program);
  };
  std::string text = row("NAME", "STATE", "SINCE (UTC)", "PID", "PROGRAM"), orphans;
  for (const KnownSession& session : known) {
    text += row(session.name, nameOf(session.state), utc(session.since),
                session.process > 0 ? std::to_string(session.process) : "-",
                session.program.empty() ? "-" : repairUtf8(session.program));
    if (session.state == SessionState::kOrphan) orphans += orphaned(session) + "\n";
  }
  return text + orphans;
}

}  // namespace lanescope::launch
