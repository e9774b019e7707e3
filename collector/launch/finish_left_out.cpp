// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_left_out.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstring>
#include <set>

#include "collector/launch/given.h"
#include "collector/launch/input_file.h"
#include "collector/wire/session.h"
#include "model/format.h"
#include "model/utf8.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

/// As it was left; nothing of it if there is none.
wire::ControlPage readControl(const fs::path& session) {
  const auto file = InputFile::open(session / "control");
  char bytes[sizeof(wire::ControlPage)] = {};  // an older launcher's may be shorter
  wire::ControlPage page;
  if (!file || file->read(0, bytes, sizeof bytes) < offsetof(wire::ControlPage, wake)) return page;
  std::memcpy(&page, bytes, sizeof page);
  return page;
}

}  // namespace

std::string whyNothingAttached(std::string_view trace) {
  constexpr std::string_view kWho = "what cleans the environment (sudo, env -i, srun --export=NONE)";
  std::vector<std::string_view> used;
  for (const auto& [word, name] : {std::pair("cuda", "CUDA"), {"nvtx", "NVTX"}, {"mpi", "MPI"}})
    if (trace.find(word) != std::string_view::npos) used.emplace_back(name);
  if (used.empty() || trace.find("osrt") != std::string_view::npos)
    return fmt::format("The library got into no process of the program: {} or is linked statically keeps it out", kWho);
  return fmt::format("No process of the program used {}, or the library did not get into it: {} keeps it out",
                     fmt::join(used, " or "), kWho);
}

bool captureNeverOpened(const fs::path& session, const FactLines& options) {
  const std::string_view trigger = options.text("capture");
  if (trigger.empty() || trigger == "none") return false;
  const wire::ControlPage page = readControl(session);
  return page.magic == wire::ControlPage::kMagic && page.captures == 0;
}

void writeLeftOut(report::Writer& writer, const LeftOut& of, Losses& losses) {
  const wire::ControlPage control = readControl(of.session);
  if (control.youngCalls > 0 && !of.isPart) {
    const std::string text =
        fmt::format("{} of forked children in their first 10 ms are not recorded, in which most become other programs",
                    control.youngCalls == 1 ? "1 call" : formatCount(control.youngCalls) + " calls");
    writer.add(report::IssueRow{.kind = "young-children", .count = control.youngCalls, .text = text});
  }
  std::set<std::string> recorded;
  for (const auto& process : of.processes) recorded.insert(std::to_string(process->pid));
  std::vector<std::string> named;
  for (const auto& [name, value] : of.facts.all()) {
    if (!name.starts_with(kOtherUserFact) || recorded.contains(name.substr(kOtherUserFact.size()))) continue;
    named.push_back(name.substr(kOtherUserFact.size()) + ": " + repairUtf8(value));
  }
  const std::size_t count = named.empty() ? control.refused : named.size();
  if (count == 0) return;
  const std::string who = named.empty() ? "" : fmt::format(" ({})", firstOf(named));
  writeIssue(
      writer, "other-user", count,
      fmt::format("{} ran as another user and {} not recorded{}; only the user who records can write the "
                  "recording: start lanescope as that user",
                  count == 1 ? "1 process" : formatCount(count) + " processes", count == 1 ? "was" : "were", who),
      losses);
}

void sortEnd(Process& process, const EndFacts& from, SilentEnds& ends) {
  // What is preloaded sees _exit(), too, but for the exec of a program that it does not get into.
  const bool hasExitCode = from.facts.text(fmt::format("{}{}", kEndedFact, process.pid)).starts_with("code ");
  auto became = from.perf != nullptr ? from.perf->becameSince(process.pid, process.stream.time()) : std::nullopt;
  if (!became && hasExitCode && from.tracesOs) became.emplace();
  process.becameOther = became.has_value();
  const bool usedGpu = !process.contexts.empty();
  if (became && !usedGpu) ends.became.push_back({&process, repairUtf8(fs::path(*became).filename().string())});
  else if (usedGpu && (became || hasExitCode)) ends.unseen.push_back(&process);
  else if (!hasExitCode && !from.isMinor) ends.abrupt.push_back(&process);
}

}  // namespace lanescope::launch
