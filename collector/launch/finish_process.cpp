// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_process.h"

#include <algorithm>

#include "model/demangle/demangle.h"
#include "model/utf8.h"

namespace lanescope::launch {

using wire::RecordType;

bool Process::summarize(const std::function<bool(std::uint64_t)>& progress, std::uint64_t before) {
  pid = stream.pid();
  std::map<std::uint32_t, std::uint64_t> lostBefore;
  const bool whole =
      stream.walk({.chunk =
                       [this](const Chunk& chunk) {
                         switch (chunk.header.type) {
                           case wire::ChunkType::kFacts:
                             facts.add(chunk.records);
                             if (const auto rings = facts.find("rings")) stream.useRings(*rings);
                             break;
                           case wire::ChunkType::kClock:
                             for (std::string_view rest = chunk.records; rest.size() >= sizeof(wire::ClockPair);
                                  rest.remove_prefix(sizeof(wire::ClockPair))) {
                               std::memcpy(&pairs_.emplace_back(), rest.data(), sizeof(wire::ClockPair));
                             }
                             break;
                           case wire::ChunkType::kCut:
                           case wire::ChunkType::kPerf:
                             break;
                           case wire::ChunkType::kEnd:
                             ended = true;
                             break;
                           case wire::ChunkType::kRing:
                           case wire::ChunkType::kCupti:
                           case wire::ChunkType::kLosses:
                           case wire::ChunkType::kMetrics:
                           case wire::ChunkType::kPython:
                             brokenChunks +=
                                 !forEachRecord(chunk.records, [&](const Record& record) { take(chunk, record); });
                             break;
                         }
                       },
                   .progress =
                       [&](std::uint64_t done) {
                         if (done <= before) lostBefore = losses;
                         return progress(done);
                       }});
  for (const auto& [kind, count] : lostBefore) losses[kind] -= count;
  clock = ClockMap(std::move(pairs_));
  if (const auto named = facts.number("pid"); named && *named > 0) pid = static_cast<std::uint64_t>(*named);
  // A process that was killed had no time to report what its rings had refused.
  auto& refused = losses[static_cast<std::uint32_t>(wire::LossKind::kRingFull)];
  refused = std::max(refused, stream.droppedInRings());
  return whole;
}

void Process::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kString:
      texts_.try_emplace(record.as<wire::String>().id, Text{repairUtf8(record.behind<wire::String>()), -1, {}});
      break;
    case RecordType::kApi: {
      trace::Ns start = asTime(record.as<wire::Api>().start);
      if (chunk.header.type == wire::ChunkType::kCupti && !pairs_.empty())
        start = minus(start, minus(asTime(pairs_.back().realtime), asTime(pairs_.back().monotonic)));
      epochs_.see(record.aux, start);
      break;
    }
    case RecordType::kContext:
      contexts[record.aux] = record.as<wire::Context>();
      break;
    case RecordType::kStream: {
      const auto made = record.as<wire::Stream>();
      streams[{made.context, record.aux}] = made;
      break;
    }
    case RecordType::kDevice:
      devices[record.aux] = record.as<wire::Device>();
      break;
    case RecordType::kNvtxDomain:
      domains[record.aux] = record.as<wire::Named>().text;
      break;
    case RecordType::kThreadName:
      threadNames[record.aux] = record.as<wire::Named>().text;
      break;
    case RecordType::kThreadComm: {
      const auto named = record.as<wire::ThreadComm>();
      systemNames[record.aux] = repairUtf8(std::string_view(named.name, strnlen(named.name, sizeof named.name)));
      break;
    }
    case RecordType::kResourceName:
      resourceNames.push_back(record.as<wire::Named>());
      break;
    case RecordType::kStreamName: {
      const auto named = record.as<wire::Named>();
      streamNames[{static_cast<std::uint32_t>(named.key), record.aux}] = named.text;
      break;
    }
    case RecordType::kStackCopy:
    case RecordType::kPythonStack:
      hasStacks = true;
      break;
    case RecordType::kPythonCode: {
      constexpr std::size_t kMostCodes = 1u << 20;
      const auto code = record.as<wire::PythonCode>();
      if (pythonCodes.size() < kMostCodes) pythonCodes.try_emplace(code.id, code);
      break;
    }
    case RecordType::kCapture:
      captures_.emplace_back(record.as<wire::CaptureMark>().time, record.aux != 0);
      break;
    case RecordType::kLoss: {
      auto& count = losses[record.aux];
      count = std::max(count, record.as<wire::Loss>().count);
      break;
    }
    case RecordType::kModule:
      modules.push_back(record.as<wire::Module>());
      break;
    case RecordType::kMpiRank:
      mpiRank = record.as<wire::MpiRank>().rank;
      break;
    case RecordType::kMessage:
      messages.push_back(record.as<wire::Message>());
      break;
    default:
      break;
  }
}

std::optional<trace::Ns> Process::firstTime() const {
  return clock.empty() ? std::nullopt : std::optional(clock.firstMonotonic());
}

void Process::makeWindows() {
  std::stable_sort(captures_.begin(), captures_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  // What ends first was on when the process began.
  if (!captures_.empty() && !captures_.front().second) windows.begin(trace::kMinTime);
  for (const auto& [when, began] : captures_) began ? windows.begin(time(when)) : windows.end(time(when));
}

Span Process::span(const Chunk& chunk, std::uint64_t start, std::uint64_t end) {
  if (start == 0 && end == 0) return {};
  if (chunk.header.type != wire::ChunkType::kCupti) return {time(start), time(end)};
  // One offset for both ends, so that a clock that was stepped between them makes no span run backwards.
  const trace::Ns offset = clock.offsetAt(end != 0 ? end : start);
  doubtful_ += clock.isDoubtful(end);
  return {minus(minus(asTime(start), offset), zero), minus(minus(asTime(end), offset), zero)};
}

Process::Text* Process::find(std::uint64_t id) {
  const auto found = texts_.find(id);
  if (found != texts_.end()) return &found->second;
  ++missing_;
  return nullptr;
}

std::optional<std::string_view> Process::text(std::uint64_t id) {
  if (id == 0) return std::nullopt;
  const Text* text = find(id);
  return text ? std::optional<std::string_view>(text->text) : std::nullopt;
}

report::Id Process::string(std::uint64_t id, report::Writer& writer) {
  Text* text = id != 0 ? find(id) : nullptr;
  if (!text) text = &missingText_;
  if (text->id < 0) text->id = writer.string(text->text);
  return text->id;
}

const Process::KernelNames& Process::kernel(std::uint64_t id, report::Writer& writer) {
  Text* text = id != 0 ? find(id) : nullptr;
  if (!text) text = &missingText_;
  if (text->kernel.mangled < 0) {
    const KernelName name = kernelName(text->text);
    text->kernel = {writer.string(name.demangled), writer.string(name.shortName), writer.string(text->text)};
  }
  return text->kernel;
}

}  // namespace lanescope::launch
