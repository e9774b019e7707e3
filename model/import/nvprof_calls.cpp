// SPDX-License-Identifier: Apache-2.0
// What threads did, as nvprof's tables tell it: calls of CUDA, NVTX, the profiler's own time, OpenACC.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/import/nvprof_api_names.h"
#include "model/import/nvprof_reading.h"
#include "model/report/schema.h"
#include "model/utf8.h"

namespace lanescope::imported::nvprof {

using report::TableRow;
using trace::Event;
using trace::EventKind;
using trace::NameId;

namespace {

/// The names of the functions of one of the two interfaces.
class CallNames {
 public:
  CallNames(trace::NameTable& names, std::string_view (*nameOf)(std::int64_t), std::string_view interface)
      : names_(names), nameOf_(nameOf), interface_(interface) {}

  NameId operator()(std::int64_t cbid) {
    const bool isDense = cbid >= 0 && cbid < kDense;
    if (isDense && known_[static_cast<std::size_t>(cbid)] != 0) return known_[static_cast<std::size_t>(cbid)];
    const std::string_view text = nameOf_(cbid);
    const NameId name = text.empty() ? names_.intern(fmt::format("{} call {}", interface_, cbid))
                                     : names_.intern(text, report::withoutVersion(text));
    if (isDense) known_[static_cast<std::size_t>(cbid)] = name;
    return name;
  }

 private:
  static constexpr std::int64_t kDense = 4096;
  trace::NameTable& names_;
  std::string_view (*nameOf_)(std::int64_t);
  std::string_view interface_;
  std::vector<NameId> known_ = std::vector<NameId>(kDense);
};

void readCalls(Reading& reading, const std::string& name, CallNames names, std::uint64_t behind) {
  TrackOf<2> trackOf;
  report::Columns columns = {"start", "end", "processId", "threadId", "correlationId", "cbid"};
  if (reading.options.details) columns.emplace_back("returnValue");
  reading.rows.forEach(name, columns, [&](const TableRow& row) {
    if (!reading.rows.hasTimes(row, 0, 1)) return;
    const std::array owner = {row.integer(2), threadNumber(row.integer(3))};
    const std::uint32_t track = trackOf(owner, [&] {
      return reading.roster.ofThread(EventKind::kCudaApi,
                                     reading.roster.thread(reading.roster.process(owner[0]), owner[1]));
    });
    reading.events(track).push_back({.start = row.integer(0),
                                     .end = row.integer(1),
                                     .name = names(row.integer(5)),
                                     .sourceRow = behind + static_cast<std::uint64_t>(row.rowid()),
                                     .correlation = row.integer(4)});
    if (reading.options.details)
      reading.recording.tracks[track].results.push_back(static_cast<std::int32_t>(row.integer(6)));
  });
}

}  // namespace

void readCalls(Reading& reading) {
  trace::NameTable& names = *reading.recording.names;
  readCalls(reading, table("RUNTIME"), {names, runtimeCall, "runtime"}, 0);
  readCalls(reading, table("DRIVER"), {names, driverCall, "driver"}, reading.rows.lastRow(table("RUNTIME")));
}

namespace {

/// Ranges and marks of NVTX: a row where one begins, another where it ends.
class Markers {
 public:
  explicit Markers(Reading& reading) : reading_(reading) {}

  void run() {
    readColours();
    reading_.rows.forEach(table("MARKER"), {"flags", "timestamp", "id", "objectKind", "objectId", "name", "domain"},
                          [&](const TableRow& row) { take(row); });
    removeMoved();
    if (endsAlone_ > 0)
      reading_.recording.issues.push_back(
          {"import-unmatched", endsAlone_,
           fmt::format("{} NVTX range{} without a beginning", endsAlone_, endsAlone_ == 1 ? " ends" : "s end"),
           EventKind::kNvtxRange});
    reading_.rows.leaveOut("MARKER", others_);
  }

 private:
  static constexpr std::int64_t kInstant = 1, kStart = 2, kEnd = 4;  // CUpti_ActivityFlag
  static constexpr std::int64_t kHasColour = 2;

