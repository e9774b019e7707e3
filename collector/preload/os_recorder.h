// SPDX-License-Identifier: Apache-2.0
// Whether calls into the OS runtime are recorded, and the time around one that is. Two reads of the clock a call, 40 ns;
// nothing is held while the real function runs. Any thread.
#pragma once

#include <cstdint>

#include "collector/preload/door.h"
#include "collector/preload/real.h"

namespace lanescope::preload {

/// That they are asked for in this process.
extern bool osRuntime;
/// Of CPU samples by timers, which the program is kept from; 0 none.
extern int guardedSignal;
/// Python's runtime, if waits for its interpreter lock are asked for.
extern std::uintptr_t gilStart, gilEnd;
inline bool recordsOs() { return __builtin_expect(osRuntime, 1) && recording() != nullptr; }

/// Of waits for a condition.
inline bool recordsWait(Word condition) {
  return recordsOs() || (condition >= gilStart && condition < gilEnd && recording() != nullptr);
}

/// Calls the real function, and tells of it if it took long enough.
Word timed(Os call, Word a, Word b, Word c, Word d, Word e, Word f, const void* caller);

/// Tells of a call, if it took long enough and is not of our own; errno stays.
void note(const inject::OsNote& call);

}  // namespace lanescope::preload
