// SPDX-License-Identifier: Apache-2.0
// One process while its recording becomes rows: what the first reading of its stream found (everything that events may
// refer to, wherever it stands), and how times, threads, texts and correlation ids of the wire turn into those of the
// report. Private to finish*.cpp.
#pragma once

#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "collector/launch/capture_windows.h"
#include "collector/launch/clock_map.h"
#include "collector/launch/correlation_epochs.h"
#include "collector/launch/fact_lines.h"
#include "collector/launch/stream_process.h"
#include "model/report/rows_target.h"
#include "model/report/writer.h"

namespace lanescope::launch {

constexpr report::Id kMachine = std::int64_t{1} << 48;  ///< hardware 0, virtual machine 1, as others write it

/// Time when a span began and ended in the report; both 0 where CUPTI had none.
struct Span {
  trace::Ns start = 0, end = 0;
};

constexpr report::Id globalPidOf(std::uint64_t pid) {
  return kMachine | static_cast<std::int64_t>(pid & 0xFFFFFF) << 24;
}

class Process {
 public:
  explicit Process(ProcessStream from) : stream(std::move(from)) {}

  /// The first reading. False if it was stopped.
  /// What its first `before` bytes say was lost does not count.
  bool summarize(const std::function<bool(std::uint64_t)>& progress, std::uint64_t before = 0);
  /// Turns what kCapture records said into windows; `zero` must be set.
  void makeWindows();
  /// When the recording began by this process's clocks, if nobody else knows.
  std::optional<trace::Ns> firstTime() const;

  // --- what is known after it
  ProcessStream stream;
  std::uint64_t pid = 0;
  std::int64_t image = 0;  ///< how many programs this process was before: exec keeps the pid
  FactLines facts;
  ClockMap clock;
  CaptureWindows windows;
  std::map<std::uint32_t, wire::Context> contexts;
  std::map<std::pair<std::uint32_t, std::uint32_t>, wire::Stream> streams;  ///< by context and stream
  std::map<std::uint32_t, wire::Device> devices;
  std::map<std::uint32_t, std::uint64_t> threadNames;  ///< by NVTX
  std::map<std::uint32_t, std::string> systemNames;    ///< what the system calls threads, of which some are there
  std::map<std::uint32_t, std::uint64_t> domains;  ///< texts, by number
  std::vector<wire::Named> resourceNames;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> streamNames;  ///< texts, by context and stream
  std::map<std::uint32_t, std::uint64_t> losses;  ///< by LossKind
  std::vector<wire::Message> messages;
  std::uint64_t brokenChunks = 0;  ///< with records of impossible sizes
  std::unordered_map<std::uint64_t, wire::PythonCode> pythonCodes;
  bool hasStacks = false;  ///< behind some of its calls
  std::vector<wire::Module> modules;  ///< what was loaded, in no order
  Process* forkedFrom = nullptr;  ///< if that was recorded, too
  std::optional<std::int64_t> mpiRank;  ///< in the whole job
  bool ended = false;              ///< in order
  bool replaced = false;           ///< by another program, of the same pid
  bool becameOther = false;        ///< likewise, by one that left nothing

  // --- how the wire becomes the report
  report::Id globalPid() const { return globalPidOf(pid); }
  report::Id globalTid(std::uint32_t tid) const { return globalPid() | (tid & 0xFFFFFF); }

  /// ns since the session began, of CLOCK_MONOTONIC.
  trace::Ns time(std::uint64_t monotonic) const { return minus(asTime(monotonic), zero); }
  /// Of a record; CUPTI's stand on the other clock.
  Span span(const Chunk& chunk, std::uint64_t start, std::uint64_t end);

  /// Unique within the pid; none for 0.
  report::OptionalId correlation(std::uint32_t id, trace::Ns time) const {
    if (id == 0) return std::nullopt;
    return (image << 48) + epochs_.unique(id, minus(time, minus(0, zero)));
  }

  /// A text as a string of the report; 0 and unknown texts have words of their own.
  report::Id string(std::uint64_t text, report::Writer& writer);
  std::optional<std::string_view> text(std::uint64_t id);
  struct KernelNames {
    report::Id demangled = -1, shortName = -1, mangled = -1;
  };
  const KernelNames& kernel(std::uint64_t name, report::Writer& writer);
  std::uint64_t missingTexts() const { return missing_; }
  std::uint64_t doubtfulTimes() const { return doubtful_; }

  trace::Ns zero = 0;  ///< when the session began
  trace::Ns begins = trace::kMinTime;  ///< what happened earlier belongs to another report
  // --- counts of the second reading
  std::uint64_t events = 0, untimed = 0, unknownKinds = 0, endsWithoutStart = 0;

 private:
  struct Text {
    std::string text;
    report::Id id = -1;
    KernelNames kernel;
  };

  void take(const Chunk& chunk, const Record& record);
  Text* find(std::uint64_t id);

  std::unordered_map<std::uint64_t, Text> texts_;
  Text missingText_{"(name missing)", -1, {}};
  CorrelationEpochs epochs_;
  std::vector<wire::ClockPair> pairs_;
  std::vector<std::pair<std::uint64_t, bool>> captures_;
  std::uint64_t missing_ = 0, doubtful_ = 0;
};

}  // namespace lanescope::launch
