// SPDX-License-Identifier: Apache-2.0
// One trace of two that are matched: what each of its events is called in words that both share, and where in the course
// of the program it stands. GPU work stands where it was launched. Words are hashes (match_sequences.h), from strict to
// loose: with the NVTX ranges around, by name, and by what of the name no build or number changes. Seventeen bytes an
// event; O(events · log). Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/compare/common_names.h"
#include "model/compare/match_sequences.h"
#include "model/trace/trace.h"

namespace lanescope::compare {

inline constexpr std::size_t kLevels = 3;
using Words = std::array<Token, kLevels>;

constexpr bool isNvtx(trace::EventKind kind) {
  return kind == trace::EventKind::kNvtxRange || kind == trace::EventKind::kNvtxStartEnd ||
         kind == trace::EventKind::kNvtxMark;
}

/// One more than the largest EventId, of projections and other rows that follow from events too.
std::size_t eventIds(const trace::Trace& trace);

/// Where in the iterations of a list: before the first 0, in the n-th (from 0) 2n + 3, behind it 2n + 2.
struct Place {
  std::uint32_t list = trace::kNone;  ///< none: there are no iterations where it is
  std::uint32_t at = 0;
};

/// The iterations of some threads. Other threads of a process go by the list of that with most.
class Course {
 public:
  struct List {
    std::uint32_t thread = trace::kNone, process = trace::kNone;
    std::vector<trace::EventRef> ranges;  ///< by start
  };
  Course() = default;
  Course(const trace::Trace& trace, const std::vector<List>& lists, const std::vector<std::uint32_t>& leading);

  Place at(std::uint32_t thread, std::uint32_t process, trace::Ns begin) const;  ///< O(log iterations)

 private:
  std::vector<std::vector<trace::TimeRange>> times_;
  std::unordered_map<std::uint32_t, std::uint32_t> ofThread_, ofProcess_;
};

class Side {
 public:
  /// `domains`: by index, a number that both sides share.
  Side(const trace::Trace& trace, const NameNumbers& names, std::vector<std::uint32_t> domains);

  /// Before anything below is asked. Without `byLaunch` GPU work stands where it began.
  void follow(const Course& course, const std::vector<Course::List>& iterations, bool byLaunch);

  /// True if of most GPU work it is known what launched it.
  bool knowsLaunches() const;

  const trace::Trace& trace() const { return trace_; }
  bool isIteration(trace::EventId event) const { return isIteration_[event]; }
  Place place(trace::EventId event) const { return places_[event]; }
  Words words(trace::EventRef event) const;

  /// Of GPU work.
  std::optional<trace::EventId> launchOf(trace::EventRef work) const;

  /// Calls of the CUDA API, NVTX, GPU work.
  static bool isMatched(trace::EventKind kind) {
    return trace::isGpuWork(kind) || isNvtx(kind) || kind == trace::EventKind::kCudaApi;
  }

 private:
  void walk(const std::vector<trace::LaneId>& lanes);
  Token around(trace::EventRef event) const;
  Words rangeWords(const trace::LaneInfo& info, trace::NameId name) const;
  Words workWords(trace::EventRef event) const;

  const trace::Trace& trace_;
  const NameNumbers& names_;
  std::vector<std::uint32_t> domains_;
  std::vector<Token> around_;  // by event on a thread: the ranges it is in
  std::vector<Place> places_;
  std::vector<bool> isIteration_;
};

}  // namespace lanescope::compare
