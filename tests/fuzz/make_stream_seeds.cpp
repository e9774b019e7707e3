// SPDX-License-Identifier: Apache-2.0
// Seeds for stream_fuzz, into the folder that is named: the smallest of each record of the wire.
#include <cstring>

#include "tests/support/files.h"
#include "tests/support/perf_builder.h"
#include "tests/support/stream_builder.h"

int main(int, char** arguments) {
  using namespace lanescope;
  using namespace lanescope::wire;
  const std::filesystem::path folder = arguments[1];
  constexpr std::uint64_t kZero = 1'000'000, kGpu = 5'000'000'000;
  const auto begin = [&] {
    test::StreamBuilder stream(folder);
    stream.facts("pid=100\nexe=/opt/app\nthread-name.101=worker\n").clock(kZero, kGpu);
    return stream;
  };
  const auto write = [&](const char* name, test::StreamBuilder& stream) {
    test::writeFile(folder / name, stream.ended().stream());
  };

  auto nvtx = begin();
  nvtx.thread(101)
      .capture(kZero, true)
      .named(RecordType::kNvtxDomain, 1, 0, "app")
      .named(RecordType::kNvtxCategory, 1, 4, "io")
      .named(RecordType::kThreadName, 101, 0, "main")
      .named(RecordType::kResourceName, 1, 0x70, "queue")
      .named(RecordType::kStreamName, 7, 1, "compute")
      .push({.time = kZero + 10,
             .text = "step",
             .domain = 1,
             .category = 4,
             .argb = 0xFF00FF00,
             .payloadType = 9,
             .payload = 1})
      .payload(5, "12345678")
      .start({.time = kZero + 20, .text = "request", .range = 3})
      .mark({.time = kZero + 30, .text = "mark", .registered = true})
      .end(kZero + 40, 3)
      .pop(kZero + 50, 1)
      .pop(kZero + 60)
      .record(RecordType::kNvtxSchema, NvtxSchema{{}, 5, nvtx.text("schema"), 1, 0, 8}, 1)
      .record(RecordType::kNvtxSchemaEntry, NvtxSchemaEntry{{}, nvtx.text("field"), 0, 0, 0, 0, 10}, 5)
      .capture(kZero + 70, false);
  write("nvtx.stream", nvtx);

  auto gpu = begin();
  gpu.thread(101)
      .call({.start = kZero + 10, .end = kZero + 20, .correlation = 9})
      .call({.start = kZero + 25,
             .end = kZero + 30,
             .name = "cuLaunchKernel",
             .correlation = 10,
             .result = 1,
             .driver = true})
      .record(RecordType::kSync, Sync{{}, kZero + 30, kZero + 90, 1, 7, 3, 0, 0}, 11)
      .cupti()
      .kernel({.start = kGpu + 20, .end = kGpu + 40, .correlation = 9})
      .kernel({.start = 0, .end = 0, .name = "not mangled", .correlation = 9})
      .record(RecordType::kCopy, Copy{{}, kGpu + 50, kGpu + 60, 4096, 2, 1, 0, 1, 7, 3, 0, 1, 1, 2, 10, 2, 2, 0, 1}, 10)
      .record(RecordType::kMemset, Memset{{}, kGpu + 60, kGpu + 65, 64, 0, 0, 1, 7, 0, 0, 2, 0}, 12)
      .record(RecordType::kGraph, Graph{{}, kGpu + 70, kGpu + 80, 0, 1, 7, 2, 3}, 13)
      .record(RecordType::kOverhead, Overhead{{}, kGpu + 80, kGpu + 90, 1, 101})
      .record(RecordType::kCudaEvent, CudaEvent{{}, 1, 7, 2, 0, 5, kGpu + 85, 0}, 14)
      .record(RecordType::kJit, Jit{{}, kGpu + 1, kGpu + 9, 101, 1, 1}, 15)
      .record(RecordType::kContext, Context{{}, 0, 7, 0, 0}, 1)
      .record(RecordType::kStream, Stream{{}, 1, 0, -1}, 7)
      .record(RecordType::kDevice, Device{{}, gpu.text("GPU"), {1, 2}, 1 << 30}, 0);
  write("gpu.stream", gpu);

  auto memory = begin();
  memory.cupti()
      .record(RecordType::kMemory, Memory{{}, kGpu + 10, 0x1000, 256, 0, 0, 1, 7, 1, 3, 0, 0}, 9)
      .record(RecordType::kMemory, Memory{{}, kGpu + 90, 0x1000, 256, 0, 0, 1, 7, 2, 3, 1, 2}, 10)
      .record(RecordType::kUnifiedMemory, UnifiedMemory{{}, kGpu + 20, kGpu + 30, 4096, 0x2000, 1, 0, 0, 0})
      .record(
          RecordType::kUnifiedMemory,
          UnifiedMemory{{}, kGpu + 30, kGpu + 30, 0x77, 0x2000, 3, 0, 0, 0, memory.text("f"), memory.text("m"), 0x70})
      .record(RecordType::kUnifiedMemory, UnifiedMemory{{}, kGpu + 40, kGpu + 50, 2, 0x2000, 4, 0, 0, 0})
      .losses()
      .loss(LossKind::kRingFull, 3)
      .loss(LossKind::kCuptiDropped, ~0ull)
      .message(1, "CUPTI says no");
  write("memory.stream", memory);

  for (const std::uint64_t parts : {test::PerfBuilder::kChains, test::PerfBuilder::kStacks}) {
    test::PerfBuilder perf(folder, parts);
    perf.comm(kZero, 100, 100, "app", true)
        .map(kZero + 1, 100, 0x400000, 0x10000, "/proc/self/exe")
        .fork(kZero + 2, 100, 100, 300, 300)
        .fork(kZero + 3, 300, 300, 300, 301)
        .in(kZero + 4, 300, 301)
        .sample({.time = kZero + 5,
                 .ip = 0x401000,
                 .process = 300,
                 .thread = 301,
                 .chain = {static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL), 0xffffffff81000000,
                           static_cast<std::uint64_t>(PERF_CONTEXT_USER), 0x401000, 0x402000},
                 .registers = {0, 0x7010, 0x7000, 0x401000, 0, 0, 0, 0},
                 .stack = std::string(64, '\1')})
        .out(kZero + 6, 300, 301, 1, true)
        .exit(kZero + 7, 300, 301)
        .lost(kZero + 8, 3)
        .throttled(kZero + 9)
        .facts("ended=1000090\nmissing=no\nfallback=else\nunwritten=5\n");
    test::writeFile(folder / ("cpu" + std::to_string(parts) + ".stream"), perf.ended().stream());
  }

  // A ring as stream_fuzz takes it: its header, then what is in it.
  test::StreamBuilder ring(folder);
  RingHeader header;
  header.magic = kRingMagic, header.tid = 101, header.state = RingState::kLive;
  ring.thread(101).push({.time = kZero + 10, .text = "step"}).call({.start = kZero + 12, .end = kZero + 20});
  const std::string left = ring.stream().substr(sizeof(ChunkHeader));
  header.head = left.size();
  test::writeFile(folder / "one.ring", std::string(reinterpret_cast<const char*>(&header), sizeof header) + left);
}
