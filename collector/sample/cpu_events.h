// SPDX-License-Identifier: Apache-2.0
// Linux's perf events for a recording: which of what was asked for this machine allows, opened on every CPU with a ring
// each. Of a program they begin with its exec and are inherited by all it starts, each inheriting one more event for
// every CPU, so there are no more than needed. What is less than asked for is told in sentences. One thread.
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collector/sample/cpu_settings.h"

namespace lanescope::sample {

/// The ring of one CPU, as the kernel fills it.
struct CpuRing {
  std::uint32_t cpu = 0;
  perf_event_mmap_page* page = nullptr;
  std::size_t bytes = 0;  ///< of records, a power of two
  int maps = -1;  ///< who began and ended, and what is mapped: always on; -1 where `work` tells it, too
  int work = -1;  ///< samples and switches
};

/// What is recorded, after what is not possible is left out.
class CpuEvents {
 public:
  struct Trouble {
    bool isFallback = false;  ///< something else is recorded in its place
    std::string text;
  };

  CpuEvents() = default;
  /// On a process that waits for its exec, or with system-wide scope on all. `begins`: with the exec, else by enable().
  /// `pauses`: may be off for a while and on again.
  static CpuEvents open(const CpuSettings& settings, pid_t process, bool begins, bool pauses);
  CpuEvents(CpuEvents&& other) noexcept { *this = std::move(other); }
  CpuEvents& operator=(CpuEvents&& other) noexcept;
  ~CpuEvents();

  bool empty() const { return rings_.empty(); }
  bool begins() const { return begins_; }  ///< with the exec
  const std::vector<CpuRing>& rings() const { return rings_; }
  const std::vector<Trouble>& troubles() const { return troubles_; }
  /// Why there are no CPU samples although they were asked for, and the remedy; else empty.
  const std::string& whyNoSamples() const { return whyNoSamples_; }

  void enable() const;
  void disable() const;

  // What was settled on.
  bool hasSamples() const { return samples_; }
  bool hasSwitches() const { return switches_; }
  bool isSystemWide() const { return isSystemWide_; }
  bool isOfHardware() const { return attr_.type == PERF_TYPE_HARDWARE; }
  bool hasKernel() const { return attr_.exclude_kernel == 0; }
  StackKind stacks() const { return stacks_; }
  std::uint32_t samplesPerBacktrace() const { return samplesPerBacktrace_; }
  const perf_event_attr& attr() const { return attr_; }  ///< of the samples
  /// The most bytes a second that one CPU makes, about.
  std::uint64_t bytesPerSecond() const;

 private:
  int openOne(perf_event_attr attr, pid_t process, int cpu, bool begins) const;
  bool settle(const CpuSettings& settings, pid_t process);
  int probe(const perf_event_attr& attr, pid_t process) const;
  int addCpu(std::uint32_t cpu, pid_t process, bool begins, bool pauses);
  bool mapRings(std::size_t pages);
  void unmapRings();
  void refuse(const std::string& why);
  void close();

  perf_event_attr attr_ = {};
  bool samples_ = false, switches_ = false, isSystemWide_ = false, buildIds_ = false, begins_ = false;
  StackKind stacks_ = StackKind::kNone;
  std::uint32_t samplesPerBacktrace_ = 1;
  std::vector<CpuRing> rings_;
  std::vector<Trouble> troubles_;
  std::string whyNoSamples_;
};

/// The CPUs that are in use, of a list as "0-3,8".
std::vector<std::uint32_t> cpusOf(std::string_view list);

/// Where a remedy is to be taken: what it must name.
struct Place {
  std::string paranoid;  ///< /proc/sys/kernel/perf_event_paranoid
  std::string program;  ///< path of this one
  bool isContainer = false;  ///< or a user namespace: settings of the kernel are the host's
};
Place placeHere();

/// What of the CPU; its number is the least strict paranoia that allows it to an ordinary user.
enum class CpuRight : int { kEverything = 0, kKernel = 1, kProgram = 2 };

/// Why perf_event_open was refused that, by its errno, and the remedy.
std::string whyRefused(int error, const Place& place, CpuRight wanted);

/// Whether this process may record itself: 0, or the errno of perf_event_open.
int mayRecordCpu(CpuRight wanted = CpuRight::kProgram);

/// Whether the functions of the kernel have addresses in this text of /proc/kallsyms; true where there is none.
bool namesKernel(const std::string& kallsyms = "/proc/kallsyms");

}  // namespace lanescope::sample
