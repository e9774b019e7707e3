// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/stream_process.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "collector/launch/keep_newest.h"

namespace lanescope::launch {

Result<ProcessStream> ProcessStream::open(const std::filesystem::path& stream) {
  auto file = InputFile::open(stream);
  if (!file) return tl::unexpected(file.error());
  ProcessStream process;
  process.stream_ = stream;
  process.size_ = file->size();
  constexpr int kHexadecimal = 16;
  const std::string name = stream.filename().string();
  const char* const end = name.data() + name.size();
  const auto pid = std::from_chars(name.data(), end, process.pid_);
  if (pid.ptr != end && *pid.ptr == '.') std::from_chars(pid.ptr + 1, end, process.time_, kHexadecimal);
  process.takeKept({.chunk = [](const Chunk&) {}});
  process.size_ -= std::min(process.size_, process.cut_.end);
  process.useRings(std::filesystem::path(stream).replace_extension(".rings"));
  return process;
}

void ProcessStream::takeKept(const Visitor& visitor) {
  auto file = InputFile::open(keptBeside(stream_));
  if (!file) return;
  StreamReader reader(std::move(*file));
  for (Chunk chunk; reader.next(chunk);) {
    if (chunk.header.type != wire::ChunkType::kCut) visitor.chunk(chunk);
    else if (chunk.records.size() >= sizeof cut_) std::memcpy(&cut_, chunk.records.data(), sizeof cut_);
  }
}

bool ProcessStream::takeRing(Chunk& chunk, const Visitor& visitor) {
  const std::uint64_t offset = chunk.header.offset;
  // What a ring gave out before the cut is not missing: it was given back on purpose.
  const std::uint64_t first = cut_.end > 0 && !seen_.contains(chunk.header.slot) ? offset : 0;
  std::uint64_t& seen = seen_.try_emplace(chunk.header.slot, first).first->second;
  std::uint64_t end = 0;
  if (__builtin_add_overflow(offset, chunk.records.size(), &end) || end <= seen) return false;
  if (offset > seen) {
    if (__builtin_add_overflow(missing_, offset - seen, &missing_)) missing_ = ~std::uint64_t{0};
    if (visitor.gap) visitor.gap(chunk.header.slot);
  } else {
    chunk.records.remove_prefix(seen - offset);
  }
  seen = end;
  return true;
}

void ProcessStream::takeRemains(const Visitor& visitor) {
  auto file = InputFile::open(rings_);
  if (!file) return;
  const RingFile rings(std::move(*file));
  for (const RingRemains& ring : rings.remains(dropped_)) {
    const auto seen = seen_.find(ring.slot);
    std::uint64_t from = ring.tail;
    if (seen != seen_.end() && seen->second <= ring.head) from = std::max(from, seen->second);
    const std::string bytes = rings.bytes(ring, from);
    if (bytes.empty()) continue;
    Chunk chunk;
    chunk.header.type = wire::ChunkType::kRing;
    chunk.header.offset = from;
    chunk.header.tid = ring.tid;
    chunk.header.slot = ring.slot;
    chunk.header.bytes = static_cast<std::uint32_t>(bytes.size());
    chunk.records = bytes;
    recovered_ += bytes.size();
    if (takeRing(chunk, visitor)) visitor.chunk(chunk);
  }
}

bool ProcessStream::walk(const Visitor& visitor) {
  seen_.clear();
  missing_ = recovered_ = dropped_ = 0;
  auto file = InputFile::open(stream_);
  damage_ = {1, size_};
  takeKept(visitor);
  if (file) {
    if (endsEarly_) file->endAt(size_);
    StreamReader reader(std::move(*file), std::min(cut_.end, file->size()));
    for (Chunk chunk; reader.next(chunk);) {
      if (chunk.header.type != wire::ChunkType::kRing || takeRing(chunk, visitor)) visitor.chunk(chunk);
      if (visitor.progress && !visitor.progress(reader.position() - cut_.end)) return false;
    }
    damage_ = reader.damage();
  }
  if (!endsEarly_) takeRemains(visitor);
  return true;
}

}  // namespace lanescope::launch
