// SPDX-License-Identifier: Apache-2.0
// What of a JSON text was skipped or repaired, by cause, with where the first of each stands.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::imported {

class JsonTroubles {
 public:
  enum Cause {
    kNoJson,
    kNoObject,
    kTooDeep,
    kTooLong,
    kNoText,    ///< behind the trace
    kBeside,    ///< beside the entries
    kControls,  ///< in texts, which were repaired; as the following
    kBadUtf8,
    kCutOff,
    kGaveUp,
    kCauses
  };

  /// `position` in the unpacked text, in bytes.
  void add(Cause cause, std::uint64_t position, std::uint64_t count = 1);
  std::vector<trace::Issue> issues() const;

 private:
  struct Seen {
    std::uint64_t count = 0, first = 0;
  };
  std::array<Seen, kCauses> seen_;
};

}  // namespace lanescope::imported
