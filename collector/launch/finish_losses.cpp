// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_losses.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "model/format.h"

namespace lanescope::launch {
namespace {

using wire::LossKind;

struct LossText {
  LossKind kind;
  const char* name;
  const char* text;  ///< behind the count
  bool events;       ///< counts events, not bytes or texts
};
constexpr LossText kLosses[] = {
    {LossKind::kRingFull, "lost-ring-full", "events came faster than they could be written", true},
    {LossKind::kNoRing, "lost-no-ring", "events of threads beyond the first 512 at a time", true},
    {LossKind::kCuptiDropped, "lost-cupti", "GPU records that CUPTI dropped", true},
    {LossKind::kBufferRefused, "lost-buffer", "buffers for GPU records that could not be given", false},
    {LossKind::kUnknownKind, "lost-unknown-kind", "GPU records of kinds that this version does not know", true},
    {LossKind::kWriteFailed, "lost-write-failed", "bytes that could not be written to the disk", false},
    {LossKind::kTextCut, "text-cut", "texts that were too long and were cut", false},
    {LossKind::kMetricSamples, "lost-metric-samples",
     "samples of GPU metrics that were overwritten before they were read", true},
    {LossKind::kPayloadCut, "payload-cut", "NVTX payloads that were too long and were cut", false},
};

class Sentences {
 public:
  Sentences(report::Writer& writer, const Process& process, bool many, Losses& losses)
      : writer_(writer), process_(process), losses_(losses) {
    if (many) who_ = fmt::format(" (process {})", process.pid);
  }

  void say(std::string_view kind, std::uint64_t count, std::string text, std::int64_t severity = 2) {
    if (count == 0) return;
    text += who_;
    writer_.add(report::IssueRow{.kind = kind, .count = asTime(count), .text = text});
    writer_.add(report::DiagnosticRow{
        .time = 0, .clock = 1, .source = 1, .severity = severity, .text = text, .globalPid = process_.globalPid()});
    losses_.notes.push_back(std::move(text));
  }
  void count(std::string_view kind, std::uint64_t count, std::string_view what) {
    say(kind, count, fmt::format("{} {}", formatCount(count), what));
  }

 private:
  report::Writer& writer_;
  const Process& process_;
  Losses& losses_;
  std::string who_;
};

std::vector<std::string> pidsOf(const std::vector<const Process*>& processes) {
  std::vector<std::string> pids;
  pids.reserve(processes.size());
  for (const Process* process : processes) pids.push_back(std::to_string(process->pid));
  return pids;
}

}  // namespace

std::string firstOf(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  const std::span<const std::string> first(names.data(), std::min(names.size(), kMost));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > kMost ? ", …" : "");
}

void writeLosses(report::Writer& writer, const Process& process, bool many, Losses& losses) {
  Sentences sentences(writer, process, many, losses);
  for (const LossText& loss : kLosses) {
    const auto found = process.losses.find(static_cast<std::uint32_t>(loss.kind));
    if (found == process.losses.end() || found->second == 0) continue;
    if (loss.events && __builtin_add_overflow(losses.events, found->second, &losses.events)) losses.events = ~0ull;
    sentences.count(loss.name, found->second, loss.text);
  }
  const StreamReader::Damage& damage = process.stream.damage();
  sentences.say("stream-damaged", damage.places,
                fmt::format("{} of the recording could not be read, in {} places", formatBytes(damage.bytes),
                            formatCount(damage.places)));
  sentences.say("stream-gap", process.stream.missingRingBytes(),
                fmt::format("{} of host events are missing", formatBytes(process.stream.missingRingBytes())));
  sentences.count("records-damaged", process.brokenChunks, "parts of the recording hold records that make no sense");
  const auto untimed = process.losses.find(static_cast<std::uint32_t>(LossKind::kUntimed));
  sentences.count("untimed", std::max(process.untimed, untimed != process.losses.end() ? untimed->second : 0),
                  "GPU events have no time; CUPTI could not collect it");
  sentences.count("text-missing", process.missingTexts(), "events refer to a text that was not recorded");
  sentences.count("record-unknown", process.unknownKinds, "records are of kinds that this version does not know");
  sentences.count("nvtx-unpaired", process.endsWithoutStart, "NVTX ranges ended that had not begun");
  sentences.say(
      "clock-stepped", process.clock.steps(),
      fmt::format("The wall clock was set {} times while recording, by up to {}; times of {} GPU events may be "
                  "off by that",
                  process.clock.steps(), formatDuration(process.clock.largestStep()),
                  formatCount(process.doubtfulTimes())));
}

void writeIssue(report::Writer& writer, std::string_view kind, std::uint64_t count, const std::string& text,
                Losses& losses) {
  writer.add(report::IssueRow{.kind = kind, .count = asTime(count), .text = text});
  writer.add(report::DiagnosticRow{.time = 0, .clock = 1, .source = 3, .severity = 2, .text = text, .globalPid = {}});
  losses.notes.push_back(text);
}

void writeSilentEnds(report::Writer& writer, const SilentEnds& ends, Losses& losses) {
  constexpr std::string_view kGpuWork = "GPU work that CUPTI had not handed out by then is missing";
  const auto say = [&](std::string_view kind, std::string_view one, std::string_view many,
                       const std::vector<std::string>& who, std::string_view consequence) {
    if (who.empty()) return;
    const std::string what = who.size() == 1 ? std::string(one) : formatCount(who.size()) + " " + std::string(many);
    writeIssue(writer, kind, who.size(), fmt::format("{} ({}); {}", what, firstOf(who), consequence), losses);
  };
  const auto usedGpu = [](const Process* process) { return !process->contexts.empty(); };
  say("ended-abruptly", "1 process ended abruptly", "processes ended abruptly", pidsOf(ends.abrupt),
      std::any_of(ends.abrupt.begin(), ends.abrupt.end(), usedGpu) ? kGpuWork : "what was recorded until then is here");
  say("end-unseen", "1 process left by _exit() or became another program",
      "processes left by _exit() or became other programs", pidsOf(ends.unseen), kGpuWork);
  std::vector<std::string> became;
  bool areNamed = true;
  for (const auto& [process, program] : ends.became) {
    areNamed = areNamed && !program.empty();
    became.push_back(std::to_string(process->pid) + (program.empty() ? "" : ": " + program));
  }
  if (!areNamed) {
    return say(
        "became-unrecorded", "1 process left in a way that the library does not see",
        "processes left in a way that the library does not see", became,
        "if it became another program, what cleans the environment (sudo, env -i), changes the user (setpriv) or is "
        "linked statically keeps the library out of that, and its calls are not recorded");
  }
  say("became-unrecorded", "1 process became a program that the library did not get into",
      "processes became programs that the library did not get into", became,
      "what cleans the environment (sudo, env -i), changes the user (setpriv) or is linked statically keeps it out, "
      "and its calls are not recorded");
}

void writeMessages(report::Writer& writer, Process& process, Losses& losses) {
  for (const wire::Message& message : process.messages) {
    const auto text = process.text(message.text);
    if (!text || text->empty()) continue;
    const std::uint32_t severity = std::min(message.header.aux, 2u);
    writer.add(report::DiagnosticRow{.time = process.time(message.time),
                                     .clock = 1,
                                     .source = 1,
                                     .severity = severity + 1,
                                     .text = *text,
                                     .globalPid = process.globalPid()});
    if (severity > 0) losses.notes.emplace_back(*text);
  }
}

}  // namespace lanescope::launch
