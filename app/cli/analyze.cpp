// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <optional>

#include "app/cli/analyze_request.h"
#include "app/cli/analyze_text.h"
#include "app/cli/analyze_together.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/report_files.h"
#include "app/cli/table_parts.h"
#include "model/report/load.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using analysis::Check;
using analysis::RuleCall;
using analysis::RuleResult;
using analysis::TableFormat;
using analysis::TableStyle;
using Options = AnalyzeOptions;
using Request = AnalyzeRequest;
using Order = RuleOrder;

constexpr std::string_view kAdvice = "What to try";  // the column

/// "1 finding" of what rules call findings.
std::string figureText(double figure, std::string_view unit) {
  if (figure == 1 && unit.ends_with('s') && unit.find(' ') == std::string_view::npos) unit.remove_suffix(1);
  return fmt::format("{:.4g} {}", figure, unit);
}

/// One line on stderr for each gate that this result does not pass, or that it cannot tell; the exit status.
int holdGates(const Request& request, const analysis::Rule& rule, const RuleResult& result, const std::string& shown) {
  int status = 0;
  const auto fail = [&](const std::string& why) {
    fmt::print(stderr, "lanescope: {}: {}\n", shown, why);
    status = 1;
  };
  if (const Gate* gate = request.gateOn(rule)) {
    const double limit = gate->limit.value_or(rule.limit);
    if (result.figure > limit)
      fail(fmt::format("{} fails: {}, more than {:.4g}", rule.name, figureText(result.figure, rule.figure), limit));
  }
  for (const Check& check : result.checks)
    for (const Gate& gate : request.gates) {
      if (gate.check != check.kind) continue;
      if (check.verdict == analysis::Verdict::kNotRecorded)
        fmt::print(stderr, "lanescope: {}: {} not measured: {}\n", shown, gate.name, check.evidence);
      if (!analysis::fails(check, gate.limit)) continue;
      const std::string of = check.of.empty() ? "" : " of " + check.of;
      if (!check.figure) status = 1;
      else
        fail(fmt::format("{}{} fails: {:.1f} {}, not {} {:.4g}", gate.name, of, *check.figure, check.kind->unit,
                         check.kind->above ? '>' : '<', gate.limit.value_or(check.kind->goal.value_or(0))));
    }
  return status;
}

bool isChecklist(const analysis::Rule& rule) { return &rule == &analysis::rules().front(); }

bool isOfRanks(std::string_view check) { return check == "load_imbalance"; }

/// What the checklist of one file among several cannot know: that is told of all.
RuleResult withoutImbalance(RuleResult result) {
  std::erase_if(result.checks, [](const Check& check) { return isOfRanks(check.kind->id); });
  result.found -= std::erase_if(result.table.rows,
                                [](const auto& row) { return isOfRanks(analysis::textOf(row.front()).value_or("")); });
  return result;
}

/// Columns for a person, what to try below them instead of beside each row, by the name in this column.
std::string adviceBelow(const analysis::Table& table, analysis::TimeUnit unit, std::size_t nameAt = 1) {
  TableStyle style = TableFormat::kColumn;
  std::string advice;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    style.widths.emplace_back();
    if (table.columns[i].title != kAdvice) continue;
    style.widths.back() = 0;
    for (const auto& row : table.rows) {
      const std::string_view words = analysis::textOf(row[i]).value_or("");
      const std::string line = fmt::format("   {}: {}\n", analysis::textOf(row[nameAt]).value_or(""), words);
      if (!words.empty() && advice.find(line) == std::string::npos) advice += line;
    }
  }
  if (!advice.empty()) advice = "\n What to try\n" + advice;
  return toText(table, style, unit) + advice;
}

/// The table without what to try.
analysis::Table adviceless(analysis::Table table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].title != kAdvice) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
    break;
  }
  return table;
}

std::string textOf(const Order& order, const RuleResult& result, analysis::TimeUnit unit, bool quiet,
                   std::size_t nameAt = 1) {
  const TableStyle style = order.style.value_or(TableFormat::kColumn);
  if (quiet && order.destination.isConsole()) return toText(adviceless(result.table), style, unit);
  if (order.style) return toText(result.table, style, unit);
  if (!result.checks.empty()) return checklistText(result.checks);
  return adviceBelow(result.table, unit, nameAt);
}

