// SPDX-License-Identifier: Apache-2.0
#include "model/report/details.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/report/record.h"
#include "model/report/schema.h"
#include "model/trace/ids.h"

namespace lanescope::report {
namespace {

using trace::EventKind;
using trace::EventRef;
using trace::Trace;

/// Results of CUDA calls worth knowing by name; the runtime and the driver share these numbers.
constexpr std::pair<std::int64_t, const char*> kResults[] = {
    {0, "success"},
    {1, "invalid value"},
    {2, "out of memory"},
    {3, "not initialized"},
    {98, "invalid device function"},
    {100, "no device"},
    {101, "invalid device"},
    {201, "invalid context"},
    {209, "no kernel image for this GPU"},
    {400, "invalid resource handle"},
    {500, "not found"},
    {600, "not ready"},
    {700, "illegal address"},
    {701, "launch out of resources"},
    {702, "launch timeout"},
    {704, "peer access already enabled"},
    {719, "launch failure"},
    {801, "not supported"},
    {900, "stream capture unsupported"},
    {999, "unknown error"},
};

std::string resultText(std::int64_t result) {
  for (const auto& [number, text] : kResults) {
    if (number == result) return number == 0 ? text : fmt::format("{} (error {})", text, number);
  }
  return fmt::format("error {}", result);
}

/// The fields of one event, as they are found.
class Listing {
 public:
  Listing(const Database& database, const Trace& trace, EventRef event)
      : database_(database),
        trace_(trace),
        event_(event),
        info_(trace.info(event)),
        record_(database, trace.tables[info_.table], trace.lanes[event.lane]->sourceRow(event.index)) {}

  std::vector<Field> list() {
    addCommon();
    switch (info_.kind) {
      case EventKind::kKernel:
        addKernel();
        break;
      case EventKind::kCopy:
        addCopy();
        break;
      case EventKind::kMemset:
        addMemset();
        break;
      case EventKind::kGraphLaunch:
        addGraph();
        break;
      case EventKind::kSync:
        addSync();
        break;
      case EventKind::kGpuPageFault:
      case EventKind::kCpuPageFault:
        addPageFault();
        break;
      case EventKind::kNvtxRange:
      case EventKind::kNvtxStartEnd:
      case EventKind::kNvtxMark:
      case EventKind::kNvtxProjection:
        addNvtx();
        break;
      case EventKind::kOverhead:
        addLabel("Type", "overheadType", "ENUM_CUPTI_OVERHEAD_TYPE", true);
        break;
      case EventKind::kCudaApi:
      case EventKind::kOsRuntime:
      case EventKind::kLibraryCall:
        addCall();
        break;
      case EventKind::kThreadState:
      case EventKind::kCpuSample:
      case EventKind::kCpuCore:
        addScheduling();
        break;
    }
    addWhere();
    return std::move(fields_);
  }

 private:
  void add(std::string label, const std::string& value, bool main = false) {
    fields_.push_back({std::move(label), repairUtf8(value), main});
  }

  void addNumber(const char* label, const char* column, bool main = false) {
    if (const auto value = record_.integer(column)) add(label, std::to_string(*value), main);
  }

  /// Bytes where the file has any.
  void addBytes(const char* label, const char* column, bool main = false) {
    if (const auto value = record_.integer(column); value && *value > 0) {
      add(label, formatBytes(static_cast<std::uint64_t>(*value)), main);
    }
  }

  void addLabel(const char* label, const char* column, const char* enumeration, bool main = false) {
    const auto value = record_.integer(column);
    if (!value) return;
    std::string text(enumLabel(enumeration, *value));
    if (text.empty() && database_.has(enumeration, "label") && database_.has(enumeration, "id")) {
      text = database_.text(fmt::format("SELECT label FROM {} WHERE id = {}", enumeration, *value));
    }
    add(label, text.empty() ? std::to_string(*value) : text, main);
  }

  void addSize(const char* label, const char* x, const char* y, const char* z) {
    const auto a = record_.integer(x), b = record_.integer(y), c = record_.integer(z);
    if (a && b && c) add(label, fmt::format("{} × {} × {}", *a, *b, *c), true);
  }

  void addCommon() {
    const trace::TimeRange time = trace_.time(event_);
    add("Name", std::string((*trace_.names)[trace_.name(event_)].text), true);
    add("Start", formatExact(time.begin), true);
    const bool unfinished = trace_.lanes[event_.lane]->unfinished(event_.index);
    add("Duration", unfinished ? "not finished" : formatExact(time.length()), true);
  }

