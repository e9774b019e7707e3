// SPDX-License-Identifier: GPL-3.0-or-later
#include "collector/launch/finish.h"

#include <fmt/format.h>

#include <fstream>

#include "tests/bench/commands.h"
#include "tests/bench/measure.h"
#include "tests/support/files.h"
#include "tests/support/stream_builder.h"

namespace lanescope::bench {
namespace {

constexpr std::uint64_t kAhead = 5'000'000'000;  // CLOCK_REALTIME before CLOCK_MONOTONIC
constexpr std::size_t kLaunchesAChunk = 2000;

/// One thread that launches kernels inside ranges: of four events one is a range, two are calls, one is a kernel. Goes to
/// the disk chunk by chunk.
void record(const std::filesystem::path& session, std::size_t launches) {
  constexpr std::string_view kKernels[] = {
      "_Z4spinPfii", "_Z5scalePfi",
      "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_"};
  test::writeFile(session / "facts", "start-monotonic=1000\n");
  test::StreamBuilder stream(session);
  stream.facts("pid=100\nexe=/opt/app\n").clock(1000, 1000 + kAhead);
  std::ofstream file(stream.path(".stream"), std::ios::binary);
  const auto flush = [&] {
    file << stream.stream();
    stream.stream().clear();
  };
  for (std::size_t first = 0; first < launches; first += kLaunchesAChunk) {
    const std::size_t last = std::min(first + kLaunchesAChunk, launches);
    const auto timeOf = [](std::size_t launch) { return 2000 + launch * std::uint64_t{5000}; };
    stream.thread(101);
    for (std::size_t launch = first; launch < last; ++launch) {
      const std::uint64_t time = timeOf(launch);
      stream.push(
          {.time = time, .text = launch % 2 == 0 ? "forward" : "backward", .payloadType = 2, .payload = launch});
      stream.call({.start = time + 100, .end = time + 1500, .correlation = static_cast<std::uint32_t>(launch + 1)});
      stream.call({.start = time + 1600, .end = time + 1800, .name = "cudaEventRecord_v3020"}).pop(time + 2000);
    }
    stream.cupti();
    for (std::size_t launch = first; launch < last; ++launch) {
      const std::uint64_t time = timeOf(launch) + kAhead;
      stream.kernel({.start = time + 2000,
                     .end = time + 4000,
                     .name = kKernels[launch % std::size(kKernels)],
                     .correlation = static_cast<std::uint32_t>(launch + 1)});
    }
    flush();
  }
  stream.ended();
  flush();
}

}  // namespace

int finish(std::size_t events) {
  const test::TemporaryFolder session;
  record(session.path(), events / 4);
  const std::int64_t before = anonymousBytes();
  const auto began = Clock::now();
  const auto result = launch::finish(session.path(), session / "out.rep", report::IfExists::kRefuse, Job{});
  const double seconds = secondsSince(began);
  if (!result) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(result.error()));
    return exitStatus(result.error());
  }
  fmt::print(
      "{{\"events\":{},\"lost\":{},\"seconds\":{:.3f},\"events_per_s\":{:.0f},\"kept_bytes\":{},\"peak_bytes\":{}}}\n",
      result->events, result->lost, seconds, static_cast<double>(result->events) / seconds, anonymousBytes() - before,
      peakBytes());
  return 0;
}

}  // namespace lanescope::bench
