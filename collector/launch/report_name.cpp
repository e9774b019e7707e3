// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/report_name.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "collector/launch/process_facts.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

bool standsSince(const fs::path& path, trace::Ns time) {
  struct stat found{};
  return stat(path.c_str(), &found) == 0 && found.st_ctim.tv_sec * 1'000'000'000 + found.st_ctim.tv_nsec < time;
}

bool olderOneHasName(const fs::path& session, std::string_view label) {
  const std::string prefix = fmt::format(".{}.", label);
  const auto ours = std::pair(startTimeOf(getpid()), getpid());
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".recording")) continue;
    const pid_t launcher = std::atoi(name.c_str() + prefix.size());
    const auto start = launcher > 0 ? startTimeOf(launcher) : std::nullopt;
    if (start && std::pair(start, launcher) < ours) return true;
  }
  return false;
}

std::filesystem::path nameOfCapture(const std::filesystem::path& report, std::size_t number) {
  return report.parent_path() / fmt::format("{}.{}.rep", report.stem().string(), number);
}

Result<FinishResult> finishNear(const std::filesystem::path& session, const std::filesystem::path& report,
                                const std::function<std::filesystem::path()>& another, report::IfExists ifExists,
                                const Job& job, const Part& part) {
  constexpr int kAttempts = 100;  // each lost to somebody else
  Result<FinishResult> done = finish(session, report, ifExists, job, part);
  for (int i = 0; i < kAttempts && !done && done.error().code == ErrorCode::kExists; ++i) {
    done = finish(session, another(), report::IfExists::kRefuse, job, part);
  }
  return done;
}

std::string reportLine(const FinishResult& done) {
  const auto counted = [](std::uint64_t count, const char* one, const char* many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
  };
  std::string line = fmt::format("report {}: {}", done.report.string(), counted(done.events, "event", "events"));
  if (done.cpuSamples > 0) line += ", " + counted(done.cpuSamples, "CPU sample", "CPU samples");
  if (done.lost > 0) line += fmt::format(", {} lost", done.lost);
  return line;
}

}  // namespace lanescope::launch
