// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <thread>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/table_request.h"
#include "model/analysis/losses.h"
#include "model/analysis/reports.h"
#include "model/analysis/scope.h"
#include "model/analysis/table_text.h"
#include "model/answers.h"
#include "model/report/load.h"
#include "model/together/read_ranks.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using analysis::ReportCall;
using analysis::StatsReport;
using analysis::TableFormat;
using analysis::TableStyle;

struct Options : TableOptions {
  std::vector<std::string> reports, helpReports, helpFormats;  // of these; empty but asked for: all
  std::string sqlite;  // Nsight Systems' way to name the export that it makes first
  bool anew = false;
};

/// One report to make of every file, or of all together: which, how it is written, and where to.
struct Order {
  ReportCall call;
  const together::AcrossReport* across = nullptr;  // of all together; else it is the call
  std::string format;  // as it was asked for
  TableStyle style;
  Destination destination;

  std::string name() const { return across != nullptr ? std::string(across->name) : call.name(); }
};

/// Everything that is asked for, once it is known to make sense.
struct Request : TableRequest {
  std::vector<Order> orders, together;  // of every file, of all
};

std::string refusedReport(const std::string& name) {
  return analysis::whyNoReport(name) + "; see: lanescope stats --help-reports";
}

const together::AcrossReport* findAcross(std::string_view name) {
  const auto all = together::acrossReports();
  const auto found = std::ranges::find(all, name, &together::AcrossReport::name);
  return found != all.end() ? &*found : nullptr;
}

tl::expected<std::vector<Order>, std::string> ordersOf(const Options& options) {
  std::vector<std::string> reports = options.reports;
  if (reports.empty())
    for (const StatsReport& report : analysis::statsReports())
      if (report.usual()) reports.emplace_back(report.name);
  if (const auto paired = checkLists(options, reports.size(), "reports"); !paired)
    return tl::unexpected(paired.error());
  std::vector<Order> orders;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const auto calls = analysis::findReports(reports[i]);
    const together::AcrossReport* const across = findAcross(reports[i]);
    if (calls.empty() && across == nullptr) return tl::unexpected(refusedReport(reports[i]));
    const auto to = destinationOf(options, i);
    if (!to) return tl::unexpected(to.error());
    const std::string* asked = formatOf(options, i);
    const auto style = styleOf(asked, *to);
    if (!style) return tl::unexpected(style.error());
    const TableStyle written = style->value_or(TableFormat::kColumn);
    const std::string format = asked != nullptr ? *asked : std::string(nameOf(written.format));
    if (across != nullptr) orders.push_back({{}, across, format, written, *to});
    for (ReportCall call : calls) {
      call.arguments.iteration = options.iteration;
      orders.push_back({call, nullptr, format, written, *to});
    }
  }
  return orders;
}

tl::expected<Request, std::string> requestOf(const Options& options) {
  Request request;
  auto part = tableRequestOf(options);
  if (!part) return tl::unexpected(part.error());
  static_cast<TableRequest&>(request) = std::move(*part);
  auto orders = ordersOf(options);
  if (!orders) return tl::unexpected(orders.error());
  for (Order& order : *orders)
    (order.across != nullptr ? request.together : request.orders).push_back(std::move(order));
  if (!request.together.empty() && request.scope.isAsked())
    return tl::unexpected(
        fmt::format("{} is of whole recordings; leave out --filter-time, --filter-nvtx, --skip-warmup",
                    request.together.front().name()));
  return request;
}

/// A table of a file, or why there is none.
struct Made {
  std::string title;
  std::string text;  // without a title: what the file lacks
  std::optional<Error> error;
};

Made make(const Order& order, const std::string& file, const trace::Trace& trace, const analysis::Scope& scope,
          analysis::TimeUnit unit) {
  Result<report::RowValues> values = report::RowValues::open(file);
  if (!values) return {{}, {}, values.error()};
  const std::optional<analysis::Table> table = analysis::makeReport(order.call, trace, *values, scope);
  if (!table) return {{}, analysis::missingFrom(order.call, trace, scope), {}};
  return {table->title, toText(*table, order.style, unit), {}};
}

int deliver(const Made& made, const Order& order, const std::string& file, const Options& options,
            const std::string& suffix, const std::string& files = {}) {
  const std::string shown = files.empty() ? repairUtf8(shownName(file)) : files, name = order.name();
  if (!options.quiet) print("Processing [{}] with [{}]... ", shown, name);
  if (made.error) return complain(*made.error);
  if (made.title.empty()) {
    const std::string skipped = fmt::format("SKIPPED: {} does not contain {}.\n", shown, made.text);
    if (options.quiet) fmt::print(stderr, "{}", skipped);
    else put(skipped + '\n');
    return 0;
  }
  if (!options.quiet) put("\n");
  if (order.destination.isConsole()) {
    if (options.quiet) put(made.text);
    else print("\n ** {} ({}):\n\n{}\n", made.title, name, made.text);
    return 0;
  }
  const auto error = order.destination.isCommand()
                         ? pipeInto(order.destination.text().substr(1), made.text)
                         : writeFile(order.destination.path(namesake(file), name + suffix, nameOf(order.style.format)),
                                     made.text, options.overwrite);
  return error ? complain(*error) : 0;
}

