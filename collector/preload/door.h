// SPDX-License-Identifier: Apache-2.0
// The way to the recorder, which is in the injected library beside this one, and the calls that are under way. Only the
// outermost of nested calls counts; which that is goes by where its frame lies on the stack, so that nothing has to be put
// right when a call is left by longjmp or cancelled. Any thread.
#pragma once

#include <cstdint>

#include "collector/inject/preload_door.h"

namespace lanescope::preload {

using inject::Recorder;
using Word = std::uint64_t;

/// Loads the injected library: where memory may be allocated and no lock of the program is held. Null without a session
/// that wants anything.
const Recorder* openRecorder();

/// Null before the start, and for good where nothing is to be recorded.
extern const Recorder* recorder;

inline const Recorder* recording() {
  const Recorder* there = __atomic_load_n(&recorder, __ATOMIC_ACQUIRE);
  if (there == nullptr || __atomic_load_n(there->capture, __ATOMIC_RELAXED) != Recorder::kOn) return nullptr;
  return there;
}

/// Where the frame of the outermost call of this thread lies; 0 none.
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers): it is zero
extern __thread std::uintptr_t outermost __attribute__((tls_model("initial-exec")));

/// A call under way.
class Call {
 public:
  [[gnu::always_inline]] Call() {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    isOutermost_ = outermost == 0 || here >= outermost;
    if (isOutermost_) outermost = here;
  }
  [[gnu::always_inline]] bool isOutermost() const { return isOutermost_; }
  /// No destructor: who is cancelled does not come here.
  [[gnu::always_inline]] void end() const {
    if (isOutermost_) outermost = 0;
  }

 private:
  bool isOutermost_;
};

/// CLOCK_MONOTONIC.
std::uint64_t now();

}  // namespace lanescope::preload

/// Defines what the program calls instead of `symbol`: not declared as the headers of the C library do, where some never
/// throw, because a cancelled thread unwinds through here. With LANESCOPE_PRELOAD_CALLED it stands in for nothing and is
/// called by the name in C++, so that programs with a sanitizer have it too.
#ifdef LANESCOPE_PRELOAD_CALLED
#define LANESCOPE_PRELOAD_NAME(symbol)
#else
#define LANESCOPE_PRELOAD_NAME(symbol) __asm__(#symbol)
#endif
#define LANESCOPE_INTERPOSE(symbol, result, ...)                                           \
  extern "C" __attribute__((visibility("default"))) result lanescope_##symbol(__VA_ARGS__) \
      LANESCOPE_PRELOAD_NAME(symbol);                                                      \
  result lanescope_##symbol(__VA_ARGS__)
