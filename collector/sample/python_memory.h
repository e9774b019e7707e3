// SPDX-License-Identifier: Apache-2.0
// Another process's memory, read without stopping it. What was read in one round is read again at the beginning of the
// next in one system call, because the stacks of two samples are mostly the same. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collector/python/memory.h"

namespace lanescope::sample {

class ProcessMemory {
 public:
  explicit ProcessMemory(pid_t process) : process_(process) {}
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;

  /// Reads again what was asked of repeated() since the last call.
  void beginRound();
  /// What is likely to be asked for again.
  python::Memory repeated() { return {&readRepeated, this}; }
  python::Memory direct() { return {&readDirect, this}; }

  /// errno of the last read that failed because of the process, not of the address: EPERM, ESRCH; else 0.
  int refusal() const { return refusal_; }

 private:
  struct Block {
    python::Address from = 0;
    std::uint32_t bytes = 0, at = 0;  ///< in held_
    python::Address end() const { return from + bytes; }
  };
  static constexpr std::size_t kMostBlocks = 8192;

  static bool readRepeated(void* self, python::Address from, void* to, std::size_t bytes);
  static bool readDirect(void* self, python::Address from, void* to, std::size_t bytes);
  void readAgain();

  pid_t process_;
  int refusal_ = 0;
  std::vector<Block> asked_;  ///< in this round
  std::vector<Block> blocks_;  ///< of which held_ has the bytes; by address
  std::string held_;
};

}  // namespace lanescope::sample
