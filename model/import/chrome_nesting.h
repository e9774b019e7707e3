// SPDX-License-Identifier: Apache-2.0
// Events that are written as a beginning and an end. Both kinds are collected while the document is read and paired at
// its end, by time, because files need not be in order; of one time the file's order counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/import/chrome_places.h"

namespace lanescope::imported {

/// Counts what went wrong in one way, and keeps where the first stands.
struct Fault {
  std::uint64_t count = 0, first = 0;
  void add(std::uint64_t ordinal) {
    if (count++ == 0) first = ordinal;
  }
};

/// B and E: per place a stack. An end closes the innermost beginning, whatever its name: writers shorten names at the
/// end. Only where that has another name, and one of this name begins at the same time a little further down in the
/// file, that one is closed.
class Brackets {
 public:
  explicit Brackets(Places& places) : places_(places) {}

  void begin(const TrackKey& key, const trace::Event& event);
  void end(PlaceId place, const trace::Event& event);  ///< its start is the end; name 0: it tells none

  /// Adds the pairs, and the beginnings without an end as unfinished events; forgets all.
  void finish();

  const Fault& endsAlone() const { return endsAlone_; }
  const Fault& otherNames() const { return otherNames_; }

 private:
  struct Bracket {
    trace::Event event;
    std::uint32_t track = trace::kNone;  // none: an end
  };

  std::vector<Bracket>& of(PlaceId place);
  void pair(std::vector<Bracket>& brackets);

  Places& places_;
  std::vector<std::vector<Bracket>> ofPlace_;
  Fault endsAlone_, otherNames_;
};

/// b and e, and the older S and F: what one identity names nests. An end closes the innermost of its name, or the
/// innermost at all where it has none.
class Spans {
 public:
  explicit Spans(Places& places) : places_(places) {}

  /// `span` begins and ends at the entry's time; `isOld`: S and F, whose names are part of the identity.
  void begin(const JsonEvent& entry, bool isOld, const TrackKey& key, const trace::Event& span);
  void end(const JsonEvent& entry, bool isOld, const trace::Event& span);
  void finish();

  const Fault& endsAlone() const { return endsAlone_; }

 private:
  struct Point {
    trace::Event event;
    std::uint32_t identity = 0, track = trace::kNone;  // no track: an end, or a beginning that has met its own
  };
  std::uint32_t identityOf(const JsonEvent& entry, bool isOld);

  Places& places_;
  std::vector<Point> points_;
  std::unordered_map<std::string, std::uint32_t> identities_;
  std::string key_;
  Fault endsAlone_;
};

}  // namespace lanescope::imported
