// SPDX-License-Identifier: Apache-2.0
#include "model/export/export.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <memory>
#include <regex>

#include "app/cli/commands.h"
#include "app/cli/recording_lines.h"
#include "app/cli/remote_file.h"
#include "app/version.h"
#include "model/analysis/time_filter.h"
#include "model/report/caveats.h"
#include "model/report/load.h"
#include "model/report/span.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using exporting::Format;
using trace::TimeRange;

struct Options {
  std::vector<std::string> files;
  std::string file, type, output, filterTime, filterNvtx;
  std::vector<std::string> tables, ignored;
  bool overwrite = false, quiet = false, strict = false;
};

Result<TimeRange> timeOfRange(const std::string& text, const std::string& file) {
  const auto filter = analysis::parseNvtxFilter(text);
  if (!filter) return tl::unexpected(filter.error());
  const auto trace = report::load(file, {.only = {trace::EventKind::kNvtxRange}}, {}, Job());
  if (!trace) return tl::unexpected(trace.error());
  return analysis::resolve(*filter, **trace, file);
}

/// What both filters leave; nothing if neither is given.
Result<std::optional<TimeRange>> wanted(const Options& options, const report::Database& database) {
  std::optional<TimeRange> range;
  if (!options.filterTime.empty()) {
    const auto filter = analysis::parseTimeFilter(options.filterTime);
    if (!filter) return tl::unexpected(filter.error());
    const report::Spans spans = report::spansOf(database);
    const auto found = analysis::resolve(*filter, spans.recorded, spans.timeline, options.file);
    if (!found) return tl::unexpected(found.error());
    range = *found;
  }
  if (!options.filterNvtx.empty()) {
    const auto found = timeOfRange(options.filterNvtx, options.file);
    if (!found) return tl::unexpected(found.error());
    const TimeRange whole = range.value_or(*found);
    range = TimeRange{std::max(found->begin, whole.begin), std::min(found->end, whole.end)};
    if (range->empty() && !found->empty())
      return tl::unexpected(
          Error{ErrorCode::kFilteredOut, options.file,
                fmt::format("the NVTX range lies in {}/{} ns, outside --filter-time", found->begin, found->end)});
  }
  return range;
}

volatile sig_atomic_t interrupted = 0;

/// A job that ends, and takes back what it has written, when the user interrupts it.
Job interruptible(std::stop_source stop, const Job& shown) {
  struct sigaction action = {};  // without SA_RESTART: who waits for the reader of a FIFO is woken
  action.sa_handler = [](int) { interrupted = 1; };
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaction(each, &action, nullptr);
  return Job(stop.get_token(), [stop, shown](double fraction, std::string_view step) mutable {
    if (interrupted != 0) stop.request_stop();
    else shown.progress(fraction, step);
  });
}

/// Patterns as nsys has them: basic expressions, whatever the case, that match a part of the name.
bool matchesAny(const std::string& table, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return std::regex_search(table, std::regex(pattern, std::regex::basic | std::regex::icase));
  });
}

int run(Options options) {
  if (options.files.size() > 1) return badUsage(options.files[1] + ": export takes one report at a time");
  const auto format = exporting::findFormat(options.type);
  if (!format) return badUsage(options.type + ": no such type of export; there are: " + exporting::formatNames());
  const Result<std::string> local = localFile(options.files.front());
  if (!local) return complain(local.error());
  options.file = *local;
  const fs::path destination = options.output.empty() ? exporting::defaultDestination(namesake(options.file), *format)
                                                      : fs::path(options.output);
  if (destination == "-" && (*format == Format::kSqlite || *format == Format::kCsv))
    return badUsage("-o -: " + options.type + " cannot go to standard output; name a file with -o");
  std::error_code ignored;
  if (fs::equivalent(destination, options.file, ignored) ||
      fs::equivalent(destination, namesake(options.file), ignored))
    return badUsage(destination.string() + ": is the report itself; name another file with -o");

  const Result<report::Database> database = report::Database::open(options.file);
  if (!database) return complain(database.error());
  if (options.strict)  // loading is what finds damaged events
    if (const auto trace = report::load(options.file, {.strict = true}, {}, Job()); !trace)
      return complain(trace.error());
  const auto range = wanted(options, *database);
  if (!range) return complain(range.error());
  const Job job = interruptible(std::stop_source(), options.quiet ? Job() : showProgress("exporting"));
  report::Slice slice(*database, *range, job);
  if (!options.tables.empty()) {
    if (*format == Format::kChrome) return badUsage("--tables: chrome has events of all tables; take another type");
    try {
      slice.keepTables([&](const std::string& table) { return matchesAny(table, options.tables); });
    } catch (const std::regex_error&) {
      return badUsage("--tables: is no expression; write names of tables, or parts of them, with commas between");
    }
  }
  const auto missing = exporting::exportReport(
      slice, {.format = *format,
              .destination = destination,
              .ifExists = options.overwrite ? report::IfExists::kReplace : report::IfExists::kRefuse,
              .version = LANESCOPE_VERSION});
  job.progress(1, "");
  if (!missing) return complain(missing.error());
  for (const std::string& what : *missing) say(repairUtf8(shownName(options.file) + ": " + what));
  if (*format != Format::kSqlite)  // which holds them
    for (const trace::Issue& issue : report::caveats(*database, job))
      say(repairUtf8(shownName(options.file) + ": " + issue.text));
  if (!options.quiet && destination != "-") say(repairUtf8("written to " + destination.string()));
  return 0;
}

}  // namespace

void addExport(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("export", "A report, or a part of it, in another format");
  command->add_option("FILE", options->files, kReport)->required();
  command->add_option("-t,--type", options->type, exporting::formatNames())->required();
  command
      ->add_option("-o,--output", options->output,
                   "File to write, for csv a folder; - is standard output; else FILE with the ending of the type")
      ->check([](const std::string& name) { return name.empty() ? "name a file" : ""; });
  command->add_option(
      "--filter-time,--times", options->filterTime,
      "[START]/[END]: what touches that time; ns, or with us, ms, s; +TIME counts from the begin of Time in info");
  command->add_option("--filter-nvtx", options->filterNvtx, "RANGE[@DOMAIN][/INDEX]: what touches that NVTX range");
  command->add_flag("-f,--force-overwrite", options->overwrite, "Replace what exists");
  command->add_option("--tables", options->tables, "Only tables whose names match one of these: PATTERN[,PATTERN]")
      ->delimiter(',')
      ->allow_extra_args(false);
  addFileOptions(*command, options->strict);
  // What nsys can leave out is always there.
  command->add_option("--lazy,-l,--include-blobs,--include-json,--ts-normalize", options->ignored)->group("");
  command->add_flag("-q,--quiet", options->quiet, "Say nothing but what went wrong");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace lanescope::cli
