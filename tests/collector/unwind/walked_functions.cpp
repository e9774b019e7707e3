// SPDX-License-Identifier: Apache-2.0
// Built with -O2 -fomit-frame-pointer whatever the preset (tests/CMakeLists.txt).
#include "tests/collector/unwind/walked_functions.h"

#include <csignal>
#include <cstdlib>

namespace lanescope::unwind {

namespace {
OwnStack* stack;  // of who is on its way
}

extern "C" {

[[gnu::noinline]] int walkedLeaf(OwnStack* into, int x) {
  int place[17];
  for (int& each : place) each = x++;
  asm volatile("" : : "r"(place) : "memory");
  takeStack(*into);
  return place[x % 17];
}

[[gnu::noinline]] int walkedDeep(OwnStack* into, int depth) {
  return depth == 0 ? walkedLeaf(into, depth) + 1 : walkedDeep(into, depth - 1) + depth;
}

[[gnu::noinline]] int walkedMiddle(OwnStack* into, int depth, double x, double y) {
  volatile double kept = x * y;
  const int found = walkedDeep(into, depth);
  return found + static_cast<int>(kept);
}

int walkedOuter(OwnStack* into, int depth) {
  volatile char some[1000];
  some[depth % 1000] = 1;
  return walkedMiddle(into, depth, depth, some[3]) + some[depth % 1000];
}

static int walkedCompare(const void* a, const void* b) {
  if (stack->bytes.empty()) walkedLeaf(stack, 1);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

[[gnu::noinline]] int walkedThroughQsort(OwnStack* into) {
  stack = into;
  int numbers[] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), &walkedCompare);
  return numbers[0];
}

static void walkedHandler(int) { walkedLeaf(stack, 1); }

[[gnu::noinline]] int walkedThroughSignal(OwnStack* into) {
  stack = into;
  struct sigaction action{}, before{};
  action.sa_handler = &walkedHandler;
  sigaction(SIGUSR2, &action, &before);
  raise(SIGUSR2);
  sigaction(SIGUSR2, &before, nullptr);
  return 1;
}
}

}  // namespace lanescope::unwind
