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
/// Text is a part of the name; with `regex`, an expression (RE2 syntax) that finds a part of the name or of its label.
/// Neither regards case unless Case says so; (?-i) in an expression does.
/// Terms: kind:kernel,copy · dur>10us dur<=1ms (also >=, <; ns, us, µs, ms, s; a bare number is ns) · stream:14 ·
/// stream:compute (a part of its name) · thread:worker (likewise, or its tid) · tid:123 · pid:123 · gpu:0. One of the values after a term is enough, every term
/// has to hold. Events without an end have no duration, so no dur term holds for them. Thread states, CPU
/// cores, CPU samples and projections are found only where kind: names them.
/// A word that only looks like a term (std::sort, a:b) is text; "quotes" keep one from being a term, and a text's words
/// together.
class Query {
 public:
  struct Mistake {
    std::size_t at = 0;  ///< byte of the input
    std::size_t length = 0;
    std::string why;  ///< one short clause: "no unit of time: 10 parsecs"
  };
  /// Whether text regards case: never, or where it has a capital letter A to Z (that of an escape, as in \S, is none).
  enum class Case : std::uint8_t { kIgnored, kSmart };
  static tl::expected<Query, Mistake> parse(std::string_view input, bool regex, Case letters = Case::kIgnored);

  bool empty() const;  ///< nothing asked for: no hits

  struct Parts;  ///< what was understood; the find's own

 private:
  friend class Matching;
  std::shared_ptr<const Parts> parts_;
};

/// All hits, lane by lane.
struct Hits {
  struct OfLane {
    trace::LaneId lane = 0;
    std::vector<std::uint32_t> events;  ///< indices, ascending, so in order of time
  };
  std::vector<OfLane> lanes;  ///< ascending, none without hits
  std::uint64_t count = 0;
};

class Passing;

/// O(bytes of the names + events of the lanes that the terms leave). With `among`, only what passes that filter.
Hits find(const trace::Trace& trace, const Query& query, const Job& job = {}, const Passing* among = nullptr);

/// The hit after (or before) `from` in order of start, ties by lane; from nothing, the first that starts at or after
/// (before) `time`. Goes round at the ends. None where there are no hits. O(lanes · log hits).
std::optional<trace::EventRef> nextHit(const trace::Trace& trace, const Hits& hits, std::optional<trace::EventRef> from,
                                       trace::Ns time, bool forward = true);

/// Which hit that is, counted from 1 in order of start; 0 if it is none. O(lanes · log hits).
std::uint64_t rankOf(const trace::Trace& trace, const Hits& hits, trace::EventRef event);

/// The first `most` hits, in order of start, ties by lane. O((lanes + most) · log lanes).
std::vector<trace::EventRef> firstHits(const trace::Trace& trace, const Hits& hits, std::size_t most,
                                       const Job& job = {});

/// For each of `columns` equal parts of a range, whether a hit touches it. O(lanes · min(hits, columns) · log).
std::vector<bool> hitColumns(const trace::Trace& trace, const Hits& hits, trace::TimeRange range, int columns);

}  // namespace lanescope::analysis
