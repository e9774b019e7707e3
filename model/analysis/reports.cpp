// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "model/analysis/losses.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

namespace {

/// Friendly names that stand for several reports (facts 1.5).
std::vector<std::string_view> reportsBehind(std::string_view name) {
  if (name == "memop") return {"cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum"};
  std::vector<std::string_view> usual;
  if (name == "summary")
    for (const StatsReport& report : statsReports())
      if (report.usual()) usual.push_back(report.name);
  return usual;
}

const StatsReport* findReport(std::string_view name) {
  for (const StatsReport& report : statsReports())
    if (report.name == name || std::find(report.aliases.begin(), report.aliases.end(), name) != report.aliases.end())
      return &report;
  return nullptr;
}

/// The kinds of event that a row's figures are of.
std::vector<trace::EventKind> kindsOf(const StatsReport& report, const Table& table, const std::vector<Cell>& row) {
  using enum trace::EventKind;
  const auto is = [&](std::string_view title) {
    return std::ranges::find(table.columns, title, &Column::title) - table.columns.begin();
  };
  for (const std::string_view title : {"Category", "Type"}) {
    const auto at = static_cast<std::size_t>(is(title));
    const auto category = at < row.size() ? textOf(row[at]) : std::nullopt;
    if (category == "CUDA_API" || category == "API calls") return {kCudaApi};
    if (category == "CUDA_KERNEL") return {kKernel};
    if (category == "MEMORY_OPER") return {kCopy, kMemset};
    if (category == "NVTX") return {kNvtxRange, kNvtxStartEnd};
    if (category == "GPU activities") return {kKernel, kCopy, kMemset};
  }
  return report.kinds;
}

/// Why figures of events of these kinds are not whole. Ranges left open are told by the rows of their names.
std::string caveatOf(const trace::Trace& trace, const std::vector<trace::EventKind>& kinds) {
  std::string text;
  for (const Loss& loss : affected(trace)) {
    const trace::Issue& issue = trace.issues[loss.issue];
    if (issue.kind == "unfinished" || text.find(issue.text) != std::string::npos) continue;
    if (std::ranges::any_of(kinds, [&](trace::EventKind kind) { return loss.touches(kind); }))
      text += (text.empty() ? "" : "; ") + issue.text;
  }
  return text;
}

/// A last column that says why figures of a row are not whole, where there is such a row.
void addCaveats(const ReportInput& input, const StatsReport& report, Table& table) {
  std::map<std::vector<trace::EventKind>, std::string> known;
  table.caveats.resize(table.rows.size());
  // What has no row to say it, every row says; but not of Nsight Systems' reports, whose columns are as it prints them
  // for such a file too (golden/graphs_graph).
  std::vector<trace::EventKind> rowless;
  if (report.name.starts_with("lanescope_")) rowless = report.kinds;
  for (const auto& row : table.rows)
    for (const trace::EventKind kind : kindsOf(report, table, row)) std::erase(rowless, kind);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::vector<trace::EventKind> kinds = kindsOf(report, table, table.rows[i]);
    kinds.insert(kinds.end(), rowless.begin(), rowless.end());
    const auto [found, isNew] = known.try_emplace(std::move(kinds));
    if (isNew) found->second = caveatOf(input.trace, found->first);
    std::string& caveat = table.caveats[i];
    if (!found->second.empty()) caveat += (caveat.empty() ? "" : "; ") + found->second;
  }
  showCaveats(table);
}

/// False for what this report does not take.
bool take(std::string_view argument, ReportCall& call) {
  const auto takes = [&](std::uint8_t what) { return (call.report->arguments & what) != 0; };
  constexpr std::string_view kRowsIs = "rows=";
  if (argument == "base" && takes(StatsReport::kKernelArguments)) {
    call.arguments.kernels = KernelNaming::kBase;
  } else if (argument == "mangled" && takes(StatsReport::kKernelArguments)) {
    call.arguments.kernels = KernelNaming::kMangled;
  } else if (argument == "nvtx-name" && takes(StatsReport::kNvtxName)) {
    call.arguments.nvtxName = true;
  } else if (argument.starts_with(kRowsIs) && takes(StatsReport::kRows)) {
    std::size_t rows = 0;
    const char* const end = argument.data() + argument.size();
    const auto [stop, error] = std::from_chars(argument.data() + kRowsIs.size(), end, rows);
    if (error != std::errc() || stop != end) return false;
    call.arguments.rows = rows;
  } else {
    return false;
  }
  return true;
}

