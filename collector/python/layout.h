// SPDX-License-Identifier: Apache-2.0
// Where CPython 3.9 to 3.13 keeps what a stack is read from, as offsets in its structures on 64-bit Linux. To 3.12 they are
// constants of the minor version; 3.13 tells them itself at the beginning of _PyRuntime. Plain data, no allocation; any
// thread.
#pragma once

#include <cstdint>

#include "collector/python/memory.h"

namespace lanescope::python {

/// Offsets in bytes. kNone: this version has no such field.
inline constexpr std::uint16_t kNone = 0xFFFF;

struct Layout {
  std::uint16_t minor = 0;  ///< of 3.x
  // _PyRuntime
  std::uint16_t interpreters = 0, runtimeGil = kNone;
  // an interpreter
  std::uint16_t nextInterpreter = 0, threads = 0;
  std::uint16_t gil = kNone;  ///< pointer to it
  // the interpreter lock
  std::uint16_t gilHolder = 8, gilLocked = 16;
  // a thread
  std::uint16_t nextThread = 8, interpreter = 16, id = 0, nativeId = kNone;
  std::uint16_t frame = 0;  ///< pointer to the innermost
  std::uint16_t frameBehind = kNone;  ///< `frame` points to something that has the pointer here
  // a frame
  std::uint16_t code = 0, back = 0, owner = kNone;
  std::uint16_t instruction = 0;  ///< 3.9, 3.10: its number, an int; else where it is
  std::uint16_t entry = kNone;  ///< whether the interpreter was called for it
  std::uint16_t line = kNone, trace = kNone;  ///< of a frame that a debugger traces
  // code
  std::uint16_t file = 0, name = 0, qualifiedName = kNone, firstLine = 0, lines = 0, instructions = kNone;
  std::uint16_t firstTraceable = kNone;
  // a text
  std::uint16_t textLength = 16, textState = 32, asciiText = 0, compactText = 0;
  // bytes
  std::uint16_t bytesLength = 16, bytes = 32;
  // an object
  std::uint16_t type = 8;
};

/// Of 3.9 to 3.12; null of others.
const Layout* layoutOf(unsigned minor);

enum class Refusal : std::uint8_t { kNo, kTooOld, kTooNew, kFreeThreaded, kUnreadable };
/// "free-threaded builds keep their threads in another way"; behind "Python 3.13: ".
const char* reasonOf(Refusal refusal);

/// Of the interpreter whose _PyRuntime is there; `minor` as its file says.
Refusal findLayout(const Memory& memory, Address runtime, unsigned minor, Layout& layout);

}  // namespace lanescope::python
