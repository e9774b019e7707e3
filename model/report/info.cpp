// SPDX-License-Identifier: Apache-2.0
#include "model/report/info.h"

#include <fmt/chrono.h>

#include <set>
#include <tuple>
#include <unordered_set>

#include "model/report/run_facts.h"
#include "model/report/schema.h"
#include "model/report/span.h"
#include "model/report/table_scan.h"
#include "model/trace/ids.h"

namespace lanescope::report {
namespace {

using trace::Ns;

constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60;  // NVTX eventType

void addTo(Ns& total, Ns more) {
  if (__builtin_add_overflow(total, more, &total)) total = std::numeric_limits<Ns>::max();
}

class Counting {
 public:
  Counting(const Database& database, const std::optional<Source>& source)
      : database_(database),
        isImported_(source.has_value()),
        isJson_(source && source->written),
        isNvprof_(source && source->format == "nvprof") {}

  Info count() {
    countKernels();
    countCopies();
    countMemsets();
    countCalls();
    countSynchronizations();
    countNvtx();
    if (isImported_)
      scanTable(database_, kOverheadTable, {"start", "end"}, [&](const TableRow& row) { see(row, 0, 1); });
    info_.graphLaunches = graphLaunches_ ? graphLaunches_ : rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE");
    info_.metricSamples = rows("GPU_METRICS");
    info_.metrics = distinct("TARGET_INFO_GPU_METRICS", {"metricName"});
    info_.cpuSamples = cpuSamples();
    info_.pythonSamples = rows("LANESCOPE_PYTHON_SAMPLES");
    for (const char* table : {"MPI_P2P_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS"})
      info_.mpiCalls += rows(table);
    info_.memoryEvents = rows("CUDA_GPU_MEMORY_USAGE_EVENTS");
    info_.streamsNamed = distinct("TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "deviceId", "contextId", "streamId"});
    info_.processes = processes_.size();
    info_.threads = threads_.size();
    info_.devices = devices_.size();
    info_.streams = streams_.size();
    if (const auto& range = span_.range()) info_.span.emplace(range->begin, range->end);
    return info_;
  }

 private:
  /// Takes an event's time into the span; true if it is valid.
  bool see(const TableRow& row, int start, int end) { return span_.take(row, start, end); }

  void seeThread(const TableRow& row, int column) {
    if (row.isNull(column)) return;
    if (threads_.insert(row.integer(column)).second) processes_.insert(trace::pidOf(row.integer(column)));
  }

  /// What kernels, copies and memsets have in common. Columns 0 to 5: start, end, process, device, context, stream.
  void addWork(const TableRow& row, Info::Work& work, std::uint64_t bytes = 0) {
    ++work.count;
    work.bytes += bytes;
    if (see(row, 0, 1)) addTo(work.totalNs, row.integer(1) - row.integer(0));
    seeProcess(row, 2);
    if (isJson_ && &work != &info_.kernels) return;  // there, streams are those of kernels
    devices_.insert(row.integer(3));
    streams_.emplace(row.integer(3), row.integer(4), row.integer(5));
  }

  void seeProcess(const TableRow& row, int column) {
    if (!row.isNull(column) && !isNvprof_) processes_.insert(trace::pidOf(row.integer(column)));
  }

  template <class Visit>
  void scanWork(const char* table, std::string_view own, std::string_view own2, Visit visit) const {
    scanTable(database_, table, {"start", "end", "globalPid", "deviceId", "contextId", "streamId", own, own2}, visit);
  }

  void countKernels() {
    constexpr const char* kTable = "CUPTI_ACTIVITY_KIND_KERNEL";
    std::unordered_set<std::int64_t> names;
    const int name = database_.has(kTable, "demangledName") ? 6 : 7;
    scanWork(kTable, "demangledName", "shortName", [&](const TableRow& row) {
      addWork(row, info_.kernels);
      if (!row.isNull(2)) ++info_.kernelsOf[trace::pidOf(row.integer(2))];
      names.insert(row.integer(name));
    });
    info_.kernelNames = names.size();
  }

  void countCopies() {
    scanWork("CUPTI_ACTIVITY_KIND_MEMCPY", "bytes", "copyKind", [&](const TableRow& row) {
      const auto bytes = static_cast<std::uint64_t>(row.integer(6));
      addWork(row, info_.copies, bytes);
      Info::Work& kind = info_.copiesByKind[row.integer(7)];
      ++kind.count;
      kind.bytes += bytes;
      if (isRecorded(row.integer(0), row.integer(1))) addTo(kind.totalNs, row.integer(1) - row.integer(0));
    });
  }

  void countMemsets() {
    scanWork("CUPTI_ACTIVITY_KIND_MEMSET", "bytes", "value",
             [&](const TableRow& row) { addWork(row, info_.memsets, static_cast<std::uint64_t>(row.integer(6))); });
  }

  void countCalls() {
    const std::unordered_set<std::int64_t> launches = graphLaunchNames();
    for (const char* table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"}) {
      scanTable(database_, table, {"start", "end", "globalTid", "nameId"}, [&](const TableRow& row) {
        ++info_.cudaCalls;
        see(row, 0, 1);
        seeThread(row, 2);
        graphLaunches_ += launches.contains(row.integer(3));
      });
    }
    scanTable(database_, "OSRT_API", {"start", "end", "globalTid"}, [&](const TableRow& row) {
      ++info_.osRuntimeCalls;
      see(row, 0, 1);
      seeThread(row, 2);
    });
  }

  std::unordered_set<std::int64_t> graphLaunchNames() const {
    std::unordered_set<std::int64_t> ids;
    auto names = database_.prepare(
        "SELECT id FROM StringIds WHERE value GLOB 'cudaGraphLaunch*' OR value GLOB 'cuGraphLaunch*'");
    while (names && names->step()) ids.insert(names->integer(0));
    return ids;
  }

  void countSynchronizations() {
    scanTable(database_, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {"start", "end", "globalPid"},
              [&](const TableRow& row) {
                ++info_.synchronizations;
                see(row, 0, 1);
                seeProcess(row, 2);
              });
  }

  void countNvtx() {
    scanTable(database_, "NVTX_EVENTS", {"start", "end", "globalTid", "eventType"}, [&](const TableRow& row) {
      see(row, 0, 1);
      const std::int64_t type = row.isNull(3) ? kPushPop : row.integer(3);  // the column is missing in old exports
      if (type != kPushPop && type != kStartEnd && type != kMark) return;
      if (isImported_ && type != kMark && row.isNull(1)) return;  // half a range: an issue tells of it
      info_.nvtxRanges += type != kMark;
      info_.nvtxStartEnd += type == kStartEnd;
      info_.nvtxMarks += type == kMark;
      seeThread(row, 2);
    });
  }

  /// Without stacks that were taken for a switch, which have no cycles; where no row has any, the file does not tell.
  std::uint64_t cpuSamples() const {
    constexpr const char* kTable = "COMPOSITE_EVENTS";
    if (!database_.has(kTable, "cpuCycles")) return rows(kTable);
    const std::int64_t marked =
        database_.integer("SELECT count(*) FROM COMPOSITE_EVENTS WHERE cpuCycles > 0 OR cpuCycles IS NULL");
    return marked > 0 ? static_cast<std::uint64_t>(marked) : rows(kTable);
  }

  std::uint64_t rows(const char* table) const {
    return database_.has(table)
               ? static_cast<std::uint64_t>(database_.integer("SELECT count(*) FROM " + quotedName(table)))
               : 0;
  }

  std::uint64_t distinct(const char* table, const std::vector<std::string_view>& columns) const {
    std::set<std::string> seen;
    scanTable(database_, table, columns, [&](const TableRow& row) {
      std::string key;
      for (int i = 0; i < static_cast<int>(columns.size()); ++i)
        (key += row.isInteger(i) ? std::to_string(row.integer(i)) : std::string(row.text(i))) += '\0';
      seen.insert(std::move(key));
    });
    return seen.size();
  }

  const Database& database_;
  const bool isImported_, isJson_;
  const bool isNvprof_;  ///< whose GPU work names no process: importing found it
  Info info_;
  Span span_;
  std::set<std::int64_t> processes_, threads_, devices_;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> streams_;
  std::uint64_t graphLaunches_ = 0;
};

/// Of another tool's trace: when its first event was, if its clock is known.
std::optional<std::string> beginningOf(const Database& database, const Info& info) {
  constexpr const char* kTable = "TARGET_INFO_SESSION_START_TIME";
  if (!info.span || !database.has(kTable, "utcEpochNs") || !sourceOf(database)) return std::nullopt;
  const std::int64_t zero = database.integer("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME LIMIT 1");
  if (zero < trace::kMinTime || zero > trace::kMaxTime) return std::nullopt;
  std::int64_t began = 0;
  if (__builtin_add_overflow(zero, info.span->first, &began)) return std::nullopt;
  return fmt::format("{:%FT%T} UTC", fmt::gmtime(static_cast<std::time_t>(began / 1'000'000'000)));
}

}  // namespace

Info readInfo(const Database& database, std::vector<trace::Issue> issues) {
  auto source = sourceOf(database);
  Info info = Counting(database, source).count();
  const bool ours = database.formatVersion() != 0;
  info.format = ours ? "lanescope" : "nsys-sqlite";
  info.version = ours ? std::to_string(database.formatVersion()) : exportSchemaVersion(database);
  if (source) {
    info.format = std::move(source->format);
    info.version = std::move(source->version);
    info.written = std::move(source->written);
  }
  if (info.written) {
    info.span = info.written->span;
    info.copies = {};
    for (const auto& [name, copies] : info.written->copies) {
      info.copies.count += copies.count;
      info.copies.bytes += copies.bytes;
      addTo(info.copies.totalNs, copies.totalNs);
    }
  }
  info.run = runFacts(database);
  if (auto began = beginningOf(database, info)) info.run.emplace(info.run.begin(), "Recorded", std::move(*began));
  info.recorded = runProcesses(database);
  info.issues = std::move(issues);
  return info;
}

}  // namespace lanescope::report
