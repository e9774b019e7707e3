// SPDX-License-Identifier: GPL-3.0-or-later
// All that the Details panel shows of an event, fetched from the file away from the GUI thread, however slow the file.
// Opens the file when first asked, with a connection of its own. One thread at a time: jobs of one LatestJob.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/report/details.h"

namespace lanescope::ui {

struct EventDetails {
  std::vector<report::Field> fields;
  report::CallStack stack;
  std::string ncuCommand;
};

class DetailsSource {
 public:
  explicit DetailsSource(std::filesystem::path path) : path_(std::move(path)) {}

  Result<EventDetails> of(const trace::Trace& trace, trace::EventRef event, const Job& job);

 private:
  std::filesystem::path path_;
  std::optional<Result<report::Details>> file_;
};

}  // namespace lanescope::ui
