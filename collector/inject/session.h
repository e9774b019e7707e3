// SPDX-License-Identifier: Apache-2.0
// This process's part of a recording: the folder, its options and control page, and the two files of this process.
// Opened at the first sign of NVTX or CUDA, never closed; a forked child opens its own. Lives in pages of its own.
#pragma once

#include <atomic>
#include <cstdint>

#include "collector/inject/cpu_timers.h"
#include "collector/inject/losses.h"
#include "collector/inject/modules.h"
#include "collector/inject/options.h"
#include "collector/inject/python_here.h"
#include "collector/inject/ring_file.h"
#include "collector/inject/stream_file.h"
#include "collector/wire/session.h"

namespace lanescope::inject {

struct Session {
  static constexpr std::size_t kLongestPath = StreamFile::kLongestPath;

  int pid = 0;
  std::uint64_t started = 0;  ///< ns, with the pid the name of its files
  char folder[kLongestPath] = {};
  char ringsPath[kLongestPath] = {};
  Options options;
  wire::ControlPage* control = nullptr;
  StreamFile stream;
  RingFile rings;
  Losses losses;

  std::atomic<bool> threaded{false};  ///< our threads were started
  std::atomic<std::uint32_t> answered{0};  ///< flushAsked, as it was answered without threads
  Lock draining;                           ///< held while rings are emptied; never while CUPTI is called
  std::atomic<std::uint32_t> wakeWriter{0};  ///< futex word
  std::atomic<bool> writerWoken{false};
  CpuTimers* cpuTimers = nullptr;  ///< of the writer
  KnownModules modules = {};  ///< of the writer, once it runs
  bool toldPython = false;  ///< of the writer
  ToldCodes toldCodes = {};
  std::uint64_t lossesWritten[Losses::kKinds] = {};  ///< under `draining`
  bool toldOfFullDisk = false;  ///< under `draining`
  struct ToldName {
    std::uint32_t tid = 0;
    char name[16] = {};
  };
  ToldName toldNames[wire::kRingSlots];  ///< by slot, under `draining`

  /// The folder that the environment names; null without one, or where nothing can be written.
  static Session* open();
  /// In a forked child: lets go of the parent's files.
  void abandon();

  bool capturing() const {
    return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(&control->capture), __ATOMIC_RELAXED) ==
           static_cast<std::uint32_t>(wire::Capture::kOn);
  }

  /// For a thread whose ring is full: empties it, or lets the writer do so for 2 ms at most. A thread fills 1 MiB in
  /// half a millisecond if it does nothing else, and writing it costs as long: 20 ns an event instead of its loss.
  bool makeRoom(ThreadRing& ring);
  /// Everything in the rings to the stream file. False if something had to stay there.
  bool drain();
  void writeClock();
  /// The counts that have changed since they were last written.
  void writeLosses();
  bool writeFacts(const char* lines, std::size_t length);

 private:
  bool writePiece(const RingFile::Piece& piece);
};

}  // namespace lanescope::inject