/// What has to be read of a file.
report::LoadOptions loadOptions(const Options& options, const Request& request) {
  report::LoadOptions load{.strict = options.strict, .partners = false};
  for (const Order& order : request.orders) {
    const std::vector<trace::EventKind> kinds = order.call.kinds();
    load.only.insert(load.only.end(), kinds.begin(), kinds.end());
    load.partners |= order.call.needsPartners();
  }
  if (request.scope.needsRanges()) load.only.push_back(trace::EventKind::kNvtxRange);
  return load;
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

void sayReason(const std::string& file, const std::string& reason) {
  fmt::print(stderr, "lanescope: {}\n", repairUtf8(shownName(file) + ": " + reason));
}

int deliverKept(const std::string& kept, const std::string& file, const Options& options, const Request& request) {
  std::vector<std::string> texts = unpacked(kept).value_or(std::vector<std::string>());
  texts.resize(std::max(texts.size(), 2 * request.orders.size()));
  int status = 0;
  for (std::size_t i = 0; i < request.orders.size(); ++i) {
    status = std::max(status,
                      deliver({texts[2 * i], texts[2 * i + 1], {}}, request.orders[i], file, options, request.suffix));
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
  const Result<trace::TracePtr> trace = report::load(file, load, {}, Job());
  if (!trace) return complain(trace.error());
  Result<report::RowValues> values = report::RowValues::open(file);
  if (!values) return complain(values.error());
  const Result<analysis::Scope> scope = resolve(request.scope, **trace, *values, file);
  if (!scope) return complain(scope.error());

  int status = 0;
  Keeping keeping;
  std::deque<std::future<Made>> working;
  const std::size_t atOnce = std::max(1u, std::thread::hardware_concurrency());
  const auto& orders = request.orders;
  for (std::size_t next = 0, done = 0; done < orders.size(); ++done) {
    for (; next < orders.size() && working.size() < atOnce; ++next)
      working.push_back(std::async(std::launch::async,
                                   [&, next] { return make(orders[next], file, **trace, *scope, request.unit); }));
    const Made made = working.front().get();
    working.pop_front();
    keeping.add(made);
    status = std::max(status, deliver(made, orders[done], file, options, request.suffix));
  }
  for (const std::string& reason : analysis::reasons(**trace, load.only)) {
    keeping.texts.push_back(reason);
    sayReason(file, reason);
  }
  if (!question.empty() && keeping.worth && std::chrono::steady_clock::now() - began >= kWorthKeeping)
    Answers().keep(question, packed(keeping.texts));
  return status;
}

/// The reports of all files together.
int processTogether(const Options& options, const Request& request) {
  std::vector<std::filesystem::path> files;
  std::string shown;
  for (const std::string& file : options.files) {
    const Result<std::string> local = localFile(file);
    if (!local) return complain(local.error());
    files.emplace_back(*local);
    shown += (shown.empty() ? "" : ", ") + repairUtf8(shownName(*local));
  }
  const Result<together::Ranks> ranks = together::readRanks(files, options.strict);
  if (!ranks) return complain(ranks.error());
  const std::vector<std::string> names = together::shortNames(ranks->identities);
  for (std::size_t i = 1; i < names.size(); ++i) {
    const together::Placement& placement = ranks->placements[i];
    if (placement.contradicted || placement.method == together::ClockMethod::kNone)
      sayReason(ranks->identities[i].path.string(), placement.sentence);
    else if (!options.quiet) print("Clock of {} against {}: {}\n", names[i], names[0], placement.sentence);
  }
  int status = 0;
  for (const Order& order : request.together) {
    Made made{{}, "collectives that several ranks took part in", {}};
    if (const analysis::Table table = order.across->make(ranks->across); !table.rows.empty())
      made = {table.title, toText(table, order.style, request.unit), {}};
    status = std::max(status, deliver(made, order, files.front(), options, request.suffix, shown));
  }
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

int run(const Options& options) {
  if (options.files.empty()) return badUsage("FILE is required; see: lanescope stats --help");
  const auto request = requestOf(options);
  if (!request) return badUsage(request.error());
  if (!options.sqlite.empty())
    fmt::print(stderr,
               "lanescope: --sqlite {0}: stats exports nothing; for that file: lanescope export -t sqlite -o {0}\n",
               repairUtf8(options.sqlite));
  if (const auto there = runThere(options.files, writesFiles(request->orders) || writesFiles(request->together)))
    return *there;
  int status = 0;
  if (!request->orders.empty())
    for (const std::string& file : options.files)
      status = std::max(status,
                        withLocal(file, [&](const std::string& local) { return process(local, options, *request); }));
  if (!request->together.empty()) status = std::max(status, processTogether(options, *request));
  return status;
}

}  // namespace

void addStats(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* stats = app.add_subcommand("stats", "Tables of figures, as nsys stats prints them");
  stats->add_option("FILE", options->files, kReports);
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
  stats->add_flag("--strict", options->strict, "A damaged event is an error");
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
