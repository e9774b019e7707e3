// SPDX-License-Identifier: Apache-2.0
// Where a thread is, for an unwinder outside: its registers and the bytes of its stack from there on, as a record behind
// that of the call. Begins within us: frames of our own libraries are dropped outside. Reading goes by the kernel, so that
// a stack of whatever kind ends where its memory does. 1.5 us for 6 KiB; any thread, also in signal handlers.
#pragma once

#include <cstdint>

#include "collector/inject/ring.h"

namespace lanescope::inject {

/// As they are at this very place, callee-saved ones included.
[[gnu::always_inline]] inline wire::StackCopy registersHere() {
  wire::StackCopy here;
#if defined(__x86_64__)
  std::uint64_t registers[8];
  asm volatile(
      "leaq 0(%%rip), %%rax\n\tmovq %%rax, 0(%0)\n\tmovq %%rsp, 8(%0)\n\tmovq %%rbp, 16(%0)\n\tmovq %%rbx, 24(%0)\n\t"
      "movq %%r12, 32(%0)\n\tmovq %%r13, 40(%0)\n\tmovq %%r14, 48(%0)\n\tmovq %%r15, 56(%0)"
      :
      : "r"(registers)
      : "rax", "memory");
  here.ip = registers[0], here.sp = registers[1], here.bp = registers[2], here.bx = registers[3];
  here.r12 = registers[4], here.r13 = registers[5], here.r14 = registers[6], here.r15 = registers[7];
#endif
  return here;
}

/// So many bytes of this process from there, or as many as there are up to a page that cannot be read.
std::uint32_t readMemory(std::uint64_t from, char* to, std::uint32_t bytes);

/// The record, with at most so many bytes of the stack; nothing where it cannot be read.
void appendStack(ThreadRing& ring, const wire::StackCopy& here, std::uint32_t bytes);

}  // namespace lanescope::inject
