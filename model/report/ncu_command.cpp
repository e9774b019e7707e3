// SPDX-License-Identifier: Apache-2.0
#include "model/report/ncu_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "model/shell_words.h"

namespace lanescope::report {
namespace {

using trace::EventKind;
using trace::Ns;

constexpr std::string_view kPlaceholder = "<program>";
constexpr int kMostArguments = 1000;
constexpr std::size_t kMostBytes = 131'072, kMostBytesInAll = 2'097'152;  // of an argument, of all: Linux runs no more

/// When it was launched, then when it began: nodes of a graph share their launch.
std::pair<Ns, Ns> orderOf(const trace::Trace& trace, trace::EventRef kernel) {
  const Ns begin = trace.time(kernel).begin;
  const auto launch = trace.partners(kernel);
  return {launch.empty() ? begin : trace.time(trace.ref(launch.front())).begin, begin};
}

}  // namespace

std::string_view functionName(std::string_view kernel) {
  // Brackets open before the name as well, in what stands for a namespace without one.
  std::size_t begin = 0, i = 0;
  while (i < kernel.size()) {
    const std::string_view rest = kernel.substr(i);
    if (rest.starts_with("<unnamed>")) i += 9;
    else if (rest.starts_with("(anonymous namespace)")) i += 21;
    else if (rest.front() == '<' || rest.front() == '(') break;
    else if (std::string_view(" :*&").find(kernel[i++]) != std::string_view::npos) begin = i;
  }
  return kernel.substr(begin, i - begin);
}

std::uint64_t earlierLaunches(const trace::Trace& trace, trace::EventRef kernel) {
  const auto functionOf = [&](trace::NameId id) { return functionName((*trace.names)[id].label); };
  const std::string_view wanted = functionOf(trace.name(kernel));
  std::vector<bool> same(trace.names->size());
  for (trace::NameId id = 0; id < same.size(); ++id)
    same[id] = (*trace.names)[id].label.find(wanted) != std::string_view::npos && functionOf(id) == wanted;

  const auto self = orderOf(trace, kernel);
  std::uint64_t earlier = 0;
  for (trace::LaneId id = 0; id < trace.lanes.size(); ++id) {
    if (trace.laneInfo[id].kind != EventKind::kKernel || trace.laneInfo[id].process != trace.info(kernel).process)
      continue;
    // A stream runs in the order of its launches, so those before ours come first in its lanes.
    const trace::Lane& lane = *trace.lanes[id];
    std::size_t first = 0, last = lane.size();
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (orderOf(trace, {id, static_cast<std::uint32_t>(middle)}) < self) first = middle + 1;
      else last = middle;
    }
    const auto before = lane.names().first(first);
    earlier += static_cast<std::uint64_t>(
        std::count_if(before.begin(), before.end(), [&](trace::NameId name) { return same[name]; }));
  }
  return earlier;
}

std::string ncuCommand(std::string_view function, std::uint64_t earlier, std::span<const std::string> program) {
  std::string command =
      fmt::format("ncu --set full --kernel-name {} --launch-skip {} --launch-count 1", shellQuoted(function), earlier);
  for (std::size_t i = 0; i < program.size(); ++i) {
    const bool option = i == 0 && program[i].starts_with('-');  // ncu would take it for its own
    command += ' ' + (program[i] == kPlaceholder ? program[i] : shellQuoted(option ? "./" + program[i] : program[i]));
  }
  return command;
}

bool isOfAmd(const trace::Trace& trace, trace::EventRef kernel) {
  for (const trace::EventId id : trace.partners(kernel))
    if ((*trace.names)[trace.name(trace.ref(id))].text.starts_with("hip")) return true;
  const std::uint32_t gpu = trace.info(kernel).gpu;
  if (gpu == trace::kNone) return false;
  constexpr std::string_view kNames[] = {"AMD", "Radeon", "Instinct", "gfx"};
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return trace.gpus[gpu].name.find(name) != std::string::npos; });
}

std::vector<std::string> recordedProgram(const Database& database) {
  constexpr const char* kTable = "META_DATA_CAPTURE";
  constexpr std::string_view kCommand = "PROCESS_0:COMMAND", kArgument = "PROCESS_0:ARGUMENT_";
  if (!database.has(kTable, "name") || !database.has(kTable, "value")) return {};
  auto rows =
      database.prepare(fmt::format("SELECT name, value FROM {} WHERE name = '{}' OR name GLOB '{}[0-9]*' LIMIT {}",
                                   kTable, kCommand, kArgument, kMostArguments + 1));
  if (!rows) return {};
  std::map<int, std::string> parts;  // the command before its arguments
  std::size_t bytes = 0;
  while (rows->step()) {
    const std::string_view name = rows->text(0);
    int place = -1;
    if (name != kCommand) {
      const std::string_view digits = name.substr(std::min(name.size(), kArgument.size()));
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place);
      if (error != std::errc() || end != digits.data() + digits.size()) continue;
    }
    const std::string_view value = rows->text(1);
    bytes += value.size();
    if (value.size() > kMostBytes || bytes > kMostBytesInAll) return {};
    parts.emplace(place, value);
  }
  if (rows->failed() || parts.empty() || parts.begin()->first != -1 || parts.begin()->second.empty()) return {};
  std::vector<std::string> program;
  program.reserve(parts.size());
  for (auto& [place, part] : parts) program.push_back(std::move(part));
  return program;
}

std::string programName(const trace::Trace& trace, trace::EventRef event) {
  const std::uint32_t process = trace.info(event).process;
  if (process != trace::kNone && !trace.processes[process].name.empty()) return trace.processes[process].name;
  return std::string(kPlaceholder);
}

}  // namespace lanescope::report
