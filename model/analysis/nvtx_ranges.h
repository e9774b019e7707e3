// SPDX-License-Identifier: Apache-2.0
// The NVTX ranges of a thread as they nest, and the calls that lie in them: what all reports on ranges and their GPU work
// are made of (facts 2.2, 2.5). Ranges nest by containment across all domains of the thread; a call is in every range
// that holds the whole of it. Linear in ranges and calls but for sorting and what overlaps. Private to model/analysis.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

/// What of a thread is in scope.
struct ThreadEvents {
  std::uint32_t thread = 0;
  std::vector<trace::LaneId> ranges;  ///< push/pop
  std::vector<trace::LaneId> calls;  ///< of the CUDA API
  std::vector<trace::EventRef> startEnd;  ///< start/end ranges that begin and end on this thread
};

/// Threads that have ranges or calls.
std::vector<ThreadEvents> threadEvents(const ReportInput& input, bool withStartEnd);

struct RangeNode {
  trace::EventRef event;
  trace::Ns start = 0, end = 0;
  std::uint32_t parent = trace::kNone;  ///< the innermost range that holds it, by index
  std::uint32_t level = 0;  ///< how many are around it
};

/// By start, outer before inner; without those that have no end.
std::vector<RangeNode> nestedRanges(const ReportInput& input, const ThreadEvents& thread);

/// What the traces of ranges say of where a range stands. Of one deeper than kMostLevels the middle of its stack is left
/// out, so that what is written stays in proportion to the ranges.
class RangeStacks {
 public:
  static constexpr std::uint32_t kMostLevels = 256;

  RangeStacks(const ReportInput& input, const std::vector<RangeNode>& ranges) : trace_(input.trace), ranges_(ranges) {}
  std::int64_t id(std::size_t range) const;  ///< its row in the file
  Cell parent(std::size_t range) const;  ///< the id of the one around it
  std::string text(std::size_t range) const;  ///< ":7:12:13", from the outermost

 private:
  const trace::Trace& trace_;
  const std::vector<RangeNode>& ranges_;
};

/// The name behind two dashes a level.
std::string treeName(std::string_view name, std::uint32_t level);

/// Calls that started kernels, copies or memsets, one lane of them, and when that work ran.
class Launches {
 public:
  Launches(const ReportInput& input, trace::LaneId calls);

  struct Work {
    std::uint64_t calls = 0;
    trace::Ns first = trace::kMaxTime, last = trace::kMinTime;

    void add(const Work& more) {
      calls += more.calls;
      first = std::min(first, more.first);
      last = std::max(last, more.last);
    }
  };

  /// What was launched by calls that lie wholly in [begin, end]. `begin` ascends from one question to the next.
  /// O(log of the answer), and each call passed once.
  Work within(trace::Ns begin, trace::Ns end);

 private:
  struct Span {
    trace::Ns first, last;
  };
  std::vector<trace::Ns> start_, end_;
  std::vector<Span> tree_;  // of calls at [n, 2n), of two below at half the index
  std::size_t next_ = 0;
};

/// How many ranges around a call are looked at: so deep only a recursion without end goes, and the cost of all calls stays
/// in proportion to their number.
inline constexpr std::size_t kMostAround = 256;

/// The calls of a thread that started kernels, copies or memsets, by start; visit(call, ranges) is given the indices of
/// the ranges that hold it, the innermost last, at most kMostAround. Returns of how many calls there are more.
template <class Visit>
std::uint64_t forEachCallInRanges(const ReportInput& input, const ThreadEvents& thread,
                                  const std::vector<RangeNode>& ranges, Visit visit);

/// True for a call that started a kernel, copy or memset.
bool launches(const trace::Trace& trace, trace::EventRef call);

template <class Visit>
std::uint64_t forEachCallInRanges(const ReportInput& input, const ThreadEvents& thread,
                                  const std::vector<RangeNode>& ranges, Visit visit) {
  std::vector<std::uint32_t> open, holding;  // those of `open` that have ended are taken off when they are met
  std::uint64_t cut = 0;
  std::size_t next = 0;
  for (const trace::EventRef call : input.byStart(thread.calls)) {
    if (!launches(input.trace, call)) continue;
    const trace::TimeRange time = input.trace.time(call);
    for (; next < ranges.size() && ranges[next].start <= time.begin; ++next) {
      while (!open.empty() && ranges[open.back()].end < ranges[next].start) open.pop_back();
      open.push_back(static_cast<std::uint32_t>(next));
    }
    holding.clear();
    std::size_t at = open.size(), kept = open.size();  // open[kept...] is what stays of open[at...]
    while (at > 0 && holding.size() < kMostAround) {
      const std::uint32_t range = open[--at];
      if (ranges[range].end < time.begin) continue;
      open[--kept] = range;
      if (ranges[range].end >= time.end) holding.push_back(range);
    }
    cut += at > 0;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at), open.begin() + static_cast<std::ptrdiff_t>(kept));
    std::reverse(holding.begin(), holding.end());
    visit(call, std::span<const std::uint32_t>(holding));
  }
  return cut;
}

}  // namespace lanescope::analysis
