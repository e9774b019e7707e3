// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "collector/launch/environment.h"
#include "model/json.h"

namespace lanescope::cli {
namespace {

using launch::Finding;

std::string jsonOf(const Finding& finding, std::string_view level) {
  JsonWriter json;
  json.beginObject().member("level", level).member("what", finding.what).member("text", finding.text);
  return json.member("remedy", finding.remedy).endObject().text();
}

int showEnvironment(bool asJson) {
  int status = 0;
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  };
  for (const Finding& finding : launch::examine({.recorder = launch::findRecorder(), .environment = environment})) {
    constexpr std::string_view kLevels[] = {"good", "note", "problem"};
    const std::string_view level = kLevels[finding.level];
    if (asJson) print("{}\n", jsonOf(finding, level));
    else
      print("{:<8} {:<16} {}{}{}\n", level, finding.what, finding.text, finding.remedy.empty() ? "" : "; ",
            finding.remedy);
    if (finding.level == Finding::kProblem) status = 1;
  }
  return status;
}

}  // namespace

void addStatus(CLI::App& app, int& status) {
  struct Options {
    bool environment = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("status", "Can this machine record?");
  command->add_flag("-e,--environment", options->environment,
                    "Driver, CUPTI, permissions, limits, disk; exit 1 if not");
  command->add_flag("--json", options->json,
                    "With --environment: a JSON object a line, with level (good, note, problem), what, text, remedy");
  command->callback([options, &status] {
    status = options->environment ? showEnvironment(options->json)
                                  : badUsage("status: say --environment; for sessions: lanescope sessions list");
  });
}

}  // namespace lanescope::cli
