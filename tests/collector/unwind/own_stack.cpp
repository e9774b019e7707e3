// SPDX-License-Identifier: Apache-2.0
#include "tests/collector/unwind/own_stack.h"

#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace lanescope::unwind {

void OwnStack::copy(std::size_t most) {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const std::uint64_t top = reinterpret_cast<std::uint64_t>(lowest) + size;
  // A signal's stack lies elsewhere: then as much as is asked for, as far as it can be read.
  const bool isOurs = registers.sp < top && registers.sp >= reinterpret_cast<std::uint64_t>(lowest);
  bytes.resize(isOurs ? std::min<std::size_t>(most, top - registers.sp) : most);
  const iovec to{bytes.data(), bytes.size()}, from{reinterpret_cast<void*>(registers.sp), bytes.size()};
  // Not by memcpy, which sanitizers would not let see other frames.
  const ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
}

AddressSpace ownMappings() {
  std::ifstream file("/proc/self/maps");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  AddressSpace space;
  for (Mapping& each : mappingsOf(text, 0)) space.map(std::move(each));
  return space;
}

std::vector<std::string> namesOf(const AddressSpace& space, Symbols& symbols, std::span<const Frame> frames) {
  std::vector<std::string> names;
  for (const Frame& each : frames) {
    const Place& place = symbols.of(space, each.lookup(), 0);
    names.push_back(place.isResolved ? place.linkerName : "?");
  }
  return names;
}

}  // namespace lanescope::unwind
