// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of two compared reports need to know of each other: how their times correspond, which rows, names and
// events of the one are which of the other, and how each of them changed. A value, made once by match() away from the GUI
// thread; every question to it is O(1) or O(log n).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/compare/changes.h"
#include "views/palette.h"

namespace lanescope::views {

/// Of two reports, the one before and the one after.
enum Side : std::uint8_t { kA, kB };
constexpr Side otherThan(Side side) { return side == kA ? kB : kA; }

template <class T>
using PerSide = std::array<T, 2>;

struct Matched {
  PerSide<trace::TracePtr> traces;
  compare::Alignment alignment;
  PerSide<std::vector<std::uint32_t>> rows;  ///< by row, the other side's; kNone: it has none
  PerSide<std::vector<trace::NameId>> names;  ///< by name (Name::same), the other side's; kNone: it has none
  PerSide<std::vector<bool>> differs;  ///< by row: it or one below it has an event that changed, here or across
  PerSide<std::shared_ptr<const Changes>> changes;
  std::vector<compare::ChangedEvent> biggest;  ///< first

  trace::Ns toOther(Side from, trace::Ns time) const {
    return from == kA ? alignment.map.toB(time) : alignment.map.toA(time);
  }
  std::optional<trace::EventRef> twinOf(Side side, trace::EventRef event) const;
};

/// O(events), and what align() costs; where only the alignment is another than in `before`, of the same traces, much less.
/// Nothing only if it was cancelled.
std::optional<Matched> match(const PerSide<trace::TracePtr>& traces, const compare::AlignRequest& request,
                             const std::shared_ptr<const Matched>& before, const Job& job);

}  // namespace lanescope::views
