// SPDX-License-Identifier: Apache-2.0
// What is in a report, counted from the file itself: the figures of `lanescope info`, whose keys and meaning are a
// contract with scripts (design.md, section 7). One pass over each table of events; a table that is missing counts 0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/error.h"
#include "model/report/database.h"
#include "model/report/run_processes.h"
#include "model/report/source.h"
#include "model/trace/trace.h"

namespace lanescope::report {

struct Info {
  struct Work {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::int64_t totalNs = 0;  ///< over the rows with a valid time
  };

  std::string format;   ///< "lanescope" or "nsys-sqlite", of another tool's file "kineto" and so on
  std::string version;  ///< of that format; empty if the file does not say
  std::optional<std::pair<trace::Ns, trace::Ns>> span;  ///< first start, last end
  trace::TimeRange timeline;  ///< of everything that the viewer draws; empty where nobody loaded it
  std::uint64_t processes = 0, threads = 0, devices = 0, streams = 0, streamsNamed = 0;
  Work kernels;
  std::uint64_t kernelNames = 0;
  Work copies, memsets;
  std::map<std::int64_t, Work> copiesByKind;
  std::uint64_t cudaCalls = 0, synchronizations = 0, osRuntimeCalls = 0;
  std::uint64_t nvtxRanges = 0;    ///< push/pop and start/end
  std::uint64_t nvtxStartEnd = 0, nvtxMarks = 0;
  std::uint64_t graphLaunches = 0;
  std::uint64_t metricSamples = 0, metrics = 0;
  std::uint64_t mpiCalls = 0;
  std::uint64_t cpuSamples = 0, pythonSamples = 0, memoryEvents = 0;
  std::vector<std::pair<std::string, std::string>> run;  ///< runFacts()
  std::vector<RunProcess> recorded;  ///< runProcesses()
  std::map<std::int64_t, std::uint64_t> kernelsOf;  ///< by process
  std::vector<trace::Issue> issues;
  std::optional<Written> written;  ///< of JSON: what counts there; span and copies are of it too
};

/// Counts; `issues` are what loading the report found.
Info readInfo(const Database& database, std::vector<trace::Issue> issues);

/// The keys of the contract, in its order; one line.
std::string toJson(const Info& info);

/// For a person: aligned, only what there is.
std::string toText(const Info& info);

}  // namespace lanescope::report
