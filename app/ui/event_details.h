// SPDX-License-Identifier: GPL-3.0-or-later
// All that the Details panel shows of an event, fetched from its file away from the GUI thread, however slow the file.
// Opens a file when first asked for one of its events, with a connection of its own. One thread at a time: jobs of one
// LatestJob.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/load_together.h"
#include "model/report/details.h"

namespace lanescope::ui {

struct EventDetails {
  std::vector<report::Field> fields;
  report::CallStack stack;
  std::string ncuCommand;
};

class DetailsSource {
 public:
  explicit DetailsSource(std::filesystem::path path) { files_.push_back({.path = std::move(path)}); }
  explicit DetailsSource(const together::Joined& joined);  ///< of several reports

  /// Of an event of the trace, which is the joined one where there are several.
  Result<EventDetails> of(const trace::Trace& trace, trace::EventRef event, const OneTimeline* together,
                          const Job& job);

 private:
  /// Where the entries of a JSON file stand that a report was made of.
  struct Entries {
    std::filesystem::path file;  ///< empty: it was made of none
    imported::Positions positions;
  };
  struct File {
    std::filesystem::path path;
    std::optional<Result<report::Details>> details = {};
    std::optional<Entries> entries = {};
  };
  static void addArguments(File& file, std::uint64_t entry, std::vector<report::Field>& fields, const Job& job);

  std::vector<File> files_;
};

/// What the file of one report says of its event, as it is said where several are on one timeline: other events by their
/// ids there, times as there, the report named, and of a collective who came last.
std::vector<report::Field> fieldsAmong(const OneTimeline& timeline, trace::EventRef event,
                                       std::vector<report::Field> own);

}  // namespace lanescope::ui
