// SPDX-License-Identifier: Apache-2.0
#include "tests/support/stream_builder.h"

#include <fmt/format.h>

#include "collector/wire/checksum.h"
#include "tests/support/files.h"

namespace lanescope::test {

using wire::ChunkType;
using wire::RecordType;

StreamBuilder::StreamBuilder(std::filesystem::path session, std::uint32_t pid, std::uint64_t time)
    : session_(std::move(session)), pid_(pid), time_(time) {}

StreamBuilder& StreamBuilder::begin(ChunkType type, std::uint32_t tid, std::uint32_t slot) {
  close();
  header_ = {};
  header_.type = type;
  header_.tid = tid;
  header_.slot = slot;
  header_.time = writtenAt_;
  open_ = true;
  return *this;
}

StreamBuilder& StreamBuilder::writtenAt(std::uint64_t time) {
  header_.time = writtenAt_ = time;
  return *this;
}

StreamBuilder& StreamBuilder::thread(std::uint32_t tid, std::uint32_t slot) {
  begin(ChunkType::kRing, tid, slot);
  rings_[slot].tid = tid;
  return *this;
}

StreamBuilder& StreamBuilder::unflushed(std::uint32_t tid, std::uint32_t slot) {
  thread(tid, slot);
  inRing_ = true;
  return *this;
}

StreamBuilder& StreamBuilder::cupti() { return begin(ChunkType::kCupti, 0, 0); }
StreamBuilder& StreamBuilder::losses() { return begin(ChunkType::kLosses, 0, 0); }

void StreamBuilder::close() {
  if (!open_) return;
  open_ = false;
  if (header_.type == ChunkType::kRing) {
    Ring& ring = rings_[header_.slot];
    if (inRing_) {
      ring.kept += records_;
    } else {
      header_.offset = ring.tail;
      ring.tail += records_.size();
    }
  }
  if (!inRing_) rawChunk(header_, records_);
  inRing_ = false;
  records_.clear();
}

StreamBuilder& StreamBuilder::rawChunk(wire::ChunkHeader header, std::string_view records) {
  header.bytes = static_cast<std::uint32_t>(records.size());
  header.crc = wire::crcOf(header, records.data());
  lastChunk_ = stream_.size();
  stream_.append(reinterpret_cast<const char*>(&header), sizeof header);
  stream_.append(records);
  return *this;
}

StreamBuilder& StreamBuilder::facts(std::string_view lines) {
  close();
  wire::ChunkHeader header;
  header.type = ChunkType::kFacts;
  return rawChunk(header, lines);
}

StreamBuilder& StreamBuilder::clock(std::uint64_t monotonic, std::uint64_t realtime, std::uint64_t bracket) {
  close();
  wire::ChunkHeader header;
  header.type = ChunkType::kClock;
  const wire::ClockPair pair{monotonic, realtime, bracket, monotonic};
  return rawChunk(header, {reinterpret_cast<const char*>(&pair), sizeof pair});
}

StreamBuilder& StreamBuilder::ended() {
  close();
  wire::ChunkHeader header;
  header.type = ChunkType::kEnd;
  return rawChunk(header, {});
}

StreamBuilder& StreamBuilder::bytes(std::string_view raw) {
  records_.append(raw);
  return *this;
}

StreamBuilder& StreamBuilder::padded(std::string_view text) {
  records_.append(text);
  records_.append((8 - text.size() % 8) % 8, '\0');
  return *this;
}

std::uint64_t StreamBuilder::undefinedText(std::string_view text) const {
  return text.empty() ? 0 : wire::hash64(text.data(), text.size());
}

std::uint64_t StreamBuilder::text(std::string_view text) {
  const std::uint64_t id = undefinedText(text);
  if (id != 0 && defined_.insert(id).second)
    record(RecordType::kString, wire::String{{}, id}, static_cast<std::uint32_t>(text.size()), text);
  return id;
}

StreamBuilder& StreamBuilder::nvtx(RecordType type, const NvtxRecord& event) {
  wire::NvtxEvent fields;
  fields.time = event.time;
  fields.text = text(event.text);
  fields.payload = event.payload;
  fields.range = event.range;
  fields.category = event.category;
  fields.argb = event.argb;
  fields.registered = event.registered;
  return record(type, fields, event.domain | event.payloadType << 24);
}

StreamBuilder& StreamBuilder::pop(std::uint64_t time, std::uint32_t domain) {
  return record(RecordType::kNvtxPop, wire::NvtxEnd{{}, time, 0}, domain);
}

StreamBuilder& StreamBuilder::end(std::uint64_t time, std::uint64_t range) {
  return record(RecordType::kNvtxEnd, wire::NvtxEnd{{}, time, range});
}

StreamBuilder& StreamBuilder::payload(std::uint64_t schema, std::string_view bytes) {
  return record(RecordType::kNvtxPayload, wire::NvtxPayload{{}, schema}, static_cast<std::uint32_t>(bytes.size()),
                bytes);
}

StreamBuilder& StreamBuilder::named(RecordType type, std::uint32_t aux, std::uint64_t key, std::string_view name) {
  const std::uint64_t id = text(name);
  return record(type, wire::Named{{}, key, id}, aux);
}

StreamBuilder& StreamBuilder::call(const CallRecord& call) {
  wire::Api fields;
  fields.start = call.start;
  fields.end = call.end;
  fields.tid = header_.tid;
  fields.result = call.result;
  fields.domain = call.driver ? 0 : 1;
  fields.name = text(call.name);
  return record(RecordType::kApi, fields, call.correlation);
}

StreamBuilder& StreamBuilder::kernel(const KernelRecord& kernel) {
  wire::Kernel fields;
  fields.start = kernel.start;
  fields.end = kernel.end;
  fields.name = text(kernel.name);
  fields.device = kernel.device;
  fields.context = kernel.context;
  fields.stream = kernel.stream;
  for (int i = 0; i < 3; ++i) fields.grid[i] = fields.block[i] = 1;
  return record(RecordType::kKernel, fields, kernel.correlation);
}

StreamBuilder& StreamBuilder::capture(std::uint64_t time, bool began) {
  return record(RecordType::kCapture, wire::CaptureMark{{}, time}, began ? 1 : 0);
}

StreamBuilder& StreamBuilder::loss(wire::LossKind kind, std::uint64_t count) {
  return record(RecordType::kLoss, wire::Loss{{}, count}, static_cast<std::uint32_t>(kind));
}

StreamBuilder& StreamBuilder::message(std::uint32_t severity, std::string_view words) {
  const std::uint64_t id = text(words);
  return record(RecordType::kMessage, wire::Message{{}, 0, id}, severity);
}

std::string& StreamBuilder::stream() {
  close();
  return stream_;
}

std::filesystem::path StreamBuilder::path(const char* ending) const {
  return session_ / fmt::format("{}.{:x}{}", pid_, time_, ending);  // as Session::open() names it
}

void StreamBuilder::write() {
  close();
  writeFile(path(".stream"), stream_);
  std::string file;
  for (const auto& [slot, ring] : rings_) {
    const std::size_t at = slot * wire::kRingStride;
    file.resize(std::max(file.size(), at + wire::kRingStride));
    wire::RingHeader header;
    header.magic = wire::kRingMagic;
    header.tid = ring.tid;
    header.state = wire::RingState::kLive;
    header.tail = ring.tail;
    header.head = ring.tail + ring.kept.size();
    file.replace(at, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
    for (std::size_t i = 0; i < ring.kept.size(); ++i)
      file[at + wire::kRingHeaderBytes + (ring.tail + i) % wire::kRingBytes] = ring.kept[i];
  }
  if (!file.empty()) writeFile(path(".rings"), file);
}

}  // namespace lanescope::test