  void addKernel() {
    addSize("Grid", "gridX", "gridY", "gridZ");
    addSize("Block", "blockX", "blockY", "blockZ");
    addSize("Cluster", "clusterX", "clusterY", "clusterZ");
    addNumber("Registers per thread", "registersPerThread");
    addBytes("Static shared memory", "staticSharedMemory");
    addBytes("Dynamic shared memory", "dynamicSharedMemory");
    addBytes("Local memory per thread", "localMemoryPerThread");
    addLabel("Launch type", "launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE");
    addGraph();
    addLaunch();
  }

  void addCopy() {
    if (const auto bytes = record_.integer("bytes"); bytes && *bytes >= 0) {
      const auto size = static_cast<std::uint64_t>(*bytes);
      add("Size", formatBytes(size), true);
      add("Throughput", formatRate(size, trace_.time(event_).length()), true);
    }
    addLabel("Direction", "copyKind", "ENUM_CUDA_MEMCPY_OPER", true);
    addLabel("From", "srcKind", "ENUM_CUDA_MEM_KIND", true);
    addLabel("To", "dstKind", "ENUM_CUDA_MEM_KIND", true);
    addNumber("From GPU", "srcDeviceId");
    addNumber("To GPU", "dstDeviceId");
    addLabel("Migration cause", "migrationCause", "ENUM_CUDA_UNIF_MEM_MIGRATION");
    addGraph();
    addLaunch();
  }

  void addMemset() {
    addBytes("Size", "bytes", true);
    addNumber("Value", "value");
    addLabel("Memory", "memKind", "ENUM_CUDA_MEM_KIND");
    addGraph();
    addLaunch();
  }

  void addGraph() {
    addNumber("Graph", "graphId");
    addNumber("Graph node", "graphNodeId");
    addNumber("Instantiated graph", "graphExecId");
    if (info_.kind == EventKind::kGraphLaunch) addLaunch();
  }

  /// The call that started this GPU work, and how long the work waited.
  void addLaunch() {
    addNumber("Correlation id", "correlationId");
    const auto partners = trace_.partners(event_);
    if (partners.empty()) return;
    const EventRef launch = trace_.ref(partners.front());
    const trace::TimeRange call = trace_.time(launch), work = trace_.time(event_);
    std::string by((*trace_.names)[trace_.name(launch)].label);
    if (const std::string thread = threadText(trace_.info(launch).thread); !thread.empty()) by += " on " + thread;
    add("Launched by", by, true);
    add("Launch latency", formatExact(work.begin - call.begin), true);
    // From the end of the call; GPU work may begin before its launch has returned.
    add("Queue time", formatExact(std::max<trace::Ns>(0, work.begin - call.end)));
  }

  void addSync() {
    const auto call = trace_.partners(event_);
    if (call.empty() || !addWait(trace_.ref(call.front())))
      addLabel("Waits for", "syncType", "ENUM_CUPTI_SYNC_TYPE", true);
    addNumber("Stream", "streamId");
    // 0 and its unsigned complements stand for "none".
    if (const auto id = record_.integer("eventId"); id && *id > 0 && *id < 0xFFFFFFFF) addNumber("Event", "eventId");
    addNumber("Correlation id", "correlationId");
  }

  void addPageFault() {
    if (const auto at = record_.integer("address"))
      add("Address", fmt::format("{:#x}", static_cast<std::uint64_t>(*at)), true);
    addNumber("Page faults", "numberOfPageFaults", true);
    addLabel("Access", "faultAccessType", "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", true);
    for (const auto& [label, column] :
         {std::pair("Code", "CpuInstruction"), {"Module", "module"}, {"File", "sourceFile"}}) {
      if (const auto text = record_.string(column)) add(label, *text);
    }
    addNumber("Line", "sourceLine");
  }

  void addCall() {
    if (info_.kind == EventKind::kCudaApi) {
      if (const auto result = record_.integer("returnValue")) add("Result", resultText(*result), *result != 0);
      addNumber("Correlation id", "correlationId");
      const auto partners = trace_.partners(event_);
      const bool started = std::any_of(partners.begin(), partners.end(), [this](trace::EventId id) {
        return trace::isGpuWork(trace_.info(trace_.ref(id)).kind);
      });
      if (started) add("GPU work started", formatCount(partners.size()), true);
      addWait(event_);
    } else {
      addNumber("Result", "returnValue");
    }
  }

