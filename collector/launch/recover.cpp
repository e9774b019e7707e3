// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "collector/launch/output_name.h"
#include "collector/launch/recording.h"
#include "collector/launch/report_name.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/take_facts.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

/// A free name beside the session, near the one that the report was to have.
fs::path besides(const fs::path& session, const fs::path& planned) {
  std::error_code error;
  const fs::path folder = fs::absolute(session, error).lexically_normal();
  const fs::path beside = (folder.has_filename() ? folder : folder.parent_path()).parent_path();
  return freeNameNear(beside / (planned.filename().empty() ? "recovered.rep" : planned.filename()), "recovered");
}

}  // namespace

int recover(const fs::path& session, const fs::path& output, bool overwrite, const Audience& audience) {
  const auto refuse = [&](const Error& error) {
    audience.say(sentence(error));
    return exitStatus(error);
  };
  std::error_code error;
  if (!fs::exists(session, error)) return refuse({ErrorCode::kNotFound, session.string(), "no such folder"});
  if (!fs::exists(session / "facts", error)) {
    return refuse({ErrorCode::kNotFound, session.string(), "is not the folder of a recording"});
  }
  if (launcherLives(session)) {
    audience.say(fmt::format("{}: is still being recorded, by process {}; wait for it, or end it", session.string(),
                             readFact(session / "facts", "launcher-pid").value_or("")));
    return 2;
  }
  // The program may run on without its launcher: what comes from now on has no place to go.
  if (auto control = CaptureControl::open(session / "control")) {
    control->end();
    control->flush([&] { return livingProcesses(session); }, CaptureControl::kFlushAtMost);
    if (livingProcesses(session) > 0) {
      audience.say("the program still runs; the report ends here");
      [[maybe_unused]] const auto ignored = addFactsTo(session, {{"stopped-by", "recover"}});
    }
  }
  std::vector<UnwrittenTake> takes{{{}, readFact(session / "facts", "output").value_or("")}};
  const bool hasTakes = isLaunched(session);
  if (hasTakes) takes = unwrittenTakes(session);
  if (takes.empty()) audience.say("all of its recordings are written or discarded: nothing is left to recover");
  bool isCut = false;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    Part part;
    if (hasTakes) part.take = takes[i].take;
    const fs::path wanted = output.empty() ? besides(session, takes[i].report)
                            : i == 0       ? output
                                           : nameOfCapture(output, i + 1);
    const auto ifExists = overwrite && !output.empty() ? report::IfExists::kReplace : report::IfExists::kRefuse;
    const Result<FinishResult> done = finish(session, wanted, ifExists, audience.job, part);
    if (!done) return refuse(done.error());
    for (const std::string& note : done->notes) audience.say(note);
    audience.say(reportLine(*done));
    audience.reportReady(done->report, {});
    isCut |= done->isCut;
  }
  if (isCut) {
    audience.say("the recording is kept; once there is room, recover it again under another name");
    return 3;
  }
  removeSession(session);
  return 0;
}

}  // namespace lanescope::launch