/// The reports behind NAME[:ARGUMENT]…, or what is wrong with it.
tl::expected<std::vector<ReportCall>, std::string> readCalls(std::string_view asked) {
  const std::string_view name = asked.substr(0, asked.find(':'));
  std::vector<ReportCall> several;
  for (const std::string_view each : reportsBehind(name)) several.push_back({findReport(each)});
  if (name == asked && !several.empty()) return several;
  ReportCall call{findReport(name)};
  if (!call.report)
    return tl::unexpected(several.empty()
                              ? fmt::format("{}: no such report", asked)
                              : fmt::format("{}: {} stands for several reports and takes no arguments", asked, name));
  for (std::size_t at = name.size(); at < asked.size();) {
    const std::size_t end = std::min(asked.find(':', at + 1), asked.size());
    const std::string_view argument = asked.substr(at + 1, end - at - 1);
    const bool isRows = argument.starts_with("rows=") && (call.report->arguments & StatsReport::kRows) != 0;
    if (!take(argument, call))
      return tl::unexpected(isRows ? fmt::format("{}: “{}” is no number of rows", asked, argument.substr(5))
                                   : fmt::format("{}: {} takes no argument “{}”", asked, name, argument));
    at = end;
  }
  return std::vector{call};
}

}  // namespace

const std::vector<StatsReport>& statsReports() {
  static const std::vector<StatsReport> kReports = allReports();
  return kReports;
}

std::string ReportCall::name() const {
  std::string text(report->name);
  if (arguments.nvtxName) text += ":nvtx-name";
  if (arguments.kernels == KernelNaming::kBase) text += ":base";
  if (arguments.kernels == KernelNaming::kMangled) text += ":mangled";
  if (arguments.rows) text += ":rows=" + std::to_string(*arguments.rows);
  return text;
}

std::vector<trace::EventKind> ReportCall::kinds() const {
  std::vector<trace::EventKind> kinds = report->kinds;
  kinds.push_back(trace::EventKind::kGraphLaunch);  // in few reports, but hides kernels that should be
  if (arguments.nvtxName)
    kinds.insert(kinds.end(),
                 {trace::EventKind::kNvtxRange, trace::EventKind::kNvtxStartEnd, trace::EventKind::kCudaApi});
  return kinds;
}

bool ReportCall::needsPartners() const {
  return arguments.nvtxName || report->when == StatsReport::When::kAskedWithPartners;
}

std::vector<ReportCall> findReports(std::string_view asked) {
  return readCalls(asked).value_or(std::vector<ReportCall>());
}

std::string whyNoReport(std::string_view asked) {
  const auto calls = readCalls(asked);
  return calls ? std::string() : calls.error();
}

std::string missingFrom(const ReportCall& call, const trace::Trace& trace, const Scope& scope) {
  using enum trace::EventKind;
  const StatsReport& report = *call.report;
  const auto has = [&](std::initializer_list<trace::EventKind> kinds) {
    return std::ranges::any_of(trace.laneInfo, [&](const trace::LaneInfo& lane) {
      return std::ranges::find(kinds, lane.kind) != kinds.end();
    });
  };
  const auto needs = [&](trace::EventKind kind) { return std::ranges::find(report.needs, kind) != report.needs.end(); };
  const auto takes = [&](trace::EventKind kind) { return std::ranges::find(report.kinds, kind) != report.kinds.end(); };
  const bool ofRanges = report.name.starts_with("nvtx_"), anyRange = has({kNvtxRange, kNvtxStartEnd});
  std::string text(report.data);
  bool anywhere = false;  // the whole trace has such data
  if (report.needs.empty() || (ofRanges && !anyRange)) {
  } else if (takes(kKernel) && !(needs(kKernel) ? has({kKernel}) : has({kKernel, kCopy, kMemset}))) {
    text = "CUDA kernel data";
  } else if (takes(kCudaApi) && !has({kCudaApi})) {
    text = "CUDA trace data";
  } else if (ofRanges && !needs(kNvtxStartEnd) && !needs(kKernel) && !has({kNvtxRange})) {
    text = "NVTX push/pop ranges";
  } else if (ofRanges && !needs(kNvtxRange) && !needs(kKernel) && !has({kNvtxStartEnd})) {
    text = "NVTX start/end ranges";
  } else {
    if (ofRanges && takes(kCudaApi)) text = "GPU work that was launched in NVTX ranges";
    anywhere = std::ranges::any_of(report.needs, [&](trace::EventKind kind) { return has({kind}); });
  }
  if (report.needs.empty())
    anywhere = std::ranges::any_of(report.kinds, [&](trace::EventKind kind) { return has({kind}); });
  const bool narrowed = scope.process || scope.range != Scope().range;
  return narrowed && anywhere ? text + " in what the filters leave" : text;
}

std::optional<Table> makeReport(const ReportCall& call, const trace::Trace& trace, report::RowValues& file,
                                const Scope& scope, const Job& job, bool withInstances) {
  const StatsReport& report = *call.report;
  const ReportInput input{trace, file, scope, call.arguments, job, withInstances};
  if (input.lanes(report.needs.empty() ? report.kinds : report.needs).empty()) return std::nullopt;
  std::optional<Table> table = report.make(input);
  if (!table) return std::nullopt;
  addCaveats(input, report, *table);
  table->name = report.name;
  table->title = report.title;
  return table;
}

}  // namespace lanescope::analysis
