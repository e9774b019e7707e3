// SPDX-License-Identifier: Apache-2.0
// What the events of a recording sum up to, to hold against figures that were computed without this project's code.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "model/import/recording.h"

namespace lanescope::imported {

struct Sum {
  std::uint64_t count = 0, bytes = 0;
  std::int64_t ns = 0;
  std::set<std::string_view> names;
  std::set<std::int64_t> devices;
  std::set<std::uint32_t> streams, threads, processes;
  std::optional<std::pair<trace::Ns, trace::Ns>> span;  ///< without times of 0, which say that none is known
};

/// Of the tracks for which `takes` is true.
template <class Takes>
Sum sumOf(const Recording& recording, Takes takes) {
  Sum sum;
  for (const Track& track : recording.tracks) {
    if (!takes(track)) continue;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const trace::Event& event = track.events[i];
      ++sum.count;
      sum.bytes += event.amount;
      sum.ns += event.end - event.start;
      sum.names.insert((*recording.names)[event.name].text);
      if (event.start == 0) continue;
      if (!sum.span) sum.span.emplace(event.start, event.end);
      sum.span->first = std::min(sum.span->first, event.start);
      sum.span->second = std::max(sum.span->second, event.end);
    }
    if (track.gpu != trace::kNone) sum.devices.insert(recording.gpus[track.gpu].device);
    if (track.stream != trace::kNone) sum.streams.insert(track.stream);
    if (track.thread != trace::kNone) sum.threads.insert(track.thread);
    sum.processes.insert(track.process);
  }
  return sum;
}

inline Sum sumOf(const Recording& recording, trace::EventKind kind) {
  return sumOf(recording, [kind](const Track& track) { return track.kind == kind; });
}

inline Sum sumOfGpuWork(const Recording& recording) {
  return sumOf(recording, [](const Track& track) { return trace::isGpuWork(track.kind); });
}

/// The first track of this kind that has events; none, and a failed test, if there is none.
inline const Track* trackOf(const Recording& recording, trace::EventKind kind) {
  for (const Track& each : recording.tracks)
    if (each.kind == kind && !each.events.empty()) return &each;
  ADD_FAILURE() << "no track of kind " << trace::kindName(kind);
  return nullptr;
}

}  // namespace lanescope::imported
