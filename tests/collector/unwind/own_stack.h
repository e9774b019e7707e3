// SPDX-License-Identifier: Apache-2.0
// This thread's registers and stack, and what is mapped into this process: something real to unwind.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "collector/unwind/address_space.h"
#include "collector/unwind/symbols.h"
#include "collector/unwind/unwinder.h"

namespace lanescope::unwind {

struct OwnStack {
  Registers registers;
  std::vector<std::byte> bytes;

  /// As much of the stack as there is, at most `most` bytes.
  void copy(std::size_t most);
};

/// Where the code is that this is written into.
[[gnu::always_inline]] inline void takeStack(OwnStack& into, std::size_t most = 1u << 20) {
  asm volatile(
      "lea 0(%%rip), %%rax\n\t"
      "mov %%rax, 0(%0)\n\t"
      "mov %%rsp, 8(%0)\n\t"
      "mov %%rbp, 16(%0)\n\t"
      "mov %%rbx, 24(%0)\n\t"
      "mov %%r12, 32(%0)\n\t"
      "mov %%r13, 40(%0)\n\t"
      "mov %%r14, 48(%0)\n\t"
      "mov %%r15, 56(%0)"
      :
      : "r"(&into.registers)
      : "rax", "memory");
  into.copy(most);
}

AddressSpace ownMappings();

/// Their linker names, innermost first; "?" for what has none.
std::vector<std::string> namesOf(const AddressSpace& space, Symbols& symbols, std::span<const Frame> frames);

}  // namespace lanescope::unwind
