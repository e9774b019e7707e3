// SPDX-License-Identifier: Apache-2.0
// Which collective of one rank is which of another. Collectives of one communicator come in one order on all its ranks, so
// sequences of (operation, bytes) are matched in order; where one has more than the other (a capture began late, a call
// is missing) the clocks decide which: ranks leave a collective at about the same time. If the clocks are not known, they
// follow from the same: the offset is the one at which most ends agree. Pure; one thread.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "model/together/report_calls.h"

namespace lanescope::together {

/// What sequences are of: a communicator, else a stream of those that have collectives.
struct SequenceKey {
  std::uint64_t communicator = 0;
  std::uint32_t stream = 0;
  auto operator<=>(const SequenceKey&) const = default;
};
using Sequence = std::vector<const RankCall*>;  ///< by start

enum class SequencesBy : std::uint8_t { kCommunicator, kStream, kNothing };
/// By communicator if every rank tells some, of which there are several; by stream if they tell none and all have as many
/// streams; else all of a rank is one sequence.
SequencesBy sequencesBy(std::span<const ReportCalls> reports);
std::map<SequenceKey, Sequence> sequencesOf(const ReportRank& rank, SequencesBy by);

/// True where nobody leaves before all have come, and so all leave together: not of what has a root.
bool leavesTogether(const RankCall& call);

/// A call with its times on the axis of the matching.
struct Slot {
  const RankCall* call = nullptr;
  trace::Ns begin = 0, end = 0;
};
std::vector<Slot> slotsOf(const Sequence& sequence, trace::Ns offset);

inline constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;
struct SlotPair {
  std::uint32_t a = kNoSlot, b = kNoSlot;  ///< one of them may be none
};
/// Every slot of both once, in order. Two are a pair if operation and bytes agree and they overlap, within `slack`; what
/// has a root also if those behind them do. Of two that may be the partner the one whose end is nearer. O(a + b).
std::vector<SlotPair> inOrder(std::span<const Slot> a, std::span<const Slot> b, trace::Ns slack);

/// Where b stands against a by the ends of the collectives that both have.
struct Estimate {
  trace::Ns offset = 0;  ///< b's times + offset = a's times: the median of the differences of ends
  trace::Ns error = 0;  ///< 1.4826 · median absolute deviation, or by how much ranks may leave apart if that is more
  trace::Ns slack = 0;  ///< by how much single calls may be off, for matching them
  std::size_t pairs = 0;
};
/// By how much ranks may leave one collective apart however many one looks at: 10 to 50 µs by what is known of NCCL.
inline constexpr trace::Ns kLeavingApart = 50'000;

/// What is known before: an offset and its error.
struct Prior {
  trace::Ns offset = 0, error = 0;
};
/// Nothing where they have no collective in common. Sequences are laid on each other at every shift at which the shorter
/// one mostly lies within the longer one (of more than 20,000 those where they begin or end together), 64 calls each; taken is the shift whose ends
/// agree best (the shortest interval that holds a third of the differences), within the prior unless another agrees much
/// better. At equal counts without a prior the first call is the first call. Other shifts that agree about as well widen
/// the error. O(calls · log).
std::optional<Estimate> estimate(const ReportCalls& a, const ReportCalls& b, SequencesBy by,
                                 const std::optional<Prior>& prior);

}  // namespace lanescope::together
