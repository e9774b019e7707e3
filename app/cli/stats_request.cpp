// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::cli {
namespace {

tl::expected<std::vector<StatsOrder>, std::string> ordersOf(const StatsOptions& options) {
  std::vector<std::string> reports = options.reports;
  if (reports.empty())
    for (const analysis::StatsReport& report : analysis::statsReports())
      if (report.usual()) reports.emplace_back(report.name);
  if (const auto paired = checkLists(options, reports.size(), "reports"); !paired)
    return tl::unexpected(paired.error());
  std::vector<StatsOrder> orders;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const auto calls = analysis::findReports(reports[i]);
    const together::AcrossReport* const across = findAcross(reports[i]);
    if (calls.empty() && across == nullptr) return tl::unexpected(refusedReport(reports[i]));
    const auto to = destinationOf(options, i, isOneTable(options) || (across != nullptr && options.files.size() > 1));
    if (!to) return tl::unexpected(to.error());
    const std::string* asked = formatOf(options, i);
    const auto style = styleOf(asked, *to);
    if (!style) return tl::unexpected(style.error());
    const analysis::TableStyle written = style->value_or(analysis::TableFormat::kColumn);
    const std::string format = asked != nullptr ? *asked : std::string(nameOf(written.format));
    if (across != nullptr) orders.push_back({{}, across, format, written, *to});
    for (analysis::ReportCall call : calls) {
      call.arguments.iteration = options.iteration;
      orders.push_back({call, nullptr, format, written, *to});
    }
  }
  return orders;
}

}  // namespace

tl::expected<StatsRequest, std::string> requestOf(const StatsOptions& options) {
  StatsRequest request;
  auto part = tableRequestOf(options);
  if (!part) return tl::unexpected(part.error());
  static_cast<TableRequest&>(request) = std::move(*part);
  auto orders = ordersOf(options);
  if (!orders) return tl::unexpected(orders.error());
  for (StatsOrder& order : *orders)
    (order.across != nullptr ? request.across : request.orders).push_back(std::move(order));
  if (!request.across.empty() && request.scope.isAsked())
    return tl::unexpected(
        fmt::format("{} is of whole recordings; leave out --filter-time, --filter-nvtx, --skip-warmup",
                    request.across.front().name()));
  return request;
}

const together::AcrossReport* findAcross(std::string_view name) {
  const auto all = together::acrossReports();
  const auto found = std::ranges::find(all, name, &together::AcrossReport::name);
  return found != all.end() ? &*found : nullptr;
}

std::string refusedReport(const std::string& name) {
  return analysis::whyNoReport(name) + "; see: lanescope stats --help-reports";
}

report::LoadOptions loadOptions(const StatsOptions& options, const StatsRequest& request) {
  report::LoadOptions load{.strict = options.strict, .partners = false};
  for (const StatsOrder& order : request.orders) {
    const std::vector<trace::EventKind> kinds = order.call.kinds();
    load.only.insert(load.only.end(), kinds.begin(), kinds.end());
    load.partners |= order.call.needsPartners();
  }
  if (request.scope.needsRanges()) load.only.push_back(trace::EventKind::kNvtxRange);
  return load;
}

}  // namespace lanescope::cli
