// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_nvtx.h"

#include <algorithm>
#include <bit>

#include "model/report/rows_host.h"

namespace lanescope::launch {

using report::OptionalId;
using wire::RecordType;

namespace {

constexpr std::int64_t kCategory = 33, kMark = 34, kThreadName = 39, kPushPop = 59, kStartEnd = 60, kDomain = 75;
constexpr std::uint32_t kDomainBits = 0xFFFFFF;
constexpr std::uint32_t kEnumeration = 256;  ///< type of a schema that is none

std::uint32_t domainOf(std::uint32_t aux) { return aux & kDomainBits; }

/// The payload column of its nvtxPayloadType_t.
void setPayload(report::NvtxRow& row, std::uint32_t type, std::uint64_t raw) {
  const auto low = static_cast<std::uint32_t>(raw);
  switch (type) {
    case 1:
      row.unsigned64 = static_cast<std::int64_t>(raw);
      break;
    case 2:
      row.signed64 = static_cast<std::int64_t>(raw);
      break;
    case 3:
      row.real64 = std::bit_cast<double>(raw);
      break;
    case 4:
      row.unsigned32 = low;
      break;
    case 5:
      row.signed32 = static_cast<std::int32_t>(low);
      break;
    case 6:
      row.real32 = std::bit_cast<float>(low);
      break;
    default:
      break;
  }
}

}  // namespace

NvtxRows::NvtxRows(Process& process, report::Writer& writer, const AskedLibraries& libraries)
    : process_(process), writer_(writer) {
  for (const auto& [domain, text] : process.domains) {
    const auto asked = libraries.ofDomain(process.text(text).value_or(""));
    if (asked.library) libraryOfDomain_[domain] = asked;
  }
}

bool NvtxRows::take(const Chunk& chunk, const Record& record) {
  const bool isEnd = record.type == RecordType::kThreadEnd;
  if (!isEnd && (record.type < RecordType::kNvtxPush || record.type > RecordType::kStreamName)) return false;
  Thread& thread = threadOf(chunk);
  if (isEnd) return thread.ended = record.as<wire::ThreadEnd>().time, true;
  calls_ += record.type <= RecordType::kNvtxMark;
  // Another one of the same number; only what pops may still be of the one that ended.
  if (thread.ended && record.type == RecordType::kNvtxPush) writeOpen(thread);
  if (record.type == RecordType::kNvtxPayload) return payload(thread, record), true;
  release(thread);
  if (record.type == RecordType::kNvtxSchemaEntry) {
    if (thread.schema) thread.schema->entries.push_back(record.as<wire::NvtxSchemaEntry>());
    return true;
  }
  closeSchema(thread);
  switch (record.type) {
    case RecordType::kNvtxPush:
      push(thread, record);
      break;
    case RecordType::kNvtxPop:
      pop(thread, record);
      break;
    case RecordType::kNvtxStart:
      start(thread, record);
      break;
    case RecordType::kNvtxEnd:
      end(thread, record);
      break;
    case RecordType::kNvtxMark:
      thread.held = Ended{{record.as<wire::NvtxEvent>(), thread.tid, {}}, kMark, {}, {}};
      break;
    case RecordType::kNvtxDomain:
      named(thread, record, kDomain);
      break;
    case RecordType::kNvtxCategory:
      named(thread, record, kCategory);
      break;
    case RecordType::kThreadName:
      named(thread, record, kThreadName);
      break;
    case RecordType::kNvtxSchema:
      thread.schema = Schema{domainOf(record.aux), record.as<wire::NvtxSchema>(), {}};
      break;
    default:
      break;
  }
  return true;
}

NvtxRows::Thread& NvtxRows::threadOf(const Chunk& chunk) {
  Thread& thread = threads_[chunk.header.slot];
  if (thread.tid != chunk.header.tid) {  // the ring went to another thread
    writeOpen(thread);
    thread.tid = chunk.header.tid;
  }
  return thread;
}

void NvtxRows::release(Thread& thread) {
  if (thread.held) write(*thread.held);
  thread.held.reset();
  thread.last = nullptr;
  thread.lastStart = 0;
}

void NvtxRows::push(Thread& thread, const Record& record) {
  if (isEarlier<wire::NvtxEvent>(record)) return;
  std::vector<Event>& stack = thread.stacks[domainOf(record.aux)];
  stack.push_back({record.as<wire::NvtxEvent>(), thread.tid, {}});
  thread.last = &stack.back();
}

void NvtxRows::pop(Thread& thread, const Record& record) {
  if (isEarlier<wire::NvtxEnd>(record)) return;
  std::vector<Event>& stack = thread.stacks[domainOf(record.aux)];
  if (stack.empty()) {
    ++process_.endsWithoutStart;
    return;
  }
  thread.held = Ended{std::move(stack.back()), kPushPop, process_.time(record.as<wire::NvtxEnd>().time), {}};
  stack.pop_back();
  thread.held->isInner = isInsideLibrary(thread, domainOf(record.aux));
}

void NvtxRows::start(Thread& thread, const Record& record) {
  if (isEarlier<wire::NvtxEvent>(record)) return;
  Event event{record.as<wire::NvtxEvent>(), thread.tid, {}};
  const std::uint64_t range = event.fields.range;
  if (const auto ended = ends_.find(range); ended != ends_.end()) {
    thread.held = Ended{std::move(event), kStartEnd, process_.time(ended->second.fields.time),
                        process_.globalTid(ended->second.tid)};
    ends_.erase(ended);
    return;
  }
  starts_.insert_or_assign(range, std::move(event));
  thread.lastStart = range;
}

void NvtxRows::end(Thread& thread, const Record& record) {
  if (isEarlier<wire::NvtxEnd>(record)) return;
  const auto fields = record.as<wire::NvtxEnd>();
  const auto started = starts_.find(fields.range);
  if (started == starts_.end()) {
    ends_.insert_or_assign(fields.range, EndOnly{fields, thread.tid});
    return;
  }
  thread.held =
      Ended{std::move(started->second), kStartEnd, process_.time(fields.time), process_.globalTid(thread.tid)};
  starts_.erase(started);
}

void NvtxRows::payload(Thread& thread, const Record& record) {
  std::string* into = nullptr;
  std::uint32_t domain = 0;
  const auto choose = [&](Event& event) { into = &event.payload, domain = domainOf(event.fields.header.aux); };
  if (thread.held) choose(thread.held->event);
  else if (thread.last) choose(*thread.last);
  else if (const auto started = starts_.find(thread.lastStart); thread.lastStart != 0 && started != starts_.end())
    choose(started->second);
  if (!into) return;
  const std::string_view bytes = record.behind<wire::NvtxPayload>();
  const std::uint64_t header[] = {domain, record.as<wire::NvtxPayload>().schema, bytes.size(),
                                  into->size() + 4 * sizeof(std::uint64_t)};
  into->append(reinterpret_cast<const char*>(header), sizeof header);
  into->append(bytes);
}

void NvtxRows::named(Thread& thread, const Record& record, std::int64_t type) {
  const auto fields = record.as<wire::Named>();
  const auto text = process_.text(fields.text);
  if (!text) return;
  report::NvtxRow row{.type = type, .text = text};
  row.globalTid = process_.globalTid(type == kThreadName ? record.aux : thread.tid);
  if (type != kThreadName) row.domain = domainOf(record.aux);
  if (type == kCategory) row.category = static_cast<std::int64_t>(fields.key);
  writer_.add(row);
}

void NvtxRows::closeSchema(Thread& thread) {
  if (!thread.schema) return;
  thread.schema->fields.type == kEnumeration ? writeEnumeration(*thread.schema) : writeSchema(*thread.schema);
  thread.schema.reset();
}

void NvtxRows::writeEnumeration(const Schema& schema) {
  const auto id = static_cast<std::int64_t>(schema.fields.id);
  writer_.add(report::NvtxEnumRow{.domain = schema.domain,
                                  .schema = id,
                                  .name = process_.text(schema.fields.name),
                                  .entries = static_cast<std::int64_t>(schema.entries.size()),
                                  .bytes = static_cast<std::int64_t>(schema.fields.payloadSize)});
  std::int64_t index = 0;
  for (const wire::NvtxSchemaEntry& entry : schema.entries) {
    writer_.add(report::NvtxEnumEntryRow{.domain = schema.domain,
                                         .schema = id,
                                         .index = index++,
                                         .name = process_.text(entry.name),
                                         .value = static_cast<std::int64_t>(entry.offset),
                                         .isFlag = entry.flags == 1});
  }
}

void NvtxRows::writeSchema(const Schema& schema) {
  const auto id = static_cast<std::int64_t>(schema.fields.id);
  writer_.add(report::NvtxSchemaRow{.domain = schema.domain,
                                    .schema = id,
                                    .name = process_.text(schema.fields.name),
                                    .type = schema.fields.type,
                                    .flags = schema.fields.flags,
                                    .entries = static_cast<std::int64_t>(schema.entries.size()),
                                    .payloadBytes = static_cast<std::int64_t>(schema.fields.payloadSize)});
  std::int64_t index = 0;
  for (const wire::NvtxSchemaEntry& entry : schema.entries) {
    writer_.add(report::NvtxSchemaEntryRow{
        .domain = schema.domain,
        .schema = id,
        .index = index++,
        .flags = static_cast<std::int64_t>(entry.flags),
        .type = entry.type != 0 ? static_cast<std::int64_t>(entry.type) : std::int64_t{entry.header.aux},
        .name = process_.text(entry.name),
        .description = process_.text(entry.description),
        .arrayOrUnionDetail = static_cast<std::int64_t>(entry.arrayOrUnionDetail),
        .offset = static_cast<std::int64_t>(entry.offset)});
  }
}

const Library* NvtxRows::libraryOf(std::uint32_t domain) const {
  const auto found = libraryOfDomain_.find(domain);
  return found != libraryOfDomain_.end() ? found->second.library : nullptr;
}

bool NvtxRows::isInsideLibrary(const Thread& thread, std::uint32_t domain) const {
  const Library* library = libraryOf(domain);
  return library && std::ranges::any_of(thread.stacks, [&](const auto& stack) {
           return !stack.second.empty() && libraryOf(stack.first) == library;
         });
}

bool NvtxRows::writeCall(const Ended& ended, trace::Ns start) {
  const auto found = libraryOfDomain_.find(domainOf(ended.event.fields.header.aux));
  if (found == libraryOfDomain_.end() || ended.type != kPushPop) return false;
  const auto& [library, verbose] = found->second;
  const std::string_view name = process_.text(ended.event.fields.text).value_or("");
  const bool askedByUs = !library->variables.empty();
  if (askedByUs && !verbose && (ended.isInner || setsUpOnly(name))) return true;
  if (library->table == LibraryTable::kNvtx || !ended.end) return false;
  const auto add = [&](auto row) {
    row.at.start = start, row.at.end = *ended.end, row.at.globalTid = process_.globalTid(ended.event.tid);
    row.name = process_.string(ended.event.fields.text, writer_);
    ++process_.events;
    writer_.add(row);
  };
  library->table == LibraryTable::kCublas ? add(report::CublasRow()) : add(report::CudnnRow());
  return true;
}

void NvtxRows::write(const Ended& ended) {
  const wire::NvtxEvent& event = ended.event.fields;
  const trace::Ns start = process_.time(event.time);
  const bool mark = ended.type == kMark;
  const trace::Ns last = mark ? start : static_cast<trace::Ns>(ended.end.value_or(trace::kMaxTime));
  if (!process_.windows.keeps(start, last) || writeCall(ended, start)) return;
  report::NvtxRow row{.start = start, .end = ended.end, .type = ended.type};
  if (ended.type == kStartEnd) row.range = static_cast<std::int64_t>(event.range), row.endGlobalTid = ended.endTid;
  if (event.category != 0) row.category = event.category;
  if (event.argb != 0) row.color = event.argb;
  if (event.text != 0 && event.registered == 1) row.textId = process_.string(event.text, writer_);
  else row.text = process_.text(event.text);
  row.globalTid = process_.globalTid(ended.event.tid);
  row.domain = domainOf(event.header.aux);
  setPayload(row, event.header.aux >> 24, event.payload);
  if (!ended.event.payload.empty()) row.extended = report::Bytes{ended.event.payload};
  ++process_.events;
  writer_.add(row);
}

void NvtxRows::writeOpen(Thread& thread) {
  release(thread);
  closeSchema(thread);
  bool isAnyOpen = false;
  for (auto& [domain, stack] : thread.stacks) {
    isAnyOpen |= !stack.empty();
    for (Event& event : stack) write({std::move(event), kPushPop, {}, {}});
  }
  if (isAnyOpen && thread.ended)
    writer_.add(report::ThreadEndRow{process_.globalTid(thread.tid), process_.time(*thread.ended)});
  thread.stacks.clear();
  thread.ended.reset();
}

void NvtxRows::gap(std::uint32_t slot) {
  if (const auto thread = threads_.find(slot); thread != threads_.end()) writeOpen(thread->second);
}

void NvtxRows::finish() {
  for (auto& [slot, thread] : threads_) writeOpen(thread);
  for (auto& [range, event] : starts_) write({std::move(event), kStartEnd, {}, {}});
  process_.endsWithoutStart += ends_.size();
}

}  // namespace lanescope::launch
