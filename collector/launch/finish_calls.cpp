// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_calls.h"

#include <fmt/format.h>

#include "model/report/schema.h"

namespace lanescope::launch {

using wire::RecordType;

namespace {

/// CUPTI: 0, 1, k << 16; the export: 1, 2, k + 2.
std::int64_t overheadType(std::uint32_t cupti) { return cupti < (1u << 16) ? cupti + 1 : (cupti >> 16) + 2; }

}  // namespace

bool CallRows::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kApi:
      return api(chunk, record), true;
    case RecordType::kOverhead:
      return overhead(chunk, record), true;
    case RecordType::kJit:
      return jit(chunk, record), true;
    case RecordType::kPythonCode:
      return true;  // the first reading has taken it
    case RecordType::kPythonStack:
    case RecordType::kStackCopy:
      return stack(chunk, record);
    default:
      return false;
  }
}

report::Id CallRows::nameOf(const wire::Api& call) {
  if (call.name != 0) return process_.string(call.name, writer_);
  const auto [entry, isNew] = unnamed_.try_emplace(std::uint64_t{call.domain} << 32 | call.callback);
  if (isNew)
    entry->second = writer_.string(fmt::format("{} call {}", call.domain == 1 ? "runtime" : "driver", call.callback));
  return entry->second;
}

void CallRows::api(const Chunk& chunk, const Record& record) {
  auto call = record.as<wire::Api>();
  if (call.tid == 0) call.tid = chunk.header.tid;
  const bool isInRing = chunk.header.type == wire::ChunkType::kRing;
  if (isInRing) release(chunk.header.slot);
  const Span span = process_.span(chunk, call.start, call.end);
  if (!process_.windows.keeps(span.start, span.end)) return;
  const bool runtime = call.domain == 1;
  const report::ApiCallRow row{.at = {.start = span.start,
                                      .end = span.end,
                                      .eventClass = runtime ? 0 : 1,
                                      .globalTid = process_.globalTid(call.tid)},
                               .correlation = process_.correlation(record.aux, span.start),
                               .name = nameOf(call),
                               .returnValue = call.result,
                               .callchain = {}};
  if (isInRing && process_.hasStacks) waiting_[chunk.header.slot] = {row, call.tid, asTime(call.end)};
  else settle(row, call.tid);
}

bool CallRows::stack(const Chunk& chunk, const Record& record) {
  const auto waiting = waiting_.find(chunk.header.slot);
  if (waiting == waiting_.end() || chunk.header.type != wire::ChunkType::kRing) return true;  // its call is not wanted
  if (record.type == RecordType::kPythonStack) waiting->second.python = framesOf(record);
  else release(chunk.header.slot, &record);
  return true;
}

void CallRows::release(std::uint32_t slot, const Record* copy) {
  const auto found = waiting_.find(slot);
  if (found == waiting_.end()) return;
  Waiting& call = found->second;
  call.row.callchain = stacks_.write(call.python, copy, call.time);
  settle(call.row, call.tid);
  waiting_.erase(found);
}

void CallRows::settle(const report::ApiCallRow& row, std::uint32_t tid) {
  const report::CallSpan& span = row.at;
  if (allCalls_) return write(row);
  if (row.at.eventClass != 0) {
    Held& held = driverCalls_[tid];
    if (held.size() >= kMostHeld) write(held, kMostHeld / 2);
    held.push_back(row);
    return;
  }
  if (const auto found = driverCalls_.find(tid); found != driverCalls_.end()) {
    Held& held = found->second;
    while (!held.empty() && held.back().at.start >= span.start && held.back().at.end <= span.end) held.pop_back();
    write(held, held.size());
  }
  write(row);
}

void CallRows::write(const report::ApiCallRow& row) {
  ++process_.events;
  writer_.add(row);
}

void CallRows::write(Held& held, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) write(held[i]);
  held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(count));
}

void CallRows::finish() {
  while (!waiting_.empty()) release(waiting_.begin()->first);
  for (auto& [tid, held] : driverCalls_) write(held, held.size());
}

void CallRows::overhead(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Overhead>();
  const Span span = process_.span(chunk, from.start, from.end);
  if (!process_.windows.keeps(span.start, span.end)) return;
  const std::int64_t type = overheadType(from.kind);
  std::string_view label = report::enumLabel("ENUM_CUPTI_OVERHEAD_TYPE", type);
  if (label.empty()) label = "Overhead";
  ++process_.events;
  writer_.add(report::OverheadRow{
      .at = {.start = span.start, .end = span.end, .eventClass = 103, .globalTid = process_.globalTid(from.tid)},
      .correlation = process_.correlation(record.aux, span.start),
      .name = writer_.string(label),
      .type = type});
}

void CallRows::jit(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::Jit>();
  const Span span = process_.span(chunk, from.start, from.end);
  if (!process_.windows.keeps(span.start, span.end)) return;
  constexpr std::string_view kOperations[] = {"JIT", "JIT: load from cache", "JIT: store in cache", "JIT: compile"};
  ++process_.events;
  writer_.add(report::JitRow{
      .at = {.start = span.start, .end = span.end, .eventClass = 102, .globalTid = process_.globalTid(from.tid)},
      .correlation = process_.correlation(record.aux, span.start),
      .name = writer_.string(kOperations[from.operation < 4 ? from.operation : 0]),
      .type = 2,
      .entry = from.entryType,
      .operation = from.operation});
}

}  // namespace lanescope::launch