  /// What a call waits for, or how many wait for it; false if it has nothing to do with an event.
  bool addWait(EventRef call) {
    const auto links = trace_.links(call);
    if (links.empty()) return false;
    const auto labelOf = [this](EventRef each) { return (*trace_.names)[trace_.name(each)].label; };
    const auto asks = [&](EventRef each) { return labelOf(each).find("EventQuery") != std::string_view::npos; };
    if (trace_.recordedOn(call)) {
      const auto waits = static_cast<std::uint64_t>(
          std::count_if(links.begin(), links.end(), [&](trace::EventId id) { return !asks(trace_.ref(id)); }));
      add("Waited for", fmt::format("by {} call{}", formatCount(waits), waits == 1 ? "" : "s"), true);
      return true;
    }
    for (const trace::EventId id : links) {  // one, but for what a damaged file says
      const EventRef record = trace_.ref(id);
      add(asks(call) ? "Asks about" : "Waits for",
          fmt::format("{} at {} on stream {}", labelOf(record), formatExact(trace_.time(record).begin),
                      trace_.recordedOn(record).value_or(0)),
          true);
    }
    return true;
  }

  void addNvtx() {
    if (const auto category = record_.integer("category")) add("Category", categoryName(*category));
    for (const char* column : {"uint64Value", "int64Value", "uint32Value", "int32Value"})
      addNumber("Payload", column, true);
    for (const char* column : {"doubleValue", "floatValue"}) {
      if (const auto value = record_.real(column)) add("Payload", fmt::format("{}", *value), true);
    }
    if (const auto json = record_.text("jsonText")) add("Payload", std::string(*json));
    if (const auto blob = record_.text("binaryData")) add("Payload", formatBytes(blob->size()) + " of binary data");
    const auto end = record_.integer("endGlobalTid"), begin = record_.integer("globalTid");
    if (end && begin && *end != *begin && *end != 0) add("Ended by thread", std::to_string(trace::tidOf(*end)));
  }

  std::string categoryName(std::int64_t category) const {
    if (info_.domain == trace::kNone) return std::to_string(category);
    const auto& names = trace_.domains[info_.domain].categories;
    const auto found = names.find(category);
    return found == names.end() ? std::to_string(category) : found->second;
  }

  void addScheduling() {
    addNumber("CPU", "cpu", true);
    addLabel("State", "threadState", "ENUM_SAMPLING_THREAD_STATE");
  }

  std::string threadText(std::uint32_t index) const {
    if (index == trace::kNone) return {};
    const trace::Thread& thread = trace_.threads[index];
    return thread.name.empty() ? fmt::format("thread {}", thread.tid) : fmt::format("{} ({})", thread.name, thread.tid);
  }

  void addWhere() {
    if (info_.domain != trace::kNone && !trace_.domains[info_.domain].name.empty())
      add("Domain", trace_.domains[info_.domain].name);
    if (info_.stream != trace::kNone) {
      const trace::Stream& stream = trace_.streams[info_.stream];
      add("Stream",
          stream.name.empty() ? std::to_string(stream.stream) : fmt::format("{} ({})", stream.name, stream.stream),
          true);
      add("Context", std::to_string(stream.context));
    }
    if (info_.gpu != trace::kNone) {
      const trace::Gpu& gpu = trace_.gpus[info_.gpu];
      add("GPU", gpu.name.empty() ? std::to_string(gpu.device) : fmt::format("{} ({})", gpu.device, gpu.name));
    }
    if (const std::string thread = threadText(info_.thread); !thread.empty()) add("Thread", thread);
    if (info_.process != trace::kNone) {
      const trace::Process& process = trace_.processes[info_.process];
      add("Process",
          process.name.empty() ? std::to_string(process.pid) : fmt::format("{} ({})", process.name, process.pid));
    }
  }

  const Database& database_;
  const Trace& trace_;
  EventRef event_;
  const trace::LaneInfo& info_;
  Record record_;
  std::vector<Field> fields_;
};

}  // namespace

Result<Details> Details::open(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  return Details(std::move(*database));
}

std::vector<Field> Details::of(const Trace& trace, EventRef event) { return Listing(database_, trace, event).list(); }

}  // namespace lanescope::report
