// SPDX-License-Identifier: Apache-2.0
// Arrows (s, t, f): which ends belong together, and on which event each stands. Those from a call to its GPU work become
// correlation numbers, all others links. Kineto writes an arrow for each launch though both ends tell a correlation
// number already; such are counted and else left alone.
//
// An end stands on the innermost event around it on its thread, whose last moment counts as inside; an f without
// "bp":"e" on the next one that begins there.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/import/chrome_nesting.h"
#include "model/import/chrome_places.h"

namespace lanescope::imported {

class Flows {
 public:
  Flows(Recording& recording, Places& places) : recording_(recording), places_(places) {}

  void add(const JsonEvent& entry, bool isLaunch, PlaceId place);

  /// Binds all arrows of the document; when its owners and pairs are known.
  void finish();

  /// Beginnings that lead nowhere, ends that come from nowhere, ends where no event stands.
  const Fault& startsAlone() const { return startsAlone_; }
  const Fault& endsAlone() const { return endsAlone_; }
  const Fault& nowhere() const { return nowhere_; }

 private:
  struct Launch {
    std::int64_t id = 0;
    trace::Ns ts = 0;
    std::uint64_t ordinal = 0;
    PlaceId place = 0;
    char phase = 0;
    bool bindsNext = false;
  };
  struct Point {
    trace::Ns ts = 0;
    std::uint64_t ordinal = 0;
    std::uint32_t identity = 0;
    PlaceId place = 0;
    char phase = 0;
    bool bindsNext = false;
    EventAt at = {trace::kNone, 0};
  };
  struct Arrow {
    EventAt from, to;
  };

  std::uint32_t identityOf(std::string_view category, std::string_view name, const JsonId& id);
  void settleLaunches();
  void bind();
  void bindPlace(std::vector<Point*>& points, const std::vector<std::uint32_t>& tracks);
  std::vector<Arrow> arrows();
  void correlate(std::vector<Arrow> arrows);

  Recording& recording_;
  Places& places_;
  std::vector<Launch> launches_;
  std::vector<Point> points_;
  std::unordered_map<std::string, std::uint32_t> identities_;
  std::string key_;
  Fault startsAlone_, endsAlone_, nowhere_;
};

}  // namespace lanescope::imported