/// Formats in which a line between tables does no harm.
bool isForPerson(const Order& order) {
  const TableFormat format = order.style.value_or(TableFormat::kColumn).format;
  return format == TableFormat::kColumn || format == TableFormat::kTable;
}

int deliver(const Order& order, const RuleResult& result, const std::string& file, const Options& options,
            const Request& request) {
  const analysis::Rule& rule = *order.call.rule;
  const std::string text = textOf(order, result, request.unit, options.quiet, options.perRank ? 2 : 1);
  if (!options.quiet) put("\n");
  if (!order.destination.isConsole()) {
    const std::string_view extension = nameOf(order.style->format);
    const auto error =
        order.destination.isCommand()
            ? pipeInto(order.destination.text().substr(1), text)
            : writeFile(order.destination.path(namesake(file), order.call.name + request.suffix, extension), text,
                        options.overwrite);
    return error ? complain(*error) : 0;
  }
  if (options.quiet) {
    if (options.files.size() > 1 && !options.perRank && isForPerson(order))
      print(" ** {} ({}):\n", repairUtf8(shownName(file)), order.call.name);
    put(text);
    return 0;
  }
  print("\n ** {} ({}):\n\n", result.table.title, order.call.name);
  const std::string words = result.found > 0 ? std::string(rule.advice) : cleanText(order.call);
  if (!words.empty()) print(" {}\n\n", words);
  if (result.found > 0) put(text + "\n");
  if (result.found > result.table.rows.size())
    print(" {} of {} shown; rows=N behind the rule's name shows more.\n\n", result.table.rows.size(), result.found);
  return 0;
}

/// One file: what it loads, applies and delivers, or leaves to be told with others.
class Analysis {
 public:
  Analysis(const Options& options, const Request& request) : options_(options), request_(request) {
    std::vector<const analysis::Rule*> rules;
    for (const Order& order : request.orders) rules.push_back(order.call.rule);
    for (const Gate& gate : request.gates) rules.push_back(ruleBehind(gate));
    const bool everything = std::ranges::any_of(rules, [](const auto* rule) { return rule->kinds.empty(); });
    load_.strict = options.strict;
    if (everything) return;
    for (const auto* rule : rules) load_.only.insert(load_.only.end(), rule->kinds.begin(), rule->kinds.end());
    const bool ranges = request.scope.needsRanges() || std::ranges::any_of(request.orders, [](const Order& o) {
                          return o.call.arguments.nvtx.has_value();
                        });
    using enum trace::EventKind;
    if (ranges) load_.only.insert(load_.only.end(), {kNvtxRange, kNvtxStartEnd});
  }

  int of(const std::string& file) {
    Result<OpenReport> open = openReport(file, load_, request_.scope);
    if (!open) return complain(open.error());
    left_.rank = rankOf(*open->trace, file);
    int status = 0;
    std::vector<const analysis::Rule*> applied;
    for (const Order& order : request_.orders) {
      const std::string shown = repairUtf8(shownName(file));
      if (!options_.quiet && !options_.perRank) print("Processing [{}] with [{}]... ", shown, order.call.name);
      status = std::max(status, one(order.call, file, *open, &order));
      applied.push_back(order.call.rule);
    }
    for (const Gate& gate : request_.gates)
      if (const auto* rule = ruleBehind(gate); std::ranges::find(applied, rule) == applied.end()) {
        applied.push_back(rule);
        status = std::max(status, one({rule, {}, std::string(rule->name)}, file, *open, nullptr));
      }
    if (options_.files.size() > 1 && std::ranges::find(applied, &analysis::rules().front()) != applied.end()) {
      const analysis::ReportArguments none;
      checks_.loads = analysis::rankLoads({*open->trace, open->values, open->scope, none, Job()});
    }
    return status;
  }

  /// What is told of all files together: the tables of --per-rank, in the order of orders, and checks.
  FileTables left() {
    left_.more = textsOf(checks_);
    return std::move(left_);
  }

 private:
  static const analysis::Rule* ruleBehind(const Gate& gate) {
    return gate.rule ? gate.rule : &analysis::rules().front();  // the checklist
  }

