// SPDX-License-Identifier: Apache-2.0
// Who ran where, as the pid and tid of the Trace Event Format: threads under their own numbers, streams as threads of
// their GPU. A track is announced (metadata events) when it is first asked for. Private to the chrome export.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "model/export/texts.h"
#include "model/report/table_scan.h"
#include "model/trace/time.h"

namespace lanescope::exporting {

struct Track {
  std::int64_t pid = 0, tid = 0;
};

/// The events of a file, one behind the other, commas between.
class EventText {
 public:
  explicit EventText(std::string& out) : out_(out) {}

  /// Begins an event; `cat` and `name` are quoted. Returns where its other members go, each with a comma before it.
  std::string& begin(char phase, std::string_view cat, std::string_view name, Track track, trace::Ns time);
  void end() { out_ += '}'; }
  /// A whole metadata event; `args` are members.
  void metadata(std::string_view what, Track track, std::string_view args);

 private:
  std::string& next();
  std::string& out_;
  bool first_ = true;
};

class Tracks {
 public:
  Tracks(const report::Database& database, Texts& texts, EventText& events);

  Track thread(std::int64_t globalTid);
  Track stream(std::int64_t globalPid, std::int64_t device, std::int64_t context, std::int64_t stream);
  /// Of a GPU, but of no stream: waits are in host time, page faults of no stream.
  enum class Beside : std::int8_t { kWaits = -1, kFaults = -2 };
  Track beside(std::int64_t globalPid, std::int64_t device, Beside which);
  /// Where an event goes that overlaps others of its track: "stream 7 (2)"; lane 0 is the track.
  Track lane(Track track, int lane);
  Track core(std::int64_t cpu);
  Track metrics(std::int64_t typeId);
  /// Where a process has its curves; those of nobody stand together.
  Track curves(std::optional<std::int64_t> globalPid);

  /// Numbers processes from 0 in the order in which they are met.
  std::int64_t indexOf(std::int64_t globalPid);
  /// "1234 worker", quoted.
  std::string threadLabel(std::int64_t globalTid) const;
  /// GPU rows that name no process are of the one that made the calls.
  std::int64_t processOf(const report::TableRow& row, int column) const;

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  void readNames(const report::Database& database, Texts& texts);
  std::int64_t host(std::int64_t globalPid);
  std::int64_t gpu(std::int64_t globalPid, std::int64_t device);
  std::int64_t unusedPid(std::int64_t wanted);
  void announceThread(Track track, std::string name, std::string more = {});
  void sortProcess(Track track, std::int64_t index);
  void sortThread(Track track, std::int64_t index);
  void announce(const char* what, Track track, std::string_view name, std::string_view more = {});
  std::string gpuName(std::int64_t globalPid, std::int64_t device) const;

  EventText& events_;
  std::map<std::int64_t, std::string> processNames_, threadNames_, gpuNames_;  // by globalPid, globalTid, GPU id
  std::map<std::int64_t, std::int64_t> processOrder_, threadOrder_;  // what the file of an import said, but 0
  bool isPlain_ = false;  // of an imported file that is not Kineto's
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpuIds_;       // by pid and CUDA ordinal
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::string> streamNames_;  // by pid, context, stream
  std::int64_t onlyProcess_ = 0;

  std::set<std::int64_t> usedPids_, hostPids_;
  std::int64_t freePids_ = 0;
  std::map<std::int64_t, std::int64_t> hosts_, indices_, metrics_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpus_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::set<std::int64_t>> usedTids_;  // of a GPU
  std::map<Key, Track> streams_;
  std::set<std::pair<std::int64_t, std::int64_t>> announced_;  // threads, GPUs' sides, cores
  struct Title {
    std::string name, more;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Title> titles_;  // of streams and GPUs' sides
  std::map<std::tuple<std::int64_t, std::int64_t, int>, Track> lanes_;
  std::int64_t cores_ = -1, ofNobody_ = -1;
};

}  // namespace lanescope::exporting
