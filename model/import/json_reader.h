// SPDX-License-Identifier: Apache-2.0
// Cuts the text of a Chrome or Kineto JSON file into entries and hands them out one by one, so that a bad one costs only
// itself and a file may be of any size. Plain or packed (gzip of any number of members, zstd, xz, zip, tar): what is
// packed is unpacked by a thread while the text is read. Bounded memory whatever the file. One thread calls.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/error.h"
#include "model/import/json_event.h"
#include "model/import/recording.h"
#include "model/job.h"

namespace lanescope::imported {

/// One text of the file: the file itself, or a member of an archive.
struct JsonDocument {
  std::string name;  ///< of the member; empty: the file itself
  /// What stands at the top beside traceEvents, as written: "displayTimeUnit", "deviceProperties", "stackFrames", …
  /// Whole when all entries have been handed out.
  std::map<std::string, std::string> top;
};

class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  /// Before the first entry, and only of a text that has a list of them, even an empty one; its `top` is not whole yet.
  virtual void beginDocument(const JsonDocument&) {}
  virtual void entry(const JsonEvent& event) = 0;
  virtual void endDocument(const JsonDocument&) {}
};

struct JsonRead {
  std::vector<trace::Issue> issues;  ///< skipped and repaired entries, by cause, each with where the first stands
  Positions positions;
};

/// kNotAReport if the file holds no trace events at all: what it is instead, where that can be told.
Result<JsonRead> readJson(const std::filesystem::path& path, bool timesAreNanoseconds, JsonVisitor& visitor,
                          const Job& job);

/// The fields of args of the entry of this ordinal, in their order, as texts; for details. `positions` are of readJson().
/// Packed files are unpacked into `unpacked` (a file that the caller keeps) at first.
Result<std::vector<std::pair<std::string, std::string>>> argumentsOf(const std::filesystem::path& path,
                                                                     const Positions& positions, std::uint64_t ordinal,
                                                                     const std::filesystem::path& unpacked,
                                                                     const Job& job);

/// The fields of args by name, from the text that JsonEvent::args gives. Of a name that stands twice the last counts.
class JsonArguments {
 public:
  explicit JsonArguments(std::string_view args);
  std::optional<std::int64_t> integer(std::string_view key) const;
  std::optional<double> real(std::string_view key) const;
  std::string text(std::string_view key) const;  ///< empty where missing; numbers as their text
  /// A list of up to three whole numbers (grid, block); missing ones are -1.
  std::array<std::int64_t, 3> size3(std::string_view key) const;
  const std::vector<std::pair<std::string, std::string>>& all() const { return fields_; }  ///< texts unescaped

 private:
  const std::string* find(std::string_view key) const;

  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace lanescope::imported
