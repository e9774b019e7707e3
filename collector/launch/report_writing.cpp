// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/report_writing.h"

#include <fmt/format.h>

#include "collector/launch/report_name.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

Result<FinishResult> writeReport(const Wanted& wanted, const Options& options, const Job& job, const Audience& audience,
                                 const std::function<bool(std::string_view)>& wasSaid) {
  fs::path name = wanted.name.resolve(wanted.process);
  if (wanted.number && !wanted.name.countsUp()) name = nameOfCapture(name, *wanted.number);
  // -f is about what stood there before: not about another report of this recording, nor about one that another recording
  // made meanwhile or is about to make.
  const bool mayReplace = options.overwrite && !wanted.number && standsSince(name, wanted.began) &&
                          !olderOneHasName(wanted.session, wanted.name.label());
  const auto ifExists = mayReplace ? report::IfExists::kReplace : report::IfExists::kRefuse;
  const auto another = [&] {
    return wanted.name.countsUp() ? wanted.name.resolve(wanted.process)
                                  : freeNameNear(name, std::to_string(wanted.process));
  };
  Result<FinishResult> done = finishNear(wanted.session, name, another, ifExists, job, wanted.part);
  if (!done) {
    const bool left = done.error().code == ErrorCode::kCancelled;
    if (!left) audience.say(sentence(done.error()));
    sayWhatIsKept(wanted.session, left ? "to write the report" : "once that is solved", audience);
    return done;
  }
  for (const std::string& note : done->notes) {
    if (!wasSaid(note)) audience.say(note);
  }
  if (done->report != name && !wanted.name.countsUp()) {
    audience.say(fmt::format("{} was made by somebody else meanwhile; this report has another name", name.string()));
  }
  audience.say(reportLine(*done));
  audience.reportReady(done->report, options);
  return done;
}

void sayWhatIsKept(const fs::path& session, std::string_view when, const Audience& audience) {
  audience.say(fmt::format("all that was recorded is kept; {}: lanescope recover '{}'", when, session.string()));
}

}  // namespace lanescope::launch
