// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>

#include "collector/unwind/symbols.h"
#include "collector/unwind/unwinder.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"
#include "tests/collector/unwind/own_stack.h"

namespace lanescope::bench {

namespace {

using namespace unwind;

[[gnu::noinline]] int deep(OwnStack& stack, int depth) {
  if (depth == 0) takeStack(stack);
  else deep(stack, depth - 1);
  asm volatile("" ::: "memory");  // so that no call is the last
  return depth;
}

/// Frames a second of the same stack over and over.
double warm() {
  OwnStack stack;
  deep(stack, 30);
  const AddressSpace space = ownMappings();
  Modules modules;
  Unwinder unwinder(modules);
  std::vector<Frame> frames(512);
  std::size_t found = 0;
  const double began = cpuMilliseconds();
  for (int i = 0; i < 100'000; ++i) found += unwinder.unwind(space, stack.registers, stack.bytes, 0, frames).frames;
  return static_cast<double>(found) / (cpuMilliseconds() - began) * 1e3;
}

}  // namespace

int unwindStacks(const std::filesystem::path& file) {
  constexpr std::uint64_t kBase = 0x10000000000, kAddresses = 100'000;
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  AddressSpace space;
  space.map({.start = kBase, .end = kBase + size, .path = std::filesystem::absolute(file, error)});
  Modules modules;
  Unwinder unwinder(modules);
  Symbols symbols(modules, {});
  const std::array<std::byte, 64> stack{};
  std::array<Frame, 2> frames;

  double began = cpuMilliseconds();
  symbols.of(space, kBase + size / 2, 0);
  const double table = cpuMilliseconds() - began;
  began = cpuMilliseconds();
  for (std::uint64_t i = 0; i < kAddresses; ++i)
    unwinder.unwind(space, {.ip = kBase + size / kAddresses * i, .sp = 0x1000}, stack, 0, frames);
  const double cold = kAddresses / (cpuMilliseconds() - began) * 1e3;
  fmt::print(
      "{{\"warm_frames_per_s\":{:.0f},\"cold_addresses_per_s\":{:.0f},\"symbol_table_ms\":{:.1f},\"bytes\":{}}}\n",
      warm(), cold, table, anonymousBytes());
  return 0;
}

}  // namespace lanescope::bench
