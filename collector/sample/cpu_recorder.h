// SPDX-License-Identifier: Apache-2.0
// Samples and switches of the CPU on their way from the kernel's rings to cpu.perf in the session folder: a thread that
// looks at the rings some dozens of times a second, leaves out the copies of stacks that nobody asked for, and follows the
// capture. What is recorded before record() waits in the rings. Cost: it copies each byte twice.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collector/sample/cpu_events.h"

namespace lanescope::sample {

class CpuRecorder {
 public:
  CpuRecorder();  ///< records nothing
  /// Of events that were opened.
  explicit CpuRecorder(CpuEvents events);
  CpuRecorder(CpuRecorder&& other) noexcept;
  CpuRecorder& operator=(CpuRecorder&& other) noexcept;
  ~CpuRecorder();

  /// What was not possible as asked.
  const std::vector<CpuEvents::Trouble>& troubles() const;

  /// Begins the thread; errors become troubles.
  void record(const std::string& session);

  /// How many answer when everything is to be on disk, while the capture has not ended.
  std::size_t sources() const;

  /// After the capture has ended: until all is on disk.
  void finish();

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// Rewrites records of a ring for the file: samples lose their stack but for every nth of each thread, and of a stack what
/// the kernel did not fill in. Pure but for its counts.
class StackThinner {
 public:
  StackThinner(const perf_event_attr& attr, std::uint32_t samplesPerBacktrace);
  /// Appends the record, which is whole.
  void add(std::string_view record, std::string& to);

 private:
  bool isWanted(std::uint32_t thread);

  std::uint64_t type_, registers_;
  std::uint32_t each_;
  std::vector<std::uint8_t> counts_;  ///< by thread, which may share one
};

}  // namespace lanescope::sample
