// SPDX-License-Identifier: Apache-2.0
// From registers and a copy of the stack to the calls that led there, by .eh_frame and .debug_frame, and by frame pointers
// through code that has neither. Nothing is read of a process: what lies beyond the copy ends the stack.
//
// A frame whose address was seen before costs two look-ups. Rules of at most 2^19 addresses are kept. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "collector/unwind/address_space.h"
#include "collector/unwind/modules.h"

namespace lanescope::unwind {

/// As DWARF needs them to go on, x86-64.
struct Registers {
  std::uint64_t ip = 0, sp = 0, bp = 0, bx = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
};

/// ENUM_STACK_UNWIND_METHOD of reports.
enum class Method : std::uint8_t { kNone = 0, kFramePointer = 1, kEhFrame = 6, kDebugFrame = 7 };

struct Frame {
  std::uint64_t address =
      0;  ///< the innermost and what a signal interrupted: of the instruction; else where it returns to
  bool isExact = false;  ///< the former: Symbols are asked for lookup()
  Method method = Method::kNone;  ///< how it was found; of the innermost how its caller was

  std::uint64_t lookup() const { return isExact || address == 0 ? address : address - 1; }
};

enum class End : std::uint8_t {
  kComplete,  ///< where the thread or the program began
  kCut,  ///< the copy of the stack ends before
  kLost,  ///< code without tables where a frame pointer leads nowhere, or damage
  kFull,  ///< `out` is
};

struct Walk {
  std::size_t frames = 0;
  End end = End::kLost;
};

class Unwinder {
 public:
  /// What is shared with Symbols must outlive both.
  explicit Unwinder(Modules& modules);
  ~Unwinder();

  /// Innermost first. `stack` is what lay from registers.sp on.
  Walk unwind(const AddressSpace& space, const Registers& registers, std::span<const std::byte> stack, trace::Ns time,
              std::span<Frame> out);

  /// Of how many addresses it had to read the tables, for tests and benchmarks.
  std::uint64_t asked() const;

 private:
  class Rules;
  std::unique_ptr<Rules> rules_;
};

}  // namespace lanescope::unwind
