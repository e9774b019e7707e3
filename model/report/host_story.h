// SPDX-License-Identifier: Apache-2.0
// What a thread did in a stretch of time, in the words of its program: the line of Python that it was in, and the call of
// the OS that it waited in with the lock or file of that call. Asked of the file, stack by stack, through the keys of its
// tables: O(log n) a stack. A table without its key is not asked, nor one whose first kMostInVain stacks hold no frame of
// Python, and no more than kMostStacks are read in all. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "model/trace/trace.h"

namespace lanescope::report {

class Database;

struct PythonPlace {
  std::string function;  ///< "Trainer.step"
  std::string file;  ///< whole path
  std::int64_t line = 0;  ///< 0 unknown
  bool loadsData = false;  ///< most of its stacks went through a library that loads data

  std::string text() const;  ///< "Trainer.step (train.py:55)"
};

class HostStory {
 public:
  static constexpr std::size_t kMostStacks = 100'000, kMostInVain = 256;

  /// Of a trace of this file; both have to outlive it.
  HostStory(const Database& database, const trace::Trace& trace);
  ~HostStory();
  HostStory(const HostStory&) = delete;
  HostStory& operator=(const HostStory&) = delete;

  /// Where most samples of the thread in this time were, else where `event` was called: the innermost frame that is no
  /// library's. Nothing where no stack of Python is known.
  std::optional<PythonPlace> place(std::uint32_t thread, trace::TimeRange range,
                                   std::optional<trace::EventRef> event = {});

  /// "pthread_mutex_lock of lock gate", "read of file /data/x.bin", or the call alone; empty for what is no call of the OS.
  std::string osCall(trace::EventRef event);

  /// Both: "main (train.py:55), in poll of pipe:[77]", by `event`, or, where that is no CUDA call, by the call of the
  /// OS that took more than half of the time. Empty where nothing is known beyond the event's name.
  std::string of(std::uint32_t thread, trace::TimeRange range, std::optional<trace::EventRef> event);

  /// The function that most CPU samples of the thread in this time were in: "sgemm (libcublas.so.12)"; of what has no
  /// name the module alone. Empty where there are none.
  std::string function(std::uint32_t thread, trace::TimeRange range);

  /// Another thread of the process of which samples in this time say that it had Python's lock; the one of most.
  std::optional<std::uint32_t> holder(std::uint32_t waiter, trace::TimeRange range);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lanescope::report
