// SPDX-License-Identifier: Apache-2.0
#include "model/report/details.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

#include "model/format.h"
#include "model/report/host_story.h"
#include "model/report/listing.h"
#include "model/report/ncu_command.h"
#include "model/report/step_limit.h"
#include "model/trace/ids.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

using trace::EventKind;

/// Columns that say nothing more: shown by what they refer to, or there only to tie tables together.
constexpr std::string_view kKeys[] = {
    "start",
    "end",
    "timestamp",
    "rawTimestamp",
    "deviceId",
    "contextId",
    "streamId",
    "globalPid",
    "globalTid",
    "demangledName",
    "shortName",
    "nameId",
    "text",
    "textId",
    "eventType",
    "domainId",
    "callchainId",
    "deprecatedSrcId",
    "deprecatedSyncType",
    "id",
    "eventId",
    "isSchedIn",
    "endGlobalTid",
    "argumentsId",
    "correlationId",
};

/// What a GPU was idle for is its name; the event that it comes from, its partner.
void listIdle(Listing& listing) {
  const trace::Trace& trace = listing.trace;
  listing.add("Kind", "GPU idle, named by its cause");
  const bool blames = trace.lanes[listing.event.lane]->sourceRow(listing.event.index) == 1;
  const trace::TimeRange gap = trace.time(listing.event);
  for (const trace::EventId id : trace.partners(listing.event)) {
    const trace::TimeRange time = trace.time(trace.ref(id));
    const trace::Ns covered = std::min(time.end, gap.end) - std::max(time.begin, gap.begin);
    listing.addEvent(blames ? "Culprit" : "Longest of the cause", trace.ref(id), listing.eventText(trace.ref(id)));
    listing.add("Covers", formatShare(std::max<trace::Ns>(covered, 0), gap.length()) + " of the gap", true);
    HostStory story(listing.database, trace);
    const std::uint32_t thread = trace.info(trace.ref(id)).thread;
    std::string host = story.of(thread, gap, trace.ref(id));
    if (host.empty() && trace.info(trace.ref(id)).kind != EventKind::kCudaApi) host = story.function(thread, gap);
    if (!host.empty()) listing.add("Host code", host, true);
  }
}

/// It looks like the range of the host, but is no event of the file.
void listProjection(Listing& listing) {
  listing.add("Projection", "from the first start to the last end of the GPU work launched in it, on this stream",
              true);
  const auto range = listing.trace.links(listing.event);
  if (!range.empty()) {
    const trace::EventRef host = listing.trace.ref(range.front());
    listing.addEvent("Of", host, listing.eventText(host));
  }
}

void listKind(Listing& listing) {
  switch (listing.info.kind) {
    case EventKind::kKernel:
      return listKernel(listing);
    case EventKind::kCopy:
      return listCopy(listing);
    case EventKind::kMemset:
      return listMemset(listing);
    case EventKind::kGraphLaunch:
      return listGraphLaunch(listing);
    case EventKind::kSync:
      return listSync(listing);
    case EventKind::kGpuPageFault:
    case EventKind::kCpuPageFault:
      return listPageFault(listing);
    case EventKind::kNvtxRange:
    case EventKind::kNvtxStartEnd:
    case EventKind::kNvtxMark:
      return listNvtx(listing);
    case EventKind::kNvtxProjection:
      listProjection(listing);
      return listNvtx(listing);
    case EventKind::kIdle:
      return listIdle(listing);
    case EventKind::kOverhead:
      for (const char* column : {"eventClass", "returnValue"}) listing.record.skip(column);  // the same in all rows
      return listing.addLabel("Type", "overheadType", "ENUM_CUPTI_OVERHEAD_TYPE", true);
    case EventKind::kCudaApi:
    case EventKind::kOsRuntime:
    case EventKind::kLibraryCall:
      return listCall(listing);
    case EventKind::kThreadState:
    case EventKind::kThreadWait:
    case EventKind::kCpuSample:
    case EventKind::kCpuCore:
      return listScheduling(listing);
    case EventKind::kPythonSample:
    case EventKind::kGilWait:
      return listPython(listing);
  }
}

void listCommon(Listing& listing) {
  const trace::Trace& trace = listing.trace;
  const trace::TimeRange time = trace.time(listing.event);
  listing.add("Name", std::string((*trace.names)[trace.name(listing.event)].text), true);
  listing.add("Start", formatExact(time.begin), true);
  const bool unfinished = trace.lanes[listing.event.lane]->unfinished(listing.event.index);
  listing.add("Duration", unfinished ? "not finished" : formatExact(time.length()), true);
}

/// CUDA numbers priorities downwards from 0, stored in an unsigned column.
std::optional<std::int32_t> priorityOf(const Listing& listing, const trace::Stream& stream) {
  constexpr const char* kTable = "TARGET_INFO_CUDA_STREAM";
  for (const char* column : {"streamId", "contextId", "processId", "priority"})
    if (!listing.database.has(kTable, column)) return std::nullopt;
  const std::int64_t pid = trace::pidOf(listing.trace.processes[listing.trace.gpus[stream.gpu].process].globalPid);
  auto row = listing.database.prepare(
      fmt::format("SELECT priority FROM {} WHERE streamId = ?1 AND contextId = ?2 AND processId = ?3", kTable));
  if (!row) return std::nullopt;
  row->bind(1, stream.stream);
  row->bind(2, stream.context);
  row->bind(3, pid);
  if (!row->step() || row->isNull(0)) return std::nullopt;
  return static_cast<std::int32_t>(row->integer(0));
}

