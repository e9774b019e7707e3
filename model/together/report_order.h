// SPDX-License-Identifier: Apache-2.0
// Which of several reports of one job comes first, and what each is called among them. O(reports · log). Any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/report/origin.h"

namespace lanescope::together {

/// What of a report decides where it stands.
using Identity = report::Origin;

/// Read from the file without loading it.
inline Result<Identity> identify(const std::filesystem::path& path) { return report::originOf(path); }

/// By host, then rank, then name; numbers in names by value; what is not known comes last.
void sortForShow(std::vector<Identity>& identities);

/// The shortest name of each that no other has: "rank 3", "node1 rank 3", "run.rep", "ddp_rank0/nsys.sqlite", the whole
/// path; where even that is given twice, twice the same.
std::vector<std::string> shortNames(std::span<const Identity> identities);

/// Recorded on one machine: one boot of it where that is known of both, else if both saw one same GPU, else, where GPUs
/// are not known of both, by the name of the host.
bool sameMachine(const Identity& a, const Identity& b);

}  // namespace lanescope::together
