// SPDX-License-Identifier: Apache-2.0
// Events by name and by terms. A name is looked at once, however many events carry it; then one scan over the events.
// Any thread; find() stops when the job is cancelled.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/job.h"
#include "model/trace/trace.h"

namespace lanescope::analysis {

/// What is looked for: text to match names with, and terms that every hit satisfies.
///   sgemm kind:kernel dur>10us stream:14
/// Text is a part of the name without regard to case; with `regex`, an expression with regard to it (RE2 syntax).
/// Terms: kind:kernel,copy · dur>10us dur<=1ms (also >=, <; ns, us, µs, ms, s) · stream:14 · tid:123 · pid:123 · gpu:0.
/// A word that only looks like a term is text; "quotes" keep one from being a term.
class Query {
 public:
  struct Mistake {
    std::size_t at = 0;  ///< byte of the input
    std::size_t length = 0;
    std::string why;  ///< one short clause: "no unit of time: 10 parsecs"
  };
  static tl::expected<Query, Mistake> parse(std::string_view input, bool regex);

  bool empty() const;  ///< nothing asked for: no hits

 private:
  friend class Finder;
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

/// All hits, lane by lane.
struct Hits {
  struct OfLane {
    trace::LaneId lane = 0;
    std::vector<std::uint32_t> events;  ///< indices, ascending, so in order of time
  };
  std::vector<OfLane> lanes;
  std::uint64_t count = 0;
};

/// O(names + events).
Hits find(const trace::Trace& trace, const Query& query, const Job& job = {});

/// The hit after (or before) `from` in order of start, ties by lane; from nothing, the first that starts at or after
/// (before) `time`. Goes round at the ends. None where there are no hits. O(lanes · log hits).
std::optional<trace::EventRef> nextHit(const trace::Trace& trace, const Hits& hits, std::optional<trace::EventRef> from,
                                       trace::Ns time, bool forward = true);

/// Which hit that is, counted from 1 in order of start; 0 if it is none. O(lanes · log hits).
std::uint64_t rankOf(const trace::Trace& trace, const Hits& hits, trace::EventRef event);

/// The first `most` hits by start. O(hits · log).
std::vector<trace::EventRef> firstHits(const trace::Trace& trace, const Hits& hits, std::size_t most,
                                       const Job& job = {});

/// For each of `columns` equal parts of a range, whether a hit touches it. O(hits) at most, O(columns · lanes · log)
/// where hits are many.
std::vector<bool> hitColumns(const trace::Trace& trace, const Hits& hits, trace::TimeRange range, int columns);

}  // namespace lanescope::analysis
