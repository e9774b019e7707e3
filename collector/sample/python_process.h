// SPDX-License-Identifier: Apache-2.0
// One process that runs Python while it is sampled: the stacks of all its threads, each time they are asked for. What is
// the same as the last time is read in one system call and written in 32 bytes. Memory: about 200 bytes a function seen,
// 65,536 of them at most. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "collector/python/code.h"
#include "collector/sample/python_file.h"
#include "collector/sample/python_find.h"
#include "collector/sample/python_memory.h"

namespace lanescope::sample {

class PythonProcess {
 public:
  /// `found`: what findLayout() is about; codes get numbers from `nextCode` on.
  PythonProcess(pid_t process, const FoundPython& found, std::uint64_t& nextCode);

  /// What it cannot be read for; of its version, not of rights.
  python::Refusal refusal() const { return refusal_; }

  enum class Outcome { kGood, kInconsistent, kGone, kForbidden };
  /// Stacks of all its threads into the file.
  Outcome sample(std::uint64_t time, PythonFile& file);
  /// Stacks left out because they made no sense, so far.
  std::uint64_t dropped() const { return dropped_; }
  /// The file has lost what was written: everything is defined and told anew.
  void defineAnew();

 private:
  struct KnownCode {
    python::Code code;
    std::uint64_t id = 0;
    std::uint64_t looked = 0;  ///< in which round it was compared
    std::unordered_map<std::int32_t, std::int32_t> lines;  ///< by place in its instructions
  };
  struct KnownThread {
    KnownThread() = default;
    KnownThread(const KnownThread&) = delete;
    KnownThread& operator=(const KnownThread&) = delete;
    ~KnownThread();

    std::uint64_t round = 0;
    std::uint32_t number = 0, claimed = 0;  ///< `claimed`: what its memory says, true or not
    bool isCut = false, isWritten = false;
    int runs = -1;  ///< descriptor of what the system counts of its running; -1 not open, -2 there is none
    char counted[64] = {};  ///< as it read last
    std::vector<wire::PythonFrame> frames;
  };
  static constexpr std::size_t kMostThreads = 1024;

  /// Whether it did not run since it was asked last, and so has the stack that it had. False if in doubt.
  bool hasRested(KnownThread& known) const;
  /// The frames into frames_. False: inconsistent.
  bool readStack(const python::Memory& memory, python::Address thread, PythonFile& file, bool& isCut);
  void sampleThread(const python::Thread& thread, std::uint64_t time, PythonFile& file);
  bool resolve(const python::Memory& memory, const python::Frame& frame, PythonFile& file, wire::PythonFrame& into,
               bool& counts);
  KnownCode* codeAt(const python::Memory& memory, python::Address address, PythonFile& file);
  /// The thread's number in the system; 0 where it cannot be told.
  std::uint32_t numberOf(const python::Thread& thread, KnownThread& known);
  bool hasThread(std::uint32_t number) const;

  pid_t process_;
  ProcessMemory memory_;
  python::Python python_;
  python::Refusal refusal_;
  std::uint64_t& nextCode_;
  std::uint64_t round_ = 0, dropped_ = 0;
  std::size_t threadsNow_ = 0;
  std::unordered_map<python::Address, KnownCode> codes_;
  std::unordered_map<python::Address, KnownThread> threads_;
  std::vector<python::Thread> read_;
  std::vector<wire::PythonFrame> frames_;  ///< of the thread under way
};

}  // namespace lanescope::sample