  void readColours() {
    reading_.rows.forEach(table("MARKER_DATA"), {"flags", "id", "color"}, [&](const TableRow& row) {
      if ((row.integer(0) & kHasColour) != 0) colours_[row.integer(1)] = static_cast<std::uint32_t>(row.integer(2));
    });
  }

  void take(const TableRow& row) {
    if (!reading_.rows.hasTimes(row, 1, 1)) return;
    const std::int64_t flags = row.integer(0);
    const Object object = objectOf(row.integer(3), row.blob(4));
    const bool isOfHost = object.kind == ObjectKind::kThread || object.kind == ObjectKind::kProcess;
    if (!isOfHost || (flags & (kInstant | kStart | kEnd)) == 0) ++others_;
    else if ((flags & kInstant) != 0) add(row, object, EventKind::kNvtxMark, false);
    else if ((flags & kStart) != 0) open_[row.integer(2)] = {add(row, object, EventKind::kNvtxRange, true), object};
    else end(row, object);
  }

  EventAt add(const TableRow& row, const Object& object, EventKind kind, bool unfinished) {
    const auto colour = colours_.find(row.integer(2));
    const std::uint32_t track = trackOf(object, kind, row.integer(6));
    trace::EventList& events = reading_.events(track);
    events.push_back({.start = row.integer(1),
                      .end = row.integer(1),
                      .name = reading_.strings.name(row.integer(5), colour == colours_.end() ? 0 : colour->second),
                      .unfinished = unfinished,
                      .sourceRow = static_cast<std::uint64_t>(row.rowid())});
    return {track, static_cast<std::uint32_t>(events.size() - 1)};
  }

  void end(const TableRow& row, const Object& object) {
    const auto found = open_.find(row.integer(2));
    if (found == open_.end()) {
      ++endsAlone_;
      return;
    }
    const Open open = found->second;
    open_.erase(found);
    Event& event = reading_.events(open.at.track)[open.at.index];
    event.end = row.integer(1), event.unfinished = false;
    const bool sameThread = open.object.first == object.first && open.object.second == object.second;
    const Track& track = reading_.recording.tracks[open.at.track];
    if (track.kind != EventKind::kNvtxRange || sameThread) return;
    const Event moved = event;
    const std::uint32_t to = reading_.roster.ofProcess(EventKind::kNvtxStartEnd, track.process, track.domain);
    reading_.events(to).push_back(moved);
    moved_.push_back(open.at);
  }

  std::uint32_t trackOf(const Object& object, EventKind kind, std::int64_t domain) {
    const bool ofThread = object.kind == ObjectKind::kThread;
    const std::int64_t thread = ofThread ? std::int64_t{object.second} : -1;
    return trackOf_({static_cast<std::int64_t>(kind), object.first, thread, domain}, [&] {
      const std::uint32_t process = reading_.roster.process(object.first);
      const std::uint32_t group = reading_.roster.domain(process, domainName(domain), true);
      if (ofThread) return reading_.roster.ofThread(kind, reading_.roster.thread(process, thread), group);
      return reading_.roster.ofProcess(kind == EventKind::kNvtxMark ? EventKind::kNvtxMark : EventKind::kNvtxStartEnd,
                                       process, group);
    });
  }

  std::string domainName(std::int64_t string) {
    if (string == 0) return {};
    std::string name = repairUtf8(reading_.strings.text(string));
    return name == "-- null --" ? std::string() : name;
  }

  /// Those that ended on another thread stand twice.
  void removeMoved() {
    std::ranges::sort(moved_, {}, [](const EventAt& at) { return std::pair(at.track, at.index); });
    for (std::size_t i = 0; i < moved_.size();) {
      const std::uint32_t track = moved_[i].track;
      trace::EventList kept;
      trace::EventList& events = reading_.events(track);
      for (std::uint32_t at = 0; at < events.size(); ++at) {
        if (i < moved_.size() && moved_[i].track == track && moved_[i].index == at) ++i;
        else kept.push_back(events[at]);
      }
      events = std::move(kept);
    }
  }

