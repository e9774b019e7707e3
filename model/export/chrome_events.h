// SPDX-License-Identifier: Apache-2.0
// Rows of a report as events of the Trace Event Format, a table at a time. Calls go before GPU work: an arrow is drawn
// to work whose call has been written. Private to the chrome export.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/export/chrome_order.h"
#include "model/export/chrome_stacks.h"
#include "model/export/chrome_tracks.h"
#include "model/export/out_file.h"
#include "model/report/slice.h"

namespace lanescope::exporting {

/// The columns of a table, by position, and which of them become arguments under which key.
class RowText {
 public:
  /// Columns of `told` are said by the event itself.
  RowText(const report::Database& database, const std::string& table, const std::vector<std::string_view>& told);

  const report::Columns& columns() const { return columns_; }
  int at(std::string_view column) const;  ///< -1 if there is none
  /// Appends the arguments, each with a comma before it but the first.
  void appendArguments(std::string& out, const report::TableRow& row, Texts& texts) const;

 private:
  struct Argument {
    int column;
    std::string key;  ///< quoted, with its colon
    bool isId;
  };
  report::Columns columns_;
  std::vector<Argument> arguments_;
};

/// A value, or another where the column is missing or NULL.
std::int64_t integer(const report::TableRow& row, int column, std::int64_t otherwise = 0);

struct ChromeExport {
  ChromeExport(report::Slice& rows, OutFile& file);

  void writeCalls();    ///< CUDA, OS runtime, libraries, overhead
  void writeGpuWork();  ///< kernels, copies, memsets, graphs; waits, GPU page faults
  void writeNvtx();
  void writeMemory();   ///< allocations, CPU page faults
  void writeEventRecords();  ///< of CUDA events, which have no time: metadata of their stream
  void writeMetrics();
  void writeCurves();  ///< of reports that were imported
  void writeSamples();
  void writeScheduling();

  report::Slice& slice;
  OutFile& out;
  Texts texts;
  EventText events;
  Tracks tracks;
  std::set<std::string, std::less<>> written;  ///< tables
  std::uint64_t invalidTimes = 0;
  ChromeStacks stacks;

 private:
  struct EventTable;
  struct EventColumns;
  void writeTable(const EventTable& what);
  Track trackOf(const EventTable& what, const EventColumns& at, const report::TableRow& row, std::int64_t owner);
  std::string_view nameOf(const EventTable& what, const EventColumns& at, const report::TableRow& row,
                          std::string& version);
  static void appendShape(std::string& o, const EventColumns& at, const report::TableRow& row);
  void findLaunches();
  void writeInstants(std::string_view table, std::string_view category, std::string_view name, bool areSamples = false);
  /// Whether an event can have these times; if not it is counted.
  bool isValid(trace::Ns start, trace::Ns end);
  void appendArrow(bool toGpu, std::int64_t globalPid, std::int64_t correlation, Track track, trace::Ns start);

  Lanes lanes_;
  LaterCalls later_;
  std::map<std::int64_t, report::IdSet> launched_, calls_;  // correlation ids of GPU work, of calls, by process
  std::string name_;  // of the event at hand
};

}  // namespace lanescope::exporting
