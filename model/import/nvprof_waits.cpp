// SPDX-License-Identifier: Apache-2.0
// Records of CUDA events and the waits for them, tied by the number of the event: a wait is for the latest record before
// it. The calls tell when.
#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "model/import/nvprof_reading.h"
#include "model/trace/event_uses.h"

namespace lanescope::imported::nvprof {

using report::TableRow;
using trace::EventKind;

void readEventUses(Reading& reading) {
  struct Use {
    std::int64_t event, correlation;
    bool isRecord;
    trace::Ns time = 0;
    EventAt call = {};
  };
  std::vector<Use> uses;
  reading.rows.forEach(table("CUDA_EVENT"), {"correlationId", "eventId"}, [&](const TableRow& row) {
    if (trace::isEventNumber(row.integer(1))) uses.push_back({row.integer(1), row.integer(0), true});
  });
  if (uses.empty() || reading.recording.processes.size() != 1) return;  // rows do not name theirs
  reading.rows.forEach(table("SYNCHRONIZATION"), {"correlationId", "cudaEventId"}, [&](const TableRow& row) {
    if (trace::isEventNumber(row.integer(1))) uses.push_back({row.integer(1), row.integer(0), false});
  });

  std::unordered_map<std::int64_t, EventAt> calls;  // those of the uses
  for (const Use& use : uses) calls.try_emplace(use.correlation, EventAt{trace::kNone, 0});
  const std::vector<Track>& tracks = reading.recording.tracks;
  for (std::uint32_t track = 0; track < tracks.size(); ++track) {
    if (tracks[track].kind != EventKind::kCudaApi) continue;
    const trace::EventList& events = tracks[track].events;
    for (std::uint32_t i = 0; i < events.size(); ++i)
      if (const auto at = calls.find(events[i].correlation); at != calls.end()) at->second = {track, i};
  }
  std::erase_if(uses, [&](Use& use) {
    use.call = calls.at(use.correlation);
    if (use.call.track == trace::kNone) return true;
    use.time = tracks[use.call.track].events[use.call.index].start;
    return false;
  });

  std::ranges::stable_sort(uses, {}, [](const Use& use) { return std::tuple(use.event, use.time, !use.isRecord); });
  const Use* record = nullptr;
  for (const Use& use : uses) {
    if (record && record->event != use.event) record = nullptr;
    if (use.isRecord) record = &use;
    else if (record) reading.recording.links.push_back({record->call, use.call});
  }
}

}  // namespace lanescope::imported::nvprof
