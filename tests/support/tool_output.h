// SPDX-License-Identifier: Apache-2.0
// What tools such as readelf say of a file, and what of that fits a pattern. Any thread.
#pragma once

#include <array>
#include <cstdio>
#include <regex>
#include <set>
#include <string>

namespace lanescope::test {

/// Of a command of the shell; empty if it cannot be run.
inline std::string outputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return output;
  std::array<char, 4096> buffer;
  while (fgets(buffer.data(), buffer.size(), pipe) != nullptr) output += buffer.data();
  pclose(pipe);
  return output;
}

/// The first group of the pattern, wherever it fits.
inline std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), expression); at != std::sregex_iterator(); ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

}  // namespace lanescope::test
