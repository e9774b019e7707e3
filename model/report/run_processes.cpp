// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr std::size_t kMostProcesses = 20'000, kLongest = 4096;

std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::vector<RunProcess> runProcesses(const Database& database) {
  constexpr const char* kTable = "META_DATA_CAPTURE";
  constexpr std::string_view kPrefix = "LANESCOPE:PROCESS_";
  if (!database.has(kTable, "name") || !database.has(kTable, "value")) return {};
  std::map<std::int64_t, std::pair<RunProcess, std::size_t>> all;  // by number, with the place of its rank's variable
  auto rows =
      database.prepare("SELECT name, value FROM META_DATA_CAPTURE WHERE name GLOB 'LANESCOPE:PROCESS_[0-9]*:*'");
  while (rows && rows->step()) {
    const std::string name(rows->text(0));
    const std::size_t colon = name.find(':', kPrefix.size());
    const auto number = numberIn(std::string_view(name).substr(kPrefix.size(), colon - kPrefix.size()));
    if (!number || (all.size() >= kMostProcesses && !all.contains(*number))) continue;
    const std::string value = repairUtf8(rows->text(1).substr(0, kLongest));
    const std::string_view fact = std::string_view(name).substr(colon + 1);
    auto& [process, rankFrom] = all.try_emplace(*number, RunProcess{}, std::size(kRankVariables)).first->second;
    if (fact == "PID") process.pid = numberIn(value).value_or(0);
    if (fact == "PPID") process.parent = numberIn(value);
    if (fact == "EXE") process.name = std::filesystem::path(value).filename().string();
    if (fact == "ENDED") process.ended = value;
    const auto variable = static_cast<std::size_t>(
        std::find(std::begin(kRankVariables), std::end(kRankVariables), fact) - std::begin(kRankVariables));
    if (variable < rankFrom && !value.empty()) process.rank = value, rankFrom = variable;
  }
  std::vector<RunProcess> processes;
  for (auto& [number, found] : all) {
    if (found.first.pid > 0) processes.push_back(std::move(found.first));
  }
  return processes;
}

std::string describe(const RunProcess& process) {
  std::string text = process.name;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (!process.rank.empty()) add("rank " + process.rank);
  if (process.parent) add(fmt::format("child of {}", *process.parent));
  if (!process.ended.empty()) text += (text.empty() ? "" : "; ") + process.ended;
  return text;
}

}  // namespace lanescope::report
