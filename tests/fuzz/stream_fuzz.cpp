// SPDX-License-Identifier: Apache-2.0
// What a recorder left, made a report: any bytes as the stream of a process (as the metrics of a GPU or what the kernel
// told of the CPU too, if they hold such), or, where they begin as a ring does, as its rings. finish() makes a report of it
// that loads. Checksums are put right after most mutations, or nothing behind them would be reached.
#include <algorithm>
#include <cstring>

#include "collector/launch/finish.h"
#include "collector/wire/checksum.h"
#include "model/report/load.h"
#include "tests/fuzz/fuzz.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

using namespace lanescope;
using wire::ChunkHeader;

/// Calls visit(header, records) for every chunk that is there whole.
template <class Visit>
void forEachChunk(std::uint8_t* bytes, std::size_t size, const Visit& visit) {
  for (std::size_t at = 0; at + sizeof(ChunkHeader) <= size;) {
    ChunkHeader header;
    std::memcpy(static_cast<void*>(&header), bytes + at, sizeof header);
    const bool isWhole = header.magic == wire::kChunkMagic && header.bytes <= size - at - sizeof header;
    if (isWhole) visit(header, bytes + at);
    at += isWhole ? sizeof header + header.bytes : 1;
  }
}

std::string ringFileOf(std::string_view bytes) {
  std::string file(wire::kRingStride, '\0');
  const std::string_view header = bytes.substr(0, sizeof(wire::RingHeader));
  std::ranges::copy(header, file.begin());
  std::ranges::copy(bytes.substr(header.size(), wire::kRingBytes), file.begin() + wire::kRingHeaderBytes);
  return file;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most,
                                               unsigned int seed) {
  const std::size_t mutated = LLVMFuzzerMutate(bytes, size, most);
  if (seed % 8 != 0)
    forEachChunk(bytes, mutated, [](ChunkHeader header, std::uint8_t* at) {
      header.crc = wire::crcOf(header, at + sizeof header);
      std::memcpy(at, &header, sizeof header);
    });
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Scratch scratch;
  const std::string_view content = fuzz::textOf(bytes, size);
  std::uint64_t magic = 0;
  std::memcpy(&magic, bytes, std::min(size, sizeof magic));
  const bool isRing = magic == wire::kRingMagic;
  bool hasMetrics = false, hasPerf = false;
  std::string copy(content);
  forEachChunk(reinterpret_cast<std::uint8_t*>(copy.data()), size, [&](const ChunkHeader& header, const std::uint8_t*) {
    hasMetrics |= header.type == wire::ChunkType::kMetrics;
    hasPerf |= header.type == wire::ChunkType::kPerf;
  });

  scratch.holding("facts", "command=./app\nstart-monotonic=1000000\nstart-realtime=5000000000\n");
  scratch.holding("100.1.stream", isRing ? "" : content);
  if (isRing) scratch.holding("100.1.rings", ringFileOf(content));
  else std::filesystem::remove(scratch.path() / "100.1.rings");
  if (hasMetrics) scratch.holding("0.metrics", content);
  else std::filesystem::remove(scratch.path() / "0.metrics");
  if (hasPerf) scratch.holding("cpu.perf", content);
  else std::filesystem::remove(scratch.path() / "cpu.perf");

  const auto report = scratch.path() / "out.rep";
  const auto done = launch::finish(scratch.path(), report, report::IfExists::kReplace, Job());
  fuzz::demand(done.has_value());
  const auto trace = report::load(report, {}, [](const trace::TracePtr&) {}, Job());
  fuzz::demand(trace && (*trace)->complete);
  return 0;
}
