// SPDX-License-Identifier: Apache-2.0
// The processes of a recorded run as our recorder notes them: who they were, whose children, which rank, how they ended.
// Other files hold none of it. At most 20,000 processes, texts cut at 4 KiB, whatever the file. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

/// What MPI said, and what launchers of several ranks tell each, the most telling first.
inline constexpr const char* kRankVariables[] = {"MPI_RANK", "RANK",         "OMPI_COMM_WORLD_RANK",
                                                 "PMI_RANK", "SLURM_PROCID", "LOCAL_RANK"};

struct RunProcess {
  std::int64_t pid = 0;
  std::optional<std::int64_t> parent;
  std::string name;  ///< of its executable
  std::string rank;  ///< empty: none
  std::string ended;  ///< "ended with exit code 0", "ran on", …; empty: not known
};

/// In the order in which they began to be recorded; the program itself first if it recorded nothing.
std::vector<RunProcess> runProcesses(const Database& database);

/// "python3, rank 3, child of 1200; ended with exit code 0".
std::string describe(const RunProcess& process);

}  // namespace lanescope::report
