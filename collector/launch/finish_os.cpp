// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_os.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/utf8.h"

namespace lanescope::launch {

using wire::RecordType;

OsRows::OsRows(Process& process, report::Writer& writer, StackNames& names, std::size_t depth, bool files,
               OsCounts& counts)
    : process_(process), writer_(writer), names_(names), depth_(depth), counts_(counts), space_(loadedInto(process)) {
  if (files) files_.emplace(process, writer, counts.files);
}

bool OsRows::take(const Chunk& chunk, const Record& record) {
  if (record.type == RecordType::kOsCall) {
    const auto call = record.as<wire::OsCall>();
    release(chunk.header.slot, nullptr);
    held_[chunk.header.slot] = {call, chunk.header.tid};
    return true;
  }
  if (record.type == RecordType::kModule) return true;
  if (chunk.header.type != wire::ChunkType::kRing || !held_.contains(chunk.header.slot)) return false;
  const bool isStack = record.type == RecordType::kStackCopy;
  release(chunk.header.slot, isStack ? &record : nullptr);
  return isStack;
}

void OsRows::finish() {
  while (!held_.empty()) release(held_.begin()->first, nullptr);
  if (files_) files_->finish();
}

void OsRows::release(std::uint32_t slot, const Record* stack) {
  const auto found = held_.find(slot);
  if (found == held_.end()) return;
  const Held held = found->second;
  held_.erase(found);
  const trace::Ns start = process_.time(held.call.start), end = process_.time(held.call.end);
  if (!process_.windows.keeps(start, end)) return;
  const report::Id id = stack != nullptr ? writeStack(held.call, *stack) : 0;
  ++process_.events;
  ++counts_.calls;
  writer_.add(
      report::OsCallRow{.at = {.start = start, .end = end, .eventClass = 27, .globalTid = process_.globalTid(held.tid)},
                        .name = process_.string(held.call.name, writer_),
                        .returnValue = held.call.result,
                        .nestingLevel = 0,
                        .callchain = id});
  writeObject(held.call);
  if (files_) files_->take(held.call, held.tid, counts_.calls);
}

report::Id OsRows::writeStack(const wire::OsCall& call, const Record& record) {
  constexpr std::size_t kMostFrames = 288;  // the deepest that can be asked for, and ours
  const auto copy = record.as<wire::StackCopy>();
  const std::string_view bytes = record.behind<wire::StackCopy>();
  const unwind::Registers registers{copy.ip, copy.sp, copy.bp, copy.bx, copy.r12, copy.r13, copy.r14, copy.r15};
  std::array<unwind::Frame, kMostFrames> frames;
  const trace::Ns time = asTime(call.end);
  const auto [count, end] = names_.unwinder().unwind(space_, registers, std::as_bytes(std::span(bytes)), time, frames);
  const auto last = frames.begin() + static_cast<std::ptrdiff_t>(count);
  const auto first = std::find_if(frames.begin(), last,
                                  [&](const unwind::Frame& frame) { return !isOurs(space_.at(frame.lookup(), time)); });
  const auto kept = std::min(static_cast<std::size_t>(last - first), depth_);
  if (kept == 0) return 0;
  names_.write<report::OsFrameRow>(++counts_.stacks, space_, {&*first, kept}, time);
  return counts_.stacks;
}

report::Id OsRows::nameOfLock(std::uint64_t address, trace::Ns time) {
  constexpr std::size_t kMostKept = 1u << 16;
  if (const auto known = locks_.find(address); known != locks_.end()) return known->second;
  const std::optional<std::string> variable = names_.symbols().variableOf(space_, address, time);
  const report::Id name = writer_.string(variable ? repairUtf8(*variable) : fmt::format("0x{:x}", address));
  if (locks_.size() < kMostKept) locks_.emplace(address, name);
  return name;
}

void OsRows::writeObject(const wire::OsCall& call) {
  if (call.object == 0 && call.about == 0) return;
  report::OptionalId name;
  constexpr std::uint64_t kMostDescriptors = 1u << 20;
  if (call.about != 0) name = process_.string(call.about, writer_);
  else if (call.object > kMostDescriptors) name = nameOfLock(call.object, asTime(call.end));
  writer_.add(
      report::OsObjectRow{.call = counts_.calls, .object = static_cast<std::int64_t>(call.object), .name = name});
}

}  // namespace lanescope::launch
