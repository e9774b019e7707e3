// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file that was mapped: addresses all over it have names, and stacks through it end. And as the texts that
// tell of mappings and of names.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "collector/unwind/symbols.h"
#include "collector/unwind/unwinder.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope;
using namespace lanescope::unwind;

constexpr std::uint64_t kBase = 0x7F0000000000, kStack = 0x7FFF00000000;

/// The end of the input, in which every third word is an address of the file's.
std::vector<std::byte> stackOf(std::string_view bytes, std::uint64_t mapped) {
  std::vector<std::byte> stack(512);
  const std::size_t count = std::min(stack.size(), bytes.size());
  std::memcpy(stack.data(), bytes.data() + bytes.size() - count, count);
  for (std::size_t i = 0; i + 24 <= stack.size(); i += 24) {
    std::uint64_t word = 0;
    std::memcpy(&word, stack.data() + i, sizeof word);
    word = kBase + word % mapped;
    std::memcpy(stack.data() + i, &word, sizeof word);
  }
  return stack;
}

/// The same as what tells of mappings and of names.
void takeAsText(std::string_view text) {
  AddressSpace space;
  for (Mapping& each : mappingsOf(text, 0)) {
    const std::uint64_t start = each.start, end = each.end;
    fuzz::demand(start < end);
    space.map(std::move(each));
    fuzz::demand(space.at(start, 0) != nullptr && space.at(end - 1, 0) != nullptr);
  }
  for (const NamedRanges& ranges :
       {NamedRanges::perfMapOf(std::string(text)), NamedRanges::kernelOf(std::string(text))}) {
    for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{0x7F10}, kBase, ~std::uint64_t{0}}) {
      const auto found = ranges.at(address);
      fuzz::demand(!found || (found->start <= address && !found->name.empty()));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Scratch scratch;
  const std::string_view text = fuzz::textOf(bytes, size);
  const auto file = scratch.holding("a.so", text);
  const std::uint64_t mapped = (size + 4096) & ~std::uint64_t{4095};
  AddressSpace space;
  space.map({.start = kBase, .end = kBase + mapped, .path = file});
  Modules modules;
  Unwinder unwinder(modules);
  Symbols symbols(modules, {});
  const std::vector<std::byte> stack = stackOf(text, mapped);

  // All over the file, and closer where the code of the seeds is.
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t at = 0; at < mapped; at += mapped / 31) addresses.push_back(kBase + at);
  for (std::uint64_t at = 0x1000; at < std::min<std::uint64_t>(mapped, 0x1200); at += 9)
    addresses.push_back(kBase + at);
  for (const std::uint64_t at : addresses) {
    const Place& place = symbols.of(space, at, 0);
    fuzz::demand(!place.function.empty() && place.isResolved == !place.linkerName.empty());
    std::array<Frame, 32> frames;
    const Registers registers{.ip = at, .sp = kStack, .bp = kStack + 64, .bx = kStack + 128};
    const Walk walk = unwinder.unwind(space, registers, stack, 0, frames);
    fuzz::demand(walk.frames > 0 && walk.frames <= frames.size() && frames[0].address == at);
  }
  for (const Mapping* each : space.all(0)) {
    symbols.find(*each, "outer");
    symbols.variableOf(space, each->start + size / 2, 0);
  }
  takeAsText(text);
  return 0;
}
