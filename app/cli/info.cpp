// SPDX-License-Identifier: Apache-2.0
#include "model/report/info.h"

#include <fmt/format.h>

#include <memory>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "model/report/load.h"

namespace lanescope::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  bool json = false;
  bool strict = false;
};

Result<report::Info> read(const std::string& file, bool strict) {
  const Result<report::Database> database = report::Database::open(file);
  if (!database) return tl::unexpected(database.error());
  // Loading is what finds the damaged, the unfinished and the unmatched.
  const Result<trace::TracePtr> trace = report::load(file, {.strict = strict}, [](const trace::TracePtr&) {}, Job());
  if (!trace) return tl::unexpected(trace.error());
  report::Info info = report::readInfo(*database, (*trace)->issues);
  info.timeline = (*trace)->range;
  return info;
}

int run(const Options& options) {
  if (const auto there = runThere(options.files, false)) return *there;
  int status = 0;
  for (const std::string& file : options.files) {
    status = std::max(status, withLocal(file, [&](const std::string& local) {
                        const Result<report::Info> info = read(local, options.strict);
                        if (!info) return complain(info.error());
                        if (options.json) print("{}\n", report::toJson(*info));
                        else print("{}\n{}", shownName(local), report::toText(*info));
                        return 0;
                      }));
  }
  return status;
}

}  // namespace

void addInfo(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* info = app.add_subcommand("info", "What is in a report");
  info->add_option("FILE", options->files, kReports)->required();
  info->add_flag("--json", options->json, "One JSON object a report, each on its own line");
  addFileOptions(*info, options->strict);
  info->callback([options, &status] { status = run(*options); });
}

}  // namespace lanescope::cli
