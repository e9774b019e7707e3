// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/stream_reader.h"

#include "collector/wire/checksum.h"

namespace lanescope::launch {
namespace {

constexpr std::size_t kWindow = 1 << 20;

}  // namespace

std::string_view StreamReader::window(std::uint64_t at, std::size_t count) {
  const bool inside = at >= bufferAt_ && at - bufferAt_ <= buffered_ && count <= buffered_ - (at - bufferAt_);
  if (!inside) {
    buffer_.resize(std::max({buffer_.size(), count, kWindow}));
    bufferAt_ = at;
    buffered_ = file_.read(at, buffer_.data(), buffer_.size());
  }
  return std::string_view(buffer_.data(), buffered_).substr(at - bufferAt_, count);
}

bool StreamReader::wholeChunk(std::uint64_t at, Chunk& chunk, std::uint64_t& resumeAt) {
  resumeAt = at + 1;
  const std::string_view head = window(at, sizeof(wire::ChunkHeader));
  if (head.size() < sizeof(wire::ChunkHeader)) return false;
  std::memcpy(&chunk.header, head.data(), sizeof chunk.header);
  const wire::ChunkHeader& header = chunk.header;
  if (header.magic != wire::kChunkMagic || header.version != wire::kVersion) return false;
  const std::uint64_t rest = file_.size() - at - sizeof header;
  if (header.bytes > kLargestChunk || header.bytes > rest) return false;
  chunk.records = window(at, sizeof header + header.bytes).substr(sizeof header);
  if (chunk.records.size() == header.bytes && wire::crcOf(header, chunk.records.data()) == header.crc) return true;
  // The next chunk may begin anywhere behind this magic, unless looking there has cost too much already.
  checkedInVain_ += header.bytes;
  if (checkedInVain_ > 8 * file_.size()) resumeAt = at + sizeof header + header.bytes;
  return false;
}

std::uint64_t StreamReader::findMagic(std::uint64_t from) {
  const std::string_view magic(reinterpret_cast<const char*>(&wire::kChunkMagic), sizeof wire::kChunkMagic);
  while (from < file_.size()) {
    const std::string_view bytes = window(from, std::min<std::uint64_t>(kWindow, file_.size() - from));
    if (const std::size_t found = bytes.find(magic); found != std::string_view::npos) return from + found;
    if (bytes.size() <= magic.size()) break;
    from += bytes.size() - (magic.size() - 1);
    if (from + magic.size() > file_.size()) break;
  }
  return file_.size();
}

void StreamReader::skip(std::uint64_t to) {
  damage_.places += !inDamage_;
  damage_.bytes += to - at_;
  inDamage_ = true;
  at_ = to;
}

bool StreamReader::next(Chunk& chunk) {
  while (at_ < file_.size()) {
    std::uint64_t resumeAt = 0;
    if (wholeChunk(at_, chunk, resumeAt)) {
      inDamage_ = false;
      at_ += sizeof chunk.header + chunk.header.bytes;
      return true;
    }
    skip(findMagic(resumeAt));
  }
  return false;
}

}  // namespace lanescope::launch
