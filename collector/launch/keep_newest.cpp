// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/keep_newest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "collector/launch/perf_records.h"
#include "collector/launch/stream_reader.h"
#include "collector/wire/checksum.h"

namespace lanescope::launch {

namespace fs = std::filesystem;
using wire::ChunkType;
using wire::RecordType;

namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// Chunks of several processes are given back in turns of so many ns, to open each file less often.
constexpr std::uint64_t kTurn = 100'000'000;

bool isDefinition(RecordType type) {
  switch (type) {
    case RecordType::kString:
    case RecordType::kNvtxDomain:
    case RecordType::kNvtxCategory:
    case RecordType::kNvtxSchema:
    case RecordType::kNvtxSchemaEntry:
    case RecordType::kThreadName:
    case RecordType::kThreadComm:
    case RecordType::kResourceName:
    case RecordType::kStreamName:
    case RecordType::kContext:
    case RecordType::kStream:
    case RecordType::kDevice:
    case RecordType::kMetricSource:
    case RecordType::kMetric:
    case RecordType::kCapture:
    case RecordType::kMessage:
    case RecordType::kPythonCode:
      return true;
    default:
      return false;
  }
}

bool isOfEvents(ChunkType type) {
  return type == ChunkType::kRing || type == ChunkType::kCupti || type == ChunkType::kMetrics ||
         type == ChunkType::kPerf || type == ChunkType::kPython;
}

/// Later samples of a thread may say that they are as its last one.
bool isWholeStack(const Record& record) {
  return record.type == RecordType::kPythonStack && (record.as<wire::PythonStack>().cut & wire::kSameFrames) == 0;
}

void addChunk(std::string& to, wire::ChunkHeader header, std::string_view records) {
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.crc = wire::crcOf(header, records.data());
  to.append(reinterpret_cast<const char*>(&header), sizeof header).append(records);
}

std::uint64_t bytesOnDisk(const fs::path& path) {
  struct stat found{};
  return stat(path.c_str(), &found) == 0 ? static_cast<std::uint64_t>(found.st_blocks) * 512 : 0;
}

bool writeBehind(const fs::path& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  const bool written = write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  close(file);
  return written;
}

bool makeHole(const fs::path& path, std::uint64_t bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  const bool made = fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0;
  close(file);
  return made;
}

}  // namespace

fs::path keptBeside(const fs::path& stream) { return fs::path(stream).concat(".kept"); }

std::uint64_t recordedBytes(const fs::path& session, std::uint64_t ofMetrics) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session, error)) {
    const fs::path ending = entry.path().extension();  // rings are files with holes, in memory mostly
    if (ending == ".stream" || ending == ".kept" || ending == ".perf" || ending == ".samples")
      bytes += bytesOnDisk(entry.path());
    if (ending == ".metrics") bytes += ofMetrics * bytesOnDisk(entry.path());
  }
  return bytes;
}

void KeepNewest::findStreams() {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session_, error)) {
    const fs::path ending = entry.path().extension();
    if (ending == ".stream" || ending == ".metrics" || ending == ".perf" || ending == ".samples")
      streams_[entry.path()].looked = false;
  }
}

KeepNewest::Entry* KeepNewest::oldest() {
  Entry* found = nullptr;
  for (Entry& entry : streams_) {
    if (!entry.second.looked && (!found || entry.second.next < found->second.next)) found = &entry;
  }
  return found;
}

std::uint64_t KeepNewest::giveBack(Entry& entry, std::uint64_t wanted, std::uint64_t until, bool& possible) {
  auto& [path, stream] = entry;
  auto file = InputFile::open(path);
  if (!file) return 0;
  StreamReader reader(std::move(*file), stream.begin);
  std::string kept, definitions;
  std::map<std::uint32_t, std::string> lastStacks;  // by thread
  std::uint64_t end = stream.begin;
  for (Chunk chunk; end - stream.begin < wanted && reader.next(chunk);) {
    stream.next = chunk.header.time;
    if (chunk.header.time > until) break;
    end = reader.position();
    if (!isOfEvents(chunk.header.type)) {
      addChunk(kept, chunk.header, chunk.records);
      continue;
    }
    definitions.clear();
    if (chunk.header.type == ChunkType::kPerf) {
      forEachPerfRecord(chunk.records, [&](const PerfRecord& record) {
        if (isPerfDefinition(record.type)) definitions += record.whole;
        stream.events += isPerfEvent(record.type);
      });
    }
    bool isNewSchema = false;
    if (chunk.header.type != ChunkType::kPerf)
      forEachRecord(chunk.records, [&](const Record& record) {
        if (!isDefinition(record.type)) {
          ++stream.events;
          if (chunk.header.type == ChunkType::kPython && isWholeStack(record))
            lastStacks[record.as<wire::PythonStack>().thread] = record.bytes;
          return;
        }
        const bool isEntry = record.type == RecordType::kNvtxSchemaEntry;  // belongs to the schema before it
        const bool isNew = isEntry
                               ? isNewSchema
                               : stream.defined.insert(wire::hash64(record.bytes.data(), record.bytes.size())).second;
        if (record.type == RecordType::kNvtxSchema) isNewSchema = isNew;
        if (isNew) definitions += record.bytes;
      });
    if (chunk.header.type == ChunkType::kRing) chunk.header.type = ChunkType::kCupti;  // of no place in its ring
    if (!definitions.empty()) addChunk(kept, chunk.header, definitions);
  }
  const std::uint64_t given = end - stream.begin;
  if (given == 0) return 0;
  for (const auto& [thread, stack] : lastStacks) {
    wire::ChunkHeader header;
    header.type = ChunkType::kPython;
    addChunk(kept, header, stack);
  }
  const wire::Cut cut{end, stream.events, stream.next};
  wire::ChunkHeader header;
  header.type = ChunkType::kCut;
  addChunk(kept, header, {reinterpret_cast<const char*>(&cut), sizeof cut});
  possible = writeBehind(keptBeside(path), kept) && makeHole(path, end);
  stream.begin = end;
  return given > kept.size() ? given - kept.size() : 0;
}

bool KeepNewest::look() {
  std::uint64_t bytes = recordedBytes(session_);
  if (bytes <= most_) return true;
  findStreams();
  const std::uint64_t enough = most_ - most_ / 8;
  bool possible = true;
  while (bytes > enough && possible) {
    Entry* first = oldest();
    if (!first) break;
    first->second.looked = true;
    const Entry* second = oldest();
    first->second.looked = false;
    const std::uint64_t until = second && second->second.next < kNever - kTurn ? second->second.next + kTurn : kNever;
    const std::uint64_t begin = first->second.begin;
    const std::uint64_t given = giveBack(*first, bytes - enough, until, possible);
    if (first->second.begin == begin && first->second.next <= until) first->second.looked = true;
    bytes -= std::min(bytes, given);
  }
  return possible && (bytes <= most_ || recordedBytes(session_) <= most_ + most_ / 4);
}

}  // namespace lanescope::launch