  struct Open {
    EventAt at;
    Object object;
  };
  Reading& reading_;
  std::unordered_map<std::int64_t, std::uint32_t> colours_;
  std::unordered_map<std::int64_t, Open> open_;
  std::vector<EventAt> moved_;
  TrackOf<4> trackOf_;
  std::uint64_t endsAlone_ = 0, others_ = 0;
};

/// CUpti_ActivityOverheadKind in the words of Nsight Systems, which numbers them otherwise.
std::string_view overheadName(std::int64_t kind) {
  const std::int64_t exported = kind <= 1 ? kind + 1 : (kind >> 16) + 2;
  const std::string_view label = report::enumLabel("ENUM_CUPTI_OVERHEAD_TYPE", exported);
  return label.empty() ? "Unknown" : label;
}

/// CUpti_OpenAccEventKind, by the words of the OpenACC specification.
std::string openAccName(std::int64_t kind) {
  constexpr std::string_view kNames[] = {"",
                                         "device_init",
                                         "device_shutdown",
                                         "runtime_shutdown",
                                         "enqueue_launch",
                                         "enqueue_upload",
                                         "enqueue_download",
                                         "wait",
                                         "implicit_wait",
                                         "compute_construct",
                                         "update",
                                         "enter_data",
                                         "exit_data",
                                         "create",
                                         "delete",
                                         "alloc",
                                         "free"};
  if (kind <= 0 || kind >= static_cast<std::int64_t>(std::size(kNames))) return fmt::format("acc_event_{}", kind);
  return fmt::format("acc_{}", kNames[kind]);
}

}  // namespace

void readMarkers(Reading& reading) { Markers(reading).run(); }

void readOverhead(Reading& reading) {
  TrackOf<2> trackOf;
  std::uint64_t ofOthers = 0;
  reading.rows.forEach(
      table("OVERHEAD"), {"start", "end", "objectKind", "objectId", "overheadKind"}, [&](const TableRow& row) {
        if (!reading.rows.hasTimes(row, 0, 1)) return;
        const Object object = objectOf(row.integer(2), row.blob(3));
        const bool ofThread = object.kind == ObjectKind::kThread;
        if (!ofThread && object.kind != ObjectKind::kProcess) {
          ++ofOthers;
          return;
        }
        const std::int64_t thread = ofThread ? std::int64_t{object.second} : -1;
        const std::uint32_t track = trackOf({object.first, thread}, [&] {
          const std::uint32_t process = reading.roster.process(object.first);
          if (!ofThread) return reading.roster.ofProcess(EventKind::kOverhead, process);
          return reading.roster.ofThread(EventKind::kOverhead, reading.roster.thread(process, object.second));
        });
        reading.events(track).push_back({.start = row.integer(0),
                                         .end = row.integer(1),
                                         .name = reading.name(overheadName(row.integer(4))),
                                         .sourceRow = static_cast<std::uint64_t>(row.rowid())});
      });
  reading.rows.leaveOut("OVERHEAD", ofOthers);
}

void readOpenAcc(Reading& reading) {
  std::uint64_t behind = reading.rows.lastRow(table("MARKER"));
  for (const char* name : {"OPENACC_DATA", "OPENACC_LAUNCH", "OPENACC_OTHER"}) {
    TrackOf<2> trackOf;
    reading.rows.forEach(
        table(name), {"start", "end", "cuProcessId", "cuThreadId", "eventKind", "kernelName"},
        [&](const TableRow& row) {
          if (!reading.rows.hasTimes(row, 0, 1)) return;
          const std::array owner = {row.integer(2), threadNumber(row.integer(3))};
          const std::uint32_t track = trackOf(owner, [&] {
            const std::uint32_t process = reading.roster.process(owner[0]);
            return reading.roster.ofThread(EventKind::kNvtxRange, reading.roster.thread(process, owner[1]),
                                           reading.roster.domain(process, "OpenACC", false));
          });
          std::string text = openAccName(row.integer(4));
          if (row.integer(5) > 0) text += " " + reading.strings.text(row.integer(5));
          reading.events(track).push_back({.start = row.integer(0),
                                           .end = row.integer(1),
                                           .name = reading.name(text),
                                           .sourceRow = behind + static_cast<std::uint64_t>(row.rowid())});
        });
    behind += reading.rows.lastRow(table(name));
  }
}

}  // namespace lanescope::imported::nvprof
