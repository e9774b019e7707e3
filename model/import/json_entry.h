// SPDX-License-Identifier: Apache-2.0
// One entry of traceEvents, parsed with simdjson: the fields told apart. Args are not looked into but of entries that may
// tell of a GPU. Of a field that stands twice the last counts.
#pragma once

#include <memory>
#include <string_view>

#include "model/import/json_event.h"

namespace lanescope::imported {

/// Bytes behind an entry's text that must be there to be read.
inline constexpr std::size_t kParseSlack = 64;

class EntryParser {
 public:
  explicit EntryParser(bool timesAreNanoseconds);
  ~EntryParser();

  /// False where the text, from { to }, is no JSON. The event's views last until the next call.
  bool parse(std::string_view text, JsonEvent& event);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lanescope::imported
