// SPDX-License-Identifier: Apache-2.0
// What is missing from a recording, said once and kept: as issues and diagnostics of the report and as notes for the
// user. Private to finish*.cpp.
#pragma once

#include <string>
#include <vector>

#include "collector/launch/finish_process.h"

namespace lanescope::launch {

struct Losses {
  std::uint64_t events = 0;        ///< known to be missing
  std::vector<std::string> notes;  ///< for the user
};

void writeLosses(report::Writer& writer, const Process& process, bool many, Losses& losses);

/// A sentence about the recording as a whole.
void writeIssue(report::Writer& writer, std::string_view kind, std::uint64_t count, const std::string& text,
                Losses& losses);

/// "1, 2, 3": the first of many, with an ellipsis.
std::string firstOf(const std::vector<std::string>& names);

/// Processes whose last words are missing, by why that is.
struct SilentEnds {
  std::vector<const Process*> abrupt;
  std::vector<const Process*> unseen;  ///< left by themselves, though not by exit(), and had used a GPU
  struct Became {
    const Process* process = nullptr;
    std::string program;  ///< empty if not known
  };
  std::vector<Became> became;  ///< what keeps us out
};
void writeSilentEnds(report::Writer& writer, const SilentEnds& ends, Losses& losses);

/// What the library in the process had to say.
void writeMessages(report::Writer& writer, Process& process, Losses& losses);

}  // namespace lanescope::launch
