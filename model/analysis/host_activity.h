// SPDX-License-Identifier: Apache-2.0
// What a host thread did while a GPU waited for it: the time between two instants, split by what the thread was in.
// Outermost CUDA calls decide for their time; of what lies between calls, pauses of up to kDispatch belong to launching
// (a framework on its way to the next call), longer ones go to what fills more than half of them: a call or NVTX range
// that waits for other ranks, one that reads data, Python in a library that loads data, else host code (named by the
// innermost NVTX range or call of a library, else by the call of the OS). The profiler's own time, and CUDA's for
// loading code, are known and count as what they are, in these pauses and in long calls. The parts add up to the whole.
// O(log n) and what it passes, of which kMostSteps in all. One thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/analysis/call_kinds.h"
#include "model/report/host_story.h"

namespace lanescope::analysis {

enum class HostDoing : std::uint8_t {
  kSynchronization,
  kBlockingCopy,
  kLaunching,  ///< launch calls, short other calls, short pauses
  kHostCode,
  kDataLoading,
  kPeer,
  kOverhead,  ///< the profiler's own time
  kLoading,  ///< calls that load code; CUDA's own time for loading and compiling it inside others
};
inline constexpr std::size_t kHostDoings = static_cast<std::size_t>(HostDoing::kLoading) + 1;

struct HostTime {
  struct Part {
    trace::Ns time = 0;
    std::optional<trace::EventRef> longest;  ///< the call, range or OS call that took most of it
    trace::Ns longestTime = 0;  ///< of it, in the part
  };
  std::array<Part, kHostDoings> parts;

  Part& operator[](HostDoing doing) { return parts[static_cast<std::size_t>(doing)]; }
  void add(HostDoing doing, trace::Ns time, std::optional<trace::EventRef> event, trace::Ns eventTime);
};

class HostActivity {
 public:
  static constexpr trace::Ns kDispatch = 20'000;
  static constexpr std::uint64_t kMostSteps = 200'000'000;  ///< beyond, which no recording reaches, nothing is found

  explicit HostActivity(const ReportInput& input);

  HostTime during(std::uint32_t thread, trace::TimeRange range);
  /// The outermost synchronization, or call that blocks for memory, that the thread was in at this time.
  std::optional<trace::EventRef> blockedAt(std::uint32_t thread, trace::Ns time);
  /// The innermost NVTX range that covers more than half of this time.
  std::optional<trace::EventRef> innermostRange(std::uint32_t thread, trace::TimeRange most) const;
  /// The same of calls of libraries (cuBLAS, cuDNN), which a gap may lie in with all the CUDA calls inside them.
  std::optional<trace::EventRef> libraryCall(std::uint32_t thread, trace::TimeRange most) const;
  bool exhausted() const { return steps_ >= kMostSteps; }

  HostCalls& calls() { return calls_; }
  report::HostStory& story() { return story_; }
  /// How much of the range the profiler itself was busy on this thread, or anywhere in the process on none.
  HostTime::Part overhead(std::uint32_t thread, trace::TimeRange range) {
    return ownTime(thread, range, &HostActivity::isProfilers);
  }

 private:
  std::optional<trace::EventRef> innermostOf(std::span<const trace::LaneId> lanes, trace::TimeRange most) const;
  trace::Ns addOwnTimes(std::uint32_t thread, trace::TimeRange range, HostTime& time);
  using Lanes = std::vector<trace::LaneId>;
  struct Thread {
    Lanes calls, ranges, osRuntime, peers, libraries, overhead;
  };
  void addCall(trace::EventRef call, trace::TimeRange part, std::uint32_t thread, HostTime& time);
  void addPause(std::uint32_t thread, trace::TimeRange pause, HostTime& time);
  HostTime::Part covering(const Lanes& lanes, trace::TimeRange range, bool (HostActivity::*wanted)(trace::EventRef));
  HostTime::Part ownTime(std::uint32_t thread, trace::TimeRange range, bool (HostActivity::*wanted)(trace::EventRef));
  bool any(trace::EventRef) { return true; }
  bool isProfilers(trace::EventRef overhead);
  bool loadsCode(trace::EventRef overhead);
  bool waitsForPeers(trace::EventRef range);
  bool loadsData(trace::EventRef event);

  const trace::Trace& trace_;
  HostCalls calls_;
  report::HostStory story_;
  std::vector<Thread> threads_;
  std::vector<Lanes> processOverhead_;  // by process, of no thread
  enum class Whose : std::uint8_t { kProfilers, kLoading, kPressure };
  Whose whose(trace::EventRef overhead);
  std::unordered_map<trace::NameId, bool> dataNames_;
  std::unordered_map<trace::NameId, Whose> overheadNames_;
  std::uint64_t steps_ = 0;
};

}  // namespace lanescope::analysis
