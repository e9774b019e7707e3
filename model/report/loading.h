// SPDX-License-Identifier: Apache-2.0
// What the parts of load.cpp share: the file, the trace being built, how far it is. Private to model/report.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "model/job.h"
#include "model/report/database.h"
#include "model/report/strings.h"
#include "model/report/table_scan.h"
#include "model/trace/builder.h"
#include "model/trace/row_links.h"

namespace lanescope::report {

struct Loading {
  Loading(const Database& file, const Job& work);

  const Database& database;
  const Job& job;
  trace::TraceBuilder builder{job};
  Strings strings{database, builder.names()};

  /// Reads a table, calling row(TableRow) for each row; counts, reports progress, stops when the job is cancelled.
  template <class Row>
  void forEach(std::string_view table, const std::vector<std::string_view>& columns, Row row) {
    if (queries && database.has(table)) queries->push_back(selectColumns(database, table, columns));
    const ScanEnd end = scanTable(database, table, columns, [&](const TableRow& each) {
      if (++rowsRead % kRowsPerReport == 0 && !tick(table)) return false;
      row(each);
      return true;
    });
    if (end == ScanEnd::kDamaged) damaged(table);
  }

  /// False for what nobody asked to have read.
  bool wants(trace::EventKind kind) const {
    return only.empty() || std::find(only.begin(), only.end(), kind) != only.end();
  }

  /// True if both hold whole numbers; else the row is counted as damaged.
  bool hasTimes(const TableRow& row, int start, int end);

  /// True if the row names its thread; else it is counted.
  bool hasThread(const TableRow& row, int globalTid);

  /// True for a time that a clock can show; else the sample is counted as lost.
  bool isSampleTime(trace::Ns time);

  /// The process of a row that names it by globalPid, or the only process there is where the column is missing.
  std::uint32_t processOf(const TableRow& row, int globalPid);

  void damaged(std::string_view table);
  void readRecordedIssues();  ///< what the recorder itself lost
  void reportLosses();
  bool tick(std::string_view table);

  static constexpr std::uint64_t kRowsPerReport = 1 << 16;
  std::uint64_t rowsRead = 0;
  std::uint64_t rowsExpected = 0;
  std::uint64_t notNumbers = 0;
  std::uint64_t badSamples = 0;   ///< times or values that no clock or gauge can show
  std::uint64_t noThread = 0;     ///< scheduling events and CPU samples that name no thread
  std::set<std::string, std::less<>> damagedTables;
  std::vector<std::string>* queries = nullptr;
  std::vector<trace::EventKind> only;
  std::int64_t onlyProcess = 0;  ///< globalPid for rows that name none
};

// One function an area of the dialect, in the order they are called. Each reads whole tables.
void loadNames(Loading& loading);      // processes, threads
void loadGpuWork(Loading& loading);    // kernels, copies, memsets, graphs
void loadCalls(Loading& loading);      // CUDA API, OS runtime, libraries, overhead, synchronization
void loadEventUses(Loading& loading);  // records of CUDA events and the waits for them
void loadScheduling(Loading& loading); // thread states, CPU cores, CPU samples
void loadPython(Loading& loading);     // samples of Python, waits for its lock
void loadMemory(Loading& loading);     // memory in use, page faults
void loadPageFaults(Loading& loading); // these alone
void loadMetrics(Loading& loading);    // GPU metrics
void nameGpus(Loading& loading);       // GPUs and streams that have been met
void loadIds(Loading& loading);        // true ids and ranks of another tool's file
void loadCurves(Loading& loading);     // its values over time
void loadDomains(Loading& loading);    // which domains are not NVTX's
std::vector<trace::RowLink> loadLinks(Loading& loading);  // what it ties together, of what has been read
void loadNvtx(Loading& loading);       // ranges and marks; last, as open ranges reach to the end of the trace

}  // namespace lanescope::report
