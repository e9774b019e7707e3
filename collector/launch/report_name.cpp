// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/report_name.h"

#include <fmt/format.h>

namespace lanescope::launch {

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
  if (done.lost > 0) line += fmt::format(", {} lost", done.lost);
  return line;
}

}  // namespace lanescope::launch
