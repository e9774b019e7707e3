// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "collector/launch/environment.h"

namespace lanescope::cli {
namespace {

using launch::Finding;

int showEnvironment() {
  int status = 0;
  const auto environment = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
  };
  for (const Finding& finding : launch::examine({.recorder = launch::findRecorder(), .environment = environment})) {
    constexpr const char* kLevels[] = {"good", "note", "problem"};
    print("{:<8} {:<16} {}{}{}\n", kLevels[finding.level], finding.what, finding.text,
          finding.remedy.empty() ? "" : "; ", finding.remedy);
    if (finding.level == Finding::kProblem) status = 1;
  }
  return status;
}

}  // namespace

void addStatus(CLI::App& app, int& status) {
  auto environment = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("status", "Can this machine record?");
  command->add_flag("-e,--environment", *environment, "Driver, CUPTI, permissions, limits, disk; exit 1 if not");
  command->callback([environment, &status] {
    status =
        *environment ? showEnvironment() : badUsage("status: say --environment; for sessions: lanescope sessions list");
  });
}

}  // namespace lanescope::cli
