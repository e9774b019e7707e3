// SPDX-License-Identifier: Apache-2.0
// How a table of `stats` is told: its headings, where it goes, and what is said where there is none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/stats_request.h"

namespace lanescope::cli {

/// A table as it is written, or why there is none.
struct Made {
  std::string title;
  std::string text;  ///< without a title: what the file lacks
  std::optional<Error> error;
};

/// What a table was made of.
struct Source {
  std::string shown;
  std::string path;  ///< that files of "-o ." are named after; of one file only
  bool several = false;
};
Source sourceOf(const std::string& file);

/// The exit status.
int deliver(const Made& made, const StatsOrder& order, const Source& source, const StatsOptions& options,
            const std::string& suffix);

/// "SKIPPED: a.rep does not contain CUDA kernel data."
std::string skippedText(const Source& source, const std::string& missing);

/// One line on stderr of what is not in the figures of a file.
void sayReason(const std::string& file, const std::string& reason);

}  // namespace lanescope::cli
