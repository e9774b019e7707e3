// SPDX-License-Identifier: Apache-2.0
// An entry of traceEvents as its text says it: fields told apart, times as exact nanoseconds, nothing interpreted.
// Facts of the format: "Trace Event Format" (Chromium) and the files of PyTorch's Kineto.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/trace/time.h"

namespace lanescope::imported {

/// A number or a text that names something: pid, tid, id. A number that 64 bits do not hold stays a text.
struct JsonId {
  enum class Kind : std::uint8_t { kNone, kNumber, kText };
  Kind kind = Kind::kNone;
  std::int64_t number = 0;
  std::string_view text = {};
  bool operator==(const JsonId&) const = default;
};

/// Views into the reader's buffers, valid during the call that hands them out. Texts are unescaped and repaired UTF-8.
struct JsonEvent {
  /// Grows from entry to entry, those that could not be read too; each list of entries begins at a multiple of
  /// Positions::kEvery.
  std::uint64_t ordinal = 0;
  char phase = 0;             ///< ph: 'X', 'B', …; 0 where it is missing or longer
  std::string_view name, category;  ///< name, cat; empty where missing
  JsonId pid, tid;
  JsonId id;                     ///< id, else id2.local, else id2.global
  bool idIsLocal = false;        ///< of id2.local: of its process alone
  std::string_view scope;        ///< scope or s
  std::string_view bind;         ///< bp
  std::string_view stackFrame;   ///< sf, a key of stackFrames; a number as its text
  std::optional<trace::Ns> ts, duration;  ///< exact, rounded below 1 ns; none where missing or none
  bool badTime = false;          ///< ts or dur is there but no time: null, a word, beyond 64 bits
  std::string_view args;         ///< as written, from { to }; empty where missing or no object

  /// From args, of events that may tell of a GPU: 0 or -1 where missing.
  struct OfGpu {
    std::int64_t correlation = 0;  ///< correlation
    std::int64_t device = -1, stream = -1, context = -1;
    std::int64_t bytes = -1;  ///< bytes, "Memory size (bytes)" and the like
  };
  OfGpu gpu;
};

}  // namespace lanescope::imported
