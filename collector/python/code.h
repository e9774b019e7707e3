// SPDX-License-Identifier: Apache-2.0
// What Python code is: its name, file and lines, read from memory that may hold anything. No allocation; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collector/python/stack.h"

namespace lanescope::python {

/// Of a code object; addresses of what it refers to. The same address with the same of these is the same code.
struct Code {
  Address name = 0, file = 0, lines = 0;
  std::int32_t firstLine = 0, firstTraceable = 0;
  bool operator==(const Code&) const = default;
};

/// False if there is no code object.
bool readCode(const Memory& memory, const Python& python, Address address, Code& code);

/// Whether the frame is one that Python shows: while it is set up it is none.
inline bool hasBegun(const Frame& frame, const Code& code) {
  return !frame.mayBeSetUp || frame.at >= code.firstTraceable * 2;
}

/// A text as UTF-8, cut at a character's end where there is no more room; its length. False if it is no text.
bool readText(const Memory& memory, const Python& python, Address address, std::span<char> into, std::size_t& length);

/// The line that a frame is at; 0: that code has no line, or it cannot be told.
std::int32_t readLine(const Memory& memory, const Python& python, const Code& code, const Frame& frame);

}  // namespace lanescope::python
