// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <span>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "app/cli/stats_output.h"
#include "model/page/comparison_page.h"
#include "model/page/report_page.h"
#include "model/report/load.h"

namespace lanescope::cli {
namespace {

struct Options {
  std::string file, other, output;
  bool strict = false, overwrite = false;
};

Result<page::Page> makePage(const Options& options) {
  const Result<report::Database> database = report::Database::open(options.file);
  if (!database) return tl::unexpected(database.error());
  const Result<trace::TracePtr> trace =
      report::load(options.file, {.strict = options.strict, .projections = true}, [](const trace::TracePtr&) {}, Job());
  if (!trace) return tl::unexpected(trace.error());
  Result<report::RowValues> values = report::RowValues::open(options.file);
  if (!values) return tl::unexpected(values.error());
  const report::Info info = report::readInfo(*database, (*trace)->issues);
  return page::reportPage({shownName(options.file), *trace, info, *values});
}

/// What changed from the report to the other one, before all that is only about the first.
Result<void> addComparison(page::Page& page, const Options& options) {
  std::vector<compare::Run> runs;
  for (const std::string& file : {options.file, options.other}) {
    const compare::IterationChoice choice{{}, runs.empty() ? "" : runs.front().iterationName};
    Result<compare::Run> run = compare::readRun(file, shownName(file), choice, options.strict);
    if (!run) return tl::unexpected(run.error());
    runs.push_back(std::move(*run));
  }
  const std::span<const compare::Run> all(runs);
  std::vector<page::Section> sections = page::comparisonSections(compare::compare(all.first(1), all.last(1)));
  page.sections.insert(page.sections.begin(), std::make_move_iterator(sections.begin()),
                       std::make_move_iterator(sections.end()));
  return {};
}

int run(Options options) {
  const std::string ending = std::filesystem::path(options.output).extension().string();
  const bool isHtml = ending == ".html" || ending == ".htm";
  if (!isHtml && ending != ".md") return badUsage("-o " + options.output + ": write a name that ends in .html or .md");
  for (std::string* file : {&options.file, &options.other}) {
    if (file->empty()) continue;
    const Result<std::string> local = localFile(*file);
    if (!local) return complain(local.error());
    *file = *local;
  }
  Result<page::Page> made = makePage(options);
  if (!made) return complain(made.error());
  if (!options.other.empty()) {
    const Result<void> added = addComparison(*made, options);
    if (!added) return complain(added.error());
  }
  const auto error =
      writeFile(options.output, isHtml ? page::toHtml(*made) : page::toMarkdown(*made), options.overwrite);
  return error ? complain(*error) : 0;
}

}  // namespace

void addReport(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* report = app.add_subcommand("report", "One page about a report, for a colleague");
  report->add_option("FILE", options->file, kReport)->required();
  report->add_option("FILE2", options->other, "Another report: what changed from the first to this one comes before");
  report->add_option("-o,--output", options->output, "The page: NAME.html or NAME.md")->required();
  report->add_flag("-f,--force-overwrite", options->overwrite, "Replace a page that is there");
  addFileOptions(*report, options->strict);
  report->callback([options, &status] { status = run(*options); });
}

}  // namespace lanescope::cli
