// SPDX-License-Identifier: Apache-2.0
// Call trees: what the threads of a range of time were in, by the names that stand around each other. Of NVTX ranges,
// in nanoseconds: every instant of a thread counts for its stack, the ranges open then across all domains, outermost
// (the earliest begun, of two begun together the longer) first. So it is for ranges that overlap without nesting, too,
// and two ranges of time next to each other add up to both together. A start/end range is of the thread on which it
// begins and ends; those of no one thread make a stack of their own for each process. Of samples, of the CPU or of
// Python alone, in samples: by the call stacks taken with them, a function a name, whatever line it is in.
// Pure, any thread; O(n log n) of the events that touch the range. Nothing grows beyond kMostNodes and kMostLevels: what
// would lie deeper counts for the last name that is kept, and CallTree::cut tells of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/analysis/filter.h"
#include "model/job.h"
#include "model/report/row_values.h"
#include "model/report/sample_stacks.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

enum class CallSource : std::uint8_t { kNvtx, kSamples, kPython };
/// Else it is of times.
constexpr bool countsSamples(CallSource source) { return source != CallSource::kNvtx; }

enum class CallOrder : std::uint8_t {
  kTopDown,  ///< callers above what they call
  kBottomUp,  ///< what time was spent in itself above its callers
  kFlat,  ///< every name once
};

struct CallNode {
  std::uint32_t name = 0;  ///< index into CallTree::names
  std::uint32_t parent = trace::kNone;
  std::uint32_t firstChild = 0, children = 0;  ///< they stand one behind the other, the largest total first
  /// Nanoseconds or samples. Of a bottom-up tree `total` is what the name at its top spent itself below these callers,
  /// and `self` stands at the top only. Flat, a name inside itself counts once for `total`.
  std::int64_t total = 0, self = 0;
  std::uint64_t count = 0;  ///< ranges that began here, or were open when the range of time began; samples
  trace::EventRef longest;  ///< of those the longest, whole; the first sample
  trace::Ns longestLength = -1;  ///< -1: none
};

struct CallTree {
  CallSource source = CallSource::kNvtx;
  bool byThread = false;
  std::vector<CallNode> nodes;  ///< parents before children; the first one stands for all
  std::vector<std::string_view> names;
  std::uint64_t cut = 0;  ///< ranges or samples of which some levels are left out

  /// Samples whose stack was not taken, while others' were. They are in no node but of a flat tree, whose `self` counts
  /// all samples and whose `total` those with a stack.
  struct Lone {
    std::uint32_t top = 0;  ///< name of the node at the top that they are of
    std::uint32_t name = 0;  ///< index into names: their innermost function
    std::int64_t count = 0;
    trace::EventRef first;
  };
  std::vector<Lone> lone;

  std::int64_t withoutStack() const;  ///< of these in all
  bool empty() const { return nodes.size() < 2; }
  std::string_view nameOf(std::uint32_t node) const { return names[nodes[node].name]; }

  /// What the names lie in.
  std::shared_ptr<const void> texts;
};

/// On which thread start/end ranges begin and end, which only the file knows. Valid as long as `values`.
class RangeThreads {
 public:
  RangeThreads(const trace::Trace& trace, report::RowValues& values);
  /// None for one of several threads.
  std::optional<std::uint32_t> of(const trace::Trace& trace, trace::EventRef range) const;

 private:
  std::vector<const report::RowValues::Column*> tids_;  // where it begins and where it ends
  std::unordered_map<std::int64_t, std::uint32_t> threads_;  // by globalTid
};

struct CallQuestion {
  static constexpr std::size_t kMostNodes = 200'000;
  static constexpr std::size_t kMostLevels = 256;

  trace::TracePtr trace;
  CallSource source = CallSource::kNvtx;
  trace::TimeRange range{trace::kMinTime, trace::kMaxTime};
  bool byThread = false;  ///< the nodes at the top are threads, in every order
  PassingPtr passing;  ///< null: of all events
  const RangeThreads* threads = nullptr;  ///< null: start/end ranges are of no thread
  std::shared_ptr<const report::SampleStacks> stacks;  ///< for samples; null: none were taken
  std::size_t mostNodes = kMostNodes;
};

/// Top-down. Worth nothing once the job was cancelled.
CallTree callTree(const CallQuestion& question, const Job& job = {});

/// A top-down tree in another order. O(nodes × levels).
CallTree inOrder(const CallTree& topDown, CallOrder order, const Job& job = {});

}  // namespace lanescope::analysis
