// SPDX-License-Identifier: Apache-2.0
// What Details lists of what happens on the host: calls, synchronization, NVTX, page faults, scheduling.
#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/report/host_story.h"
#include "model/report/listing.h"
#include "model/report/nvtx_payload.h"
#include "model/report/os_objects.h"
#include "model/trace/ids.h"

namespace lanescope::report {
namespace {

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

constexpr std::size_t kMostWaits = 4;  // listed; a call waits for one event, but for what a damaged file says

std::string resultText(std::int64_t result) {
  for (const auto& [number, text] : kResults) {
    if (number == result) return number == 0 ? text : fmt::format("{} (error {})", text, number);
  }
  return fmt::format("error {}", result);
}

std::string categoryName(const Listing& listing, std::int64_t category) {
  if (listing.info.domain == trace::kNone) return std::to_string(category);
  const auto& names = listing.trace.domains[listing.info.domain].categories;
  const auto found = names.find(category);
  return found == names.end() ? std::to_string(category) : found->second;
}

/// The lock, file or socket that an OS runtime call was about.
void addObject(Listing& listing) {
  constexpr const char* kTable = "LANESCOPE_OSRT_OBJECTS";
  for (const char* column : {"osrtRow", "object", "nameId"})
    if (!listing.database.has(kTable, column)) return;
  auto row = listing.database.prepare(fmt::format("SELECT object, nameId FROM {} WHERE osrtRow = ?1", kTable));
  if (!row) return;
  row->bind(1, static_cast<std::int64_t>(listing.trace.lanes[listing.event.lane]->sourceRow(listing.event.index)));
  if (!row->step()) return;
  std::string name;
  if (!row->isNull(1) && listing.database.has("StringIds", "value")) {
    auto text = listing.database.prepare("SELECT value FROM StringIds WHERE id = ?1");
    if (text) text->bind(1, row->integer(1));
    if (text && text->step()) name = text->text(0);
  }
  const std::string_view call = (*listing.trace.names)[listing.trace.name(listing.event)].text;
  const OsObject object = osObject(call, row->integer(0), name);
  listing.add(object.kind, object.name, true);
}

/// Where in Python the thread waited.
void addPythonPlace(Listing& listing, HostStory& story) {
  const auto place = story.place(listing.info.thread, listing.trace.time(listing.event), listing.event);
  if (place) listing.add("Python", place->text(), true);
}

/// Who had Python's lock meanwhile, and where.
void addHolder(Listing& listing, HostStory& story) {
  const trace::TimeRange wait = listing.trace.time(listing.event);
  const auto holder = story.holder(listing.info.thread, wait);
  if (!holder) return;
  const auto place = story.place(*holder, wait);
  listing.add("Held by", listing.threadText(*holder) + (place ? ", in " + place->text() : std::string()), true);
}

void listOsCall(Listing& listing) {
  addObject(listing);
  HostStory story(listing.database, listing.trace);
  addPythonPlace(listing, story);
  const auto result = listing.record.integer("returnValue");
  if (!result) return;
  const std::string_view call = (*listing.trace.names)[listing.trace.name(listing.event)].text;
  listing.add("Result", osResult(call, *result));
}

/// MPICH numbers its own communicators; Open MPI tells addresses, which are of one run.
std::string communicatorText(std::int64_t handle) {
  constexpr std::int64_t kMpichWorld = 0x44000000, kMpichSelf = 0x44000001;
  const auto number = static_cast<std::uint64_t>(handle);
  return handle == kMpichWorld  ? fmt::format("MPI_COMM_WORLD ({:#x})", number)
         : handle == kMpichSelf ? fmt::format("MPI_COMM_SELF ({:#x})", number)
                                : fmt::format("{:#x}", number);
}

void listMpi(Listing& listing) {
  if (listing.info.process != trace::kNone)
    if (const std::string& rank = listing.trace.processes[listing.info.process].rank; !rank.empty())
      listing.add("Rank", rank, true);
  listing.addNumber("Peer rank", "remoteRank", true);
  listing.addNumber("Root rank", "rootRank", true);
  const bool isCollective = listing.trace.tables[listing.info.table] == "MPI_COLLECTIVES_EVENTS";
  listing.addBytes(isCollective ? "Sent" : "Size", "size", true);
  listing.addBytes("Received", "recvSize", true);
  listing.addNumber("Tag", "tag", true);
  if (const auto communicator = listing.record.integer("commHandle"); communicator && *communicator != 0)
    listing.add("Communicator", communicatorText(*communicator));
  listing.addAddress("Request", "requestHandle");
}

/// What a call waits for, or how many wait for it; false if it has nothing to do with an event record.
bool addWait(Listing& listing, trace::EventRef call) {
  const trace::Trace& trace = listing.trace;
  const auto links = trace.links(call);
  if (links.empty()) return false;
  const auto labelOf = [&](trace::EventRef each) { return (*trace.names)[trace.name(each)].label; };
  const auto asks = [&](trace::EventRef each) { return labelOf(each).find("EventQuery") != std::string_view::npos; };
  if (trace.recordedOn(call)) {
    const auto waits = static_cast<std::uint64_t>(
        std::count_if(links.begin(), links.end(), [&](trace::EventId id) { return !asks(trace.ref(id)); }));
    listing.add("Waited for", fmt::format("by {} call{}", formatCount(waits), waits == 1 ? "" : "s"), true);
    return true;
  }
  for (const trace::EventId id : links.first(std::min(links.size(), kMostWaits))) {
    const trace::EventRef record = trace.ref(id);
    listing.addEvent(asks(call) ? "Asks about" : "Waits for", record,
                     fmt::format("{} at {} on stream {}", labelOf(record), formatExact(trace.time(record).begin),
                                 trace.recordedOn(record).value_or(0)));
  }
  if (links.size() > kMostWaits) listing.add("…", fmt::format("{} more", formatCount(links.size() - kMostWaits)), true);
  return true;
}

/// What the thread was then, which begins where it stops to run.
void addWhyItLeft(Listing& listing) {
  const trace::Trace& trace = listing.trace;
  const trace::Ns end = trace.time(listing.event).end;
  for (trace::LaneId id = 0; id < trace.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (info.kind != trace::EventKind::kThreadWait || info.thread != listing.info.thread) continue;
    const auto at = trace.lanes[id]->at(end);
    if (at && trace.lanes[id]->start(*at) == end)
      return listing.add("Then", (*trace.names)[trace.lanes[id]->name(*at)].label, true);
  }
}

}  // namespace

void listSync(Listing& listing) {
  const auto call = listing.trace.partners(listing.event);
  if (call.empty() || !addWait(listing, listing.trace.ref(call.front())))
    listing.addLabel("Waits for", "syncType", "ENUM_CUPTI_SYNC_TYPE", true);
  // 0 and its unsigned complements stand for "none".
  for (const auto& [label, column] : {std::pair("Event", "eventId"), {"Event record", "eventSyncId"}}) {
    if (const auto id = listing.record.integer(column); id && *id > 0 && *id < 0xFFFFFFFF)
      listing.addNumber(label, column);
  }
  listing.addNumber("Correlation id", "correlationId");
  if (listing.info.stream == trace::kNone) listing.addNumber("Stream", "streamId");
}

void listPageFault(Listing& listing) {
  listing.addAddress("Address", "address", true);
  listing.addNumber("Page faults", "numberOfPageFaults", true);
  listing.addLabel("Access", "faultAccessType", "ENUM_CUDA_UNIF_MEM_ACCESS_TYPE", true);
  listing.addString("Code", "CpuInstruction");
  listing.addString("Module", "module");
  listing.addString("File", "sourceFile");
  listing.addNumber("Line", "sourceLine");
  listing.addAddress("Instruction address", "originalFaultPc");
}

void listCall(Listing& listing) {
  if (listing.info.table < listing.trace.tables.size() &&
      std::string_view(listing.trace.tables[listing.info.table]).starts_with("MPI_"))
    return listMpi(listing);
  const bool cuda = listing.info.kind == trace::EventKind::kCudaApi;
  if (cuda) {
    if (const auto result = listing.record.integer("returnValue"))
      listing.add("Result", resultText(*result), *result != 0);
    const auto partners = listing.trace.partners(listing.event);
    const auto work = std::find_if(partners.begin(), partners.end(), [&](trace::EventId id) {
      return trace::isGpuWork(listing.trace.info(listing.trace.ref(id)).kind);
    });
    if (work != partners.end()) {
      const std::string more = partners.size() > 1 ? fmt::format(" and {} more", formatCount(partners.size() - 1)) : "";
      const trace::EventRef first = listing.trace.ref(*work);
      listing.addEvent("Launched", first, listing.eventText(first) + more);
    }
    addWait(listing, listing.event);
  } else {
    if (listing.info.kind == trace::EventKind::kOsRuntime) listOsCall(listing);
    else listing.addNumber("Result", "returnValue");
  }
  if (listing.info.kind == trace::EventKind::kOsRuntime) listing.record.skip("eventClass");  // the same in all rows
  else listing.addLabel("Interface", "eventClass", "ENUM_NSYS_EVENT_CLASS");
  listing.addIfAny("Inside calls", "nestingLevel");
  if (cuda) listing.addNumber("Correlation id", "correlationId");
}

void listNvtx(Listing& listing) {
  const Record& record = listing.record;
  if (const auto category = record.integer("category"); category && *category != 0)
    listing.add("Category", categoryName(listing, *category));
  if (const auto value = record.integer("uint64Value"))
    listing.add("Payload", std::to_string(static_cast<std::uint64_t>(*value)), true);
  for (const char* column : {"int64Value", "uint32Value", "int32Value"}) listing.addNumber("Payload", column, true);
  for (const char* column : {"doubleValue", "floatValue"}) {
    if (const auto value = record.real(column)) listing.add("Payload", fmt::format("{}", *value), true);
  }
  listing.addString("Payload", "jsonTextId");
  if (const auto json = record.text("jsonText"); json && *json != "null") listing.add("Payload", std::string(*json));
  if (const auto blob = record.text("binaryData")) {
    const std::vector<PayloadValue> values = decodePayload(listing.database, *blob);
    for (const PayloadValue& value : values) listing.add(value.name, value.text, true);
    if (values.empty()) listing.add("Payload", formatBytes(blob->size()) + " of binary data");
  }
  const auto end = record.integer("endGlobalTid"), begin = record.integer("globalTid");
  if (end && begin && *end != *begin && *end != 0) listing.add("Ended by thread", std::to_string(trace::tidOf(*end)));
  listing.addIfAny("Range id", "rangeId");
  if (const auto colour = record.integer("color"))
    listing.add("Colour", fmt::format("#{:06x}", static_cast<std::uint32_t>(*colour) & 0xFFFFFF));
}

void listPython(Listing& listing) {
  if (listing.info.kind == trace::EventKind::kGilWait) {
    HostStory story(listing.database, listing.trace);
    addPythonPlace(listing, story);
    addHolder(listing, story);
    return;
  }
  if (const auto holds = listing.record.integer("holdsGil"))
    listing.add("Interpreter lock", *holds == 1 ? "held" : *holds == 0 ? "not held" : "not known", true);
}

void listScheduling(Listing& listing) {
  const bool waits = listing.info.kind == trace::EventKind::kThreadWait;
  listing.addNumber(waits ? "Left CPU" : "CPU", "cpu", true);
  if (listing.info.kind == trace::EventKind::kThreadState) addWhyItLeft(listing);
  if (listing.record.integer("threadState").value_or(0) != 0)  // scheduling events leave it open
    listing.addLabel("State", "threadState", "ENUM_SAMPLING_THREAD_STATE", waits);
  if (listing.record.integer("threadBlock").value_or(0) != 0)
    listing.addLabel("Blocked by", "threadBlock", "ENUM_SCHEDULING_THREAD_BLOCK", waits);
  if (listing.record.integer("cpuCycles").value_or(0) > 1) listing.addNumber("CPU cycles", "cpuCycles");
}

}  // namespace lanescope::report
