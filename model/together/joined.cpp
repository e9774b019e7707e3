// SPDX-License-Identifier: Apache-2.0
#include "model/together/joined.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/trace/join.h"

namespace lanescope::together {
namespace {

using trace::Ns;
using trace::TracePtr;

/// Each name of the trace in the table that all share.
std::vector<trace::NameId> namesIn(trace::NameTable& shared, const trace::NameTable& own) {
  std::vector<trace::NameId> ids(own.size());
  for (trace::NameId id = 0; id < ids.size(); ++id) {
    const trace::Name& name = own[id];
    ids[id] = shared.intern(name.text, name.label, name.argb);
  }
  return ids;
}

Ns withinTime(const trace::Trace& trace, Ns offset) {
  return std::clamp(offset, trace::kMinTime - trace.range.begin, trace::kMaxTime - trace.range.end);
}

/// What a report's row is called where views are kept: its file and the folder it lies in, wherever that is.
std::vector<std::string> keysOf(std::span<const Identity> identities) {
  std::vector<std::string> keys;
  std::map<std::string, int> uses;
  for (const Identity& each : identities) {
    std::string key = "report " + (each.calledBy().parent_path().filename() / each.calledBy().filename()).string();
    if (const int before = uses[key]++; before > 0) key += fmt::format(" #{}", before + 1);
    keys.push_back(std::move(key));
  }
  return keys;
}

Joined joinAll(std::span<const Identity> identities, std::span<const TracePtr> traces,
               std::span<const Placement> placements, const trace::Trace* earlier, const Job& job) {
  Joined joined;
  const std::vector<std::string> titles = shortNames(identities), keys = keysOf(identities);
  std::vector<trace::TraceToJoin> toJoin;
  std::shared_ptr<const trace::NameTable> names;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    job.progress(static_cast<double>(i) / static_cast<double>(traces.size()), "put together");
    if (!names) names = traces[i]->names;
    TracePtr own = traces[i];
    if (own->names && own->names != names)
      own = renamed(*own, names, namesIn(*std::const_pointer_cast<trace::NameTable>(names), *own->names));
    Placement placement = placements[i];
    placement.offset = withinTime(*own, placement.offset);
    toJoin.push_back({own, placement.offset, keys[i], titles[i], identities[i].host});
    joined.parts.push_back({identities[i], std::move(placement), titles[i], std::move(own), {}});
  }
  trace::JoinedTraces made = trace::joinTraces(toJoin, earlier);
  joined.trace = std::move(made.trace);
  joined.ownLane.resize(joined.trace->lanes.size());
  for (std::uint32_t i = 0; i < joined.parts.size(); ++i) {
    joined.parts[i].laneOf = std::move(made.laneOf[i]);
    if (joined.parts[i].laneOf.size() != joined.parts[i].trace->lanes.size()) {  // left out: there are too many events
      auto nothing = std::make_shared<trace::Trace>();
      nothing->names = names, nothing->complete = true;
      joined.parts[i].trace = std::move(nothing);
    }
    for (trace::LaneId lane = 0; lane < joined.parts[i].laneOf.size(); ++lane)
      joined.ownLane[joined.parts[i].laneOf[lane]] = {i, lane};
  }
  return joined;
}

}  // namespace

std::uint32_t Joined::reportOfRow(std::uint32_t row) const {
  while (trace->rows[row].parent != trace::kNone) row = trace->rows[row].parent;
  return static_cast<std::uint32_t>(std::ranges::find(trace->rootRows, row) - trace->rootRows.begin());
}

Joined join(std::span<const Identity> identities, std::span<const TracePtr> traces,
            std::span<const Placement> placements, const Job& job) {
  return joinAll(identities, traces, placements, nullptr, job);
}

Joined placed(const Joined& joined, std::span<const Placement> placements, const Job& job) {
  std::vector<Identity> identities;
  std::vector<TracePtr> traces;
  for (const Joined::Part& part : joined.parts) {
    identities.push_back(part.identity);
    traces.push_back(part.trace);
  }
  return joinAll(identities, traces, placements, joined.trace.get(), job);
}

}  // namespace lanescope::together
