// SPDX-License-Identifier: Apache-2.0
// What the order of time says of events that are written in the order of the
// file: where several overlap on one track, which of its lanes each takes;
// which of several calls of one correlation id is the one that began first.
// SQLite sorts, on disk if it must: O(rows log rows); what is kept is about a
// byte a row that is no ordinary one. Private to the chrome export.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/report/id_set.h"
#include "model/report/slice.h"

namespace lanescope::exporting {

/// A lane a row, by first fit: lane 0 is the track itself. What lies within
/// another event stays in its lane.
class Lanes {
 public:
  static constexpr int kMost = 64;

  /// `tables` share their tracks, which are told apart by the columns `track`.
  void add(const report::Slice& slice, std::span<const std::string_view> tables, const report::Columns& track);

  int of(std::string_view table, std::int64_t rowid) const;

 private:
  struct Digits {
    std::vector<report::IdSet> sets; ///< of the lane's number, in binary: rows that have that digit
    void set(std::int64_t rowid, int lane);
  };
  std::map<std::string, Digits, std::less<>> lanes_;
};

/// Calls that share their correlation id, in their process, with one that began
/// earlier, by table and row.
class LaterCalls {
 public:
  LaterCalls(const report::Slice& slice, std::span<const std::string_view> tables);
  bool contains(std::string_view table, std::int64_t rowid) const;

 private:
  std::map<std::string, report::IdSet, std::less<>> rows_;
};

} // namespace lanescope::exporting
