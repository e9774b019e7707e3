// SPDX-License-Identifier: Apache-2.0
// `lanescope recordings`: recordings that outlive the viewer or the connection that began them, and what became of them.
// The viewer uses them here and on other hosts; people find and fetch with them what a lost connection left.
#include <fmt/chrono.h>
#include <unistd.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/recording_lines.h"
#include "collector/launch/clock.h"
#include "collector/launch/detached.h"
#include "model/json.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using launch::Detached;

int refuse(const std::string& why) {
  say(why);
  return 2;
}

void tell(const std::string& line) {
  put(line + "\n");
  std::fflush(stdout);
}

std::string jsonOf(const Detached& one) {
  JsonWriter json;
  json.beginObject().member("id", one.id).member("state", nameOf(one.state)).member("command", one.command);
  json.member("from", one.from).member("began_ns", one.began).key("reports").beginArray();
  for (const std::string& report : one.reports) json.value(report);
  json.endArray();
  if (one.state == launch::DetachedState::kEnded) json.member("status", std::int64_t{one.status});
  if (one.state == launch::DetachedState::kKilled && !one.left.empty()) json.member("left", one.left);
  return json.endObject().text();
}

void list(bool asJson) {
  launch::pruneDetached();
  const std::vector<Detached> all = launch::detachedRecordings();
  if (all.empty() && !asJson) put("no recording is there\n");
  for (const Detached& one : all) {
    if (asJson) {
      tell(jsonOf(one));
      continue;
    }
    print("{}  {:<6}  {:%Y-%m-%dT%H:%M:%S}  {}\n", one.id, nameOf(one.state),
          fmt::gmtime(static_cast<std::time_t>(one.began / launch::kSecond)), repairUtf8(one.command));
    for (const std::string& report : one.reports) print("    {}\n", report);
  }
}

/// Each of these is told which recording and says what went wrong.
void addOrder(CLI::App* group, int& status, const char* name, const char* meaning,
              int (*obey)(const Detached& recording)) {
  auto id = std::make_shared<std::string>();
  CLI::App* command = group->add_subcommand(name, meaning);
  command->add_option("NUMBER", *id, "As the list has it")->required();
  command->callback([id, obey, &status] {
    const auto recording = launch::detachedRecording(*id);
    status = recording ? obey(*recording) : refuse(recording.error());
  });
}

int statusOf(const tl::expected<void, std::string>& done) { return done ? 0 : refuse(done.error()); }

}  // namespace

void addRecordings(CLI::App& app, int& status) {
  CLI::App* group = app.add_subcommand("recordings", "Recordings that outlive the connection they were begun over");
  group->require_subcommand(1);
  group->add_subcommand("begin", "Begin one; options and program as profile has them. Its lines as `follow` has them")
      ->footer("lanescope recordings begin [--folder=FOLDER] [OPTIONS] PROGRAM [ARGUMENTS]");
  auto asJson = std::make_shared<bool>(false);
  CLI::App* listing =
      group->add_subcommand("list",
                            "Their numbers, states, when they began (UTC), programs and reports. Forgets "
                            "those that ended 30 days ago or whose reports are gone");
  listing->add_flag("--json", *asJson, "A JSON object a line");
  listing->callback([asJson] { list(*asJson); });
  addOrder(group, status, "follow", "What one writes and has, a JSON object a line, until it has ended",
           [](const Detached& one) { return launch::followDetached(one.id, tell), 0; });
  addOrder(group, status, "stop", "End one; what it recorded becomes a report",
           [](const Detached& one) { return statusOf(launch::stopDetached(one)); });
  addOrder(group, status, "cancel", "End one and discard what it recorded",
           [](const Detached& one) { return statusOf(launch::cancelDetached(one)); });
  addOrder(group, status, "finish", "Write the report of one that was killed",
           [](const Detached& one) { return launch::finishDetached(one, audience()); });
  addOrder(group, status, "remove", "Forget one that has ended; its reports stay",
           [](const Detached& one) { return statusOf(launch::removeDetached(one)); });
}

int beginRecording(std::vector<std::string> words) {
  constexpr std::string_view kFolder = "--folder=";
  if (!words.empty() && words.front().starts_with(kFolder)) {
    const std::string folder = words.front().substr(kFolder.size());
    if (chdir(folder.c_str()) != 0) return refuse(folder + ": no folder to record in; check the path and its rights");
    words.erase(words.begin());
  }
  const auto line = launch::readCommandLine(words);
  if (!line) return refuse(line.error());
  if (!line->answer.empty()) return put(line->answer), 0;
  warn(*line);
  launch::pruneDetached();
  const auto id = launch::beginDetached(line->options, audience());
  if (!id) return refuse(id.error());
  tell(JsonWriter().beginObject().member("id", *id).endObject().text());
  launch::followDetached(*id, tell);
  return 0;
}

}  // namespace lanescope::cli
