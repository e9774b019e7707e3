// SPDX-License-Identifier: Apache-2.0
#include "app/cli/analyze_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lanescope::cli {
namespace {

using Refused = tl::unexpected<std::string>;

/// Lists pair up with the rules; the last of a shorter one serves the rest.
const std::string& paired(const std::vector<std::string>& list, std::size_t i) {
  return list[std::min(i, list.size() - 1)];
}

tl::expected<std::vector<RuleOrder>, std::string> ordersOf(const AnalyzeOptions& options) {
  std::vector<std::string> names = options.rules;
  if (names.empty())
    for (const analysis::Rule& rule : analysis::rules())
      if (rule.usual) names.emplace_back(rule.name);
  for (const auto& [list, option] : {std::pair(&options.outputs, "-o"), {&options.formats, "-f"}})
    if (list->size() > names.size())
      return Refused(fmt::format("{} {}: more of them than rules ({})", option, list->back(), names.size()));
  std::vector<RuleOrder> orders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto calls = analysis::findRules(names[i]);
    if (!calls) return Refused(calls.error());
    const Destination to(options.outputs.empty() ? "-" : paired(options.outputs, i));
    if (to.isOneFile() && options.files.size() > 1)
      return Refused("-o " + to.text() + ": one name for several files; write -o . to name each after its file");
    std::optional<analysis::TableStyle> style;
    if (!options.formats.empty()) {
      style = analysis::findTableStyle(paired(options.formats, i));
      if (!style) return Refused(paired(options.formats, i) + ": no such format; see: lanescope stats --help-formats");
    } else if (!to.isConsole()) {
      style = analysis::TableFormat::kCsv;
    }
    for (analysis::RuleCall& call : *calls) {
      call.arguments.iteration = options.iteration;
      orders.push_back({std::move(call), style, to});
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
  auto orders = ordersOf(options);
  if (!orders) return Refused(orders.error());
  request.orders = std::move(*orders);
  for (const std::string& text : options.failOn) {
    const auto gate = gateOf(text);
    if (!gate) return Refused(gate.error());
    request.gates.push_back(*gate);
  }
  const auto unit = analysis::findTimeUnit(options.timeUnit);
  if (!unit) return Refused(options.timeUnit + ": no such unit of time; there are: nsec, usec, msec, sec");
  request.unit = *unit;
  if (!options.filterTime.empty()) {
    auto time = analysis::parseTimeFilter(options.filterTime);
    if (!time) return Refused(sentence(time.error()));
    request.scope.time = std::move(*time);
  }
  if (!options.filterNvtx.empty()) {
    auto nvtx = analysis::parseNvtxFilter(options.filterNvtx);
    if (!nvtx) return Refused(sentence(nvtx.error()));
    request.scope.nvtx = std::move(*nvtx);
    request.suffix = "_nvtx=" + options.filterNvtx;
  }
  request.scope.skip = options.skipWarmup;
  request.scope.iteration = options.iteration;
  return request;
}

}  // namespace lanescope::cli
