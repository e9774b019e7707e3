// SPDX-License-Identifier: Apache-2.0
// Of a report that was made of another tool's file: what that file is, and what stands in it as it is written there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/report/database.h"
#include "model/trace/time.h"

namespace lanescope::report {

/// What stands in a JSON file, whatever became of it.
struct Written {
  struct Copies {
    std::uint64_t count = 0, bytes = 0;
    std::int64_t totalNs = 0;
  };
  std::uint64_t entries = 0;
  std::map<std::string, std::uint64_t> byPhase;
  std::int64_t totalNs = 0;  ///< durations of complete events
  std::optional<std::pair<trace::Ns, trace::Ns>> span;
  std::map<std::string, Copies> copies;  ///< by their name
};

struct Source {
  std::filesystem::path file;
  std::string format, version;
  std::optional<Written> written;  ///< of JSON
};

/// Nothing for a report that was recorded.
std::optional<Source> sourceOf(const Database& database);

/// True for a report of a Chrome trace that is not Kineto's.
bool isOfPlainChrome(const Database& database);

/// True for formats in which 0 is a time like any other; the others write it for what they do not know.
bool hasZeroTimes(std::string_view format);

/// Where every 64th entry of the file begins in its unpacked text.
std::vector<std::uint64_t> entryPositions(const Database& database);

}  // namespace lanescope::report