  /// Without an order, for its gates only.
  int one(const RuleCall& call, const std::string& file, OpenReport& open, const Order* order) {
    const std::string shown = repairUtf8(shownName(file));
    TableOrNot* const kept = order != nullptr && options_.perRank ? &left_.made.emplace_back() : nullptr;
    auto result = analysis::apply(call, *open.trace, open.values, open.scope, file);
    if (!result) return complain(result.error());
    if (!*result) {
      const std::string skipped = fmt::format("SKIPPED: {} does not contain {}.\n", shown, call.rule->data);
      if (order && !options_.quiet && !kept) put(skipped + '\n');
      else fmt::print(stderr, "{}", skipped);
      return notMeasured(*call.rule, shown);
    }
    const bool isOneOfSeveral = isChecklist(*call.rule) && options_.files.size() > 1;
    const auto shorter = isOneOfSeveral ? std::optional(withoutImbalance(**result)) : std::nullopt;
    const RuleResult& told = shorter ? *shorter : **result;
    const int status = order && !kept ? deliver(*order, told, file, options_, request_) : 0;
    if (kept) {
      kept->words = std::to_string(told.found);
      kept->table = told.table;
    }
    if (isChecklist(*call.rule)) checks_.checks = (*result)->checks;
    return std::max(status, holdGates(request_, *call.rule, **result, shown));
  }

  /// What cannot be looked at fails only what has a threshold of its own.
  int notMeasured(const analysis::Rule& rule, const std::string& shown) const {
    int status = 0;
    for (const Gate& gate : request_.gates)
      if (ruleBehind(gate) == &rule) {
        fmt::print(stderr, "lanescope: {}: {} not measured: there is no {}\n", shown, gate.name, rule.data);
        status = std::max(status, gate.limit ? 1 : 0);
      }
    return status;
  }

  const Options& options_;
  const Request& request_;
  report::LoadOptions load_;
  FileTables left_;
  RankChecks checks_;
};

/// What processes left of several files, and the checklist of all, where one was made.
struct Read {
  FileLabels labels;
  std::vector<ReceivedTables> tables;
  std::vector<Check> together;
};

void addImbalance(std::vector<analysis::TablePart>& parts, std::vector<Check> together) {
  std::erase_if(together, [](const Check& check) { return !isOfRanks(check.kind->id); });
  parts.push_back({"all", analysis::checklistTable(together)});
}

/// One table a rule, of all files.
int deliverByRank(Read& read, const Options& options, const Request& request) {
  int status = 0;
  const std::string shown = fmt::format("{} files", read.tables.size());
  for (std::size_t i = 0; i < request.orders.size(); ++i) {
    const Order& order = request.orders[i];
    RuleResult all;
    std::vector<analysis::TablePart> parts;
    for (const std::size_t file : read.labels.order) {
      if (!read.tables[file].hasTable(i)) continue;
      all.found += static_cast<std::size_t>(std::stoull(read.tables[file].words(i)));
      parts.push_back(read.tables[file].take(i, read.labels.labels[file]));
    }
    if (parts.empty()) continue;  // each file said so
    const std::string title = parts.front().table.title;
    if (isChecklist(*order.call.rule) && !read.together.empty()) addImbalance(parts, read.together);
    if (!options.quiet) print("Processing [{}] with [{}]... ", shown, order.call.name);
    all.table = tableByPart(std::move(parts), read.labels.title);
    all.table.title = title + (read.labels.title == "Rank" ? ", by rank" : ", by file");
    status = std::max(status, deliver(order, all, "", options, request));
  }
  return status;
}

/// Which order's checklist of all files stands before those of each; null if none does.
const Order* orderOfAll(const Options& options, const Request& request) {
  const auto order = std::ranges::find_if(request.orders, [](const Order& o) { return isChecklist(*o.call.rule); });
  const bool isTold = order != request.orders.end() && order->destination.isConsole() && !options.perRank;
  return isTold ? &*order : nullptr;
}

void tellTogether(const Order& order, const std::vector<Check>& together, const Options& options,
                  const Request& request) {
  RuleResult all;
  all.checks = together;
  all.table = analysis::checklistTable(together);
  if (!options.quiet || isForPerson(order))
    print(" ** All files together, the worst of each (checklist):\n{}", options.quiet ? "" : "\n");
  put(textOf(order, all, request.unit, options.quiet) + (options.quiet ? "" : "\n"));
}

/// What only all files together can fail: each has held the others already.
int holdTogether(const std::vector<Check>& together, const Request& request) {
  RuleResult all;
  std::ranges::copy_if(together, std::back_inserter(all.checks),
                       [](const Check& check) { return isOfRanks(check.kind->id); });
  return holdGates(request, analysis::rules().front(), all, "all files");
}

