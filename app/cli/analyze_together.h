// SPDX-License-Identifier: Apache-2.0
// The checklists of several files as one: of every check the rank that does worst, and how unlike the ranks' loads are.
#pragma once

#include <string>
#include <vector>

#include "app/cli/report_files.h"
#include "model/analysis/rules.h"

namespace lanescope::cli {

/// What one file has to say to that.
struct RankChecks {
  std::vector<analysis::Check> checks;
  std::vector<analysis::RankLoad> loads;
};

/// As texts, for another process, and back.
std::vector<std::string> textsOf(const RankChecks& rank);
RankChecks rankChecksOf(const std::vector<std::string>& texts);

/// One check a kind, load imbalance last; of more than one file. What they are of names the rank or file.
std::vector<analysis::Check> checksOfAll(std::vector<RankChecks> ranks, const FileLabels& files);

}  // namespace lanescope::cli
