// SPDX-License-Identifier: Apache-2.0
// The threads of a Python and the frames of each, innermost first, read from memory that may change meanwhile or hold
// anything: every pointer is looked at before it is followed, and all loops are bounded. No allocation; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/python/layout.h"
#include "collector/python/memory.h"

namespace lanescope::python {

inline constexpr std::size_t kMostFrames = 256;

/// An interpreter as it is read: what its file says and where it is.
struct Python {
  Layout layout;
  Address runtime = 0;   ///< _PyRuntime
  Address codeType = 0;  ///< PyCode_Type; 0 not known: not checked
};

enum class Gil : std::uint8_t { kOther = 0, kHolds = 1, kUnknown = 2 };

struct Thread {
  Address state = 0;     ///< PyThreadState
  Address id = 0;        ///< pthread_self()
  std::uint32_t native = 0;  ///< its number in the system; 0: not kept there (3.9, 3.10)
  Gil gil = Gil::kUnknown;
};

struct Frame {
  Address code = 0;
  std::int32_t at = 0;  ///< bytes of instructions before; negative: it has not begun
  std::int32_t line = 0;  ///< where the frame itself tells it, which debuggers see to; else 0
  bool isEntry = false;  ///< the interpreter's function in C was called for it
  bool mayBeSetUp = false;  ///< it counts only once it is at its first instruction that can be traced
};

/// All threads of all interpreters, as many as there is room for. False: something is not as it should be, and those
/// that were read may be others' memory.
bool readThreads(const Memory& memory, const Python& python, std::span<Thread> into, std::size_t& count);

/// The innermost frames of a thread. `cut`: there are more. False: inconsistent.
bool readFrames(const Memory& memory, const Python& python, Address thread, std::span<Frame> into, std::size_t& count,
                bool& cut);

}  // namespace lanescope::python
