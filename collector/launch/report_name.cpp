// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/report_name.h"

#include <fmt/format.h>

#include "collector/launch/output_name.h"

namespace lanescope::launch {

Result<FinishResult> finishNear(const std::filesystem::path& session, const std::filesystem::path& report,
                                const std::string& tag, report::IfExists ifExists, const Job& job) {
  constexpr int kAttempts = 100;  // each lost to somebody else
  Result<FinishResult> done = finish(session, report, ifExists, job);
  for (int i = 0; i < kAttempts && !done && done.error().code == ErrorCode::kExists; ++i) {
    const std::filesystem::path free = freeNameNear(report, tag);
    done = finish(session, free, report::IfExists::kRefuse, job);
    if (done) {
      done->notes.push_back(
          fmt::format("{} was made by somebody else meanwhile; this report has another name", report.string()));
    }
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
