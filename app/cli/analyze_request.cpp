// SPDX-License-Identifier: Apache-2.0
#include "app/cli/analyze_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lanescope::cli {
namespace {

using Refused = tl::unexpected<std::string>;

tl::expected<std::vector<RuleOrder>, std::string> ordersOf(const AnalyzeOptions& options) {
  std::vector<std::string> names = options.rules;
  if (names.empty())
    for (const analysis::Rule& rule : analysis::rules())
      if (rule.usual) names.emplace_back(rule.name);
  if (const auto paired = checkLists(options, names.size(), "rules"); !paired) return Refused(paired.error());
  std::vector<RuleOrder> orders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto calls = analysis::findRules(names[i]);
    if (!calls) return Refused(calls.error());
    const auto to = destinationOf(options, i, options.perRank);
    if (!to) return Refused(to.error());
    const auto style = styleOf(formatOf(options, i), *to);
    if (!style) return Refused(style.error());
    for (analysis::RuleCall& call : *calls) {
      call.arguments.iteration = options.iteration;
      orders.push_back({std::move(call), *style, *to});
    }
  }
  return orders;
}

tl::expected<Gate, std::string> gateOf(const std::string& text) {
  Gate gate;
  gate.name = text.substr(0, text.find(':'));
  gate.check = analysis::findCheck(gate.name);
  if (const auto rules = analysis::findRules(gate.name); rules && rules->size() == 1) gate.rule = rules->front().rule;
  if (!gate.rule && !gate.check)
    return Refused("--fail-on " + gate.name + ": no such rule or check; see: lanescope analyze --help-rules");
  if (gate.name.size() == text.size()) {
    if (!gate.rule && !gate.check->goal)
      return Refused(fmt::format("--fail-on {0}: it has no goal of its own; write {0}:THRESHOLD", gate.name));
    return gate;
  }
  double limit = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + gate.name.size() + 1, end, limit);
  if (error != std::errc() || stop != end || !(limit >= 0))
    return Refused("--fail-on " + text + ": the threshold is no number");
  gate.limit = limit;
  return gate;
}

}  // namespace

tl::expected<AnalyzeRequest, std::string> requestOf(const AnalyzeOptions& options) {
  AnalyzeRequest request;
  auto part = tableRequestOf(options);
  if (!part) return Refused(part.error());
  static_cast<TableRequest&>(request) = std::move(*part);
  auto orders = ordersOf(options);
  if (!orders) return Refused(orders.error());
  request.orders = std::move(*orders);
  for (const std::string& text : options.failOn) {
    const auto gate = gateOf(text);
    if (!gate) return Refused(gate.error());
    request.gates.push_back(*gate);
  }
  return request;
}

}  // namespace lanescope::cli
