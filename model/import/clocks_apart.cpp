// SPDX-License-Identifier: Apache-2.0
#include "model/import/clocks_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "model/format.h"

namespace lanescope::imported {

using trace::Ns;

namespace {

constexpr std::size_t kMostWorks = 10'000;
constexpr Ns kSecond = 1'000'000'000, kHour = 3600 * kSecond;
constexpr Ns kNoQueueLasts = 600 * kSecond, kNoClockIsSoEarly = kSecond;

std::string lengthText(Ns length) {
  return length < kHour ? formatDuration(length)
                        : fmt::format("{:.1f} h", static_cast<double>(length) / static_cast<double>(kHour));
}

}  // namespace

void tellClocksApart(Recording& recording) {
  std::map<std::pair<std::uint32_t, std::int64_t>, Ns> starts;  // of work, by process and correlation
  for (const Track& track : recording.tracks) {
    if (!trace::isGpuWork(track.kind)) continue;
    for (std::size_t i = 0; i < track.events.size() && starts.size() < kMostWorks; ++i)
      if (const trace::Event& event = track.events[i]; event.correlation != 0 && event.start != 0)
        starts.try_emplace({track.process, event.correlation}, event.start);
  }
  if (starts.empty()) return;
  std::optional<Ns> least, most;
  for (const Track& track : recording.tracks) {
    if (track.kind != trace::EventKind::kCudaApi) continue;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const auto work = starts.find({track.process, track.events[i].correlation});
      Ns lag = 0;
      if (work == starts.end() || __builtin_sub_overflow(work->second, track.events[i].start, &lag)) continue;
      least = std::min(least.value_or(lag), lag);
      most = std::max(most.value_or(lag), lag);
    }
  }
  if (!least || !most) return;
  const bool isLate = *least > kNoQueueLasts, isEarly = *most < -kNoClockIsSoEarly && *most > trace::kMinTime;
  if (!isLate && !isEarly) return;
  recording.issues.push_back(
      {"import-clocks-apart", 1,
       fmt::format(
           "GPU times lie {} {} the calls that started the work: the file has them of different clocks, and what "
           "lies between them means nothing",
           lengthText(isLate ? *least : -*most), isLate ? "after" : "before")});
}

}  // namespace lanescope::imported
