// SPDX-License-Identifier: Apache-2.0
// Who ran, by what the kernel told of processes and threads: names, parents, ends, programs that a process became, and
// what each had mapped where. Ids are used again after an end; what is asked for by id and time is of who had it then.
// Memory: what was told of them, at most kMost of each kind. Private to finish*.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/launch/perf_records.h"
#include "collector/unwind/address_space.h"
#include "model/trace/time.h"

namespace lanescope::launch {

class PerfTasks {
 public:
  struct Thread {
    std::uint32_t process = 0;
    std::string name;  ///< its last one; empty if it was never told
    std::optional<trace::Ns> ended;
    bool isSeen = false;  ///< has a row of its own
  };
  /// A process from one exec, or its begin, to the next.
  struct Image {
    trace::Ns begin = 0;
    unwind::AddressSpace space;
  };
  struct Process {
    std::uint32_t parent = 0;
    std::string program;  ///< path of what it ran last
    std::vector<Image> images;  ///< in order of time
    std::optional<trace::Ns> ended;
    std::optional<trace::Ns> lastExec;
    bool isSeen = false;
    bool makesCode = false;  ///< has mapped some that is in no file
  };
  static constexpr std::size_t kMost = 1u << 20;

  /// The first reading, in any order.
  void take(const PerfRecord& record);
  /// After that.
  void arrange();
  /// What programs told of the code that they made, each in a file perf-PID.map, written since then by CLOCK_REALTIME.
  void readMaps(const std::filesystem::path& folder, trace::Ns since);

  /// Marks it as one that events are of; null if it was not told of and there are too many.
  Thread* see(std::uint32_t process, std::uint32_t thread);

  /// The first exec of all, with which the recording may have begun.
  struct Exec {
    std::uint32_t thread = 0;
    trace::Ns time = 0;
  };
  const std::optional<Exec>& firstExec() const { return firstExec_; }

  /// What it had mapped then; times of CLOCK_MONOTONIC.
  const unwind::AddressSpace& spaceOf(std::uint32_t process, trace::Ns time) const;

  const std::map<std::uint32_t, Thread>& threads() const { return threads_; }
  const std::map<std::uint32_t, Process>& processes() const { return processes_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  /// What a record told, kept until all are there.
  struct Told {
    trace::Ns time = 0;
    std::uint32_t type = 0;
    bool isExec = false;
    std::uint32_t process = 0, thread = 0, parent = 0, parentThread = 0;
    std::string text;
    std::unique_ptr<unwind::Mapping> mapping = nullptr;
  };
  void apply(Told& told);
  unwind::AddressSpace& begin(Process& process, trace::Ns time, unwind::AddressSpace space = {});

  std::vector<Told> told_;
  std::map<std::uint32_t, Thread> threads_;
  std::map<std::uint32_t, Process> processes_;
  std::optional<Exec> firstExec_;
  std::uint64_t dropped_ = 0;
  unwind::AddressSpace nothing_;
};

}  // namespace lanescope::launch
