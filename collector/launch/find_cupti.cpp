// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/find_cupti.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entriesOf(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(prefix)) found.push_back(at->path());
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

/// 13 of "libcupti.so.13" and "libcupti.so.11.8"; nothing of "libcupti.so.2025.3.1", which is the same file by its date.
std::optional<int> majorOf(const fs::path& library) {
  constexpr std::string_view kPrefix = "libcupti.so.";
  const std::string name = library.filename();
  int major = 0;
  const auto read =
      std::from_chars(name.data() + std::min(kPrefix.size(), name.size()), name.data() + name.size(), major);
  if (!name.starts_with(kPrefix) || read.ec != std::errc() || major >= 100) return std::nullopt;
  return major;
}

/// Folders of a Python's own and its user's packages.
std::vector<fs::path> packageFolders(const CuptiPlaces& places) {
  if (!places.interpreter.filename().string().starts_with("python")) return {};
  std::vector<fs::path> prefixes;
  std::error_code error;
  const auto add = [&](const fs::path& prefix) {
    if (!prefix.empty() && std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) {
      prefixes.push_back(prefix);
    }
  };
  // The interpreter of a virtual environment is a link: its own place comes first, then where it really is.
  add(fs::absolute(places.interpreter, error).parent_path().parent_path());
  if (const auto venv = places.environment("VIRTUAL_ENV")) add(*venv);
  add(fs::canonical(places.interpreter, error).parent_path().parent_path());
  if (const auto home = places.environment("HOME")) add(fs::path(*home) / ".local");
  add(places.root / "usr/local");

  std::vector<fs::path> folders;
  for (const fs::path& prefix : prefixes) {
    folders.push_back(prefix / "lib");  // conda
    for (const fs::path& version : entriesOf(prefix / "lib", "python3")) {
      for (const char* packages : {"site-packages", "dist-packages"}) {
        for (const char* wheel : {"nvidia/cu13/lib", "nvidia/cuda_cupti/lib"}) {
          folders.push_back(version / packages / wheel);
        }
      }
    }
  }
  return folders;
}

std::vector<fs::path> toolkitFolders(const CuptiPlaces& places) {
  std::vector<fs::path> toolkits;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto value = places.environment(name); value && !value->empty()) toolkits.emplace_back(*value);
  }
  toolkits.push_back(places.root / "usr/local/cuda");
  for (fs::path& versioned : entriesOf(places.root / "usr/local", "cuda-")) toolkits.push_back(std::move(versioned));
  toolkits.push_back(places.root / "opt/cuda");
  std::vector<fs::path> folders;
  for (const fs::path& toolkit : toolkits) {
    for (const char* place : {"extras/CUPTI/lib64", "lib64", "targets/x86_64-linux/lib"})
      folders.push_back(toolkit / place);
  }
  folders.push_back(places.root / "usr/lib/x86_64-linux-gnu");
  folders.push_back(places.root / "usr/lib64");
  return folders;
}

}  // namespace

std::optional<int> cudaOfDriver(const std::string& version) {
  int branch = 0;
  if (std::from_chars(version.data(), version.data() + version.size(), branch).ec != std::errc()) return std::nullopt;
  if (branch >= 580) return 13;
  if (branch >= 525) return 12;
  return branch >= 450 ? 11 : 10;
}

std::string driverVersion(const fs::path& root) {
  std::ifstream in(root / "sys/module/nvidia/version");
  std::string version;
  std::getline(in, version);
  return version;
}

fs::path findCupti(const CuptiPlaces& places) {
  std::vector<fs::path> folders = packageFolders(places);
  for (fs::path& folder : toolkitFolders(places)) folders.push_back(std::move(folder));
  const int newest = cudaOfDriver(driverVersion(places.root)).value_or(std::numeric_limits<int>::max());
  // In the first place that has one the newest is taken: the program's own Python before a toolkit that is newer.
  for (const fs::path& folder : folders) {
    fs::path best;
    for (const fs::path& library : entriesOf(folder, "libcupti.so.")) {
      const std::optional<int> major = majorOf(library);
      if (major && *major <= newest && (best.empty() || *major > *majorOf(best))) best = library;
    }
    std::error_code error;
    if (!best.empty()) return fs::absolute(best, error);
  }
  return {};
}

}  // namespace lanescope::launch
