// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "model/analysis/losses.h"
#include "model/analysis/reports.h"
#include "model/analysis/table_text.h"
#include "model/report/load.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using analysis::ReportCall;
using analysis::TableFormat;
using analysis::TimeUnit;

constexpr const char* kConsole = "-";
constexpr const char* kBesideInput = ".";

struct Options {
  std::vector<std::string> files, reports, formats, outputs;
  std::string timeUnit = "nsec";
  bool quiet = false, strict = false, overwrite = false, helpReports = false;
};

/// One report to make of every file: which, how it is written, and where to.
struct Order {
  ReportCall call;
  TableFormat format;
  std::string output;

  std::string name() const { return call.name(); }
  bool toConsole() const { return output == kConsole; }
};

std::string join(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string reportNames() {
  std::vector<std::string> names;
  for (const analysis::StatsReport& report : analysis::statsReports()) names.emplace_back(report.name);
  return join(names);
}

/// Lists pair up with the reports; the last of a shorter one serves the rest.
const std::string& paired(const std::vector<std::string>& list, std::size_t i) {
  return list[std::min(i, list.size() - 1)];
}

tl::expected<std::vector<Order>, std::string> ordersOf(const Options& options) {
  std::vector<std::string> reports = options.reports;
  if (reports.empty())
    for (const analysis::StatsReport& report : analysis::statsReports())
      if (report.usual) reports.emplace_back(report.name);
  for (const auto& [list, option] : {std::pair(&options.outputs, "-o"), {&options.formats, "-f"}})
    if (list->size() > reports.size())
      return tl::unexpected(fmt::format("{} {}: more of them than reports ({})", option, list->back(), reports.size()));
  std::vector<Order> orders;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const auto calls = analysis::findReports(reports[i]);
    if (calls.empty()) return tl::unexpected(reports[i] + ": no such report; there are: " + reportNames());
    const std::string output = options.outputs.empty() ? kConsole : paired(options.outputs, i);
    TableFormat format = output == kConsole ? TableFormat::kColumn : TableFormat::kCsv;
    if (!options.formats.empty()) {
      const std::string& name = paired(options.formats, i);
      const auto found = analysis::findTableFormat(name);
      if (!found) return tl::unexpected(name + ": no such format; there are: csv, column, tsv, json");
      format = *found;
    }
    if (output != kConsole && output != kBesideInput && options.files.size() > 1)
      return tl::unexpected("-o " + output + ": one name for several files; write -o . to name each after its file");
    for (const ReportCall& call : calls) orders.push_back({call, format, output});
  }
  return orders;
}

std::filesystem::path pathOf(const Order& order, const std::string& file) {
  const std::filesystem::path base = order.output == kBesideInput ? std::filesystem::path(file).replace_extension()
                                                                  : std::filesystem::path(order.output);
  std::string report = order.name();
  std::replace(report.begin(), report.end(), ':', '_');
  return fmt::format("{}_{}.{}", base.string(), report, analysis::nameOf(order.format));
}

std::optional<Error> write(const std::filesystem::path& path, const std::string& text, bool overwrite) {
  std::error_code error;
  if (!overwrite && std::filesystem::exists(path, error)) return Error{ErrorCode::kExists, path.string(), {}};
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) return std::nullopt;
  const bool full = errno == ENOSPC;
  return Error{full ? ErrorCode::kDiskFull : ErrorCode::kWriteFailed, path.string(), {}};
}

int make(const Order& order, const std::string& file, const trace::Trace& trace, report::RowValues& values,
         const Options& options) {
  const std::string shown = repairUtf8(file);
  if (!options.quiet) print("Processing [{}] with [{}]... ", shown, order.name());
  const std::optional<analysis::Table> table = analysis::makeReport(order.call, trace, values);
  if (!table) {
    const std::string skipped = fmt::format("SKIPPED: {} does not contain {}.\n", shown, order.call.report->data);
    if (options.quiet) fmt::print(stderr, "{}", skipped);
    else put(skipped + '\n');
    return 0;
  }
  const std::string text =
      analysis::toText(*table, order.format, analysis::findTimeUnit(options.timeUnit).value_or(TimeUnit{}));
  if (!options.quiet) put("\n");
  if (order.toConsole()) {
    if (options.quiet) put(text);
    else print("\n ** {} ({}):\n\n{}\n", table->title, order.name(), text);
    return 0;
  }
  const auto error = write(pathOf(order, file), text, options.overwrite);
  return error ? complain(*error) : 0;
}

int run(const Options& options) {
  if (options.helpReports) {
    for (const analysis::StatsReport& report : analysis::statsReports())
      print("{:<22} {}: {}\n", report.name, report.title, report.about);
    return 0;
  }
  if (options.files.empty()) return badUsage("FILE is required; see: lanescope stats --help");
  if (!analysis::findTimeUnit(options.timeUnit))
    return badUsage(options.timeUnit + ": no such unit of time; there are: nsec, usec, msec, sec");
  const auto orders = ordersOf(options);
  if (!orders) return badUsage(orders.error());
  std::vector<trace::EventKind> kinds;
  for (const Order& order : *orders)
    kinds.insert(kinds.end(), order.call.report->kinds.begin(), order.call.report->kinds.end());
  const bool partners = std::any_of(orders->begin(), orders->end(), [](const Order& o) {
    return o.call.report->partners || o.call.arguments.nvtxName;
  });
  report::LoadOptions load{.strict = options.strict, .only = kinds, .partners = partners};
  load.only.push_back(trace::EventKind::kGraphLaunch);  // in no report, but hides kernels that should be

  int status = 0;
  for (const std::string& file : options.files) {
    const Result<trace::TracePtr> trace = report::load(file, load, {}, Job());
    if (!trace) {
      status = std::max(status, complain(trace.error()));
      continue;
    }
    Result<report::RowValues> values = report::RowValues::open(file);
    if (!values) return complain(values.error());
    for (const Order& order : *orders) status = std::max(status, make(order, file, **trace, *values, options));
    for (const std::string& reason : analysis::reasons(**trace, kinds))
      fmt::print(stderr, "lanescope: {}\n", repairUtf8(file + ": " + reason));
  }
  return status;
}

}  // namespace

void addStats(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* stats = app.add_subcommand("stats", "Tables of figures, as nsys stats prints them");
  stats->add_option("FILE", options->files, "Reports: .rep, or SQLite exports of Nsight Systems");
  const auto list = [&](const char* names, std::vector<std::string>& words, const char* about) {
    stats->add_option(names, words, about)->delimiter(',')->allow_extra_args(false);
  };
  list("-r,--report", options->reports, "Reports to make, see --help-reports; all if none is named");
  list("-f,--format", options->formats, "csv, column, tsv, json: one for all, or one a report");
  list("-o,--output", options->outputs, "-: console; .: beside FILE; BASE: BASE_REPORT.FORMAT. One, or one a report");
  stats->add_flag("-q,--quiet", options->quiet, "No headings: what is printed is the table alone");
  stats->add_option("--timeunit", options->timeUnit, "nsec, usec, msec, sec")->capture_default_str();
  stats->add_flag("--force-overwrite", options->overwrite, "Replace files that exist");
  stats->add_flag("--strict", options->strict, "A damaged event is an error");
  stats->add_flag("--help-reports", options->helpReports, "What reports there are");
  stats->callback([options, &status] { status = run(*options); });
}

}  // namespace lanescope::cli