/// The other ends of arrows that no field has told of yet: of a file that draws its own, or from an event record.
void listArrows(Listing& listing) {
  constexpr std::size_t kMost = 8;
  const trace::Trace& trace = listing.trace;
  std::vector<trace::EventRef> ends;
  for (const trace::EventId id : trace.tied(listing.event))
    if (std::ranges::find(listing.fields, std::optional(id), &Field::event) == listing.fields.end())
      ends.push_back(trace.ref(id));
  std::ranges::stable_sort(ends, {}, [&](trace::EventRef end) { return trace.time(end).begin; });
  for (const trace::EventRef end : ends | std::views::take(kMost))
    listing.addEvent(trace.leads(listing.event, end) ? "Arrow to" : "Arrow from", end, listing.eventText(end));
  if (ends.size() > kMost) listing.add("Arrows", fmt::format("and {} more", formatCount(ends.size() - kMost)));
}

void listWhere(Listing& listing) {
  listing.group = FieldGroup::kWhere;
  const trace::Trace& trace = listing.trace;
  const trace::LaneInfo& info = listing.info;
  if (info.domain != trace::kNone && !trace.domains[info.domain].name.empty())
    listing.add("Domain", trace.domains[info.domain].name);
  if (info.stream != trace::kNone) {
    const trace::Stream& stream = trace.streams[info.stream];
    listing.add(
        "Stream",
        stream.name.empty() ? std::to_string(stream.stream) : fmt::format("{} ({})", stream.name, stream.stream), true);
    if (const auto priority = priorityOf(listing, stream)) listing.add("Stream priority", std::to_string(*priority));
    listing.add("Context", std::to_string(stream.context));
  }
  listing.addIfAny("Green context", "greenContextId");
  if (info.gpu != trace::kNone) {
    const trace::Gpu& gpu = trace.gpus[info.gpu];
    listing.add("GPU", gpu.name.empty() ? std::to_string(gpu.device) : fmt::format("{} ({})", gpu.device, gpu.name));
  }
  if (const std::string thread = listing.threadText(info.thread); !thread.empty()) listing.add("Thread", thread);
  if (info.process != trace::kNone) {
    const trace::Process& process = trace.processes[info.process];
    listing.add("Process", !process.hasNumber     ? process.name
                           : process.name.empty() ? std::to_string(process.pid)
                                                  : fmt::format("{} ({})", process.name, process.pid));
  }
}

void listRest(Listing& listing) {
  listing.group = FieldGroup::kOther;
  for (const std::string_view key : kKeys) listing.record.skip(key);
  for (const Record::Cell& cell : listing.record.unread()) listing.add(cell.column, cell.value);
}

}  // namespace

Result<Details> Details::open(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  return Details(std::move(*database));
}

std::vector<Field> Details::of(const trace::Trace& trace, trace::EventRef event, const Job& job) {
  const StepLimit limit(database_, job);
  Listing listing(database_, trace, event);
  listCommon(listing);
  listKind(listing);
  listing.group = FieldGroup::kEvent;
  listArrows(listing);
  listWhere(listing);
  listRest(listing);
  if (limit.exceeded()) listing.add("Left out", "what takes too long to find: the file lacks its indexes");
  std::ranges::stable_sort(listing.fields, {}, &Field::group);
  return std::move(listing.fields);
}

CallStack Details::callStack(const trace::Trace& trace, trace::EventRef event, const Job& job) {
  const StepLimit limit(database_, job);
  CallStack stack = report::callStack(database_, trace, event);
  if (limit.exceeded()) stack.tooLarge = true;
  return stack;
}

std::vector<Field> Details::stackFields(const trace::Trace& trace, trace::EventRef event, const Job& job) {
  constexpr std::size_t kMost = 10;
  const EventKind kind = trace.info(event).kind;
  std::vector<Field> fields;
  constexpr std::array kWithStacks{EventKind::kCpuSample, EventKind::kPythonSample, EventKind::kThreadWait,
                                   EventKind::kOsRuntime, EventKind::kCudaApi};
  if (std::ranges::find(kWithStacks, kind) == kWithStacks.end()) return fields;
  const CallStack stack = callStack(trace, event, job);
  const auto add = [&](const std::string& text) {
    fields.push_back({.label = fields.empty() ? "In" : "", .value = text, .main = true});
  };
  for (const Frame& frame : stack.frames) {
    if (fields.size() == kMost) {
      add(fmt::format("… {} more", stack.frames.size() - kMost));
      break;
    }
    add(shownText(frame.text(), 200));
  }
  return fields;
}

std::string Details::ncuCommand(const trace::Trace& trace, trace::EventRef event, const Job& job) {
  if (trace.info(event).kind != EventKind::kKernel || isOfAmd(trace, event)) return {};
  const std::string_view function = functionName((*trace.names)[trace.name(event)].label);
  if (function.empty()) return {};
  if (!program_) {
    const StepLimit limit(database_, job);
    std::vector<std::string> program = recordedProgram(database_);
    if (job.cancelled()) return {};
    program_ = std::move(program);
  }
  const std::vector<std::string> named = program_->empty() ? std::vector{programName(trace, event)} : *program_;
  return report::ncuCommand(function, earlierLaunches(trace, event), named);
}

}  // namespace lanescope::report
