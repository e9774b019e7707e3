// SPDX-License-Identifier: Apache-2.0
// What `analyze` was asked for, once it is known to make sense: which rules, how they are written and where to, what makes
// it fail. Needs no file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/table_request.h"
#include "model/analysis/rules.h"

namespace lanescope::cli {

struct AnalyzeOptions : TableOptions {
  std::vector<std::string> rules, failOn, helpRules;
};

struct RuleOrder {
  analysis::RuleCall call;
  std::optional<analysis::TableStyle> style;  // none: the checklist in words, tables in columns
  Destination destination;
};

/// What --fail-on says: a rule or a line of the checklist, and its limit.
struct Gate {
  std::string name;
  const analysis::Rule* rule = nullptr;
  const analysis::CheckKind* check = nullptr;
  std::optional<double> limit;
};

struct AnalyzeRequest : TableRequest {
  std::vector<RuleOrder> orders;
  std::vector<Gate> gates;

  const Gate* gateOn(const analysis::Rule& rule) const {
    const auto found = std::ranges::find(gates, &rule, &Gate::rule);
    return found == gates.end() ? nullptr : &*found;
  }
};

/// The error is what is wrong, in one line.
tl::expected<AnalyzeRequest, std::string> requestOf(const AnalyzeOptions& options);

}  // namespace lanescope::cli