/// Each in a process of its own.
int severalFiles(const std::vector<std::string>& paths, const Options& options, const Request& request) {
  Read read;
  std::vector<std::string> readPaths, ranks;
  const Order* const ofAll = orderOfAll(options, request);
  std::vector<MappedFile> below;  // what is printed of each
  int status = onEachFile(
      paths,
      [&](const std::string& path, int answer) {
        Analysis analysis(options, request);
        const int ofFile = analysis.of(path);
        if (ofFile > 1) return ofFile;  // it was not read
        return writeTables(analysis.left(), answer) ? ofFile : complain(writeError("a temporary file", errno));
      },
      [&](std::size_t i, const Left& left) {
        if (ofAll != nullptr) {
          below.emplace_back(left.out.get());
          left.sayErrors();
        } else {
          left.say();
        }
        if (left.status > 1) return;
        readPaths.push_back(paths[i]);
        ranks.push_back(read.tables.emplace_back(left.answer.get()).rank());
      });
  read.labels = labelsOf(readPaths, ranks);
  if (read.tables.size() > 1) {
    std::vector<RankChecks> checks;
    checks.reserve(read.tables.size());
    for (const ReceivedTables& each : read.tables) checks.push_back(rankChecksOf(each.more()));
    read.together = checksOfAll(std::move(checks), read.labels);
  }
  if (ofAll != nullptr && !read.together.empty()) tellTogether(*ofAll, read.together, options, request);
  for (const MappedFile& each : below) put(each.bytes());
  if (options.perRank) status = std::max(status, deliverByRank(read, options, request));
  if (!read.together.empty()) status = std::max(status, holdTogether(read.together, request));
  return status;
}

int run(Options options) {
  if (options.files.empty()) return badUsage("FILE is required; see: lanescope analyze --help");
  auto files = reportFiles(options.files);
  if (!files) return complain(files.error());
  options.files = std::move(*files);
  const auto request = requestOf(options);
  if (!request) return badUsage(request.error());
  if (const auto there = runThere(options.files, writesFiles(request->orders))) return *there;
  std::vector<std::string> paths;
  int status = localFiles(options.files, paths);
  const bool isAlone = options.files.size() == 1 && !options.perRank;
  if (!isAlone) return std::max(status, severalFiles(paths, options, *request));
  for (const std::string& path : paths) status = Analysis(options, *request).of(path);
  return status;
}

}  // namespace

void addAnalyze(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* analyze = app.add_subcommand("analyze", "What is wrong with the performance, where, and what to try");
  analyze->add_option("FILE", options->files, kReportsOrFolders);
  addList(*analyze, "-r,--rule", options->rules,
          "Rules to apply, or all; see --help-rules. The usual ones if none is named");
  addList(*analyze, "-f,--format", options->formats, "See lanescope stats --help-formats; one for all, or one a rule");
  addList(*analyze, "-o,--output", options->outputs,
          "-: console; .: beside FILE; BASE: BASE_RULE.FORMAT; @COMMAND: its input. One, or one a rule");
  addList(*analyze, "--fail-on", options->failOn,
          "RULE[:THRESHOLD], a rule or a line of the checklist: exit with 1 if it finds more, or misses its goal. What "
          "could "
          "not be measured is said on stderr and fails only with a THRESHOLD");
  analyze->add_flag(
      "-q,--quiet", options->quiet,
      "No headings and no advice: what is printed is the table alone; of several files, a line that says whose");
  addPartOptions(*analyze, *options, "[START]/[END]: only this time; +TIME counts from the begin of Time in info",
                 "RANGE[@DOMAIN][/INDEX]: only the time of this NVTX range; the first of that name without /INDEX");
  addPerRank(
      *analyze, *options,
      "One table a rule of all files, rows behind a column Rank or File; without it those of each file, and of several "
      "first a checklist of the worst");
  analyze->add_flag("--force-overwrite", options->overwrite, "Replace files that exist");
  addFileOptions(*analyze, options->strict);
  CLI::Option* help = analyze->add_option("--help-rules", options->helpRules, "What rules there are, or one");
  help->expected(0, 64)->delimiter(',');
  analyze->callback([options, help, &status] {
    std::erase(options->helpRules, std::string());
    if (help->count() > 0) put(rulesText(options->helpRules));
    else status = run(*options);
  });
}

}  // namespace lanescope::cli
