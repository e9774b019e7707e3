// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/report_files.h"
#include "app/cli/stats_across.h"
#include "app/cli/stats_delivery.h"
#include "app/cli/stats_together.h"
#include "model/analysis/losses.h"
#include "model/analysis/reports.h"
#include "model/analysis/scope.h"
#include "model/analysis/table_text.h"
#include "model/answers.h"
#include "model/report/load.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using analysis::StatsReport;
using Options = StatsOptions;
using Order = StatsOrder;
using Request = StatsRequest;

Made make(const Order& order, const std::string& file, const trace::Trace& trace, const analysis::Scope& scope,
          analysis::TimeUnit unit) {
  Result<report::RowValues> values = report::RowValues::open(file);
  if (!values) return {{}, {}, values.error()};
  const std::optional<analysis::Table> table = analysis::makeReport(order.call, trace, *values, scope);
  if (!table) return {{}, analysis::missingFrom(order.call, trace, scope), {}};
  return {table->title, toText(*table, order.style, unit), {}};
}

/// The question that an answer is kept under: the file as it is, and everything that the tables depend on.
std::string questionOf(const std::string& file, const Options& options, const Request& request) {
  const std::string print = options.anew ? std::string() : fingerprint(file);
  if (print.empty()) return {};
  std::vector<std::string> parts{"stats",
                                 print,
                                 options.timeUnit,
                                 options.filterTime,
                                 options.filterNvtx,
                                 options.iteration,
                                 std::to_string(options.skipWarmup),
                                 options.strict ? "strict" : ""};
  for (const Order& order : request.orders) parts.insert(parts.end(), {order.call.name(), order.format});
  return packed(parts);
}

constexpr std::chrono::seconds kWorthKeeping{1};

/// Tables on their way to the next time: title and text of each, then what is to be said of the file.
struct Keeping {
  std::vector<std::string> texts;
  std::size_t bytes = 0;
  bool worth = true;

  void add(const Made& made) {
    constexpr std::size_t kMost = 16u << 20;
    bytes += made.text.size();
    worth = worth && !made.error && bytes <= kMost;
    if (!worth) texts.clear();
    else texts.insert(texts.end(), {made.title, made.text});
  }
};

int deliverKept(const std::string& kept, const std::string& file, const Options& options, const Request& request) {
  std::vector<std::string> texts = unpacked(kept).value_or(std::vector<std::string>());
  texts.resize(std::max(texts.size(), 2 * request.orders.size()));
  int status = 0;
  for (std::size_t i = 0; i < request.orders.size(); ++i) {
    status = std::max(status, deliver({texts[2 * i], texts[2 * i + 1], {}}, request.orders[i], sourceOf(file), options,
                                      request.suffix));
  }
  for (std::size_t i = 2 * request.orders.size(); i < texts.size(); ++i) sayReason(file, texts[i]);
  return status;
}

/// All reports of a file, as many at once as there are processors, delivered in their order. What was kept of the same
/// question is not made again.
int process(const std::string& file, const Options& options, const Request& request) {
  const std::string question = questionOf(file, options, request);
  if (!question.empty()) {
    if (const auto kept = Answers().find(question)) return deliverKept(*kept, file, options, request);
  }
  const auto began = std::chrono::steady_clock::now();
  const report::LoadOptions load = loadOptions(options, request);
  const Result<OpenReport> open = openReport(file, load, request.scope);
  if (!open) return complain(open.error());

  int status = 0;
  Keeping keeping;
  std::deque<std::future<Made>> working;
  const std::size_t atOnce = std::max(1u, std::thread::hardware_concurrency());
  const auto& orders = request.orders;
  for (std::size_t next = 0, done = 0; done < orders.size(); ++done) {
    for (; next < orders.size() && working.size() < atOnce; ++next)
      working.push_back(std::async(
          std::launch::async, [&, next] { return make(orders[next], file, *open->trace, open->scope, request.unit); }));
    const Made made = working.front().get();
    working.pop_front();
    keeping.add(made);
    status = std::max(status, deliver(made, orders[done], sourceOf(file), options, request.suffix));
  }
  for (const std::string& reason : analysis::reasons(*open->trace, load.only)) {
    keeping.texts.push_back(reason);
    sayReason(file, reason);
  }
  if (!question.empty() && keeping.worth && std::chrono::steady_clock::now() - began >= kWorthKeeping)
    Answers().keep(question, packed(keeping.texts));
  return status;
}

bool isAsked(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end() ||
         std::find(names.begin(), names.end(), "ALL") != names.end();
}

