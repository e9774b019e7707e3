// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/stats_output.h"
#include "app/cli/table_request.h"
#include "model/analysis/table_text.h"
#include "model/compare/comparison_table.h"
#include "model/compare/condition.h"
#include "model/page/comparison_page.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

using compare::Comparison;
using compare::Run;

constexpr int kFails = 1;

struct Options {
  std::vector<std::string> before, after, conditions;
  std::string page, iteration, timeUnit = "nsec";
  std::size_t rows = 15;
  bool json = false, csv = false, strict = false, overwrite = false;
};

/// All of them, two at once.
Result<std::vector<Run>> readRuns(const std::vector<std::string>& files, const compare::IterationChoice& choice,
                                  bool strict) {
  std::vector<Run> runs;
  std::vector<std::future<Result<Run>>> reading;
  for (std::size_t next = 0; runs.size() < files.size();) {
    for (; next < files.size() && next < runs.size() + 2; ++next) {
      const Result<std::string> local = localFile(files[next]);
      if (!local) return tl::unexpected(local.error());
      reading.push_back(
          std::async(std::launch::async, [&choice, strict, path = *local, shown = shownName(files[next])] {
            return compare::readRun(path, shown, choice, strict);
          }));
    }
    Result<Run> run = reading[runs.size()].get();
    if (!run) return tl::unexpected(run.error());
    runs.push_back(std::move(*run));
  }
  return runs;
}

/// For a person, without columns that say nothing of any name.
analysis::TableStyle withoutEmptyColumns(const analysis::Table& table) {
  analysis::TableStyle style = analysis::TableFormat::kColumn;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    style.widths.emplace_back();
    const auto isEmpty = [i](const auto& row) { return std::holds_alternative<std::monostate>(row[i]); };
    if (std::ranges::all_of(table.rows, isEmpty)) style.widths.back() = 0;
  }
  return style;
}

void printText(const Comparison& comparison, const Options& options, analysis::TimeUnit unit) {
  const auto files = [](char side, const std::vector<std::string>& names) {
    for (const std::string& name : names) print("{}: {}\n", side, repairUtf8(name));
  };
  files('A', comparison.filesA);
  files('B', comparison.filesB);
  if (!comparison.iterationName.empty())
    print("Iterations: “{}”, {} in A, {} in B\n", shownText(comparison.iterationName, 120), comparison.iterationsA,
          comparison.iterationsB);
  for (const std::string& warning : comparison.warnings) print("Note: {}\n", warning);

  const auto show = [&](analysis::Table table) {
    if (table.rows.empty()) return;
    const std::size_t all = table.rows.size();
    if (options.rows > 0) table.rows.resize(std::min(all, options.rows));
    print("\n ** {} ({}):\n\n{}", table.title, table.name, toText(table, withoutEmptyColumns(table), unit));
    if (all > table.rows.size()) print(" {} of {} shown; --rows N shows more, 0 all.\n", table.rows.size(), all);
  };
  show(figuresTable(comparison));
  for (std::size_t i = 0; i < compare::kSubjects; ++i) show(namesTable(comparison, static_cast<compare::Subject>(i)));
  const std::vector<std::string> merged = mergedTexts(comparison);
  if (!merged.empty()) print("\nTaken for one and the same:\n");
  for (const std::string& each : merged) print(" {}\n", shownText(each, 400));
  if (const std::string about = evidenceText(comparison); !about.empty()) print("\n{}\n", about);
}

int writePage(const Comparison& comparison, const Options& options) {
  const auto error = writeFile(options.page, page::toHtml(page::comparisonPage(comparison)), options.overwrite);
  return error ? complain(*error) : 0;
}

/// One line on stderr for each name of which a condition is true; the exit status.
int holdConditions(const std::vector<compare::Condition>& conditions, const Comparison& comparison) {
  int status = 0;
  for (const compare::Condition& condition : conditions) {
    const compare::Condition::Answer answer = condition.of(comparison);
    for (const std::string& each : answer.holds) fmt::print(stderr, "lanescope: {}: {}\n", condition.text(), each);
    if (!answer.holds.empty()) status = kFails;
    if (answer.asked == 0)
      fmt::print(stderr, "lanescope: {}: there is no such name or figure in both\n", condition.text());
    else if (answer.unknown == answer.asked)
      fmt::print(stderr, "lanescope: {}: it cannot be told: what it asks for is not known of any of {}\n",
                 condition.text(), answer.asked);
  }
  return status;
}

int run(Options options) {
  std::erase(options.after, std::string());  // what CLI11 makes of -- with nothing behind
  if (options.after.empty() && options.before.size() == 2) {
    options.after.push_back(std::move(options.before.back()));
    options.before.pop_back();
  }
  if (options.before.empty() || options.after.empty())
    return badUsage("two reports are compared, or several on each side of --: lanescope diff A1 A2 -- B1 B2");
  if (options.json && options.csv) return badUsage("--json and --csv: choose one");
  const auto unit = timeUnitOf(options.timeUnit);
  if (!unit) return badUsage(unit.error());
  std::vector<compare::Condition> conditions;
  for (const std::string& text : options.conditions) {
    auto condition = compare::Condition::parse(text);
    if (!condition) return badUsage("--fail-if '" + text + "': " + condition.error() + "; see: lanescope diff --help");
    conditions.push_back(std::move(*condition));
  }

  const Result<std::vector<Run>> before = readRuns(options.before, {options.iteration, {}}, options.strict);
  if (!before) return complain(before.error());
  const Result<std::vector<Run>> after =
      readRuns(options.after, {options.iteration, before->front().iterationName}, options.strict);
  if (!after) return complain(after.error());
  const Comparison comparison = compare::compare(*before, *after);

  if (options.json) put(toJson(comparison));
  else if (options.csv) put(toText(allNamesTable(comparison), analysis::TableFormat::kCsv, *unit));
  else if (options.page.empty()) printText(comparison, options, *unit);
  const int status = options.page.empty() ? 0 : writePage(comparison, options);
  return std::max(status, holdConditions(conditions, comparison));
}

}  // namespace

void addDiff(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* diff = app.add_subcommand("diff", "What changed between two reports, and whether it is more than chance");
  diff->add_option("A", options->before,
                   "Reports before and after, or several before; behind -- those after: diff A1 A2 A3 -- B1 B2 B3");
  constexpr int kMost = 1 << 20;
  diff->add_option(std::string(kBehindDashes), options->after)->expected(0, kMost)->group("");
  diff->add_flag("--json", options->json, "Everything, as one JSON object");
  diff->add_flag("--csv", options->csv, "All names, as one table");
  diff->add_option("--html", options->page, "Writes a page");
  diff->add_option("--fail-if", options->conditions,
                   "Exit 1 if this is true of any name: 'p < 0.01 and ratio > 1.02', 'kernel: difference > 2ms', "
                   "'train:step *: ratio > 1.05', 'gpu_busy: difference < -5'; several may be given");
  diff->add_option("--iteration", options->iteration,
                   "The NVTX range that is one iteration; found by itself if not given");
  diff->add_option("--rows", options->rows, "Names in each table as text, those that changed most; 0: all");
  addTimeUnit(*diff, options->timeUnit);
  diff->add_flag("-f,--force-overwrite", options->overwrite, "Replace a page that is there");
  addFileOptions(*diff, options->strict);
  diff->callback([options, &status] { status = run(*options); });
}

}  // namespace lanescope::cli
