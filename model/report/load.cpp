// SPDX-License-Identifier: Apache-2.0
#include "model/report/load.h"

#include <fmt/format.h>

#include "model/report/diagnostics.h"
#include "model/report/load_issues.h"
#include "model/report/loading.h"
#include "model/report/source.h"

namespace lanescope::report {

Loading::Loading(const Database& file, const Job& work) : database(file), job(work) {
  // Strings and call stacks are read on demand only, however many they are.
  const auto isScanned = [](std::string_view table) { return table != "StringIds" && !table.ends_with("CALLCHAINS"); };
  for (const std::string& table : database.tables())
    if (isScanned(table))
      rowsExpected += static_cast<std::uint64_t>(
          std::max<std::int64_t>(database.integer("SELECT max(rowid) FROM " + quotedName(table)), 0));

  // Exports that leave the process out of GPU rows (facts 4.8) are of one process: the one whose calls stand beside.
  const char* kRuntime = "CUPTI_ACTIVITY_KIND_RUNTIME";
  if (database.has("CUPTI_ACTIVITY_KIND_KERNEL") && !database.has("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid") &&
      database.has(kRuntime, "globalTid"))
    onlyProcess = database.integer(fmt::format("SELECT globalTid FROM {} LIMIT 1", kRuntime));
}

bool Loading::hasTimes(const TableRow& row, int start, int end) {
  if (row.isInteger(start) && row.isInteger(end)) return true;
  ++notNumbers;
  return false;
}

bool Loading::hasThread(const TableRow& row, int globalTid) {
  if (!row.isNull(globalTid)) return true;
  ++noThread;
  return false;
}

std::uint32_t Loading::processOf(const TableRow& row, int globalPid) {
  return builder.process(row.isNull(globalPid) ? onlyProcess : row.integer(globalPid));
}

bool Loading::isSampleTime(trace::Ns time) {
  if (time >= trace::kMinTime && time <= trace::kMaxTime) return true;
  ++badSamples;
  return false;
}

void Loading::damaged(std::string_view table) {
  if (!damagedTables.emplace(table).second) return;
  builder.addIssue("table-damaged", 1, fmt::format("Table {} is damaged: rows behind the damage were not read", table));
}

bool Loading::tick(std::string_view table) {
  job.progress(
      std::min(1.0, static_cast<double>(rowsRead) / static_cast<double>(std::max<std::uint64_t>(rowsExpected, 1))),
      table);
  return !job.cancelled();
}

void Loading::readRecordedIssues() {
  int room = 1000;  // a recorder writes a few a process
  const auto kindOf = [](std::string_view name) -> std::optional<trace::EventKind> {
    for (std::size_t i = 0; i < trace::kEventKinds; ++i)
      if (const auto kind = static_cast<trace::EventKind>(i); trace::kindName(kind) == name) return kind;
    return std::nullopt;
  };
  forEach("LANESCOPE_ISSUES", {"kind", "count", "text", "about"}, [&](const TableRow& row) {
    if (row.text(0).empty() || row.text(2).empty() || --room < 0) return;
    builder.addIssue(repairUtf8(row.text(0)), static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(1), 0)),
                     repairUtf8(row.text(2)), kindOf(row.text(3)));
  });
}

void Loading::reportLosses() {
  const auto lost = [this](const char* kind, std::uint64_t count, const char* what) {
    if (count > 0) builder.addIssue(kind, count, fmt::format("{} {}", count, what));
  };
  lost("time-not-a-number", notNumbers, "rows whose times are not whole numbers");
  lost("string-missing", strings.missing(), "names that the file refers to but does not hold");
  addBadSamples(builder, badSamples);
  if (noThread > 0)
    builder.addIssue("thread-missing", noThread,
                     fmt::format("{} scheduling events and CPU samples that name no thread", noThread),
                     trace::EventKind::kThreadState);
  addWholeGraphs(builder);
  if (const LossesSaid said = lossesSaid(database, job); said.count > 0)
    builder.addIssue("records-dropped", said.count, "The profiler said: " + said.text);
}

Result<trace::TracePtr> load(const std::filesystem::path& path, const LoadOptions& options, const Publish& publish,
                             const Job& job) {
  auto database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  Loading loading(*database, job);
  loading.queries = options.queries;
  loading.only = options.only;
  if (const auto source = sourceOf(*database); source && hasZeroTimes(source->format)) loading.builder.takeZeroTimes();

  // In the order in which a person looks at them; each part is worth drawing when it is there.
  using Part = void (*)(Loading&);
  const auto run = [&](std::initializer_list<Part> parts) {
    for (const Part part : parts) {
      if (job.cancelled()) return;
      part(loading);
    }
    if (publish && !job.cancelled()) publish(loading.builder.snapshot(false));
  };
  run({loadNames, loadIds, loadGpuWork, nameGpus});
  run({loadCalls});
  if (options.only.empty()) run({loadEventUses, loadScheduling, loadPython, loadCurves, loadMemory, loadMetrics});
  else run({loadScheduling, loadPython, loadPageFaults});
  run({loadNvtx, loadDomains, nameGpus});
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
  if (options.partners) loading.builder.correlate();
  if (options.projections && !job.cancelled()) {
    if (publish) publish(loading.builder.snapshot(false));
    loading.builder.projectRanges();
  }
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});

  loading.readRecordedIssues();
  loading.reportLosses();
  for (const trace::Issue& warning : database->warnings())
    loading.builder.addIssue(warning.kind, warning.count, warning.text);
  const std::vector<trace::RowLink> links =
      options.only.empty() && options.partners ? loadLinks(loading) : std::vector<trace::RowLink>();
  trace::TracePtr trace = trace::withRowLinks(loading.builder.snapshot(true), links);
  if (options.strict)
    for (const trace::Issue& issue : trace->issues)
      if (isDamage(issue)) return tl::unexpected(Error{ErrorCode::kDamaged, path.string(), issue.text});
  if (publish) publish(trace);
  return trace;
}

}  // namespace lanescope::report
