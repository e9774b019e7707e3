// SPDX-License-Identifier: Apache-2.0
// What the importers of AMD's databases share. Private to model/import.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/import/roster.h"
#include "model/import/table_reading.h"

namespace lanescope::imported::amd {

/// Adds an event whose times are whole numbers, in the two columns. `work` is added where it is wanted.
struct Adder {
  Recording& recording;
  bool details = false;

  void operator()(std::uint32_t track, const trace::Event& event, const WorkDetails& work = {}) {
    Track& to = recording.tracks[track];
    to.events.push_back(event);
    if (details && trace::isGpuWork(to.kind)) to.work.push_back(work);
  }
};

/// Row ids as source rows.
inline std::uint64_t rowOf(const report::TableRow& row, std::uint64_t behind = 0) {
  return behind + static_cast<std::uint64_t>(row.rowid());
}

inline std::uint64_t bytesOf(std::int64_t stored) { return stored < 0 ? 0 : static_cast<std::uint64_t>(stored); }

/// How many workgroups it takes for a grid that is told in work-items.
inline std::int64_t groupsOf(std::int64_t items, std::int64_t group) {
  if (items <= 0 || group <= 1) return items;
  return items / group + (items % group != 0 ? 1 : 0);
}

/// A kernel by its name as it stands there, or demangled where it is mangled; labelled with its short one.
trace::NameId kernelNamed(trace::NameTable& names, std::string_view text);

}  // namespace lanescope::imported::amd
