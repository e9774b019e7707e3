// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stats_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "app/cli/commands.h"
#include "app/cli/remote_file.h"
#include "app/cli/report_files.h"
#include "app/cli/stats_delivery.h"
#include "app/cli/table_parts.h"
#include "model/analysis/losses.h"

namespace lanescope::cli {
namespace {

/// In a process of its own: all tables of a file, into `answer`.
int makeTables(const std::string& file, const StatsOptions& options, const StatsRequest& request, int answer) {
  const report::LoadOptions load = loadOptions(options, request);
  Result<OpenReport> open = openReport(file, load, request.scope);
  if (!open) return complain(open.error());
  const trace::Trace& trace = *open->trace;
  FileTables tables;
  tables.rank = rankOf(trace, file);
  for (const StatsOrder& order : request.orders) {
    TableOrNot& made = tables.made.emplace_back();
    made.table = analysis::makeReport(order.call, trace, open->values, open->scope, Job(), !options.perRank);
    if (!made.table) made.words = analysis::missingFrom(order.call, trace, open->scope);
  }
  for (const std::string& reason : analysis::reasons(trace, load.only)) sayReason(file, reason);
  return writeTables(std::move(tables), answer) ? 0 : complain(writeError("a temporary file", errno));
}

struct Read {
  std::vector<std::string> paths;
  std::vector<ReceivedTables> tables;
};

Made makeOne(Read& read, const FileLabels& files, std::size_t i, const StatsOrder& order, bool perRank,
             analysis::TimeUnit unit) {
  std::vector<analysis::TablePart> parts;
  std::string lacking, words;
  for (const std::size_t file : files.order) {
    ReceivedTables& received = read.tables[file];
    if (received.hasTable(i)) {
      parts.push_back(received.take(i, files.labels[file]));
      continue;
    }
    words = received.words(i);
    lacking += skippedText(sourceOf(read.paths[file]), words);
  }
  if (parts.empty()) return {{}, words, {}};
  fmt::print(stderr, "{}", lacking);
  if (!perRank)
    if (const auto merged = mergedTable(parts)) return {merged->title, toText(*merged, order.style, unit), {}};
  const analysis::Table table = tableByPart(std::move(parts), files.title);
  return {fmt::format("{}, by {}", table.title, files.title == "Rank" ? "rank" : "file"),
          toText(table, order.style, unit),
          {}};
}

}  // namespace

int statsTogether(const std::vector<std::string>& files, const StatsOptions& options, const StatsRequest& request) {
  std::vector<std::string> paths;
  int status = localFiles(files, paths);
  Read read;
  const int worst = onEachFile(
      paths, [&](const std::string& path, int answer) { return makeTables(path, options, request, answer); },
      [&](std::size_t i, const Left& left) {
        left.say();
        if (left.status != 0) return;
        read.paths.push_back(paths[i]);
        read.tables.emplace_back(left.answer.get());
      });
  status = std::max(status, worst);
  if (read.tables.empty()) return status;
  std::vector<std::string> ranks;
  ranks.reserve(read.tables.size());
  for (const ReceivedTables& tables : read.tables) ranks.push_back(tables.rank());
  const FileLabels labels = labelsOf(read.paths, ranks);
  const Source source = read.paths.size() == 1 ? sourceOf(read.paths.front())
                                               : Source{fmt::format("{} files", read.paths.size()), {}, true};
  for (std::size_t i = 0; i < request.orders.size(); ++i) {
    const Made made = makeOne(read, labels, i, request.orders[i], options.perRank, request.unit);
    status = std::max(status, deliver(made, request.orders[i], source, options, request.suffix));
  }
  return status;
}

}  // namespace lanescope::cli
