// SPDX-License-Identifier: GPL-3.0-or-later
// How a user arranged the rows: which are pinned, which hidden, which come first. A value, by Row::key, so that it
// holds for rows that are yet to come. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::views {

struct RowArrangement {
  static constexpr std::size_t kMostPinned = 200;

  std::vector<std::string> pinned;  ///< from the top; each with what is below it; at most kMostPinned
  std::set<std::string> hidden;     ///< each with what is below it, but for what is pinned
  /// The rows below a row, by its key; "" are those below none. Rows that it does not name come after those that it
  /// does, in the order of the trace.
  std::map<std::string, std::vector<std::string>> order;

  bool operator==(const RowArrangement&) const = default;
  bool isPinned(const trace::Row& row) const;
  bool isHidden(const trace::Row& row) const { return hidden.contains(row.key); }
};

/// The rows directly below `parent` (kNone: the roots) as arranged, those that are pinned or hidden too.
std::vector<std::uint32_t> arrangedChildren(const trace::Trace& trace, const RowArrangement& arrangement,
                                            std::uint32_t parent);

/// "app [1234] › CUDA HW", of what is above a row; empty for a root. At most `most` bytes of each label.
std::string pathAbove(const trace::Trace& trace, std::uint32_t row, std::size_t most = 120);

}  // namespace lanescope::views
