// SPDX-License-Identifier: Apache-2.0
// What liblanescope-preload.so asks of the injected library: one table of functions, got once at the start of the program.
// Nothing behind it allocates from the program's heap, takes a lock of the loader or starts a thread, but for
// `mayAllocate`, so that a call may be told of from under any lock of the program. errno is not kept. Any thread.
#pragma once

#include <csignal>
#include <cstdint>

namespace lanescope::inject {

/// A call into the OS runtime that took long enough (wire::OsCall).
struct OsNote {
  const char* name;
  std::uint64_t start, end;
  std::int64_t result;
  std::uint64_t object;
  const char* about;  ///< what the descriptor is; null unknown
  std::uint64_t caller;
  std::uint32_t itemBytes = 0;  ///< of which the result counts; 0 if it counts bytes, or nothing
};

struct MpiNote {
  const char* name;
  std::uint32_t kind;  ///< wire::MpiCallKind
  std::uint32_t knows;
  std::uint64_t start, end;
  std::uint64_t communicator, request, bytes, received;
  std::int32_t tag, remote, root;
};

struct Recorder {
  bool osRuntime, mpi, pythonGil;  ///< what is to be recorded
  bool fileAccess;  ///< calls that open, read, write and close files, however short they are
  std::uint64_t threshold;  ///< ns; shorter calls into the OS runtime are nobody's business
  const std::uint32_t* capture;  ///< kOn while events are kept
  std::uintptr_t codeStart, codeEnd;  ///< of the injected library, whose own calls are not the program's
  void (*osCall)(const OsNote& note);
  void (*mpiCall)(const MpiNote& note);
  void (*mpiRank)(std::uint64_t communicator, std::int32_t rank, std::int32_t size);
  void (*mayAllocate)(bool alwaysNow);  ///< the program does so here itself: our threads may start
  /// True in a child of vfork(): the memory is its parent's, the descriptors are its own.
  bool (*isAside)();
  void (*ending)();  ///< by _exit: what is in the rings goes to the disk, with the mark of an end in order
  void (*tell)(const char* warning);
  /// Null without CPU samples by timers: from now on the program is kept from the signal whose number this writes, by the
  /// caller (preload/os_signals.cpp); 0 where there is none. Starts the timers.
  void (*guardTimers)(int* number);
  /// sigaction() of that signal, for the program: its handler gets what others send.
  void (*timerAction)(const struct sigaction* action, struct sigaction* before);

  static constexpr const char* kDoor = "lanescopeRecorder";  ///< `const Recorder* ()`, as the library shows it
  static constexpr std::uint32_t kOn = 1;  ///< wire::Capture::kOn
};

/// Null without a recording that wants anything of it. In the injected library; others get at it by the name below.
const Recorder* openRecorder();

}  // namespace lanescope::inject