int helpReports(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name != "ALL" && analysis::findReports(name).empty() && findAcross(name) == nullptr)
      return badUsage(refusedReport(name));
  for (const StatsReport& report : analysis::statsReports()) {
    const bool byAlias = std::any_of(report.aliases.begin(), report.aliases.end(),
                                     [&](std::string_view alias) { return isAsked(names, alias); });
    if (!isAsked(names, report.name) && !byAlias) continue;
    std::string call(report.name), also;
    if (report.arguments & StatsReport::kNvtxName) call += "[:nvtx-name]";
    if (report.arguments & StatsReport::kKernelArguments) call += "[:base|:mangled]";
    if (report.arguments & StatsReport::kRows) call += "[:rows=N]";
    if (!report.aliases.empty()) also = fmt::format(" (also {})", fmt::join(report.aliases, ", "));
    print("{}: {}: {}{}\n", call, report.title, report.about, also);
  }
  for (const together::AcrossReport& report : together::acrossReports())
    if (isAsked(names, report.name)) print("{}: {}: {}\n", report.name, report.title, report.about);
  return 0;
}

int helpFormats(const std::vector<std::string>& names) {
  for (const analysis::FormatHelp& format : analysis::formatHelp())
    if (isAsked(names, format.name)) print("{}: {}\n", format.name, format.about);
  return 0;
}

int run(Options options) {
  if (options.files.empty()) return badUsage("FILE is required; see: lanescope stats --help");
  auto files = reportFiles(options.files);
  if (!files) return complain(files.error());
  options.files = std::move(*files);
  const auto request = requestOf(options);
  if (!request) return badUsage(request.error());
  if (!options.sqlite.empty())
    fmt::print(stderr,
               "lanescope: --sqlite {0}: stats exports nothing; for that file: lanescope export -t sqlite -o {0}\n",
               repairUtf8(options.sqlite));
  if (const auto there = runThere(options.files, writesFiles(request->orders) || writesFiles(request->across)))
    return *there;
  int status = 0;
  if (!request->across.empty()) status = statsAcross(options.files, options, *request);
  if (request->orders.empty()) return status;
  if (isOneTable(options)) return std::max(status, statsTogether(options.files, options, *request));
  for (const std::string& file : options.files)
    status =
        std::max(status, withLocal(file, [&](const std::string& local) { return process(local, options, *request); }));
  return status;
}

}  // namespace

void addStats(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* stats = app.add_subcommand("stats", "Tables of figures, as nsys stats prints them");
  stats->add_option("FILE", options->files, kReportsOrFolders);
  addList(*stats, "-r,--report", options->reports,
          "Reports to make, see --help-reports; the usual ones if none is named");
  addList(*stats, "-f,--format", options->formats,
          "See --help-formats; the first goes with the first report and so on, the last also with those behind");
  addList(
      *stats, "-o,--output", options->outputs,
      "-: console; .: beside FILE; BASE: BASE_REPORT.FORMAT; @COMMAND: its input. The first goes with the first report "
      "and so on, the last also with those behind");
  stats->add_flag("-q,--quiet", options->quiet, "No headings: what is printed is the table alone");
  addPartOptions(*stats, *options,
                 "[START]/[END]: only events that touch this time, whole; +TIME counts from the begin of Time in info",
                 "RANGE[@DOMAIN][/INDEX]: only events of its process that touch the time of this NVTX range, whoever "
                 "launched them; "
                 "the first of that name without /INDEX, which counts from 0");
  addPerRank(
      *stats, *options,
      "Rows of every file below each other, behind a column Rank or File; without it those of several files merge");
  stats->add_flag("--force-overwrite", options->overwrite, "Replace files that exist");
  stats->add_option("--sqlite", options->sqlite)->group("");
  // Takes its value behind a space too; what is none of the two words there is the file.
  stats
      ->add_option_function<std::string>("--force-export",
                                         [options](const std::string& text) {
                                           if (text == "true" || text.empty()) options->anew = true;
                                           else if (text != "false") options->files.push_back(text);
                                         })
      ->expected(0, 1)
      ->group("");
  addFileOptions(*stats, options->strict);
  stats->add_flag("--anew", options->anew, "Make tables even if the same were made of the same file before");
  CLI::Option* reports = stats->add_option("--help-reports", options->helpReports, "What reports there are, or one");
  CLI::Option* formats = stats->add_option("--help-formats", options->helpFormats, "What formats there are, or one");
  for (CLI::Option* help : {reports, formats}) help->expected(0, 64)->delimiter(',');
  stats->callback([options, reports, formats, &status] {
    for (auto* names : {&options->helpReports, &options->helpFormats}) std::erase(*names, std::string());
    if (reports->count() > 0) status = helpReports(options->helpReports);
    else if (formats->count() > 0) status = helpFormats(options->helpFormats);
    else status = run(*options);
  });
}

}  // namespace lanescope::cli
