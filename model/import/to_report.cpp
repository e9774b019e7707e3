// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "model/import/import.h"
#include "model/import/placement.h"
#include "model/report/rows_host.h"
#include "model/report/schema.h"
#include "model/report/writer.h"
#include "model/trace/ids.h"

namespace lanescope::imported {
namespace {

using report::Writer;
using trace::Event;
using trace::EventKind;
using trace::NameId;
using Field = Writer::Field;
using Value = Writer::Value;

constexpr std::int64_t kMark = 34, kPushPop = 59, kStartEnd = 60, kDomain = 75;  // NVTX eventType
constexpr std::int64_t kRuntimeClass = 0, kOsClass = 27, kOverheadClass = 103;   // ENUM_NSYS_EVENT_CLASS

/// What is not known is NULL.
Value known(std::int64_t value) { return value >= 0 ? Value(value) : Value(); }

/// Records of waits have a name in other tools and a number in ours (ENUM_CUPTI_SYNC_TYPE).
std::int64_t syncType(std::string_view name) {
  const auto says = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (says("Wait")) return 2;
  if (says("Event")) return 1;
  if (says("Stream")) return 3;
  return says("Context") || says("Device") ? 4 : 0;
}

std::string timeText(std::int64_t utcNs) {
  return fmt::format("{:%FT%T}", fmt::gmtime(static_cast<std::time_t>(utcNs / 1'000'000'000)));
}

class ToReport {
 public:
  ToReport(const Recording& recording, Writer& writer, const Job& job)
      : recording_(recording), writer_(writer), job_(job) {
    writer_.allowNulls();
  }

  void run(const std::filesystem::path& source) {
    for (const Destination& destination : destinations()) {
      if (job_.cancelled()) return;
      add(destination);
    }
    addDomains();
    addProcesses();
    addGpus();
    addStreams();
    addCurves();
    addLinks();
    addCollectives();
    addSource(source);
    for (const trace::Issue& issue : recording_.issues)
      append("LANESCOPE_ISSUES", {{"kind", std::string_view(issue.kind)},
                                  {"count", static_cast<std::int64_t>(issue.count)},
                                  {"text", std::string_view(issue.text)},
                                  {"about", issue.about ? Value(trace::kindName(*issue.about)) : Value()}});
  }

 private:
  void append(std::string_view table, std::initializer_list<Field> fields) {
    writer_.append(table, std::span(fields.begin(), fields.size()));
  }

  // --- names ---------------------------------------------------------------------------------------------------------

  /// The id of a name's text or label; each is looked up once.
  std::int64_t text(NameId name) { return once(texts_, name, (*recording_.names)[name].text); }
  std::int64_t label(NameId name) { return once(labels_, name, (*recording_.names)[name].label); }

  std::int64_t once(std::vector<std::int64_t>& known, NameId name, std::string_view text) {
    if (known.empty()) known.resize(recording_.names->size(), -1);
    if (known[name] < 0) known[name] = writer_.string(text);
    return known[name];
  }

  // --- events --------------------------------------------------------------------------------------------------------

  struct Row {
    const Event& event;
    const Track& track;
    const Placed& at;
    std::size_t index;
    std::uint64_t number;
    Value correlation() const { return event.correlation; }
    Value row() const { return static_cast<std::int64_t>(number); }
  };

  void add(const Destination& destination) {
    std::vector<std::uint32_t> tracks;
    std::map<std::uint32_t, Placed> places;
    for (std::uint32_t i = 0; i < recording_.tracks.size(); ++i)
      if (const Track& track = recording_.tracks[i]; destination.holds(track.kind) && !track.events.empty()) {
        tracks.push_back(i);
        places.emplace(i, placed(recording_, ids_, track));
      }
    std::uint64_t done = 0;
    constexpr std::uint64_t kRowsPerReport = 1 << 16;
    std::optional<std::uint64_t> last;
    std::vector<EventAt> again;  // what says that it stands where another does
    for (const RowAt& each : byRow(recording_, tracks)) {
      if (++done % kRowsPerReport == 0 && job_.cancelled()) return;
      const Track& track = recording_.tracks[each.event.track];
      if (last == each.row) again.push_back(each.event);
      else
        addRow(destination.table,
               {track.events[each.event.index], track, places.at(each.event.track), each.event.index, each.row});
      last = each.row;
    }
    for (const EventAt& event : again) {
      const Track& track = recording_.tracks[event.track];
      addRow(destination.table, {track.events[event.index], track, places.at(event.track), event.index, ++*last});
    }
  }

  void addRow(const char* table, const Row& row) {
    switch (row.at.kind) {
      case EventKind::kKernel:
        return addKernel(table, row);
      case EventKind::kCopy:
        return addCopy(table, row);
      case EventKind::kMemset:
        return addMemset(table, row);
      case EventKind::kGraphLaunch:
        return addGraph(table, row);
      case EventKind::kCudaApi:
      case EventKind::kOsRuntime:
        return addCall(table, row);
      case EventKind::kOverhead:
        return append(table, {{"rowid", row.row()},
                              {"start", row.event.start},
                              {"end", row.event.end},
                              {"eventClass", kOverheadClass},
                              {"globalTid", row.at.globalTid},
                              {"nameId", text(row.event.name)}});
      case EventKind::kSync:
        return appendOfStream(table, row, {{"syncType", syncType((*recording_.names)[row.event.name].text)}});
      case EventKind::kCpuSample:
        append(table, {{"id", row.row()}, {"start", row.event.start}, {"globalTid", row.at.globalTid}});
        return addStack("SAMPLING_CALLCHAINS", row);
      case EventKind::kPythonSample:
        append(table, {{"id", row.row()}, {"start", row.event.start}, {"globalTid", row.at.globalTid}});
        return addStack("LANESCOPE_PYTHON_CALLCHAINS", row);
      case EventKind::kCpuPageFault:
        return append(table, {{"rowid", row.row()}, {"start", row.event.start}, {"globalPid", row.at.globalPid}});
      case EventKind::kGpuPageFault:
        return append(table, {{"rowid", row.row()},
                              {"start", row.event.start},
                              {"end", row.event.end},
                              {"globalPid", row.at.globalPid},
                              {"deviceId", row.at.device}});
      default:
        addRange(table, row);
    }
  }

  /// Of a CPU sample without a stack its name is where it was taken.
  void addStack(const char* table, const Row& row) {
    const std::vector<std::uint32_t>& stacks = row.track.stacks;
    const std::uint32_t stack = row.index < stacks.size() ? stacks[row.index] : trace::kNone;
    std::int64_t depth = 0;
    const auto addFrame = [&](const Frame& frame) {
      append(table, {{"id", row.row()},
                     {"symbol", text(frame.name)},
                     {"module", frame.module != 0 ? Value(text(frame.module)) : Value()},
                     {"unwindMethod", frame.isPython  ? Value(report::kPythonFrame)
                                      : frame.unwound ? Value()
                                                      : Value(report::kNotUnwound)},
                     {"stackDepth", depth++}});
    };
    if (stack != trace::kNone) {
      for (const Frame& frame : recording_.stacks[stack]) addFrame(frame);
    } else if (row.track.kind == EventKind::kCpuSample && !(*recording_.names)[row.event.name].text.empty()) {
      addFrame({.name = row.event.name, .unwound = false});
    }
  }

  /// What all tables of a stream's events have, and `own` behind it.
  void appendOfStream(const char* table, const Row& row, std::initializer_list<Field> own) {
    fields_.assign({{"rowid", row.row()},
                    {"start", row.event.start},
                    {"end", row.event.end},
                    {"deviceId", row.at.device},
                    {"contextId", row.at.context},
                    {"streamId", row.at.stream},
                    {"correlationId", row.correlation()},
                    {"globalPid", row.at.globalPid}});
    fields_.insert(fields_.end(), own);
    writer_.append(table, fields_);
  }

  static const WorkDetails& detailsOf(const Row& row) {
    static const WorkDetails kNone;
    return row.index < row.track.work.size() ? row.track.work[row.index] : kNone;
  }

  void addKernel(const char* table, const Row& row) {
    const WorkDetails& more = detailsOf(row);
    appendOfStream(table, row,
                   {{"demangledName", text(row.event.name)},
                    {"shortName", label(row.event.name)},
                    {"mangledName", more.mangled != 0 ? Value(text(more.mangled)) : Value()},
                    {"registersPerThread", known(more.registers)},
                    {"gridX", known(more.gridX)},
                    {"gridY", known(more.gridY)},
                    {"gridZ", known(more.gridZ)},
                    {"blockX", known(more.blockX)},
                    {"blockY", known(more.blockY)},
                    {"blockZ", known(more.blockZ)},
                    {"staticSharedMemory", known(more.staticShared)},
                    {"dynamicSharedMemory", known(more.dynamicShared)},
                    {"localMemoryPerThread", known(more.localPerThread)},
                    {"localMemoryTotal", known(more.localTotal)},
                    {"graphNodeId", known(more.graphNode)},
                    {"graphId", known(more.graph)}});
  }

  void addCopy(const char* table, const Row& row) {
    const WorkDetails& more = detailsOf(row);
    appendOfStream(table, row,
                   {{"bytes", static_cast<std::int64_t>(row.event.amount)},
                    {"copyKind", std::int64_t{row.track.copyKind}},
                    {"srcKind", known(more.sourceKind)},
                    {"dstKind", known(more.destinationKind)},
                    {"srcDeviceId", known(more.sourceDevice)},
                    {"dstDeviceId", known(more.destinationDevice)},
                    {"graphNodeId", known(more.graphNode)}});
  }

  void addMemset(const char* table, const Row& row) {
    const WorkDetails& more = detailsOf(row);
    appendOfStream(table, row,
                   {{"value", known(more.value)},
                    {"bytes", static_cast<std::int64_t>(row.event.amount)},
                    {"graphNodeId", known(more.graphNode)}});
  }

  void addGraph(const char* table, const Row& row) {
    appendOfStream(table, row, {{"graphId", known(detailsOf(row).graph)}});
  }

  void addCall(const char* table, const Row& row) {
    const bool isCuda = row.at.kind == EventKind::kCudaApi;
    const Value result =
        row.index < row.track.results.size() ? Value(std::int64_t{row.track.results[row.index]}) : Value();
    std::vector<Field> fields = {{"rowid", row.row()},
                                 {"start", row.event.start},
                                 {"end", row.event.end},
                                 {"eventClass", isCuda ? kRuntimeClass : kOsClass},
                                 {"globalTid", row.at.globalTid},
                                 {"nameId", text(row.event.name)},
                                 {"returnValue", result}};
    if (isCuda) fields.push_back({"correlationId", row.correlation()});
    writer_.append(table, fields);
  }

  void addRange(const char* table, const Row& row) {
    const bool isMark = row.at.kind == EventKind::kNvtxMark, ofProcess = row.at.kind == EventKind::kNvtxStartEnd;
    const bool isInstant = row.track.kind == EventKind::kNvtxMark;
    const Value end = isMark                 ? Value()
                      : isInstant            ? Value(row.event.start)
                      : row.event.unfinished ? Value()
                                             : Value(row.event.end);
    const std::uint32_t argb = (*recording_.names)[row.event.name].argb;
    append(table, {{"rowid", row.row()},
                   {"start", row.event.start},
                   {"end", end},
                   {"eventType", isMark      ? kMark
                                 : ofProcess ? kStartEnd
                                             : kPushPop},
                   {"color", argb != 0 ? Value(std::int64_t{argb}) : Value()},
                   {"text", Value()},
                   {"globalTid", row.at.globalTid},
                   {"endGlobalTid", ofProcess && row.at.hasThread ? Value(row.at.globalTid) : Value()},
                   {"textId", text(row.event.name)},
                   {"domainId", row.at.domain}});
  }

  // --- who -----------------------------------------------------------------------------------------------------------

  void addDomains() {
    for (std::uint32_t i = 0; i < recording_.domains.size(); ++i) {
      const Domain& domain = recording_.domains[i];
      const std::int64_t id = domainId(recording_, i), globalPid = ids_.processes[domain.process];
      if (id == 0) continue;
      append("NVTX_EVENTS", {{"rowid", Value()},
                             {"start", std::int64_t{0}},
                             {"end", std::int64_t{0}},
                             {"eventType", kDomain},
                             {"color", Value()},
                             {"text", std::string_view(domain.name)},
                             {"globalTid", globalPid},
                             {"endGlobalTid", Value()},
                             {"textId", Value()},
                             {"domainId", id}});
      if (!domain.isNvtx) append("LANESCOPE_DOMAINS", {{"globalPid", globalPid}, {"domainId", id}});
    }
  }

  void addProcesses() {
    for (std::size_t i = 0; i < recording_.processes.size(); ++i) {
      const Process& process = recording_.processes[i];
      const std::int64_t id = ids_.processes[i];
      const std::string name = nameOf(process.id, process.name);
      append("PROCESSES", {{"globalPid", id}, {"pid", trace::pidOf(id)}, {"name", std::string_view(name)}});
      addId(id, false, trace::pidOf(id), process.id, process.sortIndex, process.rank);
    }
    for (std::size_t i = 0; i < recording_.threads.size(); ++i) {
      const Thread& thread = recording_.threads[i];
      const std::string name = nameOf(thread.id, thread.name);
      if (!name.empty()) append("ThreadNames", {{"nameId", writer_.string(name)}, {"globalTid", ids_.threads[i]}});
      addId(ids_.threads[i], true, trace::tidOf(ids_.threads[i]), thread.id, thread.sortIndex, {});
    }
  }

  void addId(std::int64_t globalId, bool isThread, std::int64_t packed, const Identity& id, std::int64_t sortIndex,
             const std::string& rank) {
    const bool isText = !id.text.empty();
    if (!isText && id.number == packed && sortIndex == 0 && rank.empty()) return;
    append("LANESCOPE_IDS", {{"globalTid", globalId},
                             {"isThread", std::int64_t{isThread}},
                             {"number", isText ? Value() : Value(id.number)},
                             {"text", isText ? Value(std::string_view(id.text)) : Value()},
                             {"rank", rank.empty() ? Value() : Value(std::string_view(rank))},
                             {"sortIndex", sortIndex == 0 ? Value() : Value(sortIndex)}});
  }

  /// A GPU that several processes use is one of the machine.
  void addGpus() {
    std::set<std::string> columns;  // every row of a table has the same
    for (const Gpu& gpu : recording_.gpus)
      for (const auto& [column, value] : gpu.facts) columns.insert(column);
    const report::Table& table = *report::findTable("TARGET_INFO_GPU");
    std::erase_if(columns, [&](const std::string& column) {
      return column == "id" || column == "vmId" || column == "name" || column == "busLocation" ||
             std::ranges::find(table.columns, column, &report::Column::name) == table.columns.end();
    });
    std::map<std::tuple<std::int64_t, std::string, std::string>, std::int64_t> numbers;
    for (const Gpu& gpu : recording_.gpus) {
      const auto [number, isNew] =
          numbers.try_emplace({gpu.device, gpu.name, gpu.bus}, static_cast<std::int64_t>(numbers.size()));
      if (isNew) {
        std::vector<Field> fields = {{"vmId", std::int64_t{0}},
                                     {"id", number->second},
                                     {"name", std::string_view(gpu.name)},
                                     {"busLocation", std::string_view(gpu.bus)}};
        for (const std::string& column : columns) {
          const auto fact = std::ranges::find(gpu.facts, column, &std::pair<std::string, std::int64_t>::first);
          fields.push_back({column, fact == gpu.facts.end() ? Value() : Value(fact->second)});
        }
        writer_.append(table.name, fields);
      }
      append("TARGET_INFO_CUDA_DEVICE",
             {{"gpuId", number->second}, {"cudaId", gpu.device}, {"pid", trace::pidOf(ids_.processes[gpu.process])}});
    }
  }

  void addStreams() {
    for (const Stream& stream : recording_.streams) {
      const Gpu& gpu = recording_.gpus[stream.gpu];
      const std::int64_t pid = trace::pidOf(ids_.processes[gpu.process]);
      if (stream.isDefault)
        append("TARGET_INFO_CUDA_CONTEXT_INFO", {{"nullStreamId", stream.stream},
                                                 {"processId", pid},
                                                 {"deviceId", gpu.device},
                                                 {"contextId", stream.context}});
      if (!stream.name.empty())
        append("TARGET_INFO_NVTX_CUDA_STREAM", {{"name", std::string_view(stream.name)},
                                                {"processId", pid},
                                                {"deviceId", gpu.device},
                                                {"contextId", stream.context},
                                                {"streamId", stream.stream}});
    }
  }

  // --- the rest ------------------------------------------------------------------------------------------------------

  void addCurves() {
    std::int64_t number = 0;
    for (const Curve& curve : recording_.curves) {
      const Gpu* gpu = curve.gpu == trace::kNone ? nullptr : &recording_.gpus[curve.gpu];
      const std::uint32_t process = gpu ? gpu->process : curve.process;
      append("LANESCOPE_CURVES", {{"curveId", number},
                                  {"globalPid", process == trace::kNone ? Value() : Value(ids_.processes[process])},
                                  {"deviceId", gpu ? Value(gpu->device) : Value()},
                                  {"name", std::string_view(curve.name)},
                                  {"unit", static_cast<std::int64_t>(curve.unit)}});
      for (std::size_t i = 0; i < std::min(curve.times.size(), curve.values.size()); ++i)
        append("LANESCOPE_CURVE_SAMPLES",
               {{"curveId", number}, {"timestamp", curve.times[i]}, {"value", curve.values[i]}});
      ++number;
    }
  }

  void addLinks() {
    for (const Link& link : recording_.links) {
      const auto from = placeOf(recording_, link.from), to = placeOf(recording_, link.to);
      append("LANESCOPE_LINKS", {{"fromTable", std::string_view(from.table)},
                                 {"fromRow", static_cast<std::int64_t>(from.row)},
                                 {"toTable", std::string_view(to.table)},
                                 {"toRow", static_cast<std::int64_t>(to.row)}});
    }
  }

  void addCollectives() {
    for (const CollectiveCall& call : recording_.collectives)
      append("LANESCOPE_COLLECTIVES", {{"nvtxRow", static_cast<std::int64_t>(placeOf(recording_, call.range).row)},
                                       {"bytes", call.bytes},
                                       {"communicator", call.group},
                                       {"ranks", call.ranks > 0 ? Value(call.ranks) : Value()}});
  }

  void addSource(const std::filesystem::path& source) {
    const auto fact = [this](std::string_view name, std::string_view value) {
      append("LANESCOPE_SOURCE", {{"name", name}, {"value", value}});
    };
    fact("file", source.native());
    fact("format", recording_.format);
    fact("version", recording_.version);
    if (const auto& written = recording_.written) {
      fact("entries", std::to_string(written->entries));
      fact("total-ns", std::to_string(written->totalNs));
      for (const auto& [phase, count] : written->byPhase) fact("phase:" + phase, std::to_string(count));
      if (written->span) {
        fact("span-first", std::to_string(written->span->first));
        fact("span-last", std::to_string(written->span->second));
      }
      for (const auto& [name, copies] : written->copiesByName)
        append("LANESCOPE_COPIES_WRITTEN", {{"name", std::string_view(name)},
                                            {"count", static_cast<std::int64_t>(copies.count)},
                                            {"bytes", static_cast<std::int64_t>(copies.bytes)},
                                            {"totalNs", copies.totalNs}});
    }
    for (std::size_t i = 0; i < recording_.positions.offsets.size(); ++i)
      append("LANESCOPE_POSITIONS", {{"entry", static_cast<std::int64_t>(i * Positions::kEvery)},
                                     {"offset", static_cast<std::int64_t>(recording_.positions.offsets[i])}});
    if (!recording_.host.empty()) writer_.addCaptureFact("LANESCOPE:HOST", recording_.host);
    for (const auto& [name, value] : recording_.facts) writer_.addCaptureFact(name, value);
    if (const auto utc = recording_.utcOfZero)
      append("TARGET_INFO_SESSION_START_TIME", {{"utcEpochNs", *utc}, {"utcTime", std::string_view(timeText(*utc))}});
  }

  const Recording& recording_;
  Writer& writer_;
  const Job& job_;
  const GlobalIds ids_ = globalIdsOf(recording_);
  std::vector<std::int64_t> texts_, labels_;
  std::vector<Field> fields_;  // of the row being written
};

}  // namespace

Result<void> toReport(const Recording& recording, const std::filesystem::path& source, std::string_view version,
                      const std::filesystem::path& destination, const Job& job) {
  Result<Writer> writer = Writer::create(destination, report::IfExists::kReplace, version);
  if (!writer) return tl::unexpected(writer.error());
  ToReport(recording, *writer, job).run(source);
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, source.string(), {}});
  return writer->finish();
}

}  // namespace lanescope::imported
