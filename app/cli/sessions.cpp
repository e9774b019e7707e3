// SPDX-License-Identifier: Apache-2.0
// The commands of sessions: `launch` starts a program that is recorded when others say so; `start`, `stop`, `cancel`,
// `shutdown` and `sessions` are the others.
#include <csignal>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/recording_lines.h"
#include "app/version.h"
#include "collector/launch/launched.h"
#include "collector/launch/output_name.h"
#include "collector/launch/session_commands.h"

namespace lanescope::cli {
namespace {

using launch::Patience;
using launch::SessionState;

constexpr const char* kLaunchHelp =
    "Start a program that is recorded when others say so: lanescope launch [OPTIONS] PROGRAM [ARGUMENTS]\n"
    "\n"
    "  lanescope launch --session-new=web ./server &\n"
    "  lanescope start --session=web -o slow      # from any other shell of this user\n"
    "  sleep 10\n"
    "  lanescope stop --session=web --wait        # slow.rep is there; the server goes on\n"
    "  lanescope shutdown --session=web --kill=sigterm\n"
    "\n"
    "It waits for the program and returns its exit status, as profile does. Nothing is recorded before `start`, and\n"
    "what it costs until then is what the recorder costs by being loaded. Each start and stop gives a report; -o, -f,\n"
    "--stats and --export given here hold for those that say nothing else. The options are those of profile (see:\n"
    "lanescope profile --help), but for --delay, --duration and --stop-on-exit, which start takes, and --kill, which\n"
    "shutdown takes. Where `start --session-new=NAME` came first, its recording begins with the program.\n"
    "\n"
    "Not there yet: capture ranges (-c) of a session, stop --keep, reports that are written later, status of a "
    "session.\n";

std::string* addSession(CLI::App* command, std::string& name) {
  command->add_option("--session", name, "Which one; not needed where only one runs");
  return &name;
}

struct ShutdownOptions {
  std::string name, kill = "none";
};

/// 0 for none; less if it is no signal.
int signalNumber(const std::string& text) {
  if (text == "none") return 0;
  if (text == "sigterm") return SIGTERM;
  if (text == "sigkill") return SIGKILL;
  if (text == "sigint") return SIGINT;
  const int number = std::atoi(text.c_str());
  return number > 0 && number <= SIGRTMAX && std::to_string(number) == text ? number : -1;
}

int cancel(const std::string& name) {
  const auto session = launch::chosenSession(name, launch::knownSessions());
  const bool isLeft = session && !session->lives() && (session->state == SessionState::kPrepared || !name.empty());
  return isLeft ? launch::discardSession(*session, say) : launch::tellSession(name, {"cancel"}, Patience::kLong, say);
}

int shutDown(const ShutdownOptions& options) {
  const int signal = signalNumber(options.kill);
  if (signal < 0) {
    return badUsage(fmt::format("--kill: {}; it is none, sigterm, sigkill, sigint or a number", options.kill));
  }
  const auto session = launch::chosenSession(options.name, launch::knownSessions());
  if (session && session->state == SessionState::kPrepared) return launch::discardSession(*session, say);
  return launch::tellSession(options.name, {"shutdown", std::to_string(signal)}, Patience::kLong, say);
}

void addStart(CLI::App& app, int& status) {
  auto request = std::make_shared<launch::StartRequest>();
  CLI::App* start = app.add_subcommand("start", "Begin a recording of a session");
  addSession(start, request->name);
  start->add_option("--session-new", request->newName,
                    "Prepare a session of that name, for `launch`, which then records");
  start->allow_extras();
  start->footer(
      "Also -o, -f, --stats, --export, --delay, --duration and --stop-on-exit, as profile has them. A relative -o is\n"
      "meant from where start is typed; without -o, reports stand where launch was typed. With --duration the "
      "recording\n"
      "ends by itself. Ten seconds of a running server: lanescope start -o slow; sleep 10; lanescope stop --wait");
  start->callback([start, request, &status] {
    request->words = start->remaining();
    status = launch::startRecording(*request, say);
  });
}

void addStop(CLI::App& app, int& status) {
  struct StopOptions {
    std::string name;
    bool waits = false;
  };
  auto options = std::make_shared<StopOptions>();
  CLI::App* stop = app.add_subcommand("stop", "End the recording of a session, which becomes a report");
  addSession(stop, options->name);
  stop->add_flag("--wait", options->waits, "Return when the report is written; else after a second at most");
  stop->callback([options, &status] {
    status = launch::tellSession(options->name, {"stop"}, options->waits ? Patience::kLong : Patience::kShort, say);
  });
}

void addEnds(CLI::App& app, int& status) {
  auto name = std::make_shared<std::string>();
  CLI::App* discard = app.add_subcommand("cancel", "Discard the recording of a session; the program goes on");
  addSession(discard, *name);
  discard->callback([name, &status] { status = cancel(*name); });

  auto options = std::make_shared<ShutdownOptions>();
  CLI::App* shutdown = app.add_subcommand("shutdown", "End a session; what is recorded becomes a report");
  addSession(shutdown, options->name);
  shutdown->add_option("--kill", options->kill, "Signal for the program: none, sigterm, sigkill, sigint or a number")
      ->capture_default_str();
  shutdown->callback([options, &status] { status = shutDown(*options); });
}

}  // namespace

void addSessions(CLI::App& app, int& status) {
  app.add_subcommand("launch", "Start a program that is recorded later; see: lanescope launch --help");
  addStart(app, status);
  addStop(app, status);
  addEnds(app, status);
  CLI::App* sessions = app.add_subcommand("sessions", "Which sessions there are");
  sessions->require_subcommand(1);
  sessions->add_subcommand("list", "Their names, states, programs")->callback([] {
    put(launch::sessionList(launch::knownSessions()));
  });
}

const char* launchHelp() { return kLaunchHelp; }

int launchProgram(const std::vector<std::string>& words) {
  const auto refuse = [](const std::string& why) {
    say(why);
    return 2;
  };
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) return put(kLaunchHelp), 0;
  if (const std::string why = launch::badLaunchOptions(words); !why.empty()) return refuse(why);
  auto line = launch::readCommandLine(words);
  if (!line) return refuse(line.error());
  if (!line->answer.empty()) return put(line->answer), 0;
  warn(*line);

  launch::Launch session;
  session.words.assign(words.begin(), words.end() - static_cast<std::ptrdiff_t>(line->options.program.size()));
  if (!session.words.empty() && session.words.back() == "--") session.words.pop_back();
  const auto prepared = launch::takePrepared(line->options.session);
  if (!prepared) return refuse(prepared.error());
  if (!prepared->name.empty() && !prepared->words.empty()) {
    // With the options of its first recording, so that what cannot work is refused before the program starts.
    auto options =
        launch::optionsOf(session, {prepared->words.begin() + 1, prepared->words.end()}, line->options.program);
    if (!options) return refuse(options.error());
    const bool isNamedThere = options->output != line->options.output;
    if (isNamedThere) options->output = launch::inFolder(options->output, prepared->words.front());
    options->session = prepared->name;
    line->options = std::move(*options);
    session.recordAtOnce = prepared->words;
  }
  return launch::record(line->options, audience(), &session);
}

}  // namespace lanescope::cli
