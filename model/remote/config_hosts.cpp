// SPDX-License-Identifier: Apache-2.0
#include "model/remote/config_hosts.h"

#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "model/remote/ssh_target.h"

namespace lanescope::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostHosts = 1000;
constexpr std::size_t kMostFiles = 256;  // files include each other, and themselves
constexpr std::uintmax_t kMostBytes = 1 << 20;
constexpr int kDeepest = 8;

std::vector<std::string> matching(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), GLOB_TILDE, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

void addHosts(const fs::path& config, int depth, std::size_t& files, std::vector<std::string>& hosts) {
  std::error_code none;
  if (++files > kMostFiles || !fs::is_regular_file(config, none) || fs::file_size(config, none) > kMostBytes) return;
  std::ifstream in(config);
  for (std::string line; hosts.size() < kMostHosts && std::getline(in, line);) {
    std::ranges::replace(line, '=', ' ');
    std::ranges::replace(line, '"', ' ');
    std::istringstream words(line);
    std::string word;
    words >> word;
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::tolower(c); });
    if (word != "host" && word != "include") continue;
    const bool includes = word == "include";
    while (words >> word && !word.starts_with('#')) {
      if (includes && depth < kDeepest) {
        const bool whole = word.starts_with('/') || word.starts_with('~');
        for (const std::string& path : matching(whole ? word : (config.parent_path() / word).string()))
          addHosts(path, depth + 1, files, hosts);
      } else if (!includes && whyNoHost(word).empty() && std::ranges::find(hosts, word) == hosts.end()) {
        hosts.push_back(word);  // patterns hold what no host may
      }
    }
  }
}

}  // namespace

std::vector<std::string> hostsIn(const fs::path& config) {
  std::vector<std::string> hosts;
  std::size_t files = 0;
  addHosts(config, 0, files, hosts);
  return hosts;
}

std::vector<std::string> configuredHosts() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? hostsIn(fs::path(home) / ".ssh" / "config") : std::vector<std::string>();
}

}  // namespace lanescope::remote
