// SPDX-License-Identifier: Apache-2.0
#include "model/export/chrome_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/export/value_text.h"
#include "model/json.h"
#include "model/report/schema.h"
#include "model/trace/ids.h"

namespace lanescope::exporting {

using report::TableRow;
using trace::Ns;

namespace {

/// What Kineto calls the columns that it has too.
constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
    {"deviceId", "device"},
    {"contextId", "context"},
    {"streamId", "stream"},
    {"correlationId", "correlation"},
    {"registersPerThread", "registers per thread"},
};

std::string keyOf(const std::string& column, bool isId) {
  for (const auto& [ours, kinetos] : kKeys)
    if (column == ours) return std::string(kinetos);
  return isId && column.size() > 2 && column.ends_with("Id") ? column.substr(0, column.size() - 2) : column;
}

constexpr std::array<std::string_view, 4> kGpuTables = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                                        "CUPTI_ACTIVITY_KIND_MEMSET",
                                                        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};

constexpr std::array<std::string_view, 1> kWaitTables = {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"};
constexpr std::array<std::string_view, 1> kFaultTables = {"CUDA_UM_GPU_PAGE_FAULT_EVENTS"};
constexpr std::array<std::string_view, 2> kLaunchTables = {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"};

std::string kindOfMemory(std::int64_t kind) { return std::string(report::enumLabel("ENUM_CUDA_MEM_KIND", kind)); }

/// "Memcpy HtoD (Pinned -> Device)"
std::string copyName(std::int64_t kind, std::int64_t source, std::int64_t destination) {
  const auto known = static_cast<std::uint8_t>(kind >= 0 && kind <= 13 ? kind : 0);
  std::string name = "Memcpy " + std::string(trace::copyKindName(known, true));
  const std::string from = kindOfMemory(source), to = kindOfMemory(destination);
  return from.empty() || to.empty() ? name : name + " (" + from + " -> " + to + ")";
}

std::string memsetName(std::int64_t memory) {
  const std::string kind = kindOfMemory(memory);
  return kind.empty() ? "Memset" : "Memset (" + kind + ")";
}

std::string waitName(std::int64_t type) {
  constexpr std::array<const char*, 5> kNames = {"Synchronization", "Event Sync", "Stream Wait Event", "Stream Sync",
                                                 "Context Sync"};
  return kNames[static_cast<std::size_t>(type >= 0 && type < 5 ? type : 0)];
}

}  // namespace

enum class Place : std::uint8_t { kThread, kStream, kWait, kFault };
enum class Naming : std::uint8_t { kText, kCall, kCopy, kMemset, kGraph, kWait, kFault, kLock };

struct ChromeExport::EventTable {
  std::string_view table, category, nameColumn;
  Place place = Place::kThread;
  Naming naming = Naming::kText;
};

std::int64_t integer(const TableRow& row, int column, std::int64_t otherwise) {
  return column < 0 || row.isNull(column) ? otherwise : row.integer(column);
}

RowText::RowText(const report::Database& database, const std::string& table,
                 const std::vector<std::string_view>& told) {
  for (const std::string& column : database.columns(table)) {
    columns_.emplace_back(column);
    if (std::ranges::find(told, column) != told.end()) continue;
    const bool isId = report::isStringId(table, column);
    std::string key;
    appendQuoted(key, keyOf(column, isId));
    arguments_.push_back({static_cast<int>(columns_.size()) - 1, key + ':', isId});
  }
}

int RowText::at(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

void RowText::appendArguments(std::string& out, const TableRow& row, Texts& texts) const {
  bool first = out.empty() || out.back() == '{';
  for (const Argument& argument : arguments_) {
    if (row.isNull(argument.column)) continue;
    if (!first) out += ',';
    first = false;
    out += argument.key;
    if (argument.isId && row.isInteger(argument.column)) out += texts.quoted(row.integer(argument.column));
    else appendJson(out, row, argument.column);
  }
}

ChromeExport::ChromeExport(report::Slice& rows, OutFile& file)
    : slice(rows),
      out(file),
      texts(rows.database()),
      events(file.text()),
      tracks(rows.database(), texts, events),
      later_(rows, kLaunchTables) {
  findLaunches();
  lanes_.add(slice, kGpuTables, {"globalPid", "deviceId", "contextId", "streamId"});
  lanes_.add(slice, kWaitTables, {"globalPid", "deviceId"});
  lanes_.add(slice, kFaultTables, {"globalPid", "deviceId"});
}

void ChromeExport::findLaunches() {
  for (const std::string_view table : kGpuTables)
    slice.forEach(table, {"correlationId", "globalPid"}, [&](const TableRow& row) {
      if (row.integer(0) != 0) launched_[tracks.processOf(row, 1)].insert(row.integer(0));
    });
}

bool ChromeExport::isValid(Ns start, Ns end) {
  if (start >= trace::kMinTime && end <= trace::kMaxTime && end >= start && (start != 0 || end != 0)) return true;
  ++invalidTimes;
  return false;
}

void ChromeExport::appendArrow(bool toGpu, std::int64_t globalPid, std::int64_t correlation, Track track, Ns start) {
  auto& here = toGpu ? calls_ : launched_;
  const auto known = here.find(globalPid);
  if (correlation == 0 || known == here.end() || !known->second.contains(correlation)) return;
  // Correlation ids are unique within a process only, ids of arrows in the file.
  constexpr std::uint64_t kIdsOfProcess = std::uint64_t{1} << 44;
  const std::uint64_t id = static_cast<std::uint64_t>(tracks.indexOf(globalPid)) * kIdsOfProcess +
                           (static_cast<std::uint64_t>(correlation) & (kIdsOfProcess - 1));
  fmt::format_to(std::back_inserter(events.begin(toGpu ? 'f' : 's', R"("ac2g")", R"("ac2g")", track, start)),
                 R"(,"id":{}{})", id, toGpu ? R"(,"bp":"e")" : "");
  events.end();
}

/// The columns that events are made of, by position.
struct ChromeExport::EventColumns {
  EventColumns(const EventTable& what, const RowText& text)
      : start(text.at("start")),
        end(text.at("end")),
        who(text.at(what.place == Place::kThread ? "globalTid" : "globalPid")),
        name(text.at(what.nameColumn)),
        device(text.at("deviceId")),
        context(text.at("contextId")),
        stream(text.at("streamId")),
        correlation(text.at("correlationId")),
        eventClass(text.at("eventClass")),
        bytes(text.at("bytes")),
        memory(text.at("memKind")),
        source(text.at("srcKind")),
        destination(text.at("dstKind")),
        shared{text.at("staticSharedMemory"), text.at("dynamicSharedMemory")},
        shape{text.at("gridX"),  text.at("gridY"),  text.at("gridZ"),
              text.at("blockX"), text.at("blockY"), text.at("blockZ")} {}

  int start, end, who, name, device, context, stream, correlation, eventClass, bytes, memory, source, destination;
  std::array<int, 2> shared;
  std::array<int, 6> shape;
};

Track ChromeExport::trackOf(const EventTable& what, const EventColumns& at, const TableRow& row, std::int64_t owner) {
  switch (what.place) {
    case Place::kThread:
      return tracks.thread(owner);
    case Place::kStream:
      return tracks.stream(owner, integer(row, at.device), integer(row, at.context), integer(row, at.stream));
    case Place::kWait:
      return tracks.beside(owner, integer(row, at.device), Tracks::Beside::kWaits);
    case Place::kFault:
      return tracks.beside(owner, integer(row, at.device), Tracks::Beside::kFaults);
  }
  return {};
}

/// The event's name, quoted; `version` is what was taken off a call's.
std::string_view ChromeExport::nameOf(const EventTable& what, const EventColumns& at, const TableRow& row,
                                      std::string& version) {
  const std::int64_t value = integer(row, at.name);
  name_.clear();
  version.clear();
  switch (what.naming) {
    case Naming::kText:
      return texts.quoted(value);
    case Naming::kCall: {
      const std::string_view whole = texts.plain(value), shown = report::withoutVersion(whole);
      version = whole.substr(shown.size());
      appendQuoted(name_, shown);
      break;
    }
    case Naming::kCopy:
      appendQuoted(name_, copyName(value, integer(row, at.source, -1), integer(row, at.destination, -1)));
      break;
    case Naming::kMemset:
      appendQuoted(name_, memsetName(integer(row, at.memory, -1)));
      break;
    case Naming::kGraph:
      name_ = fmt::format("\"Graph {}\"", value);
      break;
    case Naming::kWait:
      appendQuoted(name_, waitName(value));
      break;
    case Naming::kFault:
      name_ = "\"GPU page fault\"";
      break;
    case Naming::kLock:
      name_ = "\"Waiting for the interpreter lock\"";
      break;
  }
  return name_;
}

/// What Kineto says of GPU work in other words than the columns.
void ChromeExport::appendShape(std::string& o, const EventColumns& at, const TableRow& row) {
  const auto value = [&](int column) { return static_cast<std::uint64_t>(integer(row, column)); };
  const auto end = std::back_inserter(o);
  if (at.shape[0] >= 0) {
    fmt::format_to(end, R"(,"shared memory":{})", value(at.shared[0]) + value(at.shared[1]));
    for (const auto& [key, first] : {std::pair("grid", 0U), {"block", 3U}})
      fmt::format_to(end, R"(,"{}":[{},{},{}])", key, integer(row, at.shape[first]), integer(row, at.shape[first + 1]),
                     integer(row, at.shape[first + 2]));
  }
  const Ns length = integer(row, at.end) - integer(row, at.start);
  if (at.bytes >= 0 && length > 0)
    fmt::format_to(end, R"-(,"memory bandwidth (GB/s)":{:.6g})-",
                   static_cast<double>(integer(row, at.bytes)) / static_cast<double>(length));
}

void ChromeExport::writeTable(const EventTable& what) {
  const std::string table(what.table);
  if (!slice.database().has(table)) return;
  written.insert(table);
  const bool namedByText = what.naming == Naming::kText || what.naming == Naming::kCall;
  const RowText text(slice.database(), table,
                     {"start", "end", "globalTid", "globalPid", namedByText ? what.nameColumn : "", "gridX", "gridY",
                      "gridZ", "blockX", "blockY", "blockZ"});
  const EventColumns at(what, text);
  const std::string category = '"' + std::string(what.category) + '"';
  std::string version;

  slice.forEach(table, text.columns(), [&](const TableRow& row) {
    const Ns start = integer(row, at.start), end = integer(row, at.end);
    const std::int64_t eventClass = integer(row, at.eventClass);
    constexpr std::int64_t kDriver = 1, kStarted = 31, kFinished = 32;  // the last two mark the recording itself
    if (eventClass == kStarted || eventClass == kFinished || !isValid(start, end)) return true;

    const std::int64_t owner = what.place == Place::kThread ? integer(row, at.who) : tracks.processOf(row, at.who);
    const Track track = tracks.lane(trackOf(what, at, row, owner), lanes_.of(table, row.rowid()));
    const std::string_view name = nameOf(what, at, row, version);
    const bool isDriver = what.naming == Naming::kCall && eventClass >= kDriver;
    std::string& o = events.begin('X', isDriver ? R"("cuda_driver")" : std::string_view(category), name, track, start);
    o += ",\"dur\":";
    appendMicroseconds(o, end - start);
    o += ",\"args\":{";
    text.appendArguments(o, row, texts);
    if (!version.empty()) fmt::format_to(std::back_inserter(o), R"(,"version":"{}")", version);
    if (what.place == Place::kStream) appendShape(o, at, row);
    o += '}';
    events.end();

    const std::int64_t process = owner & ~trace::kThreadBits, launch = integer(row, at.correlation);
    if (what.naming == Naming::kCall) calls_[process].insert(launch);
    const bool isFirst = what.naming == Naming::kCall && !later_.contains(table, row.rowid());
    if (isFirst || what.place == Place::kStream)
      appendArrow(what.place == Place::kStream, process, launch, track, start);
    return out.flow();
  });
}

void ChromeExport::writeCalls() {
  static constexpr EventTable kTables[] = {
      {kLaunchTables[0], "cuda_runtime", "nameId", Place::kThread, Naming::kCall},
      {kLaunchTables[1], "cuda_driver", "nameId", Place::kThread, Naming::kCall},
      {"OSRT_API", "osrt", "nameId"},
      {"SYSCALL", "syscall", "nameId"},
      {"CUBLAS_EVENTS", "cublas", "nameId"},
      {"CUDNN_EVENTS", "cudnn", "nameId"},
      {"MPI_P2P_EVENTS", "mpi", "textId"},
      {"MPI_COLLECTIVES_EVENTS", "mpi", "textId"},
      {"MPI_START_WAIT_EVENTS", "mpi", "textId"},
      {"MPI_OTHER_EVENTS", "mpi", "textId"},
      {"LANESCOPE_GIL_WAITS", "python_gil", "", Place::kThread, Naming::kLock},
      {"CUDA_GRAPH_EVENTS", "cuda_graph", "nameId"},
      {"CUDA_GRAPH_NODE_EVENTS", "cuda_graph", "nameId"},
      {"PROFILER_OVERHEAD", "overhead", "nameId"},
      {"CUPTI_ACTIVITY_KIND_OVERHEAD", "overhead", "nameId"},
      {"CUPTI_ACTIVITY_KIND_JIT", "overhead", "nameId"},
  };
  for (const EventTable& table : kTables) writeTable(table);
}

void ChromeExport::writeGpuWork() {
  const std::string_view kernelName =
      slice.database().has(kGpuTables[0], "demangledName") ? "demangledName" : "shortName";
  const EventTable tables[] = {
      {kGpuTables[0], "kernel", kernelName, Place::kStream},
      {kGpuTables[1], "gpu_memcpy", "copyKind", Place::kStream, Naming::kCopy},
      {kGpuTables[2], "gpu_memset", "", Place::kStream, Naming::kMemset},
      {kGpuTables[3], "cuda_graph", "graphId", Place::kStream, Naming::kGraph},
      {kWaitTables[0], "cuda_sync", "syncType", Place::kWait, Naming::kWait},
      {kFaultTables[0], "gpu_page_fault", "", Place::kFault, Naming::kFault},
  };
  for (const EventTable& table : tables) writeTable(table);
}

}  // namespace lanescope::exporting
