// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/process_facts.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace lanescope::launch {
namespace {

std::string firstLine(const std::string& path) {
  std::string line;
  std::ifstream in(path);
  std::getline(in, line);
  return line;
}

}  // namespace

std::optional<std::uint64_t> startTimeOf(pid_t process) {
  const std::string stat = firstLine(fmt::format("/proc/{}/stat", process));
  const std::size_t name = stat.rfind(')');  // which may hold blanks and parentheses
  if (name == std::string::npos) return std::nullopt;
  std::istringstream fields(stat.substr(name + 1));
  std::string field;
  for (int number = 3; fields >> field; ++number) {
    if (number == 3 && (field == "Z" || field == "X")) return std::nullopt;
    if (number == 22) return std::strtoull(field.c_str(), nullptr, 10);
  }
  return std::nullopt;
}

std::string bootId() { return firstLine("/proc/sys/kernel/random/boot_id"); }

std::string tracerName() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("TracerPid:")) continue;
    const int pid = std::atoi(line.c_str() + 10);
    return pid == 0 ? "" : firstLine(fmt::format("/proc/{}/comm", pid));
  }
  return {};
}

}  // namespace lanescope::launch
